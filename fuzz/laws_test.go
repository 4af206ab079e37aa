package fuzz_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/operation"
)

// tb is the part of *testing.T and *rapid.T that the laws need.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// checker makes the same ids each time, so that answers can be compared.
var checker = event.Checker{NewID: func() string { return "0123456789abcdef" }}

// The rules with which only decoding reports, and which reject.
var decodingRules = []string{
	"json.syntax", "json.duplicate-name", "json.type", "event.extended-properties", "gadget.preferences",
}

// raises reports whether one of the rules has a finding.
func raises(findings diag.Findings, rules ...string) bool {
	return slices.ContainsFunc(findings, func(f diag.Finding) bool { return slices.Contains(rules, f.Rule.ID) })
}

// briefs returns what callers may compare of findings: path, rule and kind.
func briefs(findings diag.Findings) []string {
	list := []string{}
	for _, f := range findings {
		list = append(list, fmt.Sprintf("%s [%s] %s", f.Path, f.Rule.ID, f.Kind))
	}
	return list
}

// checkLaws checks the answer to a request with any body against all laws.
func checkLaws(t tb, req *event.Request) {
	t.Helper()
	result := must(checker.Check(req))
	checkDeterministic(t, req, &result)
	checkOnlyRead(t, req)
	checkVerdict(t, &result)
	checkCap(t, req, &result)
	if result.Truncated {
		return // the laws below look for findings that may be left out
	}
	checkSyntax(t, req.Body, result.Findings)
	if raises(result.Findings, "json.syntax") {
		return
	}
	checkPlaces(t, req, result.Findings)
	checkDuplicates(t, req.Body, result.Findings)
	if raises(result.Findings, "json.duplicate-name") {
		return // one of them is lost
	}
	checkRoundTrip(t, req.Body)
	if !raises(result.Findings, decodingRules...) {
		checkForms(t, req, result.Findings)
	}
	switch {
	case !result.Accepted:
	case req.Op == operation.EventsPatch || req.Op == operation.EventsUpdate:
		checkStored(t, req, result.Stored)
		checkWrittenAgain(t, req, result.Stored)
	default:
		checkIdempotent(t, req, result.Answer)
	}
}

// checkDeterministic checks that the same request gets the same answer, byte by byte.
func checkDeterministic(t tb, req *event.Request, result *event.Result) {
	t.Helper()
	again := must(checker.Check(req))
	if diff := cmp.Diff(marshal(t, result), marshal(t, &again)); diff != "" {
		t.Fatalf("answered differently the second time:\n%s", diff)
	}
	if diff := cmp.Diff(briefs(result.Findings), briefs(must(checker.Find(req)))); diff != "" {
		t.Fatalf("Findings differ from those of Check (-Check +Findings):\n%s", diff)
	}
}

// checkOnlyRead compares a request, including unexported fields, with an earlier copy.
func checkOnlyRead(t tb, req *event.Request) {
	t.Helper()
	before := cloneRequest(req)
	must(event.Check(req))
	must(event.Find(req))
	if !reflect.DeepEqual(before, req) {
		t.Fatalf("the request changed (-before +after):\n%s", cmp.Diff(before.String(), req.String()))
	}
}

func marshal(t tb, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return string(text)
}

// checkVerdict checks that a request is refused if a finding rejects, and that only an accepted one is answered with an event.
func checkVerdict(t tb, result *event.Result) {
	t.Helper()
	if !result.Truncated && result.Accepted == result.Findings.Rejected() || result.Accepted && result.Findings.Rejected() {
		t.Fatalf("accepted is %t, the findings are %v", result.Accepted, result.Findings)
	}
	if !result.Accepted && result.Answer != nil {
		t.Fatalf("a refused request is answered with the event %s", result.Answer.AppendJSON(nil))
	}
}

// checkCap checks that a smaller cap does not affect the verdict, and only leaves out findings, always the same ones.
func checkCap(t tb, req *event.Request, whole *event.Result) {
	t.Helper()
	all := briefs(whole.Findings)
	for _, most := range []int{1, 3} {
		capped := event.Checker{NewID: checker.NewID, MaxFindings: most}
		got, again := must(capped.Check(req)), must(capped.Check(req))
		truncated := len(all) > most
		if got.Accepted != whole.Accepted || got.Truncated != truncated || len(got.Findings) > most {
			t.Fatalf("with %d findings at the most: accepted %t, truncated %t, %d findings; else %t and %d",
				most, got.Accepted, got.Truncated, len(got.Findings), whole.Accepted, len(all))
		}
		kept := briefs(got.Findings)
		if diff := cmp.Diff(kept, briefs(again.Findings)); diff != "" {
			t.Fatalf("other findings are kept the second time:\n%s", diff)
		}
		want := slices.Clone(all[:min(most, len(all))])
		if grave := whole.Findings.OfKind(diag.Reject); len(grave) > 0 && !whole.Findings[:len(want)].Rejected() {
			want[most-1] = briefs(grave)[0] // a reason for refusing is kept
		}
		if diff := cmp.Diff(want, kept, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("with a cap of %d not the first are kept (-first +kept):\n%s", most, diff)
		}
	}
}

