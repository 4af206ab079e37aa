package fuzz_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/operation"
)

var update = flag.Bool("update", false, "write the golden files")

// emptied is a patch that sends null, an empty array or an empty object in one place or, as null, in two of one object or
// in one of the start and one of the end.
type emptied struct{ name, body string }

// emptyPatches lists the patches that the members of an event allow.
func emptyPatches() (patches []emptied) {
	var nulls []event.Field // in objects in the event, not in arrays
	for _, f := range event.Fields() {
		values := []string{"null"}
		switch {
		case strings.HasPrefix(f.Type, "array"):
			values = append(values, "[]", "[null]")
			if f.Type == "array of objects" {
				values = append(values, "[{}]")
			}
		case !isScalar(f):
			values = append(values, "{}")
		}
		for _, value := range values {
			patches = append(patches, emptied{f.Path + " " + value, bodyWith(f.Path, value)})
		}
		if !strings.Contains(f.Path, "[]") && strings.Contains(f.Path, ".") {
			nulls = append(nulls, f)
		}
	}
	for i, f := range nulls {
		object, name := cutLast(f.Path)
		for _, other := range nulls[i+1:] {
			if around, second := cutLast(other.Path); around == object {
				patches = append(patches, emptied{fmt.Sprintf("%s.{%s,%s} null", object, name, second),
					bodyWith(object, fmt.Sprintf(`{"%s":null,"%s":null}`, name, second))})
			}
		}
	}
	for _, start := range nulls {
		for _, end := range nulls {
			if isIn(start, "start") && isIn(end, "end") {
				body := strings.TrimSuffix(bodyWith(start.Path, "null"), "}") + "," + bodyWith(end.Path, "null")[1:]
				patches = append(patches, emptied{start.Path + "," + end.Path + " null", body})
			}
		}
	}
	return patches
}

func isIn(f event.Field, object string) bool { return strings.HasPrefix(f.Path, object+".") }

func isScalar(f event.Field) bool {
	return slices.Contains([]string{"string", "boolean", "integer"}, f.Type)
}

// cutLast cuts a path into the path of the object around and the name.
func cutLast(path string) (object, name string) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(0, i)], path[i+1:]
}

// bodyWith returns a body with a value at a path, such as "attendees[].email".
func bodyWith(path, value string) string {
	names := strings.Split(path, ".")
	for _, name := range slices.Backward(names) {
		if array, isArray := strings.CutSuffix(name, "[]"); isArray {
			name, value = array, "["+value+"]"
		}
		value = fmt.Sprintf(`{"%s":%s}`, name, value)
	}
	return value
}

// patchOf is the request of a patch of a stored event.
func patchOf(stored *event.Event, body string) *event.Request {
	return &event.Request{Op: operation.EventsPatch, Existing: stored, Body: []byte(body), Params: operation.Params{
		"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}, "sendUpdates": {"none"},
	}}
}

// TestNullsOfUnknownEvents checks that a patch of an unknown event is refused for what it empties exactly if it is refused
// beside every stored event, and compares the verdicts with a golden file.
func TestNullsOfUnknownEvents(t *testing.T) {
	t.Parallel()
	const golden = "testdata/nulls.txt"
	var stored []*event.Event
	for seed := range 400 {
		stored = append(stored, fuzz.Request(diag.Documents, operation.EventsDelete).Example(seed).Existing)
	}
	var table strings.Builder
	for _, patch := range emptyPatches() {
		rules := checkNull(t, patch, diag.Documents, stored)
		checkNull(t, patch, diag.Google, stored)
		verdict := "accepted"
		if len(rules) > 0 {
			verdict = strings.Join(rules, " ")
		}
		fmt.Fprintf(&table, "%s: %s\n", patch.name, verdict)
	}
	if *update {
		if err := os.WriteFile(golden, []byte(table.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != table.String() {
		t.Errorf("%s is out of date (%v): run go test ./fuzz -run Nulls -update", golden, err)
	}
}

// checkNull compares the verdict on a patch of an unknown event, the rules that refuse it, with those beside stored ones.
func checkNull(t *testing.T, patch emptied, in diag.Dialect, stored []*event.Event) []string {
	t.Helper()
	verdict := func(e *event.Event) []string {
		req := patchOf(e, patch.body)
		req.Dialect = in
		return rejections(req)
	}
	rules, refused := verdict(nil), 0
	for _, e := range stored {
		if len(verdict(e)) > 0 {
			refused++
		} else if len(rules) > 0 {
			t.Errorf("%s in %v is refused by %v, but not beside %v", patch.name, in, rules, e)
		}
	}
	if refused == len(stored) && len(rules) == 0 {
		t.Errorf("%s in %v is accepted, but refused beside %d stored events, by %v", patch.name, in, refused, verdict(stored[0]))
	}
	return rules
}
