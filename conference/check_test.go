package conference_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/occasion"
)

const base = "/conferenceData"

// place is the part of a finding that tests compare: the id of its rule without the first word, and
// its path below base.
type place struct {
	Rule string
	Path diag.Pointer
}

// check returns the findings about a change.
func check(t *testing.T, on diag.When, c conference.Change) []place {
	t.Helper()
	var report diag.Report
	c.Check(on, &report, base)
	var got []place
	for _, f := range report.Findings {
		if f.Kind != f.Rule.Kind {
			t.Errorf("%s is raised as %s, its kind is %s", f.Rule.ID, f.Kind, f.Rule.Kind)
		}
		if len(f.Message()) > 400 || !strings.ContainsAny(f.Message()[len(f.Message())-1:], ".?") {
			t.Errorf("%s: the message is not a short sentence: %q", f.Rule.ID, f.Message())
		}
		got = append(got, place{
			strings.TrimPrefix(f.Rule.ID, "conference."),
			diag.Pointer(strings.TrimPrefix(string(f.Path), base)),
		})
	}
	return got
}

// read decodes conference data; "" is nil. Values of a wrong type are left to the rules.
func read(t testing.TB, text string) *conference.Data {
	t.Helper()
	if text == "" {
		return nil
	}
	d := new(conference.Data)
	_ = d.UnmarshalJSON([]byte(text))
	return d
}

// Members of conference data and elements of entryPoints. The name of a request may include its
// status.
const (
	addOn    = `"conferenceSolution":{"key":{"type":"addOn"}}`
	meet     = `"conferenceSolution":{"key":{"type":"videoMeet"}}`
	holoDeck = `"conferenceSolution":{"key":{"type":"holoDeck"}}`
	video    = `{"entryPointType":"video","uri":"https://meet.example.com/abc"}`
	phone    = `{"entryPointType":"phone","uri":"tel:+15550100"}`
	sip      = `{"entryPointType":"sip","uri":"sip:room@example.com"}`
	more     = `{"entryPointType":"more","uri":"https://meet.example.com/how"}`
	request1 = `"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"}}`
	pending1 = `"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"},"status":{"statusCode":"pending"}}`
	success1 = `"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"},"status":{"statusCode":"success"}}`
	failure1 = `"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"},"status":{"statusCode":"failure"}}`
)

// obj returns an object with the members.
func obj(members ...string) string { return "{" + strings.Join(members, ",") + "}" }

// entries returns the member entryPoints.
func entries(list ...string) string { return `"entryPoints":[` + strings.Join(list, ",") + "]" }

// thirdParty returns data with the solution of a provider and the other members.
func thirdParty(members ...string) string { return obj(append([]string{addOn}, members...)...) }

// entry returns data with a second entry point, which has the type and another member.
func entry(typ, member, value string) string {
	return thirdParty(entries(video, `{"entryPointType":"`+typ+`","`+member+`":"`+value+`"}`))
}

