package fuzz_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/cases"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/stream"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// line is a line of calrules check --ndjson, or the answer to one, decoded.
type line = map[string]any

// TestFixes checks the fixes of the findings about the conformance cases and about drawn requests: after one, the finding is
// gone, nothing is rejected that was not before, and all else is as it was.
func TestFixes(t *testing.T) {
	for _, in := range dialects {
		t.Run(in.String(), func(t *testing.T) {
			t.Parallel()
			f := fixes{check: must(filter.Named("check")), counts: map[string]int{}}
			payload := must(fuzz.Mix{InvalidShare: 0.8}.Payloads(uint64(in)))
			for n := range testdepth.Draws(400, 10_000) {
				req := payload(n).Event.WithDialect(in)
				f.try(t, req.AppendJSON(nil))
			}
			for _, c := range must(cases.All()) {
				if c.Form == "check" && !c.Expect.Error && !isOther(c.Request, in) {
					f.try(t, c.Request)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(f.counts)) {
				t.Logf("%5d %s", f.counts[name], name)
			}
			for _, kind := range []string{"safe", "choice", "removal"} {
				if f.counts[kind] == 0 {
					t.Errorf("no finding has a fix that is a %s", kind)
				}
			}
		})
	}
}

// What looks certain and is not: each finding may have a fix, but not a safe one. The reason is another meaning that the value
// could have, or what the fix would lose.
func TestNotSafe(t *testing.T) {
	const (
		day    = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
		timed  = `"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`
		series = `"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-03-10T10:00:00Z","timeZone":"Europe/Berlin"}`
	)
	insert := func(body string) string { return `{"op":"events.insert","body":{` + body + `}}` }
	change := func(op, existing, body string) string {
		return `{"op":"` + op + `","existing":{"id":"abcde",` + existing + `},"body":{` + body + `}}`
	}
	for _, c := range []struct{ reason, request, rule string }{
		{"a typing error is a guess", insert(day + `,"status":"confirmd"`), "event.status.enum"},
		{"another spelling is a guess", insert(day + `,"status":"canceled"`), "event.status.enum"},
		{"it could be an extended property", insert(day + `,"summmary":"x"`), "json.unknown-field"},
		{"the name is lost", insert(day + `,"attendees":[{"email":"Ada <ada@example.com>"}]`), "attendee.email.address"},
		{"one of two is lost", insert(day + `,"attendees":[{"email":"ada@example.com, bob@example.com"}]`), "attendee.email.address"},
		{"the zone is not known", insert(`"start":{"dateTime":"2026-03-10T09:00:00"},"end":{"dateTime":"2026-03-10T10:00:00"}`), "time.offset"},
		{"the month may be the day", insert(`"start":{"dateTime":"03/10/2026 9:00"},"end":{"dateTime":"2026-03-11T10:00:00Z"}`), "time.datetime.format"},
		{"midnight is of the next day, or a mistake", insert(`"start":{"dateTime":"2026-03-10T24:00:00Z"},"end":{"dateTime":"2026-03-11T10:00:00Z"}`), "time.datetime.format"},
		{"the event is all-day, or its time is missing", insert(`"start":{"dateTime":"2026-03-10"},"end":{"dateTime":"2026-03-11"}`), "time.datetime.format"},
		{"the day is the first or the last", insert(`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-10"}`), "time.empty"},
		{"either form", insert(`"start":{"date":"2026-03-10","dateTime":"2026-03-10T09:00:00Z"},"end":{"date":"2026-03-11"}`), "time.one-form"},
		{"a city is no zone", insert(`"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"Berlin"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`), "time.zone.iana"},
		{"the local time is of the zone, or of UTC", insert(series + `,"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260401T000000"]`), "recurrence.rule.until-form"},
		{"days, or the end of the part", insert(series + `,"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=MO;TU"]`), "recurrence.line.syntax"},
		{"either limit", insert(series + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=3;UNTIL=20260401T000000Z"]`), "recurrence.rule.count-until"},
		{"the case tells ids apart", insert(day + `,"id":"aBcdE1"`), "event.id.alphabet"},
		{"a number is no truth", insert(day + `,"guestsCanModify":1`), "json.type"},
		{"default or own reminders", insert(day + `,"reminders":{"useDefault":true,"overrides":[{"method":"email","minutes":10}]}`), "reminders.default-and-overrides"},
		{"the event ends later, or moves", change("events.patch", timed, `"end":{"dateTime":"2026-03-10T08:00:00Z"}`), "patch.whole"},
		{"the client may not know the attachments", change("events.update", `"attachments":[{"fileUrl":"https://a.example/1"}],`+timed, timed), "attachments.supports"},
		{"of two values, readers take one", insert(`"status":"Confirmed",` + day + `,"status":"cancelled"`), "event.status.enum"},
		{"the guest may be asked again", change("events.update", `"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}],`+timed, timed+`,"attendees":[{"email":"ada@example.com"}]`), "attendee.answer-lost"},
	} {
		for _, in := range dialects {
			found := must(filter.Named("check")).Handle([]byte(strings.TrimSuffix(c.request, "}")+`,"dialect":"`+in.String()+`"}`), nil)
			all, _ := decodeJSON(found).(line)["findings"].([]any)
			i := slices.IndexFunc(all, func(x any) bool { return x.(line)["rule"] == c.rule })
			if i < 0 || all[i].(line)["fixIs"] == "safe" {
				t.Errorf("%s: %s\nis answered with %s", c.reason, c.request, found)
			}
		}
	}
}

// TestFix makes all fixes of drawn requests. After the safe ones no other safe one is left, and after all of them none;
// nothing is rejected then that was not before.
func TestFix(t *testing.T) {
	for _, in := range dialects {
		t.Run(in.String(), func(t *testing.T) {
			t.Parallel()
			payload := must(fuzz.Mix{InvalidShare: 0.8}.Payloads(uint64(in) + 1))
			for _, allows := range []func(diag.Finding) bool{
				func(f diag.Finding) bool { return f.Fix.Safe },
				func(diag.Finding) bool { return true },
			} {
				for n := range testdepth.Draws(300, 5_000) {
					fixWhole(t, payload(n).Event.WithDialect(in), allows)
				}
			}
		})
	}
}

func fixWhole(t *testing.T, req event.Request, allows func(diag.Finding) bool) {
	checker := new(event.Checker)
	before, err := checker.Find(&req)
	if err != nil {
		return // it is no request
	}
	fixed, made, err := checker.Fix(&req, allows)
	if err != nil {
		t.Fatalf("%s: %v", req.AppendJSON(nil), err)
	}
	if _, again, _ := checker.Fix(fixed, allows); again != nil {
		t.Errorf("%s\nbecomes %s\nwhich can be fixed again: %v", req.AppendJSON(nil), fixed.AppendJSON(nil), again)
	}
	for _, f := range made {
		if f.Fix == nil || !allows(f) {
			t.Errorf("%s\nis fixed by %v of %v", req.AppendJSON(nil), f.Fix, f)
		}
	}
	if after := must(checker.Find(fixed)); after.Rejected() && !before.Rejected() {
		t.Errorf("%s\nbecomes %s\nwhich is rejected: %v", req.AppendJSON(nil), fixed.AppendJSON(nil), after)
	}
}

// isOther reports whether a line is for another dialect.
func isOther(text []byte, in diag.Dialect) bool {
	return bytes.Contains(text, []byte(`"dialect":"google"`)) != (in == diag.Google)
}

// fixes tries the fixes of findings, and counts them.
type fixes struct {
	check  stream.Filter
	counts map[string]int
}

// TestCertain draws requests: without a grading, each finding has the kind that it has for certain, and a grading changes
// nothing of that.
func TestCertain(t *testing.T) {
	strict := event.Checker{Grading: diag.Strict()}
	for _, in := range dialects {
		payload := must(fuzz.Mix{InvalidShare: 0.8}.Payloads(uint64(in) + 2))
		for n := range testdepth.Draws(500, 5_000) {
			req := payload(n).Event.WithDialect(in)
			found, err := event.Find(&req)
			graded, _ := strict.Find(&req)
			if err != nil {
				continue
			}
			for _, f := range found {
				if f.Certain != f.Kind {
					t.Errorf("%s\nhas the finding %v, whose kind is %s, and for certain %s", req.AppendJSON(nil), f, f.Kind, f.Certain)
				}
			}
			for _, g := range graded {
				isOf := func(f diag.Finding) bool { return f.Rule == g.Rule && f.Path == g.Path }
				hasKind := func(f diag.Finding) bool { return isOf(f) && f.Kind == g.Certain }
				if slices.ContainsFunc(found, isOf) && !slices.ContainsFunc(found, hasKind) {
					t.Errorf("%s\nhas with a grading the finding %v, which is for certain %s", req.AppendJSON(nil), g, g.Certain)
				}
			}
		}
	}
}

func (f *fixes) try(t *testing.T, text []byte) {
	t.Helper()
	found := f.ask(text)
	for _, x := range found {
		x := x.(line)
		patch, ok := x["fix"].([]any)
		if !ok {
			continue
		}
		f.count(x)
		request := decodeLine(text)
		for _, op := range patch {
			op := op.(line)
			isRecurrence := op["op"] == "replace" && strings.HasPrefix(x["rule"].(string), "recurrence.")
			if old, ok := at(request, diag.Pointer(op["path"].(string))).(string); ok && isRecurrence && !isOnePart(old, op["value"]) {
				t.Errorf("%s\nthe patch of %v changes several parts of the line", text, x)
			}
			if !applyOp(request, op) {
				t.Fatalf("%s\nthe patch of %v cannot be applied", text, x)
			}
			if to, _ := op["path"].(string); !isNear(x["path"].(string), to) {
				t.Errorf("%s\nthe patch of %v changes another place", text, x)
			}
		}
		fixed := must(json.Marshal(request))
		after := f.ask(fixed)
		for _, y := range after {
			y := y.(line)
			if y["kind"] == "reject" && !slices.ContainsFunc(found, func(z any) bool { return isSame(z.(line), y) && z.(line)["kind"] == "reject" }) {
				t.Errorf("%s\nafter the patch of %v\n%s\nhas the finding %v", text, x, fixed, y)
			}
		}
		if countSame(after, x) >= countSame(found, x) {
			t.Errorf("%s\nafter the patch of %v\n%s\nhas the finding still", text, x, fixed)
		}
	}
}

// isOnePart reports whether a line differs from another one in one part, or in one byte, such as a comma between two parts in the
// place of a semicolon.
func isOnePart(old string, value any) bool {
	text, _ := value.(string)
	left, changed := partsOf(text), 0
	for _, part := range partsOf(old) {
		if i := slices.Index(left, part); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			changed++
		}
	}
	differing := 0
	for i := range min(len(old), len(text)) {
		if old[i] != text[i] {
			differing++
		}
	}
	return changed <= 1 || len(old) == len(text) && differing == 1
}

// partsOf returns the name, the parameters and the rule parts of a line.
func partsOf(text string) []string {
	return strings.FieldsFunc(strings.Replace(text, ":", ";", 1), func(c rune) bool { return c == ';' })
}

// ask returns the findings about a line.
func (f *fixes) ask(text []byte) []any {
	found, _ := decodeJSON(f.check.Handle(text, nil)).(line)["findings"].([]any)
	return found
}

func (f *fixes) count(x line) {
	patch := x["fix"].([]any)
	kind := x["fixIs"].(string)
	if patch[len(patch)-1].(line)["op"] == "remove" {
		kind = "removal"
	}
	prefix, _, _ := strings.Cut(x["rule"].(string), ".")
	f.counts[kind]++
	f.counts[kind+" "+prefix]++
}

// TestOnePart fixes one fault after the other of a line of a recurrence: each fix keeps all other parts, faulty or not.
func TestOnePart(t *testing.T) {
	const times = `"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-03-10T10:00:00Z","timeZone":"Europe/Berlin"}`
	f := fixes{check: must(filter.Named("check"))}
	for _, c := range []struct {
		line string
		want []string // the lines that the findings propose, in order
	}{
		{"RRULE:FREQ=WEEKLY;BYWEEKDAY=MO;INTERVAL=0;COUNT=3", []string{
			"RRULE:FREQ=WEEKLY;BYDAY=MO;INTERVAL=0;COUNT=3",
			"RRULE:FREQ=WEEKLY;BYWEEKDAY=MO;COUNT=3",
		}},
		{"RRULE:FREQ=WEEKLY;BYWEEKDAY=MO;WEEKSTART=SU;NOTHING", []string{
			"RRULE:FREQ=WEEKLY;BYDAY=MO;WEEKSTART=SU;NOTHING",
			"RRULE:FREQ=WEEKLY;BYWEEKDAY=MO;WKST=SU;NOTHING",
		}},
		{"RRULE:FREQ=WEEKLY;;BYDAY=MO;INTERVAL=0", []string{
			"RRULE:FREQ=WEEKLY;BYDAY=MO;INTERVAL=0",
			"RRULE:FREQ=WEEKLY;;BYDAY=MO",
		}},
		{"EXDATE;TZID=Pacific Standard Time:2026-03-11T09:00:00,20260312T090000", []string{
			"EXDATE;TZID=Pacific Standard Time:20260311T090000,20260312T090000",
			"EXDATE;TZID=America/Los_Angeles:2026-03-11T09:00:00,20260312T090000",
		}},
	} {
		var got []string
		for _, x := range f.ask([]byte(`{"op":"events.insert","body":{` + times + `,"recurrence":["` + c.line + `"]}}`)) {
			if patch, ok := x.(line)["fix"].([]any); ok {
				got = append(got, patch[0].(line)["value"].(string))
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.line, diff)
		}
	}
}

func countSame(found []any, as line) (n int) {
	for _, x := range found {
		if isSame(x.(line), as) {
			n++
		}
	}
	return n
}

func isSame(x, y line) bool { return x["rule"] == y["rule"] && x["path"] == y["path"] }

// isNear reports whether a patch may change a place for the sake of a finding: it is in the value or beside it, or a parameter.
func isNear(path, place string) bool {
	around, _ := diag.Pointer("/body" + path).Split()
	return strings.HasPrefix(place, "/params") || strings.HasPrefix(place, string(around)+"/") || place == string(around)
}

// decodeLine decodes a line, with the parsed text as its body.
func decodeLine(text []byte) line {
	request := decodeJSON(text).(line)
	if body, ok := request["bodyText"].(string); ok {
		delete(request, "bodyText")
		request["body"] = decodeJSON([]byte(body))
	}
	return request
}

func decodeJSON(text []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil
	}
	return value
}

// applyOp carries out an operation of a JSON Patch, as RFC 6902 says, except that it tests nothing and copies nothing.
func applyOp(document line, op line) bool {
	path := op["path"].(string)
	switch op["op"] {
	case "add":
		return put(document, path, op["value"], true)
	case "replace":
		_, ok := take(document, path, false)
		return ok && put(document, path, op["value"], false)
	case "remove":
		_, ok := take(document, path, true)
		return ok
	case "move":
		value, ok := take(document, op["from"].(string), true)
		return ok && put(document, path, value, true)
	}
	return false
}

// take returns a value, which it may remove.
func take(document any, path string, remove bool) (value any, ok bool) {
	around, name := diag.Pointer(path).Split()
	switch in := at(document, around).(type) {
	case line:
		if value, ok = in[name]; ok && remove {
			delete(in, name)
		}
	case []any:
		i, err := strconv.Atoi(name)
		if ok = err == nil && i < len(in); ok {
			if value = in[i]; remove {
				ok = put(document, string(around), slices.Delete(slices.Clone(in), i, i+1), false)
			}
		}
	}
	return value, ok
}

// put sets a member or, unless it is new, an element.
func put(document any, path string, value any, isNew bool) bool {
	around, name := diag.Pointer(path).Split()
	switch in := at(document, around).(type) {
	case line:
		in[name] = value
		return true
	case []any:
		i, err := strconv.Atoi(name)
		if err == nil && i < len(in) && !isNew {
			in[i] = value
			return true
		}
	}
	return false
}

// at returns the value at a path, or nil.
func at(document any, path diag.Pointer) any {
	for token := range path.Tokens() {
		switch in := document.(type) {
		case line:
			document = in[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i >= len(in) {
				return nil
			}
			document = in[i]
		default:
			return nil
		}
	}
	return document
}

// TestRulesWithoutFix checks that each rule about requests has a fix in some conformance case, or is listed with the reason.
func TestRulesWithoutFix(t *testing.T) {
	f := fixes{check: must(filter.Named("check"))}
	fixed := map[string]bool{}
	for _, c := range must(cases.All()) {
		if c.Form != "check" {
			continue
		}
		for _, x := range f.ask(c.Request) {
			if x := x.(line); x["fix"] != nil {
				fixed[x["rule"].(string)] = true
			}
		}
	}
	var without []string
	for rule := range event.Catalogue().All() {
		if rule.Kind != "" && !fixed[rule.ID] {
			without = append(without, rule.ID)
		}
	}
	var listed []string
	for text := range strings.Lines(string(must(os.ReadFile("testdata/without-fix.txt")))) {
		if id, ok := strings.CutPrefix(text, "\t"); ok {
			listed = append(listed, strings.TrimSpace(id))
		}
	}
	slices.Sort(without)
	slices.Sort(listed)
	if diff := cmp.Diff(listed, without); diff != "" {
		t.Errorf("the rules without a fix (-listed +are):\n%s", diff)
	}
}
