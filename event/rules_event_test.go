package event_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation"
)

// enumCases returns the cases of a rule about a member with a closed list of values. The rule
// accepts the values in their exact spelling, null and absence, and nothing else.
func enumCases(template ruleCase, member string, path string, values ...string) []ruleCase {
	with := func(name, value string) ruleCase {
		c := template
		c.name, c.members = name, strings.ReplaceAll(member, "?", value)
		return c
	}
	var cases []ruleCase
	for _, value := range values {
		cases = append(cases, with("accept/"+value, quoted(value)))
		for kind, wrong := range map[string]string{
			"upper-case": strings.ToUpper(value), "title-case": strings.ToUpper(value[:1]) + value[1:], "blank-before": " " + value, "blank-after": value + " ",
			"cut": value[:len(value)-1], "doubled": value + value, "nul": value + "\x00",
		} {
			c := with("reject/"+value+"-"+kind, quoted(wrong))
			c.want = append([]string{path}, template.want...)
			cases = append(cases, c)
		}
	}
	empty := with("reject/empty", `""`)
	empty.want = append([]string{path}, template.want...)
	return append(cases, empty)
}

// withNull adds a case in which the member is null.
func withNull(cases []ruleCase, template ruleCase, member string) []ruleCase {
	template.name, template.members = "accept/null", strings.ReplaceAll(member, "?", "null")
	return append(cases, template)
}

var response = ruleCase{op: operation.Response}

func TestKind(t *testing.T) {
	cases := withNull(enumCases(ruleCase{}, `"kind":?`, "/kind", "calendar#event"), ruleCase{}, `"kind":?`)
	checkRule(t, "event.kind", diag.Reject, append(cases,
		ruleCase{name: "accept/absent"},
		ruleCase{name: "reject/list", members: `"kind":"calendar#events"`, want: []string{"/kind"}},
		ruleCase{name: "accept/response-absent", op: operation.Response, body: object(timed, `"id":"abc12"`)},
		ruleCase{name: "reject/response", op: operation.Response, body: object(timed, `"kind":"calendar#calendar"`), want: []string{"/kind"}},
		ruleCase{name: "reject/response-empty", op: operation.Response, body: object(timed, `"kind":""`), want: []string{"/kind"}},
	))
}

func TestIDAlphabet(t *testing.T) {
	cases := []ruleCase{
		{name: "accept/whole-alphabet", members: `"id":"0123456789abcdefghijklmnopqrstuv"`},
		{name: "accept/digits", members: `"id":"00000"`},
		{name: "accept/null", members: `"id":null`},
		{name: "accept/response", op: operation.Response, body: object(timed, `"id":"_60q30c1g60o30e1i60o4ac1g60rj8gpl88rj2c1h84s34h9g60s30c1g60o30c1g_20260310T130000Z"`)},
	}
	for name, id := range map[string]string{
		"w": "abcdw", "x": "xabcd", "z": "abzcd", "upper-case": "abcdE", "hyphen": "abc-de", "underscore": "abc_de", "blank": "abc de", "blank-after": "abcde ",
		"letter-with-accent": "abcdé", "fullwidth": "abcd５", "nul": "abcde\x00", "uuid": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "padding": "abcde===", "slash": "ab/cde", "tilde": "ab~cde",
	} {
		cases = append(cases, ruleCase{name: "reject/" + name, members: `"id":` + quoted(id), want: []string{"/id"}})
	}
	checkRule(t, "event.id.alphabet", diag.Reject, cases)
}

func TestIDLength(t *testing.T) {
	checkRule(t, "event.id.length", diag.Reject, []ruleCase{
		{name: "accept/5", members: `"id":"abcde"`},
		{name: "accept/1024", members: `"id":"` + strings.Repeat("a", 1024) + `"`},
		{name: "accept/absent"},
		{name: "accept/null", members: `"id":null`},
		{name: "reject/empty", members: `"id":""`, want: []string{"/id"}},
		{name: "reject/1", members: `"id":"a"`, want: []string{"/id"}},
		{name: "reject/4", members: `"id":"abcd"`, want: []string{"/id"}},
		{name: "reject/1025", members: `"id":"` + strings.Repeat("a", 1025) + `"`, want: []string{"/id"}},
		// Characters count, not bytes: four of two bytes each are too few.
		{name: "reject/4-characters-of-8-bytes", members: `"id":"éééé"`, want: []string{"/id"}, ignored: []string{"event.id.alphabet"}},
		{name: "accept/1024-characters-of-2048-bytes", members: `"id":"` + strings.Repeat("é", 1024) + `"`, want: []string{"event.id.alphabet /id"}},
		{name: "accept/response-short", op: operation.Response, body: object(timed, `"id":"a"`)},
	})
}

