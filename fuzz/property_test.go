package fuzz_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/fuzz/internal/rapidtest"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/testing/testdepth"
	"github.com/calrules/calrules/operation"
)

// TestMain checks each property with few values by default: there are hundreds of properties. The tests allocate much and keep
// little, so that they take a fifth less time with less garbage collection.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	testdepth.Main(m, 20)
}

// known are all operations, and the check of a representation.
var known = knownOperations()

func knownOperations() []operation.ID {
	ids := []operation.ID{operation.Response}
	for op := range operation.All() {
		ids = append(ids, op.ID)
	}
	return ids
}

// withBody are those whose requests have a body.
var withBody = []operation.ID{
	operation.Response, operation.EventsImport, operation.EventsInsert, operation.EventsPatch, operation.EventsUpdate,
}

// eachOperation checks a property of the requests of every operation.
func eachOperation(t *testing.T, property func(t *rapid.T, req *event.Request)) {
	t.Helper()
	each(t, known, property)
}

// eachBody checks a property of the requests with a body.
func eachBody(t *testing.T, property func(t *rapid.T, req *event.Request)) {
	t.Helper()
	each(t, withBody, property)
}

func each(t *testing.T, ops []operation.ID, property func(t *rapid.T, req *event.Request)) {
	t.Helper()
	for _, op := range ops {
		requests := fuzz.Request(diag.Documents, op)
		t.Run(string(op), rapid.MakeCheck(func(t *rapid.T) { property(t, requests.Draw(t, "request")) }))
	}
}

// rejections returns the findings that reject.
func rejections(req *event.Request) []string {
	return briefs(must(event.Find(req)).OfKind(diag.Reject))
}

// checkAccepted checks the main law: what is drawn is valid.
func checkAccepted(t tb, req *event.Request) {
	t.Helper()
	if found := rejections(req); len(found) > 0 {
		t.Fatalf("rejected by %v: %s with %v", found, req.Body, req.Params)
	}
}

func TestRequestIsValid(t *testing.T) {
	eachOperation(t, func(t *rapid.T, req *event.Request) { checkAccepted(t, req) })
}

// params returns the parameters that an event of [fuzz.Event] needs.
func params(e *event.Event) operation.Params {
	p := operation.Params{"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}}
	if e.EventLabelID != nil && *e.EventLabelID != "" {
		p["eventLabelVersion"] = []string{"1"}
	}
	return p
}

func TestEventIsValid(t *testing.T) {
	for _, typ := range append(constraint.EventType.Values(), "") {
		if typ == "fromMail" {
			continue
		}
		t.Run("type "+typ, rapid.MakeCheck(func(t *rapid.T) {
			e := fuzz.Event(typ).Draw(t, "event")
			if typ != "" && e.EventType != typ {
				t.Fatalf("the event is of type %q", e.EventType)
			}
			checkAccepted(t, &event.Request{Op: operation.EventsInsert, Body: e.AppendJSON(nil), Params: params(e)})
			checkAccepted(t, &event.Request{Op: operation.EventsInsert, Event: e, Params: params(e)})
		}))
	}
}

func TestEventOfTypeThatCannotBeCreatedPanics(t *testing.T) {
	for _, typ := range []string{"fromMail", "meeting"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Event of type %q does not panic", typ)
				}
			}()
			fuzz.Event(typ)
		}()
	}
}

// TestPartsAreValid puts the values of the small generators into an event.
func TestPartsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := anySeries.Draw(t, "series")
		if !onlySeries(e) {
			t.Fatalf("the series has other members: %s", e.AppendJSON(nil))
		}
		e.ConferenceData = anyConference.Draw(t, "conference")
		e.ID = anyID.Draw(t, "id")
		e.Summary = anyText.Draw(t, "summary")
		e.Attendees = []event.Attendee{{Email: anyAddress.Draw(t, "address")}}
		e.OriginalStartTime = &event.Time{Date: "2026-03-10", TimeZone: anyZone.Draw(t, "zone")}
		checkAccepted(t, &event.Request{Op: operation.EventsInsert, Body: e.AppendJSON(nil), Params: params(e)})
		if form.LongerThan(e.Summary, 40) {
			t.Fatalf("Text(40) drew %q", e.Summary)
		}
	})
}

