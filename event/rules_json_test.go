package event_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/operation"
)

// nested returns depth nested arrays.
func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

// nestedObjects returns depth nested objects.
func nestedObjects(depth int) string {
	return strings.Repeat(`{"a":`, depth-1) + "{}" + strings.Repeat("}", depth-1)
}

func TestJSONSyntaxAccepts(t *testing.T) {
	for name, body := range map[string]string{
		"white-space":            " \t\r\n{ " + timed + " }\n",
		"escapes":                object(timed, `"summary":"\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\"`),
		"noncharacter":           object(timed, `"summary":"\uffff"`),
		"escaped-nul":            object(timed, `"summary":"\u0000"`),
		"escaped-name":           object(timed, `"s\u0075mmary":"x"`),
		"depth-100-arrays":       object(timed, `"x":`+nested(constraint.JSONMaxDepth-1)),
		"depth-100-objects":      object(timed, `"x":`+nestedObjects(constraint.JSONMaxDepth-1)),
		"depth-100-home-office":  object(workingLocation, `"workingLocationProperties":{"type":"homeOffice","homeOffice":`+nested(constraint.JSONMaxDepth-2)+`}`),
		"brackets-in-a-string":   object(timed, `"x":["`+strings.Repeat("[{", 200)+`\"[[["]`),
		"many-siblings-not-deep": object(timed, `"x":[`+strings.Repeat("[[]],", 200)+`0]`),
	} {
		t.Run(name, func(t *testing.T) {
			result := must(event.Check(&event.Request{Op: operation.EventsInsert, Body: []byte(body)}))
			if !result.Accepted {
				t.Errorf("%.200q is rejected: %v", body, result.Findings)
			}
		})
	}
}

// A body that is not a JSON object breaks only this rule, because the rest cannot be decoded.
func TestJSONSyntaxRejects(t *testing.T) {
	valid := object(timed)
	for name, body := range map[string]string{
		"empty":                     "",
		"blank":                     " \n",
		"null":                      "null",
		"number":                    "1",
		"string":                    `"{}"`,
		"boolean":                   "true",
		"array":                     "[" + valid + "]",
		"no-end":                    strings.TrimSuffix(valid, "}"),
		"end-within-a-string":       `{` + timed + `,"summary":"x`,
		"end-within-an-escape":      `{` + timed + `,"summary":"\u00`,
		"end-after-a-name":          `{` + timed + `,"summary"`,
		"end-after-a-colon":         `{` + timed + `,"summary":`,
		"end-after-a-comma":         `{` + timed + `,`,
		"comma-at-the-end":          `{` + timed + `,}`,
		"comma-missing":             object(timed + `"summary":"x"`),
		"colon-missing":             object(timed, `"summary" "x"`),
		"name-unquoted":             object(timed, `summary:"x"`),
		"name-is-a-number":          object(timed, `1:"x"`),
		"single-quotes":             object(timed, `'summary':'x'`),
		"comment":                   object(timed, `/* x */"summary":"x"`),
		"byte-order-mark":           "\ufeff" + valid,
		"no-break-space":            "\u00a0" + valid,
		"vertical-tab":              "\v" + valid,
		"second-object":             valid + valid,
		"text-after":                valid + "x",
		"closing-brace-after":       valid + "}",
		"comma-after":               valid + ",",
		"nul-after":                 valid + "\x00",
		"lone-high-surrogate":       object(timed, `"summary":"\ud83d"`),
		"lone-low-surrogate":        object(timed, `"summary":"\ude00"`),
		"surrogates-in-wrong-order": object(timed, `"summary":"\ude00\ud83d"`),
		"lone-surrogate-in-a-name":  object(timed, `"\ud83d":1`),
		"lone-surrogate-unknown":    object(timed, `"x":{"y":["\udc00"]}`),
		"bad-utf-8":                 object(timed, "\"summary\":\"\xff\""),
		"bad-utf-8-name":            object(timed, "\"\xc3\":1"),
		"overlong-utf-8":            object(timed, "\"summary\":\"\xc0\xaf\""),
		"surrogate-in-utf-8":        object(timed, "\"summary\":\"\xed\xa0\x80\""),
		"control-character":         object(timed, "\"summary\":\"a\nb\""),
		"bad-escape":                object(timed, `"summary":"\x41"`),
		"leading-zero":              object(timed, `"sequence":01`),
		"plus-sign":                 object(timed, `"sequence":+1`),
		"no-digits-after-point":     object(timed, `"sequence":1.`),
		"no-digits-before-point":    object(timed, `"sequence":.5`),
		"no-digits-in-exponent":     object(timed, `"sequence":1e`),
		"hexadecimal":               object(timed, `"sequence":0x10`),
		"nan":                       object(timed, `"sequence":NaN`),
		"infinity":                  object(timed, `"x":-Infinity`),
		"capital-true":              object(timed, `"locked":True`),
		"undefined":                 object(timed, `"x":undefined`),
		"depth-101-arrays":          object(timed, `"x":`+nested(constraint.JSONMaxDepth)),
		"depth-101-objects":         object(timed, `"x":`+nestedObjects(constraint.JSONMaxDepth)),
		"depth-101-home-office":     object(workingLocation, `"workingLocationProperties":{"type":"homeOffice","homeOffice":`+nested(constraint.JSONMaxDepth-1)+`}`),
		"depth-101-wrong-type":      object(timed, `"summary":`+nested(constraint.JSONMaxDepth)),
		"depth-101-in-an-element":   object(timed, `"attendees":[{"email":"a@example.com","x":`+nestedObjects(constraint.JSONMaxDepth-2)+`}]`),
		"depth-100000":              object(timed, `"x":`+nested(100_000)),
		"depth-100000-unclosed":     `{"x":` + strings.Repeat("[", 100_000),
		"depth-100000-objects":      strings.Repeat(`{"x":`, 100_000),
	} {
		for _, op := range []operation.ID{operation.EventsInsert, operation.Response} {
			t.Run(string(op)+"/"+name, func(t *testing.T) {
				result := must(event.Check(&event.Request{Op: op, Body: []byte(body)}))
				if len(result.Findings) == 0 || result.Findings[len(result.Findings)-1].Rule.ID != "json.syntax" || result.Accepted {
					t.Errorf("%.200q: %v, want json.syntax last", body, result.Findings)
				}
				for _, f := range result.Findings[:max(len(result.Findings)-1, 0)] {
					if f.Rule.ID != "json.unknown-field" { // reported before the syntax error
						t.Errorf("%.200q: %v only restates the syntax error", body, f)
					}
				}
				checkResult(t, result)
			})
		}
	}
}

