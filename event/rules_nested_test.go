package event_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation"
)

func TestGadgetDeprecated(t *testing.T) {
	checkRule(t, "gadget.deprecated", diag.Advise, []ruleCase{
		{name: "accept/absent"},
		{name: "accept/null", members: `"gadget":null`},
		{name: "advise/empty", members: `"gadget":{}`, want: []string{"/gadget"}},
		{name: "advise/title", members: `"gadget":{"title":"Cake"}`, want: []string{"/gadget"}},
		{name: "advise/birthday", base: birthday, members: `"gadget":{"title":"Cake"}`, want: []string{"/gadget"}},
		{name: "accept/response", op: operation.Response, members: `"gadget":{"title":"Cake"}`},
	})
}

// deprecated is ignored in the tables about the members of a gadget.
var deprecated = []string{"gadget.deprecated"}

func TestGadgetSize(t *testing.T) {
	checkRule(t, "gadget.size", diag.Reject, []ruleCase{
		{name: "accept/1", members: `"gadget":{"width":1,"height":1}`, ignored: deprecated},
		{name: "accept/large", members: `"gadget":{"width":9223372036854775807}`, ignored: deprecated},
		{name: "accept/null", members: `"gadget":{"width":null,"height":null}`, ignored: deprecated},
		{name: "reject/width-0", members: `"gadget":{"width":0,"height":1}`, want: []string{"/gadget/width"}, ignored: deprecated},
		{name: "reject/height-0", members: `"gadget":{"width":1,"height":0}`, want: []string{"/gadget/height"}, ignored: deprecated},
		{name: "reject/both-negative", members: `"gadget":{"height":-1,"width":-1}`, want: []string{"/gadget/height", "/gadget/width"}, ignored: deprecated},
		{name: "accept/half-is-not-an-integer", members: `"gadget":{"width":0.5}`, want: []string{"json.type /gadget/width"}, ignored: deprecated},
		{name: "accept/response", op: operation.Response, members: `"gadget":{"width":0}`},
	})
}

func TestGadgetDisplay(t *testing.T) {
	template := ruleCase{ignored: deprecated}
	const member = `"gadget":{"display":?}`
	cases := withNull(enumCases(template, member, "/gadget/display", "icon", "chip"), template, member)
	checkRule(t, "gadget.display.enum", diag.Reject, append(cases,
		ruleCase{name: "accept/response", op: operation.Response, members: `"gadget":{"display":"banner"}`}))
}

func TestGadgetPreferences(t *testing.T) {
	checkRule(t, "gadget.preferences", diag.Reject, []ruleCase{
		{name: "accept/strings", members: `"gadget":{"preferences":{"a":"1","b":""}}`, ignored: deprecated},
		{name: "accept/empty", members: `"gadget":{"preferences":{}}`, ignored: deprecated},
		{name: "accept/null", members: `"gadget":{"preferences":null}`, ignored: deprecated},
		{name: "accept/null-value", members: `"gadget":{"preferences":{"a":null}}`, ignored: deprecated},
		{name: "reject/number", members: `"gadget":{"preferences":{"a":"1","b":2}}`, want: []string{"/gadget/preferences/b"}, ignored: deprecated},
		{name: "reject/object", members: `"gadget":{"preferences":{"a":{}}}`, want: []string{"/gadget/preferences/a"}, ignored: deprecated},
		{name: "reject/not-a-map", members: `"gadget":{"preferences":["a"]}`, want: []string{"/gadget/preferences"}, ignored: deprecated},
	})
}

// popup is a valid reminder.
const popup = `{"method":"popup","minutes":10}`

// reminders returns the member with useDefault false and the overrides.
func reminders(overrides ...string) string {
	return `"reminders":{"useDefault":false,"overrides":[` + strings.Join(overrides, ",") + `]}`
}

func TestRemindersMax(t *testing.T) {
	overrides := func(n int) string { return `"reminders":{"useDefault":false,"overrides":` + array(n, popup) + `}` }
	checkRule(t, "reminders.overrides.max", diag.Reject, []ruleCase{
		{name: "accept/0", members: overrides(0)},
		{name: "accept/5", members: overrides(5)},
		{name: "accept/null", members: `"reminders":{"useDefault":false,"overrides":null}`},
		{name: "reject/6", members: overrides(6), want: []string{"/reminders/overrides"}},
		{name: "reject/100", members: overrides(100), want: []string{"/reminders/overrides"}},
		{name: "accept/response", op: operation.Response, members: overrides(6)},
	})
}