func TestIDUnique(t *testing.T) {
	known := &operation.Calendar{IDs: operation.IDList{"abcde", "fghij"}}
	checkRule(t, "event.id.unique", diag.Reject, []ruleCase{
		{name: "accept/nothing-known", members: `"id":"abcde"`},
		{name: "accept/ids-unknown", members: `"id":"abcde"`, calendar: &operation.Calendar{Labels: operation.IDList{"abcde"}}},
		{name: "accept/none-taken", members: `"id":"abcde"`, calendar: &operation.Calendar{IDs: operation.IDList{}}},
		{name: "accept/other", members: `"id":"klmno"`, calendar: known},
		{name: "accept/absent", calendar: known},
		{name: "accept/null", members: `"id":null`, calendar: known},
		{name: "reject/first", members: `"id":"abcde"`, calendar: known, want: []string{"/id"}},
		{name: "reject/last", members: `"id":"fghij"`, calendar: known, want: []string{"/id"}},
		{name: "accept/response", op: operation.Response, body: object(timed, `"id":"abcde"`), calendar: known},
	})
}

func TestIDWithICalUID(t *testing.T) {
	checkRule(t, "event.id.with-icaluid", diag.Advise, []ruleCase{
		{name: "accept/neither"},
		{name: "accept/id", members: `"id":"abcde"`},
		{name: "accept/uid", members: `"iCalUID":"abcde@example.com"`},
		{name: "accept/null-id", members: `"id":null,"iCalUID":"abcde@example.com"`},
		{name: "accept/null-uid", members: `"id":"abcde","iCalUID":null`},
		{name: "advise/both", members: `"id":"abcde","iCalUID":"abcde@example.com"`, want: []string{"/iCalUID"}},
		{name: "accept/response", op: operation.Response},
	})
}

func TestStatusEnum(t *testing.T) {
	cases := enumCases(ruleCase{}, `"status":?`, "/status", "confirmed", "tentative", "cancelled")
	cases = withNull(cases, ruleCase{}, `"status":?`)
	checkRule(t, "event.status.enum", diag.Reject, append(cases,
		ruleCase{name: "reject/american", members: `"status":"canceled"`, want: []string{"/status"}},
		ruleCase{name: "reject/of-an-attendee", members: `"status":"accepted"`, want: []string{"/status"}}))
	t.Run("response", func(t *testing.T) {
		checkRule(t, "event.status.enum", diag.Reject, enumCases(response, `"status":?`, "/status", "confirmed", "tentative", "cancelled"))
	})
}

func TestTransparencyEnum(t *testing.T) {
	cases := enumCases(ruleCase{}, `"transparency":?`, "/transparency", "opaque", "transparent")
	checkRule(t, "event.transparency.enum", diag.Reject, withNull(cases, ruleCase{}, `"transparency":?`))
	t.Run("response", func(t *testing.T) {
		checkRule(t, "event.transparency.enum", diag.Reject, enumCases(response, `"transparency":?`, "/transparency", "opaque", "transparent"))
	})
}

func TestVisibilityEnum(t *testing.T) {
	values := []string{"default", "public", "private", "confidential"}
	template := ruleCase{ignored: []string{"event.visibility.confidential"}}
	checkRule(t, "event.visibility.enum", diag.Reject, withNull(enumCases(template, `"visibility":?`, "/visibility", values...), template, `"visibility":?`))
	t.Run("response", func(t *testing.T) {
		checkRule(t, "event.visibility.enum", diag.Reject, enumCases(response, `"visibility":?`, "/visibility", values...))
	})
}

func TestVisibilityConfidential(t *testing.T) {
	checkRule(t, "event.visibility.confidential", diag.Advise, []ruleCase{
		{name: "accept/private", members: `"visibility":"private"`},
		{name: "accept/absent"},
		{name: "advise/confidential", members: `"visibility":"confidential"`, want: []string{"/visibility"}},
		{name: "accept/response", op: operation.Response, members: `"visibility":"confidential"`},
	})
}