func onlySeries(e *event.Event) bool {
	return len(e.Recurrence) > 0 && e.Equal(event.Event{Start: e.Start, End: e.End, Recurrence: e.Recurrence})
}

// TestFailureReads lets a property of each generator fail, and reads what rapid prints: JSON
// that can be sent or read again, without pointers.
func TestFailureReads(t *testing.T) {
	for _, op := range withBody {
		t.Run(string(op), func(t *testing.T) {
			var req batch.Request
			if readDraw(t, fuzz.Request(diag.Documents, op), &req); req.Op != op {
				t.Errorf("the request is read as %v", &req)
			}
		})
	}
	for name, events := range map[string]*rapid.Generator[*event.Event]{
		"event": fuzz.Event(""), "series": anySeries,
	} {
		t.Run(name, func(t *testing.T) {
			var e event.Event
			if readDraw(t, events, &e); e.Start == nil {
				t.Errorf("the event is read as %v", e)
			}
		})
	}
	t.Run("conference", func(t *testing.T) {
		var d conference.Data
		if readDraw(t, anyConference, &d); d.CreateRequest == nil && d.Solution == nil {
			t.Errorf("the conference is read as %v", d)
		}
	})
	t.Run("violation", func(t *testing.T) {
		const rule = "reminders.minutes"
		var req batch.Request
		if verdict := readDraw(t, fuzz.Violating(diag.Documents, rule), &req); req.Op == "" || !strings.Contains(verdict, rule) {
			t.Errorf("the request is read as %v, of the verdict %s", &req, verdict)
		}
	})
}

// readDraw lets a property of the values of g fail, and reads the last line of what rapid prints of
// the value as JSON into v. It returns the lines before that.
func readDraw[V any](t *testing.T, g *rapid.Generator[V], v any) (before string) {
	t.Helper()
	printed := rapidtest.Printed(t, g)
	if at := regexp.MustCompile(`\(0x[0-9a-f]+\)|0x[0-9a-f]{8,}`).FindString(printed); at != "" {
		t.Errorf("the pointer %s is printed in %s", at, printed)
	}
	end := strings.LastIndexByte(printed, '\n') + 1
	if err := json.Unmarshal([]byte(printed[end:]), v); err != nil {
		t.Errorf("not JSON: %v in %s", err, printed)
	}
	return printed[:end]
}

// mostTried is the greatest number of values that shrinking may try, so that it takes seconds.
const mostTried = 10_000

// TestShrunkEventIsSmall lets properties fail, and checks that the shrunk event has a start and
// an end of one member each, what makes the property fail, and nothing else.
func TestShrunkEventIsSmall(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector finds no more in a shrunk value than in any other")
	}
	const startAndEnd = 4 // with a member each
	events := fuzz.Event("")
	for name, test := range map[string]struct {
		fails func(e *event.Event) bool
		needs int // members and elements beside the start and the end
	}{
		"always":    {func(e *event.Event) bool { return true }, 0},
		"attendee":  {func(e *event.Event) bool { return len(e.Attendees) > 0 }, 3},
		"attendees": {func(e *event.Event) bool { return len(e.Attendees) > 2 }, 7},
		"attachments": { // with some seeds, the event is a birthday with its recurrence, its zones and its type
			func(e *event.Event) bool { return len(e.Attachments) > 2 }, 7 + 5,
		},
		"summary":  {func(e *event.Event) bool { return e.Summary != "" }, 1},
		"sequence": {func(e *event.Event) bool { return e.Sequence > 1<<40 }, 1},
		"url":      {func(e *event.Event) bool { return e.Source != nil && e.Source.URL != "" }, 2},
		"overrides": { // and useDefault
			func(e *event.Event) bool { return e.Reminders != nil && len(e.Reminders.Overrides) > 2 }, 2 + 1 + 9,
		},
		"private": {
			func(e *event.Event) bool { return e.ExtendedProperties != nil && len(e.ExtendedProperties.Private) > 0 }, 3,
		},
		"series": { // the zones, and a birthday, which is the smallest series
			func(e *event.Event) bool { return len(e.Recurrence) > 0 }, 2 + 2 + 1,
		},
		"entry points": { // and the solution
			func(e *event.Event) bool {
				return e.ConferenceData != nil && len(e.ConferenceData.EntryPoints) > 1
			}, 2 + 6 + 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			// The result of shrinking depends on the seed.
			seeds := []string{"1", "2", "3", "5", "6", "9", "10", "8064519865122509629"}
			for _, seed := range seeds[:testdepth.Draws(1, len(seeds))] {
				text := rapidtest.Least(t, seed, events, mostTried, test.fails).AppendJSON(nil)
				t.Logf("%s", text)
				if members := len(places(mustParse(text))) - 1; members > startAndEnd+test.needs {
					t.Errorf("seed %s: shrunk to %d members and elements, not %d: %s", seed, members, startAndEnd+test.needs, text)
				}
				if empty := emptyIn(mustParse(text)); len(empty) > 0 {
					t.Errorf("seed %s: %v hold nothing: %s", seed, empty, text)
				}
			}
		})
	}
}