func TestRemindersMethod(t *testing.T) {
	const member = `"reminders":{"useDefault":false,"overrides":[{"method":?,"minutes":10}]}`
	cases := enumCases(ruleCase{}, member, "/reminders/overrides/0/method", "email", "popup")
	checkRule(t, "reminders.method", diag.Reject, append(cases,
		ruleCase{name: "reject/missing", members: reminders(`{"minutes":10}`), want: []string{"/reminders/overrides/0/method"}},
		ruleCase{name: "reject/null", members: strings.ReplaceAll(member, "?", "null"), want: []string{"/reminders/overrides/0/method"}},
		ruleCase{name: "reject/sms", members: strings.ReplaceAll(member, "?", `"sms"`), want: []string{"/reminders/overrides/0/method"}},
		ruleCase{name: "reject/fifth", members: reminders(popup, popup, popup, popup, `{"minutes":10}`), want: []string{"/reminders/overrides/4/method"}},
		ruleCase{name: "accept/response", op: operation.Response, members: reminders(`{"method":"sms"}`)},
	))
}

func TestRemindersMinutes(t *testing.T) {
	minutes := func(n string) string { return reminders(`{"method":"email","minutes":` + n + `}`) }
	at := []string{"/reminders/overrides/0/minutes"}
	checkRule(t, "reminders.minutes", diag.Reject, []ruleCase{
		{name: "accept/0", members: minutes("0")},
		{name: "accept/40320", members: minutes("40320")},
		{name: "accept/4.032e4", members: minutes("4.032e4")},
		{name: "reject/minus-1", members: minutes("-1"), want: at},
		{name: "reject/40321", members: minutes("40321"), want: at},
		{name: "reject/largest", members: minutes("9223372036854775807"), want: at},
		{name: "reject/missing", members: reminders(`{"method":"email"}`), want: at},
		{name: "reject/null", members: minutes("null"), want: at},
		{name: "reject/empty-reminder", members: reminders(`{}`), want: []string{"reminders.method /reminders/overrides/0/method", "/reminders/overrides/0/minutes"}},
		{name: "reject/fifth", members: reminders(popup, popup, popup, popup, `{"method":"popup","minutes":50000}`), want: []string{"/reminders/overrides/4/minutes"}},
		{name: "accept/fraction-is-not-an-integer", members: minutes("1.5"), want: []string{"json.type /reminders/overrides/0/minutes"}},
		{name: "accept/response", op: operation.Response, members: minutes("40321")},
	})
}

func TestRemindersDefaultAndOverrides(t *testing.T) {
	checkRule(t, "reminders.default-and-overrides", diag.Reject, []ruleCase{
		{name: "accept/false-and-overrides", members: reminders(popup)},
		{name: "accept/true-alone", members: `"reminders":{"useDefault":true}`},
		{name: "accept/true-and-none", members: `"reminders":{"useDefault":true,"overrides":[]}`},
		{name: "accept/true-and-null", members: `"reminders":{"useDefault":true,"overrides":null}`},
		{name: "reject/true-and-one", members: `"reminders":{"useDefault":true,"overrides":[` + popup + `]}`, want: []string{"/reminders/overrides"}},
		{name: "accept/response", op: operation.Response, members: `"reminders":{"useDefault":true,"overrides":[` + popup + `]}`},
	})
}

func TestRemindersOverridesAlone(t *testing.T) {
	checkRule(t, "reminders.overrides-alone", diag.Advise, []ruleCase{
		{name: "accept/with-false", members: reminders(popup)},
		{name: "accept/no-overrides", members: `"reminders":{"overrides":[]}`},
		{name: "accept/empty", members: `"reminders":{}`},
		{name: "advise/absent", members: `"reminders":{"overrides":[` + popup + `]}`, want: []string{"/reminders/overrides"}},
		{name: "advise/null", members: `"reminders":{"useDefault":null,"overrides":[` + popup + `]}`, want: []string{"/reminders/overrides"}},
		{name: "accept/response", op: operation.Response, members: `"reminders":{"overrides":[` + popup + `]}`},
	})
}