func TestEventTypeEnum(t *testing.T) {
	values := []string{"birthday", "default", "focusTime", "fromMail", "outOfOffice", "workingLocation"}
	// Other rules about event types are not tested here.
	template := ruleCase{ignored: []string{"birthday.shape", "event.type.from-mail", "type.properties-required"}}
	checkRule(t, "event.type.enum", diag.Reject, withNull(enumCases(template, `"eventType":?`, "/eventType", values...), template, `"eventType":?`))
	t.Run("response", func(t *testing.T) {
		checkRule(t, "event.type.enum", diag.Reject, enumCases(response, `"eventType":?`, "/eventType", values...))
	})
}

func TestEventTypeFromMail(t *testing.T) {
	checkRule(t, "event.type.from-mail", diag.Reject, []ruleCase{
		{name: "accept/absent"},
		{name: "accept/default", members: `"eventType":"default"`},
		{name: "accept/birthday", base: birthday},
		{name: "accept/focus-time", base: focusTime},
		{name: "accept/out-of-office", base: outOfOffice},
		{name: "accept/working-location", base: workingLocation, members: `"workingLocationProperties":{"type":"homeOffice"}`},
		{name: "reject/from-mail", members: `"eventType":"fromMail"`, want: []string{"/eventType"}},
		{name: "accept/response", op: operation.Response, members: `"eventType":"fromMail"`},
	})
}

func TestSequence(t *testing.T) {
	checkRule(t, "event.sequence", diag.Reject, []ruleCase{
		{name: "accept/0", members: `"sequence":0`},
		{name: "accept/1", members: `"sequence":1`},
		{name: "accept/minus-0", members: `"sequence":-0`},
		{name: "accept/largest", members: `"sequence":9223372036854775807`},
		{name: "accept/null", members: `"sequence":null`},
		{name: "reject/minus-1", members: `"sequence":-1`, want: []string{"/sequence"}},
		{name: "reject/minus-1.0", members: `"sequence":-1.0`, want: []string{"/sequence"}},
		{name: "reject/least", members: `"sequence":-9223372036854775808`, want: []string{"/sequence"}},
		{name: "accept/response", op: operation.Response, body: object(timed, `"id":"abc12","sequence":-1`)},
	})
}

func TestAnyoneCanAddSelf(t *testing.T) {
	checkRule(t, "event.anyone-can-add-self.deprecated", diag.Advise, []ruleCase{
		{name: "accept/absent"},
		{name: "accept/null", members: `"anyoneCanAddSelf":null`},
		{name: "accept/guests-can-modify", members: `"guestsCanModify":true`},
		{name: "advise/true", members: `"anyoneCanAddSelf":true`, want: []string{"/anyoneCanAddSelf"}},
		{name: "advise/false", members: `"anyoneCanAddSelf":false`, want: []string{"/anyoneCanAddSelf"}},
		{name: "accept/response", op: operation.Response, members: `"anyoneCanAddSelf":true`},
	})
}

func TestColorKnown(t *testing.T) {
	known := &operation.Calendar{Colors: operation.IDList{"1", "5"}}
	checkRule(t, "event.color.known", diag.Reject, []ruleCase{
		{name: "accept/nothing-known", members: `"colorId":"99"`},
		{name: "accept/colors-unknown", members: `"colorId":"99"`, calendar: &operation.Calendar{Labels: operation.IDList{"a"}}},
		{name: "accept/known", members: `"colorId":"5"`, calendar: known},
		{name: "accept/absent", calendar: known},
		{name: "accept/null", members: `"colorId":null`, calendar: known},
		{name: "accept/not-processed", members: `"colorId":"99"`, calendar: known, params: "eventLabelVersion=1", want: []string{"event.label.color-ignored /colorId"}},
		{name: "accept/may-be-stored", op: operation.EventsPatch, body: `{"colorId":"12"}`, calendar: known},
		{name: "accept/may-be-stored-before-update", op: operation.EventsUpdate, members: `"colorId":"12"`, calendar: known},
		{name: "reject/unknown", members: `"colorId":"12"`, calendar: known, want: []string{"/colorId"}},
		{name: "reject/leading-zero", members: `"colorId":"05"`, calendar: known, want: []string{"/colorId"}},
		{name: "reject/none-known", members: `"colorId":"5"`, calendar: &operation.Calendar{Colors: operation.IDList{}}, want: []string{"/colorId"}},
		{name: "reject/empty", members: `"colorId":""`, calendar: known, want: []string{"/colorId"}}, // "" removes labels, but not colors
	})
}