// emptyIn lists the empty objects and lists of a document.
func emptyIn(document *node) (empty []diag.Pointer) {
	for _, p := range places(document) {
		if (p.node.object || p.node.array) && len(p.node.children) == 0 {
			empty = append(empty, p.path)
		}
	}
	return empty
}

// TestShrunkPatchIsSmall does the same for the stored event and the body of a patch.
func TestShrunkPatchIsSmall(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector finds no more in a shrunk value than in any other")
	}
	for name, test := range map[string]struct {
		fails func(patch *event.Event) bool
		needs int // members and elements
	}{
		"always":  {func(*event.Event) bool { return true }, 0},
		"summary": {func(patch *event.Event) bool { return patch.Summary != "" }, 1},
		"times": { // with the nulls of the other form, which takes fewer draws than a stored event of the same form
			func(patch *event.Event) bool { return patch.Start != nil && patch.End != nil }, 4 + 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			least := rapidtest.Least(t, "6", fuzz.Request(diag.Documents, operation.EventsPatch), mostTried, func(req *event.Request) bool {
				return test.fails(decode(req.Body))
			})
			t.Log(least)
			if members := len(places(mustParse(least.Body))) - 1; members > test.needs {
				t.Errorf("the patch shrunk to %d members and elements, not %d: %v", members, test.needs, least)
			}
			if least.Existing == nil {
				return
			}
			stored := mustParse(least.Existing.AppendJSON(nil))
			// What the service writes, the start and the end, perhaps of a series.
			if members := len(places(stored)) - 1; members > 9+4+4 || len(emptyIn(stored)) > 0 {
				t.Errorf("the stored event shrunk to %d members and elements, %v of them empty: %v", members, emptyIn(stored), least)
			}
		})
	}
}

// TestLargeBodyShrinks lets a property of large bodies fail. Such a body is made of a few draws, so
// that rapid has as little to try as for a small one.
func TestLargeBodyShrinks(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector finds no more in a shrunk value than in any other")
	}
	mix := fuzz.Mix{InvalidShare: 1, Rules: []string{"event.id.length"}, Operations: []operation.ID{operation.EventsInsert}}
	least := rapidtest.Least(t, "1", must(mix.Generator()), mostTried, func(p fuzz.Payload) bool { return len(decode(p.Event.Body).ID) > 50<<10 })
	const startEndAndID = 5
	if members := len(places(mustParse(least.Event.Body))) - 1; members > startEndAndID {
		t.Errorf("shrunk to %d members and elements: %.2000s", members, least)
	}
}

// TestLaws checks the laws of the fuzz targets with valid requests and with broken ones.
func TestLaws(t *testing.T) {
	t.Parallel()
	eachBody(t, func(t *rapid.T, req *event.Request) {
		if rapid.Bool().Draw(t, "broken") {
			req.Body = mangled(t, req.Body)
		}
		checkLaws(t, req)
	})
}