func TestJSONSyntaxWithoutBody(t *testing.T) {
	result := must(event.Check(&event.Request{Op: operation.EventsInsert}))
	if diff := cmp.Diff([]string{"json.syntax "}, describe(result.Findings, nil)); diff != "" {
		t.Errorf("findings without a body (-want +got):\n%s", diff)
	}
}

// Findings about what comes before the syntax error are reported as well.
func TestJSONSyntaxAfterOtherFindings(t *testing.T) {
	result := must(event.Check(&event.Request{Op: operation.EventsInsert, Body: []byte(`{"summary":5,"sequence":"x","end":{`)}))
	got := describe(result.Findings, nil)
	if len(got) != 3 || got[0] != "json.type /summary" || got[1] != "json.type /sequence" || !strings.HasPrefix(got[2], "json.syntax ") {
		t.Errorf("findings %v, want the two wrong types and the syntax error", got)
	}
}

func TestJSONDuplicateName(t *testing.T) {
	attendee := func(members string) string { return `"attendees":[{"email":"ada@example.com",` + members + `}]` }
	checkRule(t, "json.duplicate-name", diag.Reject, []ruleCase{
		{name: "accept/other-case", members: `"summary":"a","Summary":"b"`, want: []string{"json.unknown-field /Summary"}},
		{name: "accept/same-name-in-two-objects", members: `"source":{"title":"a"},"gadget":{"title":"b"}`, want: []string{"gadget.deprecated /gadget"}},
		{name: "accept/same-name-in-two-elements", members: `"attendees":[{"email":"a@example.com"},{"email":"b@example.com"}]`},
		{name: "accept/composed-and-decomposed", members: `"extendedProperties":{"private":{"é":"1","e\u0301":"2"}}`},
		{name: "reject/equal-values", members: `"summary":"a","summary":"a"`, want: []string{"/summary"}},
		{name: "reject/three-times", members: `"summary":"a","summary":"b","summary":"c"`, want: []string{"/summary", "/summary"}},
		{name: "reject/escaped", members: `"summary":"a","s\u0075mmary":"b"`, want: []string{"/summary"}},
		{name: "reject/null-first", members: `"summary":null,"summary":"b"`, want: []string{"/summary"}},
		{name: "reject/null-second", members: `"summary":"a","summary":null`, want: []string{"/summary"}},
		{name: "reject/of-other-types", members: `"summary":"a","summary":5`, want: []string{"/summary"}},
		{name: "reject/start", body: object(timedStart, timedStart, timedEnd), want: []string{"/start"}},
		{name: "reject/in-start", body: object(`"start":{"date":"2026-03-10","date":"2026-03-10"}`, `"end":{"date":"2026-03-11"}`), want: []string{"/start/date"}},
		{name: "reject/in-attendee", members: attendee(`"comment":"a","comment":"b"`), want: []string{"/attendees/0/comment"}},
		{name: "reject/in-map", members: `"extendedProperties":{"shared":{"a/b":"1","a/b":"2"}}`, want: []string{"/extendedProperties/shared/a~1b"}},
		{name: "reject/in-map-escaped", members: `"extendedProperties":{"private":{"é":"1","\u00e9":"2"}}`, want: []string{"/extendedProperties/private/é"}},
		{name: "reject/in-map-after-null", members: `"extendedProperties":{"private":{"a":null,"a":"2"}}`, want: []string{"/extendedProperties/private/a"}},
		{name: "reject/in-preferences", members: `"gadget":{"preferences":{"a":"1","a":"2"}}`, want: []string{"gadget.deprecated /gadget", "/gadget/preferences/a"}},
		{name: "reject/in-conference", params: "conferenceDataVersion=1", members: `"conferenceData":{"createRequest":{"requestId":"r","requestId":"r"}}`,
			want: []string{"/conferenceData/createRequest/requestId"}},
		{name: "reject/in-home-office", base: workingLocation, members: `"workingLocationProperties":{"type":"homeOffice","homeOffice":{"a":[{"b":1,"b":2}]}}`,
			want: []string{"/workingLocationProperties/homeOffice/a/0/b"}},
		{name: "reject/in-value-of-wrong-type", members: `"summary":{"a":1,"a":2}`, want: []string{"json.type /summary", "/summary/a"}},
		{name: "reject/unknown", members: `"x":1,"x":2`, want: []string{"json.unknown-field /x", "/x"}},
		{name: "reject/within-unknown", members: `"x":{"y":{"z":1,"z":2}}`, want: []string{"json.unknown-field /x", "/x/y/z"}},
		{name: "reject/response", op: operation.Response, members: `"summary":"a","summary":"b"`, want: []string{"/summary"}},
		{name: "reject/response-unknown", op: operation.Response, members: `"x":1,"x":2`, want: []string{"/x"}},
	})
}