func TestLabelKnown(t *testing.T) {
	known := &operation.Calendar{Labels: operation.IDList{"urgent"}}
	const params = "eventLabelVersion=1"
	checkRule(t, "event.label.known", diag.Reject, []ruleCase{
		{name: "accept/nothing-known", params: params, members: `"eventLabelId":"x"`},
		{name: "accept/labels-unknown", params: params, members: `"eventLabelId":"x"`, calendar: &operation.Calendar{Colors: operation.IDList{"1"}}},
		{name: "accept/known", params: params, members: `"eventLabelId":"urgent"`, calendar: known},
		{name: "accept/absent", params: params, calendar: known},
		{name: "accept/null", params: params, members: `"eventLabelId":null`, calendar: known},
		{name: "accept/empty-is-not-a-label", params: params, members: `"eventLabelId":""`, calendar: known},
		{name: "accept/may-be-stored", op: operation.EventsPatch, params: params, body: `{"eventLabelId":"urgnet"}`, calendar: known},
		{name: "accept/may-be-stored-before-update", op: operation.EventsUpdate, params: params, members: `"eventLabelId":"urgnet"`, calendar: known},
		{name: "reject/unknown", params: params, members: `"eventLabelId":"urgnet"`, calendar: known, want: []string{"/eventLabelId"}},
		{name: "reject/case", params: params, members: `"eventLabelId":"Urgent"`, calendar: known, want: []string{"/eventLabelId"}},
		{name: "reject/none-known", params: params, members: `"eventLabelId":"urgent"`, calendar: &operation.Calendar{Labels: operation.IDList{}}, want: []string{"/eventLabelId"}},
	})
}

func TestLabelVersion(t *testing.T) {
	checkRule(t, "event.label.version", diag.Reject, []ruleCase{
		{name: "accept/version-1", params: "eventLabelVersion=1", members: `"eventLabelId":"a"`},
		{name: "accept/absent"},
		{name: "accept/null", members: `"eventLabelId":null`},
		{name: "accept/empty-sets-nothing", members: `"eventLabelId":""`},
		{name: "reject/no-version", members: `"eventLabelId":"a"`, want: []string{"/eventLabelId"}},
		{name: "reject/version-0", params: "eventLabelVersion=0", members: `"eventLabelId":"a"`, want: []string{"/eventLabelId"}},
		{name: "reject/other-parameter", params: "conferenceDataVersion=1", members: `"eventLabelId":"a"`, want: []string{"/eventLabelId"}},
		{name: "reject/beside-color", members: `"colorId":"5","eventLabelId":"a"`, want: []string{"/eventLabelId"}},
		{name: "accept/response", op: operation.Response, members: `"eventLabelId":"a"`},
	})
}

func TestLabelColorIgnored(t *testing.T) {
	checkRule(t, "event.label.color-ignored", diag.Ignore, []ruleCase{
		{name: "accept/no-version", members: `"colorId":"5"`},
		{name: "accept/version-0", params: "eventLabelVersion=0", members: `"colorId":"5"`},
		{name: "accept/absent", params: "eventLabelVersion=1"},
		{name: "accept/null", params: "eventLabelVersion=1", members: `"colorId":null`},
		{name: "ignore/version-1", params: "eventLabelVersion=1", members: `"colorId":"5"`, want: []string{"/colorId"}},
		{name: "ignore/beside-label", params: "eventLabelVersion=1", members: `"eventLabelId":"a","colorId":"5"`, want: []string{"/colorId"}},
		{name: "accept/response", op: operation.Response, params: "eventLabelVersion=1", members: `"colorId":"5"`},
	})
}