func TestSourceURL(t *testing.T) {
	source := func(url string) string { return `"source":{"title":"Ticket","url":` + quoted(url) + `}` }
	cases := []ruleCase{
		{name: "accept/no-url", members: `"source":{"title":"Ticket"}`},
		{name: "accept/null", members: `"source":{"url":null}`},
		{name: "accept/response", op: operation.Response, members: source("ftp://example.com/")},
	}
	for _, url := range []string{"http://example.com", "https://example.com/a?b=c#d", "HTTPS://example.com/", "HtTp://example.com/", "https://user@example.com:8443/", "https://[2001:db8::7]/", "https://example.com/%C3%A9"} {
		cases = append(cases, ruleCase{name: "accept/" + url, members: source(url)})
	}
	for _, url := range []string{"", " ", "example.com", "//example.com/", "/a", "ftp://example.com/", "mailto:ada@example.com", "javascript:alert(1)", "httpx://example.com/",
		" https://example.com/", "http", "file:///etc/passwd"} {
		cases = append(cases, ruleCase{name: "reject/" + quoted(url), members: source(url), want: []string{"/source/url"}})
	}
	for _, url := range []string{"http:", "http:example.com", "http:/example.com", "http://", "https:///a", "https://example.com/\n", "https://exam ple.com/", "https://example.com:port/",
		"https://example.com/a b", "https://example.com/%", "HTTPS://example.com/%zz", "https://?q", "https://example.com/<a>"} {
		cases = append(cases, ruleCase{name: "accept/" + quoted(url), members: source(url), want: []string{"source.url.form /source/url"}})
	}
	checkRule(t, "source.url", diag.Reject, cases)
}

// file is a valid attachment.
const file = `{"fileUrl":"https://files.example.com/1"}`

func TestAttachmentsMax(t *testing.T) {
	attached := func(n int) string { return `"attachments":` + array(n, file) }
	checkRule(t, "attachments.max", diag.Reject, []ruleCase{
		{name: "accept/0", members: attached(0)},
		{name: "accept/25", params: "supportsAttachments=true", members: attached(25)},
		{name: "reject/26", params: "supportsAttachments=true", members: attached(26), want: []string{"/attachments"}},
		{name: "accept/response", op: operation.Response, members: attached(26)},
	})
}

func TestAttachmentsFileURL(t *testing.T) {
	const params = "supportsAttachments=true"
	checkRule(t, "attachments.file-url", diag.Reject, []ruleCase{
		{name: "accept/given", params: params, members: `"attachments":[` + file + `]`},
		{name: "reject/missing", params: params, members: `"attachments":[{"title":"Agenda"}]`, want: []string{"/attachments/0/fileUrl"}},
		{name: "reject/null", params: params, members: `"attachments":[{"fileUrl":null}]`, want: []string{"/attachments/0/fileUrl"}},
		{name: "reject/empty", params: params, members: `"attachments":[{"fileUrl":""}]`, want: []string{"/attachments/0/fileUrl"}},
		{name: "reject/second", params: params, members: `"attachments":[` + file + `,{}]`, want: []string{"/attachments/1/fileUrl"}},
		{name: "reject/id-is-not-enough", params: params, members: `"attachments":[{"fileId":"1"}]`, want: []string{"/attachments/0/fileUrl"}, ignored: []string{"event.read-only"}},
		{name: "accept/response", op: operation.Response, members: `"attachments":[{"title":"Agenda"}]`},
	})
}

func TestAttachmentsSupports(t *testing.T) {
	const attached = `"attachments":[` + file + `]`
	checkRule(t, "attachments.supports", diag.Reject, []ruleCase{
		{name: "accept/true", params: "supportsAttachments=true", members: attached},
		{name: "accept/no-attachments"},
		{name: "accept/empty-list", members: `"attachments":[]`},
		{name: "accept/null", members: `"attachments":null`},
		{name: "reject/absent", members: attached, want: []string{"/attachments"}},
		{name: "reject/false", params: "supportsAttachments=false", members: attached, want: []string{"/attachments"}},
		{name: "reject/other-parameter", params: "conferenceDataVersion=1", members: attached, want: []string{"/attachments"}},
		{name: "accept/response", op: operation.Response, members: attached},
	})
}