func TestJSONType(t *testing.T) {
	checkRule(t, "json.type", diag.Reject, []ruleCase{
		{name: "accept/integral-decimal", members: `"sequence":2.0`},
		{name: "accept/integral-exponent", members: `"sequence":1e3`},
		{name: "accept/integral-negative-exponent", members: `"sequence":10e-1`},
		{name: "accept/negative-zero", members: `"sequence":-0`},
		{name: "accept/largest", members: `"sequence":9223372036854775807`},
		{name: "accept/any-in-home-office", base: workingLocation, members: `"workingLocationProperties":{"type":"homeOffice","homeOffice":false}`},
		{name: "accept/home-office-number", base: workingLocation, members: `"workingLocationProperties":{"type":"homeOffice","homeOffice":1e999}`},
		{name: "accept/empty-arrays", members: `"attendees":[],"recurrence":[],"attachments":[]`},
		{name: "accept/empty-objects", members: `"extendedProperties":{"private":{},"shared":{}},"reminders":{},"source":{}`},
		{name: "accept/any-in-unknown", members: `"x":[1e999,null,{"y":true}]`, want: []string{"json.unknown-field /x"}},

		{name: "reject/string-for-integer", members: `"sequence":"0"`, want: []string{"/sequence"}},
		{name: "reject/boolean-for-integer", members: `"sequence":true`, want: []string{"/sequence"}},
		{name: "reject/fraction", members: `"sequence":1.5`, want: []string{"/sequence"}},
		{name: "reject/small-fraction", members: `"sequence":1e-1`, want: []string{"/sequence"}},
		{name: "reject/beyond-int64", members: `"sequence":9223372036854775808`, want: []string{"/sequence"}},
		{name: "reject/huge-exponent", members: `"sequence":1e400`, want: []string{"/sequence"}},
		{name: "reject/number-for-string", members: `"summary":5`, want: []string{"/summary"}},
		{name: "reject/boolean-for-string", members: `"description":false`, want: []string{"/description"}},
		{name: "reject/array-for-string", members: `"location":["Room 4"]`, want: []string{"/location"}},
		{name: "reject/object-for-string", members: `"location":{}`, want: []string{"/location"}},
		{name: "reject/string-for-boolean", members: `"guestsCanModify":"false"`, want: []string{"/guestsCanModify"}},
		{name: "reject/number-for-boolean", members: `"guestsCanInviteOthers":0`, want: []string{"/guestsCanInviteOthers"}},
		{name: "reject/array-for-object", members: `"source":[]`, want: []string{"/source"}},
		{name: "reject/string-for-object", members: `"reminders":"default"`, want: []string{"/reminders"}},
		{name: "reject/object-for-array", members: `"attendees":{}`, want: []string{"/attendees"}},
		{name: "reject/string-for-array", members: `"recurrence":"RRULE:FREQ=DAILY"`, want: []string{"/recurrence"}},
		{name: "reject/conference", members: `"conferenceData":"x"`, want: []string{"/conferenceData"}},
		{name: "reject/label", members: `"eventLabelId":5`, params: "eventLabelVersion=1", want: []string{"/eventLabelId"}},
		{name: "reject/extended-properties", members: `"extendedProperties":[]`, want: []string{"/extendedProperties"}},
		{name: "reject/in-person", members: `"organizer":{"email":5}`, want: []string{"/organizer/email"}},
		{name: "reject/in-attendee", members: `"attendees":[{"email":"a@example.com","optional":"no"}]`, want: []string{"/attendees/0/optional"}},
		{name: "reject/in-entry-point", params: "conferenceDataVersion=1",
			members: `"conferenceData":{"conferenceSolution":{"key":{"type":"addOn"}},"entryPoints":[{"entryPointType":"phone","uri":"tel:+15550100","pin":1234}]}`,
			want:    []string{"/conferenceData/entryPoints/0/pin"}},
		{name: "reject/in-office", base: workingLocation, members: `"workingLocationProperties":{"type":"officeLocation","officeLocation":{"floorId":3}}`,
			want: []string{"/workingLocationProperties/officeLocation/floorId"}},
		{name: "reject/read-only-member", members: `"created":5,"locked":"no"`, want: []string{"/created", "/locked"}},

		// Null in an array is always a wrong type.
		{name: "reject/null-attendee", members: `"attendees":[null]`, want: []string{"/attendees/0"}},
		{name: "reject/null-line", members: `"recurrence":[null]`, want: []string{"/recurrence/0"}},
		{name: "reject/null-override", members: `"reminders":{"useDefault":false,"overrides":[null]}`, want: []string{"/reminders/overrides/0"}},
		{name: "reject/null-attachment", params: "supportsAttachments=true", members: `"attachments":[null]`, want: []string{"/attachments/0"}},
		{name: "reject/second-null", members: `"attendees":[{"email":"a@example.com"},null]`, want: []string{"/attendees/1"}},

		{name: "reject/response", op: operation.Response, members: `"summary":5`, want: []string{"/summary"}},
		{name: "reject/response-null", op: operation.Response, members: `"summary":null`, want: []string{"/summary"}},
		{name: "reject/response-null-object", op: operation.Response, members: `"reminders":null`, want: []string{"/reminders"}},
		{name: "reject/response-null-in-attendee", op: operation.Response, members: `"attendees":[{"email":null}]`, want: []string{"/attendees/0/email"}},
		// The rule gadget.preferences is only about writes; in responses json.type applies.
		{name: "reject/response-preferences", op: operation.Response, members: `"gadget":{"preferences":{"lines":2}}`, want: []string{"/gadget/preferences/lines"}},
		{name: "reject/response-preferences-not-a-map", op: operation.Response, members: `"gadget":{"preferences":"lines"}`, want: []string{"/gadget/preferences"}},
	})
}