// mangled replaces, removes, repeats and adds a few values of a body.
func mangled(t *rapid.T, body []byte) json.RawMessage {
	document := mustParse(body)
	for range rapid.IntRange(1, 4).Draw(t, "changes") {
		if at := drawPlace(t, document); at.parent != nil {
			mangle(t, at)
		}
	}
	return document.bytes()
}

// drawPlace draws a place of the document, deep places as often as others.
func drawPlace(t *rapid.T, document *node) place {
	return rapid.SampledFrom(places(document)).Draw(t, "place")
}

func mangle(t *rapid.T, at place) {
	switch rapid.IntRange(0, 3).Draw(t, "change") {
	case 0:
		at.replace(scalar(rapid.SampledFrom([]string{`""`, `"x"`, "-1", "0", "1e3", "40321", "9223372036854775808",
			"true", "false", "null", "[]", "{}", `"2026-02-30"`, `"` + strings.Repeat("é", 2049) + `"`}).Draw(t, "value")))
	case 1:
		at.parent.children = slices.Delete(at.parent.children, at.i, at.i+1)
		if at.parent.object {
			at.parent.names = slices.Delete(at.parent.names, at.i, at.i+1)
		}
	case 2:
		if at.parent.array {
			at.parent.children = append(at.parent.children, slices.Repeat([]*node{at.node}, 30)...)
		}
	case 3:
		if at.node.object {
			at.node.names = append(at.node.names, "unlisted/~1 member")
			at.node.children = append(at.node.children, scalar("1"))
		}
	}
}

// TestOrderAndSpaceDoNotMatter checks that white space and the order of members only affect the order of the findings.
func TestOrderAndSpaceDoNotMatter(t *testing.T) {
	t.Parallel()
	eachBody(t, func(t *rapid.T, req *event.Request) {
		*req = req.WithDialect(rapid.SampledFrom(dialects).Draw(t, "dialect"))
		req.Body = mangled(t, req.Body)
		document := mustParse(req.Body)
		document.shuffle(t)
		other := *req
		other.Body = document.write(nil, func() string {
			return rapid.SampledFrom([]string{"", " ", "\n\t", "\r\n"}).Draw(t, "space")
		})
		want, got := sorted(briefs(must(event.Find(req)))), sorted(briefs(must(event.Find(&other))))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("the findings differ (-written +shuffled):\n%s\n%s\n%s", diff, req.Body, other.Body)
		}
	})
}

// TestWrongTypeIsOneRejection checks that a value of a wrong type causes one rejection, at its
// place. A write of a stored event may also be refused because it changes what must not change.
func TestWrongTypeIsOneRejection(t *testing.T) {
	t.Parallel()
	eachBody(t, func(t *rapid.T, req *event.Request) {
		document := mustParse(req.Body)
		typed := slices.DeleteFunc(places(document), func(p place) bool { return p.parent == nil || untyped(p) })
		if len(typed) == 0 {
			return // an empty patch, or one that only clears
		}
		at := rapid.SampledFrom(typed).Draw(t, "place")
		with := otherType(t, at, req.Op)
		at.replace(with)
		req.Body = document.bytes()
		rule := typeRule(at.path, req.Op)
		if with.text == "null" && at.node.object {
			rule = "json.type" // also for a map; other rules are about its entries
		}
		want := []string{string(at.path) + " [" + rule + "] reject"}
		got := rejections(req)
		if req.Existing != nil {
			got = slices.DeleteFunc(got, func(finding string) bool { return finding != want[0] })
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("rejections (-want +got):\n%s\n%s", diff, req.Body)
		}
	})
}

// untyped reports whether a value may have any type: it is null, or belongs to an undocumented member or one of any type.
func untyped(p place) bool {
	for _, prefix := range []string{"/workingLocationProperties/homeOffice", "/previewLink", "/etagVersion"} {
		if strings.HasPrefix(string(p.path), prefix) {
			return true
		}
	}
	return p.node.text == "null"
}

