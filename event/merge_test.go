package event_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// Package jsonmerge has the tests of what a merge is.
func TestMergeJSON(t *testing.T) {
	got, err := event.MergeJSON([]byte("before "), []byte(`{"b": 1.50, "a" : "A"}`), []byte(`{"c":true,"a":null}`))
	if want := `before {"b":1.50,"c":true}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
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

// Patching a decoded event gives the same result as patching its text.
func TestPatchFollowsMergeJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stored := patchable(false).Draw(t, "stored")
		patch := patchable(true).Draw(t, "patch")
		var e event.Event
		if err := json.Unmarshal(stored, &e); err != nil {
			t.Fatal(err)
		}
		merged, err := (&e).AfterPatch(patch, diag.Documents)
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

// patchable draws events, or patches of them, as text: members of every type, with null only in patches.
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