func TestReadOnly(t *testing.T) {
	conferenceData := func(request string) string {
		return `"conferenceData":{"createRequest":{"requestId":"r"` + request + `}}`
	}
	checkRule(t, "event.read-only", diag.Ignore, []ruleCase{
		{name: "accept/none"},
		{name: "accept/nulls", members: `"created":null,"updated":null,"creator":null,"locked":null,"organizer":{"self":null}`},
		{name: "accept/as-when-absent", members: `"locked":false,"organizer":{"self":false},"attendees":[{"email":"a@example.com","organizer":false,"self":false}]`},
		{name: "accept/organizer-is-the-caller", members: `"attendees":[{"email":"a@EXAMPLE.com","organizer":true}]`, caller: &operation.Caller{Email: "a@example.com"}},
		{name: "ignore/organizer-is-another", members: `"attendees":[{"email":"b@example.com","organizer":true}]`, caller: &operation.Caller{Email: "a@example.com"},
			want: []string{"/attendees/0/organizer"}},
		{name: "ignore/organizer-says-no", members: `"attendees":[{"email":"a@example.com","organizer":false}]`, caller: &operation.Caller{Email: "a@example.com"},
			want: []string{"/attendees/0/organizer"}},
		{name: "accept/organizer-imported", op: operation.EventsImport, members: `"iCalUID":"u1","organizer":{"email":"a@example.com"},"attendees":[{"email":"a@example.com","organizer":true}]`},
		{name: "ignore/created", members: `"created":"2026-01-05T08:00:00Z"`, want: []string{"/created"}},
		{name: "ignore/created-of-any-form", members: `"created":"yesterday"`, want: []string{"/created"}},
		{name: "ignore/updated", members: `"updated":"2026-01-05T08:00:00Z"`, want: []string{"/updated"}},
		{name: "ignore/creator", members: `"creator":{"email":"a@example.com","self":true}`, want: []string{"/creator"}},
		{name: "ignore/locked", members: `"locked":true`, want: []string{"/locked"}},
		{name: "ignore/organizer-self", members: `"organizer":{"self":true}`, want: []string{"/organizer/self"}},
		{name: "ignore/attendee-organizer", members: `"attendees":[{"email":"a@example.com","organizer":true}]`, want: []string{"/attendees/0/organizer"}},
		{name: "ignore/attendee-self", members: `"attendees":[{"email":"a@example.com"},{"email":"b@example.com","self":true}]`, want: []string{"/attendees/1/self"}},
		{name: "ignore/attendee-async-operation", members: `"attendees":[{"email":"a@example.com","asyncOperation":"done"}]`, want: []string{"/attendees/0/asyncOperation"}},
		{name: "ignore/attendee-all", members: `"attendees":[{"self":true,"asyncOperation":"inProgress","email":"a@example.com","organizer":true}]`,
			want: []string{"/attendees/0/self", "/attendees/0/asyncOperation", "/attendees/0/organizer"}},
		{name: "ignore/birthday-contact", base: birthday, members: `"birthdayProperties":{"contact":"people/c1"}`, want: []string{"/birthdayProperties/contact"}},
		{name: "ignore/birthday-custom-type", base: birthday, members: `"birthdayProperties":{"customTypeName":"Name day"}`, want: []string{"/birthdayProperties/customTypeName"}},
		{name: "ignore/file-id", params: "supportsAttachments=true", members: `"attachments":[{"fileUrl":"https://example.com/1","fileId":"1"}]`, want: []string{"/attachments/0/fileId"}},
		{name: "ignore/create-request-status", params: "conferenceDataVersion=1", members: conferenceData(`,"status":{"statusCode":"success"}`),
			want: []string{"/conferenceData/createRequest/status"}},
		{name: "accept/no-create-request-status", params: "conferenceDataVersion=1", members: conferenceData("")},
		{name: "accept/response", op: operation.Response, members: `"locked":true,"attendees":[{"email":"a@example.com","self":true}]`},
	})
}

func TestServerSet(t *testing.T) {
	checkRule(t, "event.server-set", diag.Ignore, []ruleCase{
		{name: "accept/none"},
		{name: "accept/nulls", members: `"etag":null,"htmlLink":null,"videoLink":null`},
		{name: "ignore/etag", members: `"etag":"\"1\""`, want: []string{"/etag"}},
		{name: "ignore/html-link", members: `"htmlLink":"https://example.com/"`, want: []string{"/htmlLink"}},
		{name: "ignore/video-link", members: `"videoLink":"https://example.com/"`, want: []string{"/videoLink"}},
		{name: "ignore/attachment-icon", params: "supportsAttachments=true", members: `"attachments":[{"fileUrl":"https://example.com/1"},{"fileUrl":"https://example.com/2","iconLink":"https://example.com/i"}]`,
			want: []string{"/attachments/1/iconLink"}},
		{name: "ignore/gadget", members: `"gadget":{"iconLink":"https://example.com/i","link":"https://example.com/g"}`, want: []string{"gadget.deprecated /gadget", "/gadget/iconLink", "/gadget/link"}},
		{name: "accept/response", op: operation.Response, members: `"videoLink":"https://example.com/"`},
	})
}