// A value of a wrong type has one finding: no rule takes it for missing or for the zero value.
func TestJSONTypeDoesNotCascade(t *testing.T) {
	checkRule(t, "json.type", diag.Reject, []ruleCase{
		{name: "start", body: object(`"start":5`, timedEnd), want: []string{"/start"}},
		{name: "end", body: object(timedStart, `"end":"10:00"`), want: []string{"/end"}},
		{name: "both", body: object(`"start":"2026-03-10","end":[]`), want: []string{"/start", "/end"}},
		{name: "start-date", body: object(`"start":{"date":20260310},"end":{"date":"2026-03-11"}`), want: []string{"/start/date"}},
		{name: "start-date-time", body: object(`"start":{"dateTime":5,"timeZone":"UTC"}`, timedEnd), want: []string{"/start/dateTime"}},
		{name: "time-zone", body: object(`"start":{"dateTime":"2026-03-10T09:00:00","timeZone":5}`, timedEnd), want: []string{"/start/timeZone"}},
		{name: "time-zone-of-series", body: object(`"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":5}`, timedEnd, `"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`),
			want: []string{"/start/timeZone"}},
		{name: "id", members: `"id":5`, want: []string{"/id"}},
		{name: "id-beside-uid", members: `"id":5,"iCalUID":"a@example.com"`, want: []string{"/id"}},
		{name: "kind", members: `"kind":5`, want: []string{"/kind"}},
		{name: "status", members: `"status":5`, want: []string{"/status"}},
		{name: "attendee", members: `"attendees":[5]`, want: []string{"/attendees/0"}},
		{name: "attendees-alike", members: `"attendees":[5,5]`, want: []string{"/attendees/0", "/attendees/1"}},
		{name: "attendee-email", members: `"attendees":[{"email":5}]`, want: []string{"/attendees/0/email"}},
		{name: "attendee-response", members: `"attendees":[{"email":"a@example.com","responseStatus":5}]`, want: []string{"/attendees/0/responseStatus"}},
		{name: "line", members: `"recurrence":[5]`, want: []string{"/recurrence/0"}},
		{name: "line-beside-rule", members: `"recurrence":["RRULE:FREQ=DAILY;COUNT=2",5]`, want: []string{"/recurrence/1"}},
		{name: "line-of-birthday", base: allDay, members: `"eventType":"birthday","recurrence":[5]`, want: []string{"/recurrence/0"}},
		{name: "recurrence-of-birthday", base: allDay, members: `"eventType":"birthday","recurrence":"RRULE:FREQ=YEARLY"`, want: []string{"/recurrence"}},
		{name: "start-of-birthday", body: object(`"start":{"date":5,"timeZone":"UTC"},"end":{"date":"2026-03-11","timeZone":"UTC"}`, `"eventType":"birthday","recurrence":["RRULE:FREQ=YEARLY"]`),
			want: []string{"/start/date"}},
		{name: "minutes", members: `"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":"10"}]}`, want: []string{"/reminders/overrides/0/minutes"}},
		{name: "method", members: `"reminders":{"useDefault":false,"overrides":[{"method":1,"minutes":10}]}`, want: []string{"/reminders/overrides/0/method"}},
		{name: "override", members: `"reminders":{"useDefault":false,"overrides":[10]}`, want: []string{"/reminders/overrides/0"}},
		{name: "overrides", members: `"reminders":{"useDefault":false,"overrides":10}`, want: []string{"/reminders/overrides"}},
		{name: "use-default", members: `"reminders":{"useDefault":"false","overrides":[{"method":"popup","minutes":10}]}`, want: []string{"/reminders/useDefault"}},
		{name: "source-url", members: `"source":{"url":5}`, want: []string{"/source/url"}},
		{name: "gadget-width", members: `"gadget":{"width":"10"}`, want: []string{"gadget.deprecated /gadget", "/gadget/width"}},
		{name: "attachment", params: "supportsAttachments=true", members: `"attachments":["https://example.com/"]`, want: []string{"/attachments/0"}},
		{name: "attachment-url", params: "supportsAttachments=true", members: `"attachments":[{"fileUrl":5}]`, want: []string{"/attachments/0/fileUrl"}},
		{name: "conference", params: "conferenceDataVersion=1", members: `"conferenceData":5`, want: []string{"/conferenceData"}},
		{name: "create-request", params: "conferenceDataVersion=1", members: `"conferenceData":{"createRequest":5}`, want: []string{"/conferenceData/createRequest"}},
		{name: "request-id", params: "conferenceDataVersion=1", members: `"conferenceData":{"createRequest":{"requestId":5}}`, want: []string{"/conferenceData/createRequest/requestId"}},
		{name: "working-location", base: workingLocation, members: `"workingLocationProperties":5`, want: []string{"/workingLocationProperties"}},
		{name: "working-location-type", base: workingLocation, members: `"workingLocationProperties":{"type":5,"homeOffice":{}}`, want: []string{"/workingLocationProperties/type"}},
		{name: "event-type", members: `"eventType":5`, want: []string{"/eventType"}},
		// The type of the event is unknown.
		{name: "event-type-beside-focus-time", members: `"eventType":5,"focusTimeProperties":{"chatStatus":"available"}`, want: []string{"/eventType"}},
		{name: "event-type-beside-out-of-office", members: `"eventType":["outOfOffice"],"outOfOfficeProperties":{"autoDeclineMode":"declineNone"}`, want: []string{"/eventType"}},
		{name: "event-type-beside-working-location", members: `"eventType":{},"workingLocationProperties":{"type":"homeOffice"}`, want: []string{"/eventType"}},
		{name: "event-type-beside-birthday", base: allDay, members: `"eventType":true,"birthdayProperties":{"type":"birthday"}`, want: []string{"/eventType"}},
		{name: "recurring-id", op: operation.Response, members: `"status":"cancelled","recurringEventId":5,"originalStartTime":{"date":"2026-03-10"}`, want: []string{"/recurringEventId"}},
		{name: "original-start", op: operation.Response, members: `"status":"cancelled","recurringEventId":"abc12","originalStartTime":5`, want: []string{"/originalStartTime"}},
		{name: "cancelled-id", op: operation.Response, body: `{"status":"cancelled","id":5}`, want: []string{"/id"}},
		{name: "contact", op: operation.Response, members: `"birthdayProperties":{"type":"other","contact":5}`, want: []string{"/birthdayProperties/contact"}},
	})
}