// otherType draws a value of another type. Null is of another type in an array and in a
// representation; elsewhere it means absence.
func otherType(t *rapid.T, at place, op operation.ID) *node {
	kind := at.node.kind()
	texts := []string{`"5"`, "5", "true", "[]", "{}", `[{"a":1}]`, `{"a":"b"}`}
	if at.parent.array || op == operation.Response {
		texts = append(texts, "null")
	}
	texts = slices.DeleteFunc(texts, func(text string) bool { return mustParse([]byte(text)).kind() == kind })
	if kind == '0' { // all documented numbers are integers
		texts = append(texts, "1.5", "9223372036854775808", "-1e300")
	}
	return scalar(rapid.SampledFrom(texts).Draw(t, "with"))
}

// typeRule returns the rule about the type at the path. The rule about gadgets does not apply to representations.
func typeRule(path diag.Pointer, op operation.ID) string {
	switch s := string(path) + "/"; {
	case strings.HasPrefix(s, "/extendedProperties/private/"), strings.HasPrefix(s, "/extendedProperties/shared/"):
		return "event.extended-properties"
	case strings.HasPrefix(s, "/gadget/preferences/") && op != operation.Response:
		return "gadget.preferences"
	default:
		return "json.type"
	}
}

// TestUnknownMemberIsOneFinding checks that an undocumented member causes one finding, whatever
// its value, changes nothing else and is stored.
func TestUnknownMemberIsOneFinding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		req := fuzz.Request(diag.Documents, operation.EventsInsert).Draw(t, "request")
		document := mustParse(req.Body)
		at := rapid.SampledFrom(slices.DeleteFunc(places(document), func(p place) bool {
			return !p.node.object || untyped(p) || typeRule(p.path, operation.EventsInsert) != "json.type"
		})).Draw(t, "object")
		before := briefs(must(event.Find(req)))
		at.node.names = append(at.node.names, "unlisted/~")
		at.node.children = append(at.node.children, scalar(`[null,{"a":1.50}]`))
		req.Body = document.bytes()

		want := append(before, string(at.path)+"/unlisted~1~0 [json.unknown-field] advise")
		if diff := cmp.Diff(sorted(want), sorted(briefs(must(event.Find(req))))); diff != "" {
			t.Fatalf("findings (-want +got):\n%s\n%s", diff, req.Body)
		}
		if stored := must(event.Check(req)).Answer; at.parent == nil && !strings.Contains(string(stored.AppendJSON(nil)), `"unlisted/~":[null,{"a":1.50}]`) {
			t.Fatalf("the member is lost: %s", stored.AppendJSON(nil))
		}
	})
}

// TestRequestIsOnlyRead includes operations without a body, and bodies as Go values.
func TestRequestIsOnlyRead(t *testing.T) {
	t.Parallel()
	eachOperation(t, func(t *rapid.T, req *event.Request) {
		if req.Body != nil && rapid.Bool().Draw(t, "broken") {
			req.Body = mangled(t, req.Body)
		}
		if req.Body != nil && rapid.Bool().Draw(t, "as a value") {
			req.Event, req.Body = decode(req.Body), nil
		}
		checkOnlyRead(t, req)
	})
}

func cloneRequest(req *event.Request) *event.Request {
	clone := *req
	clone.Body = slices.Clone(req.Body)
	clone.Event, clone.Existing, clone.Series = req.Event.Clone(), req.Existing.Clone(), req.Series.Clone()
	clone.Params = maps.Clone(req.Params)
	for name, values := range clone.Params {
		clone.Params[name] = slices.Clone(values)
	}
	if req.Caller != nil {
		caller := *req.Caller
		caller.Scopes = slices.Clone(caller.Scopes)
		clone.Caller = &caller
	}
	if req.Calendar != nil {
		calendar := *req.Calendar
		for _, ids := range []*operation.IDs{&calendar.Colors, &calendar.Labels, &calendar.Buildings, &calendar.IDs} {
			if list, ok := (*ids).(operation.IDList); ok {
				*ids = slices.Clone(list)
			}
		}
		clone.Calendar = &calendar
	}
	return &clone
}
