package event_test

import (
	"encoding/json"
	"math/big"
	"reflect"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testing/jsontest"
	"github.com/calrules/calrules/operation"
)

// FuzzPatch compares Patch with MergeJSON. Patch fails where
// MergeJSON does, a second application changes nothing, Diff reports only members of the patch, and
// the stored event is not modified.
func FuzzPatch(f *testing.F) {
	for _, c := range jsontest.MergePatches {
		f.Add(c.Target, c.Patch)
	}
	f.Add(object(storedTimed), object(`"summary":"Daily"`, `"start":{"date":"2026-03-10","dateTime":null}`, `"attendees":[]`))
	for _, text := range jsontest.Large() {
		f.Add(text, text)
		f.Add(object(storedTimed), text)
	}
	f.Fuzz(func(t *testing.T, storedText, patch string) {
		stored := new(event.Event)
		if len(storedText)+len(patch) > jsontest.MaxFuzzed || json.Unmarshal([]byte(storedText), stored) != nil {
			return
		}
		patched, err := stored.AfterPatch([]byte(patch), diag.Documents)
		merged, mergeErr := event.MergeJSON(nil, []byte(storedText), []byte(patch))
		if err != nil || mergeErr != nil {
			if err == nil || patched != nil {
				t.Fatalf("Patch with %q returns %v and the error %v, and MergeJSON the error %v", patch, patched, err, mergeErr)
			}
			return
		}
		want := value(t, merged)
		if largeExponent.Match(merged) {
			return // such a number is too long to write out
		}
		got := text(t, patched)
		if !reflect.DeepEqual(exact(want), exact(value(t, []byte(got)))) {
			t.Fatalf("%q patched with %q, decoded, is %s; want %s", storedText, patch, got, merged)
		}
		if !reflect.DeepEqual(exact(value(t, []byte(storedText))), exact(value(t, []byte(text(t, stored))))) {
			t.Fatalf("after a patch of %q with %q, the stored event is %s", storedText, patch, text(t, stored))
		}
		if again, err := patched.AfterPatch([]byte(patch), diag.Documents); err != nil || text(t, again) != got {
			t.Fatalf("%q patched with %q is %s, and patched again %s (%v)", storedText, patch, got, text(t, again), err)
		}
		sent := value(t, []byte(patch)).(map[string]any)
		for _, place := range stored.Diff(patched, diag.Documents) {
			for name := range place.Path.Tokens() {
				if _, ok := sent[name]; !ok {
					t.Fatalf("%q patched with %q differs at %s", storedText, patch, place)
				}
				break // only the first token names a member of the patch
			}
		}
	})
}

var largeExponent = regexp.MustCompile(`[0-9][eE][-+]?[0-9]{3}`)

// exact makes all spellings of a number in a JSON value equal.
func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := new(big.Rat).SetString(v.String())
		return "number " + n.RatString()
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = exact(v[name])
		}
	}
	return v
}

// A stored property that is not a string, and so has no place in the Go map, is kept by a patch that does not name it.
func TestPatchKeepsPropertiesThatAreNotStrings(t *testing.T) {
	existing := read(t, object(storedTimed))
	if err := existing.UnmarshalJSON([]byte(object(storedTimed, `"extendedProperties":{"private":{"a":"1","n":5}}`))); err == nil {
		t.Fatal("a property that is not a string has no error")
	}
	for patch, want := range map[string]string{
		`{"summary":"Daily"}`:                                     `{"private":{"a":"1","n":5}}`,
		`{"extendedProperties":{"private":{"a":"2"}}}`:            `{"private":{"a":"2","n":5}}`,
		`{"extendedProperties":{"private":{"n":null,"a":null}}}`:  `{"private":{}}`,
		`{"extendedProperties":{"private":{"n":"6","b":"true"}}}`: `{"private":{"a":"1","b":"true","n":"6"}}`,
	} {
		result := must(event.Check(&event.Request{Op: operation.EventsPatch, Existing: existing, Body: []byte(patch)}))
		if !result.Accepted {
			t.Fatalf("%s: %v", patch, result.Findings)
		}
		stored := value(t, []byte(text(t, result.Stored))).(map[string]any)
		if diff := cmp.Diff(value(t, []byte(want)), stored["extendedProperties"]); diff != "" {
			t.Errorf("%s (-want +stored):\n%s", patch, diff)
		}
	}
}