func TestJSONUnknownField(t *testing.T) {
	checkRule(t, "json.unknown-field", diag.Advise, []ruleCase{
		{name: "accept/every-level-known", members: `"summary":"x","source":{"title":"x"},"attendees":[{"email":"a@example.com","comment":"x"}]`},
		{name: "accept/any-name-in-map", members: `"extendedProperties":{"private":{"sumary":"1"}}`},
		{name: "accept/any-name-in-home-office", base: workingLocation, members: `"workingLocationProperties":{"type":"homeOffice","homeOffice":{"sumary":1}}`},
		{name: "advise/top", members: `"sumary":"x"`, want: []string{"/sumary"}},
		{name: "advise/case", members: `"Summary":"x"`, want: []string{"/Summary"}},
		{name: "advise/empty-name", members: `"":"x"`, want: []string{"/"}},
		{name: "advise/escaped-path", members: `"a~/b":"x"`, want: []string{"/a~0~1b"}},
		{name: "advise/snake-case", members: `"time_zone":"UTC"`, want: []string{"/time_zone"}},
		{name: "advise/in-start", body: object(`"start":{"date":"2026-03-10","timezone":"UTC"},"end":{"date":"2026-03-11"}`), want: []string{"/start/timezone"}},
		{name: "advise/in-organizer", members: `"organizer":{"mail":"a@example.com"}`, want: []string{"/organizer/mail"}},
		{name: "advise/in-attendee", members: `"attendees":[{"email":"a@example.com","name":"A"}]`, want: []string{"/attendees/0/name"}},
		{name: "advise/in-extended-properties", members: `"extendedProperties":{"public":{}}`, want: []string{"/extendedProperties/public"}},
		{name: "advise/in-gadget", members: `"gadget":{"colour":"red"}`, want: []string{"gadget.deprecated /gadget", "/gadget/colour"}},
		{name: "advise/in-reminders", members: `"reminders":{"useDefaults":true}`, want: []string{"/reminders/useDefaults"}},
		{name: "advise/in-override", members: `"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":1,"minute":1}]}`, want: []string{"/reminders/overrides/0/minute"}},
		{name: "advise/in-source", members: `"source":{"uri":"https://example.com/"}`, want: []string{"/source/uri"}},
		{name: "advise/in-attachment", params: "supportsAttachments=true", members: `"attachments":[{"fileUrl":"https://example.com/1","size":1}]`, want: []string{"/attachments/0/size"}},
		{name: "advise/in-conference", params: "conferenceDataVersion=1", members: `"conferenceData":{"createRequest":{"requestId":"r","type":"x"}}`, want: []string{"/conferenceData/createRequest/type"}},
		{name: "advise/in-working-location", base: workingLocation, members: `"workingLocationProperties":{"type":"homeOffice","home":1}`, want: []string{"/workingLocationProperties/home"}},
		{name: "advise/in-office", base: workingLocation, members: `"workingLocationProperties":{"type":"officeLocation","officeLocation":{"building":"hq"}}`,
			want: []string{"/workingLocationProperties/officeLocation/building"}},
		{name: "advise/in-focus-time", base: focusTime, members: `"focusTimeProperties":{"status":"x"}`, want: []string{"/focusTimeProperties/status"}},
		{name: "advise/in-out-of-office", base: outOfOffice, members: `"outOfOfficeProperties":{"message":"x"}`, want: []string{"/outOfOfficeProperties/message"}},
		{name: "advise/in-birthday", base: birthday, members: `"birthdayProperties":{"name":"x"}`, want: []string{"/birthdayProperties/name"}},
		{name: "advise/in-document-order", members: `"zzz":1,"aaa":2`, want: []string{"/zzz", "/aaa"}},
		{name: "accept/response", op: operation.Response, members: `"sumary":"x"`},
	})
}