func TestOrganizerReadOnly(t *testing.T) {
	checkRule(t, "event.organizer.read-only", diag.Ignore, []ruleCase{
		{name: "accept/absent"},
		{name: "accept/null", members: `"organizer":null`},
		{name: "ignore/email", members: `"organizer":{"email":"chair@example.com"}`, want: []string{"/organizer"}},
		{name: "ignore/display-name", members: `"organizer":{"displayName":"Chair"}`, want: []string{"/organizer"}},
		// The rule about the address applies only to imports.
		{name: "ignore/no-address", members: `"organizer":{"email":"the chair"}`, want: []string{"/organizer"}},
		{name: "accept/response", op: operation.Response},
	})
}

func TestExtendedProperties(t *testing.T) {
	properties := func(private, shared string) string {
		return `"extendedProperties":{"private":` + private + `,"shared":` + shared + `}`
	}
	checkRule(t, "event.extended-properties", diag.Reject, []ruleCase{
		{name: "accept/strings", members: properties(`{"a":"1"}`, `{"a":"2","":""}`)},
		{name: "accept/empty", members: properties(`{}`, `{}`)},
		{name: "accept/null-maps", members: properties(`null`, `null`)},
		{name: "accept/null-value-is-absent", members: properties(`{"a":null}`, `{"b":null,"c":"1"}`)},
		{name: "reject/number", members: properties(`{"tries":3}`, `{}`), want: []string{"/extendedProperties/private/tries"}},
		{name: "reject/boolean", members: properties(`{}`, `{"done":true}`), want: []string{"/extendedProperties/shared/done"}},
		{name: "reject/object", members: properties(`{"a":{"b":"c"}}`, `{}`), want: []string{"/extendedProperties/private/a"}},
		{name: "reject/array", members: properties(`{"a":[]}`, `{}`), want: []string{"/extendedProperties/private/a"}},
		{name: "reject/escaped-path", members: properties(`{"a/b~c":1}`, `{}`), want: []string{"/extendedProperties/private/a~1b~0c"}},
		{name: "reject/each", members: properties(`{"a":1,"b":"","c":2}`, `{"a":false}`),
			want: []string{"/extendedProperties/private/a", "/extendedProperties/private/c", "/extendedProperties/shared/a"}},
		{name: "reject/not-a-map", members: properties(`"a"`, `[]`), want: []string{"/extendedProperties/private", "/extendedProperties/shared"}},
		{name: "reject/response", op: operation.Response, members: properties(`{"a":1}`, `{}`), want: []string{"/extendedProperties/private/a"}},
	})
}

func TestExtendedPropertiesSize(t *testing.T) {
	property := func(scope, key, value string) string {
		return `"extendedProperties":{"` + scope + `":{"` + key + `":"` + value + `"}}`
	}
	longKey, longValue := strings.Repeat("k", 45), strings.Repeat("v", 1025)
	checkRule(t, "event.extended-properties.size", diag.Advise, []ruleCase{
		{name: "accept/key-44", members: property("private", strings.Repeat("k", 44), "")},
		{name: "accept/key-44-of-four-bytes", members: property("shared", strings.Repeat("😀", 44), "")},
		{name: "accept/value-1024", members: property("private", "k", strings.Repeat("v", 1024))},
		{name: "accept/value-1024-of-two-bytes", members: property("shared", "k", strings.Repeat("é", 1024))},
		{name: "advise/key-45", members: property("private", longKey, ""), want: []string{"/extendedProperties/private/" + longKey}},
		{name: "advise/key-45-of-two-bytes", members: property("shared", strings.Repeat("é", 45), ""), want: []string{"/extendedProperties/shared/" + strings.Repeat("é", 45)}},
		{name: "advise/value-1025", members: property("private", "a/b", longValue), want: []string{"/extendedProperties/private/a~1b"}},
		{name: "advise/value-1025-shared", members: property("shared", "k", longValue), want: []string{"/extendedProperties/shared/k"}},
		{name: "advise/both", members: property("shared", longKey, longValue), want: []string{"/extendedProperties/shared/" + longKey, "/extendedProperties/shared/" + longKey}},
		{name: "advise/in-document-order", members: `"extendedProperties":{"shared":{"z":"` + longValue + `"},"private":{"y":"` + longValue + `","x":"` + longValue + `"}}`,
			want: []string{"/extendedProperties/shared/z", "/extendedProperties/private/y", "/extendedProperties/private/x"}},
		{name: "accept/response", op: operation.Response, members: property("private", longKey, longValue)},
	})
}

