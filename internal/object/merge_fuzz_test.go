package object_test

import (
	"reflect"
	"regexp"
	"testing"

	"github.com/calrules/calrules/internal/jsonmerge"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/testing/jsontest"
)

// FuzzMerge compares a merge of decoded objects with the merge of their texts, if the patch has no wrong types.
func FuzzMerge(f *testing.F) {
	f.Add(`{"text":"a","part":{"name":"n","x":1},"map":{"a":"1","b":"2"}}`, `{"text":null,"part":{"name":null,"size":2},"map":{"a":null,"c":"3"},"y":{"z":null}}`)
	for _, text := range jsontest.Large() {
		f.Add(text, text)
		f.Add(`{"text":"a","lines":["b"],"m700":{"b":1}}`, text)
	}
	f.Fuzz(func(t *testing.T, stored, patch string) {
		if len(stored)+len(patch) > jsontest.MaxFuzzed || !naiveIsObject(stored) || !naiveIsObject(patch) {
			return
		}
		if merged, err := jsonmerge.Append(nil, []byte(stored), []byte(patch)); err == nil {
			checkMergeOfValues(t, stored, patch, string(merged))
		}
	})
}

var largeExponent = regexp.MustCompile(`[0-9][eE][-+]?[0-9]{3}`)

// checkMergeOfValues compares the merge of decoded objects with the merge of their texts.
func checkMergeOfValues(t *testing.T, stored, patch, want string) {
	sent := new(thing)
	for _, p := range thingTable.Decode([]byte(patch), sent, object.Reading{Nulls: object.NullIsKept}) {
		if p.Fault != object.Unknown {
			return
		}
	}
	v, before := decode(stored), encode(sent)
	thingTable.Merge(v, sent)
	got := encode(v)
	if largeExponent.MatchString(want) {
		return // such a number is exact only at great length
	}
	if !reflect.DeepEqual(value(t, want), value(t, got)) {
		t.Fatalf("%q patched with %q, decoded, is %q; want %q", stored, patch, got, want)
	}
	if after := encode(sent); after != before {
		t.Fatalf("Merge changes the patch %q to %q", before, after)
	}
	thingTable.Merge(v, sent)
	if again := encode(v); again != got {
		t.Fatalf("%q patched with %q is %q, and patched again %q", stored, patch, got, again)
	}
}