func TestCheckInsert(t *testing.T) {
	tests := []struct {
		name, data string
		want       []place
	}{
		{"required/request", obj(request1), nil},
		{"required/solution-and-entry", thirdParty(entries(phone)), nil},
		{"request.unspecified/conference-beside-request", obj(request1, addOn, entries(phone)), []place{{"request.unspecified", ""}}},
		{"request.unspecified/solution-beside-request", obj(request1, addOn), []place{{"request.unspecified", ""}}},
		{"request.unspecified/entry-points-beside-request", obj(request1, entries(phone)), []place{{"request.unspecified", ""}}},
		{"request.unspecified/notes-beside-request", obj(request1, `"notes":"n"`, `"signature":"s"`, entries()), nil},
		{"required/empty", `{}`, []place{{"required", ""}}},
		{"required/null-members", `{"createRequest":null,"conferenceSolution":null}`, []place{{"required", ""}}},
		{"required/solution-only", thirdParty(), []place{{"required", ""}}},
		{"required/no-entries", thirdParty(entries()), []place{{"required", ""}}},
		{"required/entries-only", obj(entries(phone)), []place{{"required", ""}}},
		{"required/notes-only", `{"notes":"n"}`, []place{{"required", ""}}},
		{"required/request-of-wrong-type", `{"createRequest":5}`, nil},
		{"required/entries-of-wrong-type", thirdParty(`"entryPoints":"x"`), nil},
		{"required/solution-of-wrong-type", obj(`"conferenceSolution":[]`, entries(phone)), nil},
		{"required/entry-of-wrong-type", thirdParty(entries("7")), nil},

		{"request.id/absent", `{"createRequest":{}}`, []place{{"request.id", "/createRequest/requestId"}}},
		{"request.id/empty", `{"createRequest":{"requestId":""}}`, []place{{"request.id", "/createRequest/requestId"}}},
		{"request.id/null", `{"createRequest":{"requestId":null}}`, []place{{"request.id", "/createRequest/requestId"}}},
		{"request.id/without-type", `{"createRequest":{"requestId":"r"}}`, nil},
		{"request.status/a-write-is-not-asked", obj(success1), nil},

		{"type.create/meet", obj(request1), nil},
		{"type.create/addOn", `{"createRequest":{"requestId":"r","conferenceSolutionKey":{"type":"addOn"}}}`, nil},
		{"type.create/request-eventVideo", `{"createRequest":{"requestId":"r","conferenceSolutionKey":{"type":"eventVideo"}}}`,
			[]place{{"type.create", "/createRequest/conferenceSolutionKey/type"}}},
		{"type.create/request-eventNamedVideo", `{"createRequest":{"requestId":"r","conferenceSolutionKey":{"type":"eventNamedVideo"}}}`,
			[]place{{"type.create", "/createRequest/conferenceSolutionKey/type"}}},
		{"type.create/solution-eventVideo", obj(`"conferenceSolution":{"key":{"type":"eventVideo"}}`, entries(video)),
			[]place{{"type.create", "/conferenceSolution/key/type"}}},
		{"type.create/solution-eventNamedVideo", obj(`"conferenceSolution":{"key":{"type":"eventNamedVideo"}}`, entries(video)),
			[]place{{"type.create", "/conferenceSolution/key/type"}}},

		{"type.enum/case", obj(`"conferenceSolution":{"key":{"type":"addon"}}`, entries(video)),
			[]place{{"type.enum", "/conferenceSolution/key/type"}}},
		{"type.enum/empty", obj(`"conferenceSolution":{"key":{"type":""}}`, entries(video)),
			[]place{{"type.enum", "/conferenceSolution/key/type"}}},
		{"type.enum/absent", obj(`"conferenceSolution":{"key":{}}`, entries(video)), nil},
		{"type.enum/null", obj(`"conferenceSolution":{"key":{"type":null}}`, entries(video)), nil},
		{"type.enum/no-key", obj(`"conferenceSolution":{}`, entries(video)), nil},
		{"type.enum/request", `{"createRequest":{"requestId":"r","conferenceSolutionKey":{"type":"holoDeck"}}}`,
			[]place{{"type.enum", "/createRequest/conferenceSolutionKey/type"}}},
		{"type.enum/request-empty", `{"createRequest":{"requestId":"r","conferenceSolutionKey":{"type":""}}}`,
			[]place{{"type.enum", "/createRequest/conferenceSolutionKey/type"}}},
		{"type.enum/long-value", obj(`"conferenceSolution":{"key":{"type":"`+strings.Repeat("x", 5000)+`"}}`, entries(video)),
			[]place{{"type.enum", "/conferenceSolution/key/type"}}},

		{"id.form/meet", obj(meet, entries(video), `"conferenceId":"abc-defg-hij"`), nil},
		{"id.form/meet-without", obj(meet, entries(video)), nil},
		{"id.form/meet-4-3-3", obj(meet, entries(video), `"conferenceId":"abcd-efg-hij"`), []place{{"id.form", "/conferenceId"}}},
		{"id.form/meet-digits", obj(meet, entries(video), `"conferenceId":"ab1-defg-hij"`), []place{{"id.form", "/conferenceId"}}},
		{"id.form/addOn-any", thirdParty(entries(video), `"conferenceId":"acme 1"`), nil},
		{"id.form/request-type", obj(request1, `"conferenceId":"acme-1"`), []place{{"id.form", "/conferenceId"}}},
		{"id.form/solution-before-request", obj(request1, addOn, entries(video), `"conferenceId":"acme-1"`), []place{{"request.unspecified", ""}}},
		{"id.form/no-type", obj(`"createRequest":{"requestId":"r"}`, `"conferenceId":"acme-1"`), nil},

		{"notes/2048", thirdParty(entries(video), `"notes":"`+strings.Repeat("n", 2048)+`"`), nil},
		{"notes/2048-of-four-bytes", thirdParty(entries(video), `"notes":"`+strings.Repeat("\U0001F4DE", 2048)+`"`), nil},
		{"notes/2049", thirdParty(entries(video), `"notes":"`+strings.Repeat("n", 2049)+`"`), []place{{"notes", "/notes"}}},
		{"notes/2049-of-two-bytes", thirdParty(entries(video), `"notes":"`+strings.Repeat("é", 2049)+`"`), []place{{"notes", "/notes"}}},

		{"entry.type/all", thirdParty(entries(video, phone, sip, more)), nil},
		{"entry.type/absent", thirdParty(entries(`{"uri":"whatever"}`)), []place{{"entry.type", "/entryPoints/0/entryPointType"}}},
		{"entry.type/fax", thirdParty(entries(video, `{"entryPointType":"fax","uri":"whatever"}`)),
			[]place{{"entry.type", "/entryPoints/1/entryPointType"}}},
		{"entry.type/empty", thirdParty(entries(`{"entryPointType":""}`)), []place{{"entry.type", "/entryPoints/0/entryPointType"}}},
		{"entry.type/no-object", thirdParty(entries(video, `"x"`, `null`)), nil},

		{"entry.cardinality/phones", thirdParty(entries(phone, phone, phone)), nil},
		{"entry.cardinality/videos", thirdParty(entries(video, phone, video, video)), []place{{"entry.cardinality", "/entryPoints/2"}}},
		{"entry.cardinality/sips", thirdParty(entries(sip, sip)), []place{{"entry.cardinality", "/entryPoints/1"}}},
		{"entry.cardinality/mores", thirdParty(entries(more, video, more)), []place{{"entry.cardinality", "/entryPoints/2"}}},
		{"entry.cardinality/two-types", thirdParty(entries(sip, video, video, sip)),
			[]place{{"entry.cardinality", "/entryPoints/2"}, {"entry.cardinality", "/entryPoints/3"}}},
		{"entry.cardinality/untyped", thirdParty(entries(`{}`, `{}`)), []place{{"entry.type", "/entryPoints/0/entryPointType"}, {"entry.type", "/entryPoints/1/entryPointType"}}},

		{"entry.only-more/one", thirdParty(entries(more)), []place{{"entry.only-more", "/entryPoints"}}},
		{"entry.only-more/two", thirdParty(entries(more, more)),
			[]place{{"entry.cardinality", "/entryPoints/1"}, {"entry.only-more", "/entryPoints"}}},
		{"entry.only-more/beside-request", obj(request1, entries(more)), []place{{"request.unspecified", ""}, {"entry.only-more", "/entryPoints"}}},
		{"entry.only-more/with-no-object", thirdParty(entries(more, "1")), nil},

		{"entry.uri/upper-case-scheme", thirdParty(entries(`{"entryPointType":"video","uri":"HTTPS://meet.example.com"}`)), nil},
		{"entry.uri/http", thirdParty(entries(`{"entryPointType":"video","uri":"http://meet.example.com"}`)), nil},
		{"entry.uri/dial-sequence", thirdParty(entries(`{"entryPointType":"phone","uri":"Tel:+12345,,,1%23"}`)), nil},
		{"entry.uri/absent", thirdParty(entries(`{"entryPointType":"video"}`)), nil},
		{"entry.uri/empty", thirdParty(entries(`{"entryPointType":"video","uri":""}`)), []place{{"entry.uri", "/entryPoints/0/uri"}}},
		{"entry.uri/empty-untyped", thirdParty(entries(`{"uri":""}`)), []place{{"entry.type", "/entryPoints/0/entryPointType"}}},
		{"entry.uri/video-tel", thirdParty(entries(`{"entryPointType":"video","uri":"tel:+1"}`)), []place{{"entry.uri", "/entryPoints/0/uri"}}},
		{"entry.uri/more-mailto", thirdParty(entries(video, `{"entryPointType":"more","uri":"mailto:a@example.com"}`)),
			[]place{{"entry.uri", "/entryPoints/1/uri"}}},
		{"entry.uri/phone-number", thirdParty(entries(`{"entryPointType":"phone","uri":"+15550100"}`)), []place{{"entry.uri", "/entryPoints/0/uri"}}},
		{"entry.uri/sips", thirdParty(entries(`{"entryPointType":"sip","uri":"sips:room@example.com"}`)), []place{{"entry.uri", "/entryPoints/0/uri"}}},
		{"entry.uri/1300", thirdParty(entries(`{"entryPointType":"video","uri":"https://m.example/` + strings.Repeat("a", 1282) + `"}`)), nil},
		{"entry.uri/1301", thirdParty(entries(`{"entryPointType":"video","uri":"https://m.example/` + strings.Repeat("a", 1283) + `"}`)),
			[]place{{"entry.uri", "/entryPoints/0/uri"}}},
		{"entry.uri/1300-of-three-bytes", thirdParty(entries(`{"entryPointType":"video","uri":"https://example.com/` + strings.Repeat("語", 1280) + `"}`)), nil},
		{"entry.uri/1301-of-three-bytes", thirdParty(entries(`{"entryPointType":"video","uri":"https://example.com/` + strings.Repeat("語", 1281) + `"}`)), []place{{"entry.uri", "/entryPoints/0/uri"}}},
		{"entry.uri/scheme-alone", thirdParty(entries(`{"entryPointType":"video","uri":"https"}`)), []place{{"entry.uri", "/entryPoints/0/uri"}}},
		{"entry.uri/blank-before", thirdParty(entries(`{"entryPointType":"video","uri":" https://meet.example.com"}`)), []place{{"entry.uri", "/entryPoints/0/uri"}}},
		{"entry.uri.form/no-host", thirdParty(entries(`{"entryPointType":"video","uri":"https:///abc"}`)), []place{{"entry.uri.form", "/entryPoints/0/uri"}}},
		{"entry.uri.form/blank", thirdParty(entries(video, `{"entryPointType":"more","uri":"https://meet.example.com/a b"}`)), []place{{"entry.uri.form", "/entryPoints/1/uri"}}},
		{"entry.uri.form/phone-blank", thirdParty(entries(`{"entryPointType":"phone","uri":"TEL:+1 555 0100"}`)), []place{{"entry.uri.form", "/entryPoints/0/uri"}}},
		{"entry.uri.form/phone-empty", thirdParty(entries(`{"entryPointType":"phone","uri":"tel:"}`)), []place{{"entry.uri.form", "/entryPoints/0/uri"}}},
		{"entry.uri.form/phone-letters", thirdParty(entries(`{"entryPointType":"phone","uri":"tel:hello"}`)), []place{{"entry.uri.form", "/entryPoints/0/uri"}}},
		{"entry.uri.form/phone-pauses", thirdParty(entries(`{"entryPointType":"phone","uri":"tel:+1-555-0100,,1234%23"}`)), nil},
		{"entry.uri.form/sip-without-host", thirdParty(entries(`{"entryPointType":"sip","uri":"sip:room@"}`)), []place{{"entry.uri.form", "/entryPoints/0/uri"}}},
		{"entry.uri.form/sip-without-user", thirdParty(entries(`{"entryPointType":"sip","uri":"sip:example.com"}`)), nil},
		{"entry.uri.form/sip-brackets", thirdParty(entries(`{"entryPointType":"sip","uri":"sip:<a@example.com>"}`)), []place{{"entry.uri.form", "/entryPoints/0/uri"}}},
		{"entry.uri.form/half-an-escape", thirdParty(entries(`{"entryPointType":"video","uri":"https://meet.example.com/%2"}`)), []place{{"entry.uri.form", "/entryPoints/0/uri"}}},
		{"entry.uri.form/1301", thirdParty(entries(`{"entryPointType":"video","uri":"https:` + strings.Repeat(" ", 1295) + `"}`)), []place{{"entry.uri", "/entryPoints/0/uri"}}},
		{"entry.uri/unknown-type", thirdParty(entries(`{"entryPointType":"fax","uri":"fax it"}`)),
			[]place{{"entry.type", "/entryPoints/0/entryPointType"}}},

		{"entry.label/512", entry("phone", "label", strings.Repeat("ü", 512)), nil},
		{"entry.label/513", entry("phone", "label", strings.Repeat("ü", 513)), []place{{"entry.label", "/entryPoints/1/label"}}},
		{"entry.more-label/empty", entry("more", "label", ""), nil},
		{"entry.more-label/set", entry("more", "label", "How"), []place{{"entry.more-label", "/entryPoints/1/label"}}},
		{"entry.more-label/too-long", entry("more", "label", strings.Repeat("x", 513)),
			[]place{{"entry.label", "/entryPoints/1/label"}, {"entry.more-label", "/entryPoints/1/label"}}},
	}
	for _, code := range []string{"pin", "accessCode", "meetingCode", "passcode", "password"} {
		tests = append(tests, []struct {
			name, data string
			want       []place
		}{
			{"entry.code/128-" + code, entry("phone", code, strings.Repeat("é", 128)), nil},
			{"entry.code/129-" + code, entry("phone", code, strings.Repeat("é", 129)),
				[]place{{"entry.code", diag.Pointer("/entryPoints/1/" + code)}}},
		}...)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conference.Change{New: read(t, tt.data), Sent: true, Version: 1}
			for _, on := range []diag.When{occasion.Insert, occasion.Import, occasion.Update, occasion.Patch} {
				if diff := cmp.Diff(tt.want, check(t, on, c)); diff != "" {
					t.Errorf("on %v (-want +got):\n%s", on, diff)
				}
			}
		})
	}
}