func TestCancelledGuaranteed(t *testing.T) {
	const id, original = `"id":"abc12"`, `"originalStartTime":{"date":"2026-03-10"}`
	cancelled := func(members ...string) string { return object(append([]string{`"status":"cancelled"`}, members...)...) }
	checkRule(t, "cancelled.guaranteed", diag.Reject, []ruleCase{
		{name: "accept/deleted-bare", op: operation.Response, body: cancelled(id)},
		{name: "accept/deleted-with-details", op: operation.Response, members: `"status":"cancelled","summary":"Standup"`},
		{name: "accept/exception-bare", op: operation.Response, body: cancelled(id, `"recurringEventId":"abc"`, original)},
		{name: "accept/birthday-without-details", op: operation.Response, body: cancelled(id, `"eventType":"birthday","birthdayProperties":{"type":"other"}`)},
		{name: "accept/confirmed-without-id", op: operation.Response, body: object(timed, `"status":"confirmed"`)},
		{name: "accept/instance-that-is-not-cancelled", op: operation.Response, body: object(timed, id, `"recurringEventId":"abc"`)},
		{name: "reject/no-id", op: operation.Response, body: cancelled(), want: []string{"/id"}},
		{name: "reject/empty-id", op: operation.Response, body: cancelled(`"id":""`), want: []string{"/id"}},
		{name: "reject/exception-without-id", op: operation.Response, body: cancelled(`"recurringEventId":"abc"`, original), want: []string{"/id"}},
		{name: "reject/no-original-start", op: operation.Response, body: cancelled(id, `"recurringEventId":"abc"`), series: series, want: []string{"/originalStartTime"}},
		{name: "reject/empty-original-start", op: operation.Response, body: cancelled(id, `"recurringEventId":"abc","originalStartTime":{"timeZone":"UTC"}`), series: series, want: []string{"/originalStartTime"}},
		{name: "accept/exception-of-the-series", op: operation.Response, body: cancelled(id, `"recurringEventId":"abc"`, original), series: allDay},
		{name: "reject/no-recurring-id", op: operation.Response, body: cancelled(id, original), series: series, want: []string{"/recurringEventId"}, ignored: []string{"event.original-start.member"}},
		{name: "accept/series-unknown", op: operation.Response, body: cancelled(id, `"recurringEventId":"abc"`)},
		{name: "accept/series-unknown-too", op: operation.Response, body: cancelled(id, original)},
		{name: "accept/series-cancelled", op: operation.Response, body: cancelled(id, `"recurringEventId":"abc"`), series: series + `,"status":"cancelled"`},
		{name: "accept/another-series", op: operation.Response, body: cancelled(id, `"recurringEventId":"abc"`), series: series + `,"id":"def"`},
		{name: "accept/insert", members: `"status":"cancelled"`},
	})
}

func TestTimestamps(t *testing.T) {
	checkRule(t, "event.timestamps", diag.Reject, []ruleCase{
		{name: "accept/absent", op: operation.Response, body: object(timed, `"id":"abc12"`)},
		{name: "accept/offset", op: operation.Response, body: object(timed, `"id":"abc12","created":"2026-01-05T08:00:00+01:00","updated":"2026-01-05t08:00:00.123z"`)},
		{name: "reject/no-time", op: operation.Response, body: object(timed, `"id":"abc12","created":"yesterday"`), want: []string{"/created"}},
		{name: "reject/no-offset", op: operation.Response, body: object(timed, `"id":"abc12","updated":"2026-01-05T08:00:00"`), want: []string{"/updated"}},
		{name: "reject/empty", op: operation.Response, body: object(timed, `"id":"abc12","created":"","updated":""`), want: []string{"/created", "/updated"}},
		{name: "reject/cancelled", op: operation.Response, body: object(`"status":"cancelled","id":"abc12","updated":"2026-01-05"`), want: []string{"/updated"}},
		{name: "accept/insert", members: `"created":"yesterday"`, ignored: []string{"event.read-only"}},
	})
}
