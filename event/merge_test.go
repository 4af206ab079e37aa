package event_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testing/jsontest"
)

func TestMergeJSONAppendixA(t *testing.T) {
	for _, c := range jsontest.MergePatches {
		got, err := event.MergeJSON(nil, []byte(c.Target), []byte(c.Patch))
		if err != nil {
			t.Errorf("%s patched with %s: %v", c.Target, c.Patch, err)
			continue
		}
		if diff := cmp.Diff(value(t, []byte(c.Result)), value(t, got)); diff != "" {
			t.Errorf("%s patched with %s (-want +got):\n%s", c.Target, c.Patch, diff)
		}
	}
}

func TestMergeJSONKeepsTheRest(t *testing.T) {
	for _, c := range []struct{ name, stored, patch, want string }{
		{"order and spelling", `{"b": 1.50, "a" : "A"}`, `{"c":true}`, `{"b":1.50,"a":"A","c":true}`},
		{"no stored value", ``, `{"a":{"b":null,"c":1}}`, `{"a":{"c":1}}`},
		{"null in an array", `{}`, `{"a":[null,{"b":null}]}`, `{"a":[null,{"b":null}]}`},
		{"an escaped name", `{"a":1}`, `{"\u0061":2}`, `{"a":2}`},
		{"white space", " {\n\"a\" : {\"b\":1}\t} ", " { \"a\" : { \"c\" : 2 } } ", `{"a":{"b":1,"c":2}}`},
		{"many members", `{"a":1,"j":1}`, `{"a":null,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":null,"k":null}`,
			`{"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := event.MergeJSON([]byte("before "), []byte(c.stored), []byte(c.patch))
			if err != nil {
				t.Fatal(err)
			}
			if want := "before " + c.want; string(got) != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestMergeJSONErrors(t *testing.T) {
	deep := bytes.Repeat([]byte("["), 101)
	deep = append(deep, bytes.Repeat([]byte("]"), 101)...)
	for _, c := range []struct{ name, stored, patch string }{
		{"stored is not JSON", `{`, `{}`},
		{"patch is not JSON", `{}`, `{"a":}`},
		{"patch is empty", `{}`, ``},
		{"a name twice", `{"a":1,"a":2}`, `{}`},
		{"trailing data", `{}`, `{} {}`},
		{"nested too deeply", `{}`, string(deep)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := event.MergeJSON([]byte("kept"), []byte(c.stored), []byte(c.patch))
			if err == nil || string(got) != "kept" {
				t.Errorf("got %q and the error %v; want the destination unchanged and an error", got, err)
			}
		})
	}
}

// mergePatch is the pseudo-code MergePatch of RFC 7396 section 2.
func mergePatch(target, patch any) any {
	members, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, ok := target.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	for name, value := range members {
		if value == nil {
			delete(object, name)
		} else {
			object[name] = mergePatch(object[name], value)
		}
	}
	return object
}

func TestMergeJSONFollowsRFC7396(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stored := anyJSON().Draw(t, "stored")
		patch := anyJSON().Draw(t, "patch")
		got, err := event.MergeJSON(nil, stored, patch)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(mergePatch(value(t, stored), value(t, patch)), value(t, got)); diff != "" {
			t.Fatalf("%s patched with %s (-RFC +got):\n%s", stored, patch, diff)
		}
	})
}

// Patching a decoded event gives the same result as patching its text.
func TestPatchFollowsMergeJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stored := patchable(false).Draw(t, "stored")
		patch := patchable(true).Draw(t, "patch")
		var e event.Event
		if err := json.Unmarshal(stored, &e); err != nil {
			t.Fatal(err)
		}
		merged, err := event.Patch(&e, patch, diag.Documents)
		if err != nil {
			t.Fatal(err)
		}
		text, err := event.MergeJSON(nil, stored, patch)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(merged)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(value(t, text), value(t, got)); diff != "" {
			t.Fatalf("%s patched with %s (-text +decoded):\n%s", stored, patch, diff)
		}
		again, err := json.Marshal(&e)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(value(t, stored), value(t, again)); diff != "" {
			t.Fatalf("the stored event is modified:\n%s", diff)
		}
	})
}

// Two patches in turn are equal to one merged patch, unless the second has an object where the first
// has another value or null: a patch cannot say "clear this and then merge".
func TestPatchesCompose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stored := anyJSON().Draw(t, "stored")
		first := shapedPatch().Draw(t, "first")
		second := shapedPatch().Draw(t, "second")
		both, err := event.MergeJSON(nil, first, second)
		if err != nil {
			t.Fatal(err)
		}
		once, err := event.MergeJSON(nil, stored, both)
		if err != nil {
			t.Fatal(err)
		}
		one, err := event.MergeJSON(nil, stored, first)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := event.MergeJSON(nil, one, second)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(value(t, twice), value(t, once)); diff != "" {
			t.Fatalf("(-in turn +merged):\n%s", diff)
		}
	})
}

func TestMergeJSONAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector, sync.Pool drops items at random")
	}
	stored := []byte(`{"summary":"Standup","start":{"date":"2026-03-10"},"extendedProperties":{"private":{"a":"1"}}}`)
	patch := []byte(`{"summary":"Daily","location":"Room 4","extendedProperties":{"private":{"a":null,"b":"2"}}}`)
	buffer := make([]byte, 0, 1024)
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := event.MergeJSON(buffer, stored, patch); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 0 {
		t.Errorf("%v allocations into a buffer that is large enough", allocs)
	}
}

type fataler interface {
	Helper()
	Fatal(...any)
}

// value decodes a JSON text, with numbers as written.
func value(t fataler, text []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err, string(text))
	}
	return v
}

// anyJSON draws small JSON values with few different names, so that names often match.
func anyJSON() *rapid.Generator[[]byte] {
	return jsonOf(rapid.SampledFrom([]string{`null`, `1`, `"x"`}))
}

// shapedPatch draws patches in which one name always has an object and the other never does.
func shapedPatch() *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte { return drawShaped(t, 3) })
}

func drawShaped(t *rapid.T, depth int) []byte {
	var members []string
	if rapid.Bool().Draw(t, "has scalar") {
		members = append(members, `"scalar":`+rapid.SampledFrom([]string{`1`, `"x"`, `[]`}).Draw(t, "scalar"))
	}
	if depth > 0 && rapid.Bool().Draw(t, "has object") {
		members = append(members, `"a":`+string(drawShaped(t, depth-1)))
	}
	return []byte("{" + strings.Join(members, ",") + "}")
}

func jsonOf(scalars *rapid.Generator[string]) *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte { return drawJSON(t, scalars, 3) })
}

func drawJSON(t *rapid.T, scalars *rapid.Generator[string], depth int) []byte {
	kind := "scalar"
	if depth > 0 {
		kind = rapid.SampledFrom([]string{"object", "object", "scalar", "array"}).Draw(t, "kind")
	}
	switch kind {
	case "object":
		text := []byte("{")
		for i, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", `\u0062c`, "é", "~/"}), 0, 4, rapid.ID).Draw(t, "names") {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(append(append(text, '"'), name...), `":`...)
			text = append(text, drawJSON(t, scalars, depth-1)...)
		}
		return append(text, '}')
	case "array":
		text := []byte("[")
		for i := range rapid.IntRange(0, 2).Draw(t, "length") {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(text, drawJSON(t, scalars, depth-1)...)
		}
		return append(text, ']')
	default:
		return []byte(scalars.Draw(t, "scalar"))
	}
}

// patchable draws events, or patches of them, as text: members of every type, with null only in
// patches.
func patchable(patch bool) *rapid.Generator[[]byte] {
	values := map[string][]string{
		"summary":                   {`"a"`, `"b"`, `""`},
		"sequence":                  {`0`, `2`},
		"locked":                    {`true`, `false`},
		"eventLabelId":              {`""`, `"x"`},
		"start":                     {`{"date":"2026-03-10"}`, `{"dateTime":"2026-03-10T09:00:00Z"}`, `{"timeZone":"Europe/Berlin"}`, `{}`},
		"recurrence":                {`["RRULE:FREQ=DAILY"]`, `[]`},
		"attendees":                 {`[{"email":"a@example.com","optional":false}]`, `[]`, `[{"email":"b@example.com","x":1},{}]`},
		"extendedProperties":        {`{"private":{"a":"1","b":"2"}}`, `{"private":{"b":"3"},"shared":{}}`, `{}`},
		"reminders":                 {`{"useDefault":false,"overrides":[]}`, `{"overrides":[{"minutes":0}]}`},
		"conferenceData":            {`{"notes":"n","createRequest":{"requestId":"r"}}`, `{"conferenceSolution":{"key":{"type":"addOn"}}}`},
		"workingLocationProperties": {`{"homeOffice":{"a":1,"b":2}}`, `{"homeOffice":{"a":3}}`, `{"type":"homeOffice"}`},
		"unknown":                   {`{"a":{"b":1}}`, `{"a":{"c":2}}`, `[1,null]`, `5`},
	}
	if patch {
		for name := range values {
			values[name] = append(values[name], `null`)
		}
		values["start"] = append(values["start"], `{"date":null}`, `{"date":null,"dateTime":"2026-03-11T09:00:00Z"}`)
		values["extendedProperties"] = append(values["extendedProperties"], `{"private":{"a":null}}`, `{"private":null}`, `{"private":{"a":null,"c":"4"}}`)
		values["reminders"] = append(values["reminders"], `{"overrides":null}`)
		values["conferenceData"] = append(values["conferenceData"], `{"createRequest":{"requestId":null}}`, `{"notes":null}`)
		values["workingLocationProperties"] = append(values["workingLocationProperties"], `{"homeOffice":{"a":null}}`)
		values["unknown"] = append(values["unknown"], `{"a":{"b":null}}`)
	}
	names := slices.Sorted(maps.Keys(values))
	return rapid.Custom(func(t *rapid.T) []byte {
		text := []byte("{")
		for i, name := range rapid.SliceOfDistinct(rapid.SampledFrom(names), rapid.ID).Draw(t, "members") {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(append(append(text, '"'), name...), `":`...)
			text = append(text, rapid.SampledFrom(values[name]).Draw(t, name)...)
		}
		return append(text, '}')
	})
}
