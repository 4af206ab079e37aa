package object_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/jsonmerge"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/testing/jsontest"
)

// FuzzMerge compares a merge of two texts with the pseudo-code of RFC 7396 section 2, including the order
// of members and the spelling of numbers. It must be refused exactly if encoding/json and the slow
// functions refuse one of the texts, and must not change what it was given. If the patch has no wrong
// types, merging decoded objects must have the same result.
func FuzzMerge(f *testing.F) {
	f.Add(`{"text":"a","part":{"name":"n","x":1},"map":{"a":"1","b":"2"}}`, `{"text":null,"part":{"name":null,"size":2},"map":{"a":null,"c":"3"},"y":{"z":null}}`)
	for _, text := range jsontest.Large() {
		f.Add(text, text)
		f.Add(`{"text":"a","lines":["b"],"m700":{"b":1}}`, text)
	}
	f.Fuzz(func(t *testing.T, stored, patch string) {
		if len(stored)+len(patch) > jsontest.MaxFuzzed {
			return
		}
		const before = "before"
		dst := append(make([]byte, 0, 64), before...)
		target, change := []byte(stored), []byte(patch)
		merged, err := jsonmerge.Append(dst, target, change)
		refused := stored != "" && (!jsontest.Valid(stored) || jsontest.Repeats(stored)) || !jsontest.Valid(patch) || jsontest.Repeats(patch)
		if refused != (err != nil) {
			t.Fatalf("%q patched with %q: the error is %v, want one: %t", stored, patch, err, refused)
		}
		text, ok := strings.CutPrefix(string(merged), before)
		if !ok || err != nil && text != "" {
			t.Fatalf("%q patched with %q is appended to %q as %q", stored, patch, before, merged)
		}
		clear(merged[len(before):])
		if string(target) != stored || string(change) != patch || string(dst) != before {
			t.Fatalf("%q patched with %q: the arguments are now %q, %q and %q", stored, patch, target, change, dst)
		}
		if err != nil {
			return
		}
		want := naiveMerge(naiveTree(stored), naiveTree(patch))
		if got := naiveTree(text); !reflect.DeepEqual(got, want) { // cmp.Diff takes exponential time for deep arrays
			t.Fatalf("%q patched with %q is %q, want %v", stored, patch, text, want)
		}
		if naiveIsObject(stored) && naiveIsObject(patch) {
			checkMergeOfValues(t, stored, patch, text)
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

// naiveObject is a JSON object with its members in order. Other values are decoded by encoding/json,
// with numbers as written.
type naiveObject []naiveMember

type naiveMember struct {
	name  string
	value any
}

func (o naiveObject) find(name string) int {
	return slices.IndexFunc(o, func(m naiveMember) bool { return m.name == name })
}

// naiveMerge is the pseudo-code MergePatch of RFC 7396 section 2.
func naiveMerge(target, patch any) any {
	members, ok := patch.(naiveObject)
	if !ok {
		return patch
	}
	object, ok := target.(naiveObject)
	if !ok {
		object = naiveObject{}
	}
	object = slices.Clone(object)
	for _, m := range members {
		switch i := object.find(m.name); {
		case m.value == nil && i >= 0:
			object = slices.Delete(object, i, i+1)
		case m.value == nil:
		case i >= 0:
			object[i].value = naiveMerge(object[i].value, m.value)
		default:
			object = append(object, naiveMember{m.name, naiveMerge(nil, m.value)})
		}
	}
	return object
}

// naiveTree decodes a valid text, and an empty text as nil.
func naiveTree(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var read func() any
	read = func() any {
		token, _ := d.Token()
		switch token {
		case json.Delim('['):
			list := []any{}
			for d.More() {
				list = append(list, read())
			}
			_, _ = d.Token()
			return list
		case json.Delim('{'):
			object := naiveObject{}
			for d.More() {
				name, _ := d.Token()
				object = append(object, naiveMember{name.(string), read()})
			}
			_, _ = d.Token()
			return object
		default:
			return token
		}
	}
	return read()
}