// The finding about a misspelled member suggests the right name.
func TestJSONUnknownFieldSuggests(t *testing.T) {
	for members, want := range map[string]string{
		`"sumary":"x"`:                     `Did you mean summary?`,
		`"attendes":[]`:                    `Did you mean attendees?`,
		`"reminders":{"useDefaults":true}`: `Did you mean useDefault?`,
		`"attendees":[{"email":"a@example.com","coment":"x"}]`: `Did you mean comment?`,
	} {
		findings := must(event.Findings(ruleCase{members: members, params: "sendUpdates=all"}.request(t)))
		if len(findings) != 1 || !strings.Contains(findings[0].Message(), want) {
			t.Errorf("%s: %v, want the suggestion %s", members, findings, want)
		}
	}
}

func TestJSONNull(t *testing.T) {
	checkRule(t, "json.null", diag.Effect, []ruleCase{
		{name: "accept/string", members: `"summary":null,"location":null`},
		{name: "accept/enumerations", members: `"status":null,"transparency":null,"visibility":null,"eventType":null,"kind":null`},
		{name: "accept/id", members: `"id":null,"iCalUID":null`},
		{name: "accept/booleans", members: `"anyoneCanAddSelf":null,"guestsCanModify":null,"guestsCanSeeOtherGuests":null`},
		{name: "accept/integer", members: `"sequence":null`},
		{name: "accept/arrays", members: `"attendees":null,"recurrence":null,"attachments":null`},
		{name: "accept/objects", members: `"gadget":null,"reminders":null,"source":null,"organizer":null,"extendedProperties":null,"conferenceData":null`},
		{name: "accept/properties-of-types", members: `"workingLocationProperties":null,"focusTimeProperties":null,"outOfOfficeProperties":null,"birthdayProperties":null`},
		{name: "accept/maps", members: `"extendedProperties":{"private":null,"shared":{"a":null}}`},
		{name: "accept/read-only", members: `"created":null,"creator":null,"locked":null,"etag":null,"htmlLink":null`},
		{name: "accept/one-form", body: object(`"start":{"date":"2026-03-10","dateTime":null,"timeZone":null},"end":{"date":"2026-03-11"}`)},
		{name: "accept/other-working-location", base: workingLocation, members: `"workingLocationProperties":{"type":"officeLocation","homeOffice":null,"customLocation":null}`},
		{name: "reject/start", body: object(`"start":null`, timedEnd), want: []string{"event.start.required /start"}},
		{name: "reject/email", members: `"attendees":[{"email":null}]`, want: []string{"attendee.email.required /attendees/0/email"}},
		{name: "reject/zone-of-series", body: object(`"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":null}`, timedEnd, `"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`),
			want: []string{"time.zone.recurring /start/timeZone"}},
	})
}