// checkSyntax checks that a text is well-formed here if and only if it is for encoding/json,
// except for what the standard library tolerates.
func checkSyntax(t tb, body []byte, findings diag.Findings) {
	t.Helper()
	want := json.Valid(body) && utf8.Valid(body) && !loneSurrogate(string(body)) &&
		strings.TrimLeft(string(body), " \t\r\n")[0] == '{' && depth(body) <= constraint.JSONMaxDepth
	if got := !raises(findings, "json.syntax"); got != want {
		t.Fatalf("well-formed is %t, want %t: %q; %v", got, want, body, findings)
	}
}

// depth returns how deep the arrays and objects of a well-formed text are nested.
func depth(body []byte) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// loneSurrogate reports whether a well-formed text escapes half of a surrogate pair.
func loneSurrogate(text string) bool {
	half := func(s, from, to string) bool {
		return len(s) >= 6 && s[:2] == `\u` && strings.ToLower(s[2:6]) >= from && strings.ToLower(s[2:6]) <= to
	}
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case text[i] != '\\':
		case half(rest, "d800", "dbff") && half(rest[6:], "dc00", "dfff"):
			i += 11
		case half(rest, "d800", "dfff"):
			return true
		default:
			i++
		}
	}
	return false
}

// checkPlaces checks that each finding has a JSON Pointer of which only the last token may be missing from the body, and that
// findings are in the order of the body, after those about the query. A finding about a repeated member is at a repetition, and
// any other at the first occurrence.
func checkPlaces(t tb, req *event.Request, findings diag.Findings) {
	t.Helper()
	body := req.Body
	at := offsets(body)
	last := -1
	for _, f := range findings {
		offset := -1
		switch {
		case !f.Path.InBody():
		case f.Rule.ID == "json.duplicate-name":
			offset = offsetAgain(t, at[f.Path], last)
		default:
			offset = offsetOf(t, at, parentOfMissing(f), req.Existing != nil)
		}
		checkPointer(t, f.Path)
		if offset < last {
			t.Fatalf("%s at byte %d comes after one at byte %d: %v in %s", f, offset, last, briefs(findings), body)
		}
		last = offset
	}
}

// parentOfMissing returns the path of a finding or, for the type that a conference solution must have, the path of the
// object that has the type, because the solution may lack that object.
func parentOfMissing(f diag.Finding) diag.Pointer {
	if key, ok := strings.CutSuffix(string(f.Path), "/type"); ok && f.Rule.ID == "conference.type.enum" {
		return diag.Pointer(key)
	}
	return f.Path
}

// offsetOf returns the offset of the path or, if the body does not contain it, of its parent.
// The parent may be missing too, if only the stored event contains it.
func offsetOf(t tb, at map[diag.Pointer][]int, path diag.Pointer, stored bool) int {
	t.Helper()
	for up := 0; up < 2 || stored; up++ {
		if len(at[path]) > 0 {
			return at[path][0]
		}
		path = path[:strings.LastIndexByte(string(path), '/')]
	}
	t.Fatalf("a place below %s is nowhere in the body, nor is its parent", path)
	return 0
}

// offsetAgain returns the offset of the first repetition of a member from the offset last on.
func offsetAgain(t tb, places []int, last int) int {
	t.Helper()
	for i, offset := range places {
		if i > 0 && offset >= last {
			return offset
		}
	}
	t.Fatalf("the member at %v is reported as repeated, after one at %d", places, last)
	return 0
}

// checkPointer checks a path against RFC 6901 section 3.
func checkPointer(t tb, path diag.Pointer) {
	t.Helper()
	rest := strings.NewReplacer("~0", "", "~1", "").Replace(string(path))
	if path.InBody() && path != "" && path[0] != '/' || strings.Contains(rest, "~") {
		t.Fatalf("%q is not a JSON Pointer", path)
	}
}

// checkDuplicates checks that a repeated name is found if and only if there is one.
func checkDuplicates(t tb, body []byte, findings diag.Findings) {
	t.Helper()
	repeated := false
	for _, p := range places(mustParse(body)) {
		names := slices.Sorted(slices.Values(p.node.names))
		repeated = repeated || len(slices.Compact(names)) < len(p.node.names)
	}
	if got := raises(findings, "json.duplicate-name"); got != repeated {
		t.Fatalf("json.duplicate-name is found: %t, want %t: %s", got, repeated, body)
	}
}