func TestCheckModify(t *testing.T) {
	const (
		eventVideo      = `"conferenceSolution":{"key":{"type":"eventVideo"}}`
		eventNamedVideo = `"conferenceSolution":{"key":{"type":"eventNamedVideo"}}`
		notes           = `"notes":"n"`
	)
	var (
		repeated    = []place{{"request.id-repeated", "/createRequest/requestId"}}
		locked      = []place{{"type.unknown", ""}}
		created     = []place{{"type.create", "/conferenceSolution/key/type"}}
		unspecified = []place{{"request.unspecified", ""}}
	)
	tests := []struct {
		name, old, new, body string
		want                 []place
	}{
		{"remove", thirdParty(entries(video)), "", "", nil},
		{"replace-by-nothing", thirdParty(entries(video)), `{}`, "", []place{{"required", ""}}},
		{"unchanged-invalid", obj(`"notes":"n"`, entries(more)), obj(`"notes":"n"`, entries(more)), "", nil},

		{"request.id/unchanged", `{"createRequest":{}}`, `{"createRequest":{},"notes":"n"}`, "", nil},
		{"request.id/removed", obj(success1), `{"createRequest":{}}`, "", []place{{"request.id", "/createRequest/requestId"}}},

		{"request.id-repeated/new-id", obj(success1), `{"createRequest":{"requestId":"r-2"}}`, "", nil},
		{"request.id-repeated/read-back", obj(success1), obj(success1), "", nil},
		{"request.id-repeated/read-back-beside-changes", obj(success1), obj(success1, notes), "", nil},
		{"request.id-repeated/sent-anew", obj(failure1), obj(request1), "", repeated},
		{"request.id-repeated/sent-anew-beside-changes", obj(failure1), obj(request1, notes), "", repeated},
		{"request.id-repeated/sent-anew-by-patch", obj(failure1), obj(failure1), obj(request1), repeated},
		{"request.id-repeated/not-in-patch", obj(failure1), obj(failure1, notes), obj(notes), nil},
		{"request.id-repeated/read-back-by-patch", obj(failure1), obj(failure1, notes), obj(failure1, notes), nil},
		{"request.id-repeated/other-type", obj(failure1), `{"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"addOn"},"status":{"statusCode":"failure"}}}`, "", repeated},
		{"request.id-repeated/other-type-by-patch-without-id", obj(failure1),
			`{"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"addOn"},"status":{"statusCode":"failure"}}}`,
			`{"createRequest":{"conferenceSolutionKey":{"type":"addOn"}}}`, repeated},
		{"request.id-repeated/deprecated-type", obj(failure1), `{"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"eventVideo"}}}`, "", repeated},
		{"request.id-repeated/unknown-type", obj(failure1), `{"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"x"}}}`, "", repeated},
		{"request.id-repeated/stored-without-status", obj(request1), obj(request1, notes), "", nil},

		{"request.unspecified/status-only", obj(pending1), obj(success1), "", nil},
		{"request.unspecified/status-beside-notes", obj(pending1), obj(failure1, notes), "", nil},
		{"request.unspecified/conference-beside-pending", obj(pending1), thirdParty(pending1, entries(video)), "", unspecified},
		{"request.unspecified/entry-points-beside-pending", obj(pending1), obj(pending1, entries(video)), "", unspecified},
		{"request.unspecified/solution-beside-pending", obj(pending1), thirdParty(pending1), "", unspecified},
		{"request.unspecified/signature-beside-pending", obj(pending1), obj(pending1, `"signature":"s"`), "", nil},
		{"request.unspecified/more-entry-points-beside-success", thirdParty(success1, entries(video)), thirdParty(success1, entries(video, phone)), "", nil},
		{"request.unspecified/conference-beside-failure", obj(failure1), thirdParty(failure1, entries(video)), "", unspecified},
		{"request.unspecified/solution-beside-failure", obj(failure1), thirdParty(failure1), "", unspecified},
		{"request.unspecified/signature-beside-failure", obj(failure1), obj(failure1, `"signature":"s"`), "", unspecified},
		{"request.unspecified/entry-points-cleared", thirdParty(success1, entries(video)), thirdParty(success1), "", unspecified},
		{"request.unspecified/stored-conference-beside-new-request", thirdParty(entries(video)), thirdParty(`"createRequest":{"requestId":"r-2"}`, entries(video)), "", nil},
		{"request.unspecified/conference-beside-new-request", obj(success1, entries(video)), thirdParty(`"createRequest":{"requestId":"r-2"}`, entries(phone)), "", unspecified},
		{"request.unspecified/conference-cleared-for-new-request", thirdParty(success1, entries(video)), `{"createRequest":{"requestId":"r-2"}}`, "", nil},
		{"request.unspecified/another-request", obj(pending1), `{"createRequest":{"requestId":"r-2","status":{"statusCode":"success"}}}`, "", nil},

		{"type.create/unchanged", obj(eventVideo, entries(video)), obj(eventVideo, entries(video), notes), "", nil},
		{"type.create/other-type", thirdParty(entries(video)), obj(eventVideo, entries(video)), "", created},
		{"type.create/other-deprecated", obj(eventVideo, entries(video)), obj(eventNamedVideo, entries(video)), "", created},
		{"type.create/stored-request-only", obj(success1), obj(success1, eventVideo, entries(video)), "", created},

		{"type.unknown/unchanged", obj(holoDeck, entries(video)), obj(holoDeck, entries(video)), "", nil},
		{"type.unknown/without-status", obj(success1, holoDeck, entries(video)), obj(request1, holoDeck, entries(video)), "", repeated},
		{"type.unknown/notes", obj(holoDeck, entries(video)), obj(holoDeck, entries(video), notes), "", locked},
		{"type.unknown/removed", obj(holoDeck, entries(video)), "", "", locked},
		{"type.unknown/broken", obj(holoDeck, entries(video)), `{"conferenceSolution":{"key":{"type":"x"}}}`, "", locked},
		{"type.unknown/empty", obj(`"conferenceSolution":{"key":{"type":""}}`, entries(video)), thirdParty(entries(video)), "", locked},
		{"type.unknown/no-key", obj(`"conferenceSolution":{"name":"X"}`, entries(video)), thirdParty(entries(video)), "", locked},
		{"type.unknown/no-solution", obj(success1), thirdParty(entries(video)), "", nil},

		{"id.form/eventVideo", obj(eventVideo, entries(video)), obj(eventVideo, entries(video), `"conferenceId":"x"`), "", []place{{"id.form", "/conferenceId"}}},
		{"id.form/eventNamedVideo", obj(eventNamedVideo, entries(video)), obj(eventNamedVideo, entries(video), `"conferenceId":"any name"`), "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conference.Change{Old: read(t, tt.old), New: read(t, tt.new), Body: read(t, tt.body), Sent: true, Version: 1}
			for _, on := range []diag.When{occasion.Update, occasion.Patch} {
				if diff := cmp.Diff(tt.want, check(t, on, c)); diff != "" {
					t.Errorf("on %v (-want +got):\n%s", on, diff)
				}
			}
		})
	}
}