// checkRoundTrip checks that an event is written as the JSON value that was read, and read again as an equal event.
func checkRoundTrip(t tb, body []byte) {
	t.Helper()
	first := decode(body)
	written := first.AppendJSON(nil)
	if diff := cmp.Diff(mustParse(body).value(), mustParse(written).value()); diff != "" {
		t.Fatalf("written differently than read (-read +written):\n%s", diff)
	}
	second := decode(written)
	if !first.Equal(*second) || !second.Equal(*first) {
		t.Fatalf("read again %s is another event", written)
	}
	if diff := cmp.Diff(string(written), string(second.AppendJSON(nil))); diff != "" {
		t.Fatalf("written differently the second time:\n%s", diff)
	}
	if clone := first.Clone(); !clone.Equal(*first) || string(clone.AppendJSON(nil)) != string(written) {
		t.Fatalf("the clone of %s is %s", written, clone.AppendJSON(nil))
	}
}

// decode reads an event even if values have a wrong type, which it keeps.
func decode(body []byte) *event.Event {
	e := new(event.Event)
	_ = e.UnmarshalJSON(body)
	return e
}

// checkForms checks that the answer is the same if the body is bytes, a Go value or a line of the batch form. No finding says
// that a Go value has undocumented members, because the caller added them.
func checkForms(t tb, req *event.Request, want diag.Findings) {
	t.Helper()
	asValue := *req
	asValue.Body, asValue.Event = nil, decode(req.Body)
	// A value has no order of its own.
	if req.Op != operation.EventsUpdate || !holdsNull(mustParse(req.Body)) {
		// For an update, null is reported in values that the service writes.
		compareWay(t, "a value", sorted(briefs(withoutUnknown(want))), sorted(briefs(must(event.Find(&asValue)))))
	}

	var batch batch.Request
	if err := batch.UnmarshalJSON([]byte(req.String())); err != nil {
		t.Fatalf("the batch form cannot be read: %v", err)
	}
	compareWay(t, "a line", briefs(want), briefs(must(event.Find(&batch.Request))))
}

// holdsNull reports whether a value of a document is null.
func holdsNull(document *node) bool {
	return slices.ContainsFunc(places(document), func(p place) bool { return p.node.text == "null" })
}

func compareWay(t tb, way string, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("the findings of the body as %s differ (-bytes +%s):\n%s", way, way, diff)
	}
}

func withoutUnknown(findings diag.Findings) diag.Findings {
	return slices.DeleteFunc(slices.Clone(findings), func(f diag.Finding) bool { return f.Rule.ID == "json.unknown-field" })
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// checkIdempotent checks that a stored event can be sent again and is stored unchanged.
func checkIdempotent(t tb, req *event.Request, stored *event.Event) {
	t.Helper()
	again := *req
	again.Body, again.Event = stored.AppendJSON(nil), nil
	second := must(checker.Check(&again))
	if !second.Accepted {
		t.Fatalf("what was stored is refused: %v in %s", second.Findings.Err(), again.Body)
	}
	if !stored.Equal(*second.Answer) {
		t.Fatalf("stored %s, and again as %s", again.Body, second.Answer.AppendJSON(nil))
	}
	if diff := cmp.Diff(mustParse(again.Body).value(), mustParse(second.Answer.AppendJSON(nil)).value()); diff != "" {
		t.Fatalf("stored differently the second time:\n%s", diff)
	}
}

// checkWrittenAgain checks that writing a stored event twice changes nothing the second time,
// and that the result can be sent back.
func checkWrittenAgain(t tb, req *event.Request, stored *event.Event) {
	t.Helper()
	again := *req
	again.Existing = stored
	checkUnchanged(t, &again, stored)
	if stored.Start != nil && stored.End != nil { // an update without them is refused
		back := again
		back.Op, back.Body = operation.EventsUpdate, stored.AppendJSON(nil)
		checkUnchanged(t, &back, stored)
	}
}

func checkUnchanged(t tb, req *event.Request, stored *event.Event) {
	t.Helper()
	result := must(checker.Check(req))
	if !result.Accepted {
		t.Fatalf("refused the second time: %v in %v", result.Findings.Err(), req)
	}
	before := stored.Clone()
	if before.Status == "" {
		before.Status = "confirmed" // a part of an event did not have it
	}
	if diff := before.Diff(result.Stored, diag.Documents); len(diff) > 0 {
		t.Fatalf("the second time it changes %v: %v", diff, req)
	}
}