// What a patch of unknown data does not send may be stored.
func TestCheckUnknown(t *testing.T) {
	id := []place{{"id.form", "/conferenceId"}}
	for _, test := range []struct {
		name, data    string
		patch, update []place
	}{
		{"required", `{"notes":"n"}`, nil, []place{{"required", ""}}},
		{"id.form/solution-not-sent", obj(request1, `"conferenceId":"x"`), nil, id},
		{"request.unspecified/the-request-may-be-stored", obj(request1, addOn, entries(video)), nil, nil},
		{"id.form/solution-sent", obj(meet, entries(video), `"conferenceId":"x"`), id, id},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := conference.Change{New: read(t, test.data), Sent: true, Unknown: true, Version: 1}
			for on, want := range map[diag.When][]place{occasion.Patch: test.patch, occasion.Update: test.update} {
				if diff := cmp.Diff(want, check(t, on, c)); diff != "" {
					t.Errorf("on %v (-want +got):\n%s", on, diff)
				}
			}
		})
	}
}

func TestCheckVersion(t *testing.T) {
	ignored := []place{{"version", ""}}
	tests := []struct {
		name, old, new string
		sent           bool
		want           []place
	}{
		{"added", "", thirdParty(entries(video)), true, ignored},
		{"changed", thirdParty(entries(video)), thirdParty(entries(video, phone)), true, ignored},
		{"broken", thirdParty(entries(video)), `{"createRequest":{}}`, true, ignored},
		{"of-unknown-type", obj(holoDeck, entries(video)), thirdParty(entries(video)), true, ignored},
		{"removed", thirdParty(entries(video)), "", true, ignored},
		{"left-out", thirdParty(entries(video)), "", false, nil},
		{"unchanged", thirdParty(entries(video)), thirdParty(entries(video)), true, nil},
		{"none", "", "", true, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conference.Change{Old: read(t, tt.old), New: read(t, tt.new), Sent: tt.sent}
			if diff := cmp.Diff(tt.want, check(t, occasion.Update, c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckResponse(t *testing.T) {
	tests := []struct {
		name, old, new string
		want           []place
	}{
		{"none", "", "", nil},
		{"no-status", "", `{"createRequest":{"status":{}}}`, nil},
		{"pending", "", obj(pending1), nil},
		{"pending-with-signature", "", obj(pending1, `"signature":"s"`), nil},
		{"success", "", obj(success1, meet, entries(video), `"signature":"s"`), nil},
		{"success-without-entries", "", obj(success1, meet, entries()), []place{{"request.status", "/entryPoints"}}},
		{"failure", "", obj(failure1), nil},
		{"failure-with-all", "", obj(failure1, meet, entries(video), `"signature":"s"`), []place{
			{"request.status", "/entryPoints"}, {"request.status", "/conferenceSolution"}, {"request.status", "/signature"},
		}},
		{"unknown-code", "", `{"createRequest":{"status":{"statusCode":"done"}}}`, []place{{"request.status", "/createRequest/status/statusCode"}}},
		{"empty-code", "", `{"createRequest":{"status":{"statusCode":""}}}`, []place{{"request.status", "/createRequest/status/statusCode"}}},
		{"transition", obj(pending1), obj(success1, meet, entries(video)), []place{{"request.unspecified", "/createRequest/status/statusCode"}}},
		{"same-status", obj(pending1), obj(pending1), nil},
		{"first-status", obj(request1), obj(pending1), nil},
		{"status-left-out", obj(pending1), obj(request1), nil},
		{"id.form", "", obj(meet, entries(video), `"conferenceId":"x"`), []place{{"id.form", "/conferenceId"}}},
		{"unknown-type", "", obj(holoDeck, entries(`{"entryPointType":"fax","uri":"fax it"}`), `"conferenceId":"x"`), nil},
		{"what-only-a-write-must-have", "", `{}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conference.Change{Old: read(t, tt.old), New: read(t, tt.new)}
			if diff := cmp.Diff(tt.want, check(t, diag.Response, c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A cancelled event may lack what another one has, but nothing in it contradicts anything else.
func TestCheckCancelledResponse(t *testing.T) {
	for data, want := range map[string][]place{
		obj(success1, meet): nil,
		obj(failure1, meet): {{"request.status", "/conferenceSolution"}},
	} {
		c := conference.Change{New: read(t, data), Cancelled: true}
		if diff := cmp.Diff(want, check(t, diag.Response, c)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", data, diff)
		}
	}
}

func TestApply(t *testing.T) {
	const request2 = `"createRequest":{"requestId":"r-2","status":{"statusCode":"success"}}`
	tests := []struct {
		name, old, new string
		version        int
		want           string
	}{
		{"ignored", thirdParty(entries(video)), obj(request1), 0, thirdParty(entries(video))},
		{"ignored-removal", thirdParty(entries(video)), "", 0, thirdParty(entries(video))},
		{"ignored-addition", "", thirdParty(entries(video)), 0, ""},
		{"stored", "", thirdParty(entries(video), `"x":1`), 1, thirdParty(entries(video), `"x":1`)},
		{"removed", thirdParty(entries(video)), "", 1, ""},
		{"new-request", "", obj(request1), 1, obj(pending1)},
		{"new-request-with-status", "", obj(success1), 1, obj(pending1)},
		{"another-request", obj(success1, meet, entries(video)), obj(request2, meet, entries(video)), 1,
			obj(`"createRequest":{"requestId":"r-2","status":{"statusCode":"pending"}}`, entries(video), meet)},
		{"repeated-request", obj(failure1), obj(request1, `"notes":"n"`), 1, obj(failure1, `"notes":"n"`)},
		{"repeated-request-of-another-type", obj(failure1), `{"createRequest":{"requestId":"r-1"}}`, 1, obj(failure1)},
		{"read-only-status", obj(pending1), obj(success1), 1, obj(pending1)},
		{"removed-request", obj(success1, meet, entries(video)), obj(meet, entries(video)), 1, obj(meet, entries(video))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := conference.Change{Old: read(t, tt.old), New: read(t, tt.new), Sent: true, Version: tt.version}.Apply()
			want := read(t, tt.want)
			if !cmp.Equal(got, want) {
				t.Errorf("(-want +got):\n%s", cmp.Diff(text(t, want), text(t, got)))
			}
		})
	}
}

// text returns d as JSON, or "" if it is nil.
func text(t testing.TB, d *conference.Data) string {
	t.Helper()
	if d == nil {
		return ""
	}
	b, err := d.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCodes(t *testing.T) {
	p := conference.EntryPoint{Password: "e", MeetingCode: "c", PIN: "a"}
	var got []string
	for name, code := range p.Codes() {
		got = append(got, name+"="+code)
	}
	if diff := cmp.Diff([]string{"pin=a", "meetingCode=c", "password=e"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for range p.Codes() {
		break // an iterator must stop when it is told to
	}
}
