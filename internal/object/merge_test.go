package object_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/object"
)

// Values in a map that are not strings are kept by Merge and DropNulls unless a patch changes them. Nulls are not kept.
func TestMapKeepsOtherValues(t *testing.T) {
	for _, c := range []struct{ name, stored, patch, merged, settled string }{
		{"untouched", `{"map":{"a":"1","b":5}}`, `{"text":"x"}`, `{"text":"x","map":{"a":"1","b":5}}`, `{"text":"x","map":{"a":"1","b":5}}`},
		{"beside", `{"map":{"a":"1","b":5}}`, `{"map":{"a":"2"}}`, `{"map":{"a":"2","b":5}}`, `{"map":{"a":"2","b":5}}`},
		{"replaced", `{"map":{"b":5}}`, `{"map":{"b":"2"}}`, `{"map":{"b":"2"}}`, `{"map":{"b":"2"}}`},
		{"cleared", `{"map":{"a":"1","b":[]}}`, `{"map":{"b":null}}`, `{"map":{"a":"1"}}`, `{"map":{"a":"1"}}`},
		{"null", `{"map":{"a":null}}`, `{"map":{"b":"1"}}`, `{"map":{"a":null,"b":"1"}}`, `{"map":{"b":"1"}}`},
		{"null beside", `{"map":{"a":null,"b":5}}`, `{"map":{"c":"1"}}`, `{"map":{"a":null,"b":5,"c":"1"}}`, `{"map":{"b":5,"c":"1"}}`},
		{"nothing else", `{"map":{"b":5}}`, `{}`, `{"map":{"b":5}}`, `{"map":{"b":5}}`},
		{"nothing but null", `{"map":{"a":null}}`, `{}`, `{"map":{"a":null}}`, `{"map":{}}`},
		{"null, and other members", `{"map":{"a":null,"b":"1"},"x":1,"text":5}`, `{}`, `{"map":{"a":null,"b":"1"},"x":1,"text":5}`, `{"map":{"b":"1"},"x":1,"text":5}`},
		{"no object", `{"map":"x"}`, `{"text":"y"}`, `{"text":"y","map":"x"}`, `{"text":"y","map":"x"}`},
		{"no object, replaced", `{"map":"x"}`, `{"map":{"a":"1"}}`, `{"map":{"a":"1"}}`, `{"map":{"a":"1"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := decode(c.stored)
			thingTable.Merge(v, decode(c.patch))
			if diff := cmp.Diff(value(t, c.merged), value(t, encode(v))); diff != "" {
				t.Errorf("merged (-want +got):\n%s", diff)
			}
			thingTable.DropNulls(v, object.All)
			if diff := cmp.Diff(value(t, c.settled), value(t, encode(v))); diff != "" {
				t.Errorf("without nulls (-want +got):\n%s", diff)
			}
		})
	}
}

// A value of a wrong type is merged as JSON: an object loses what is null in the patch (RFC 7396).
func TestMergeOfWrongTypes(t *testing.T) {
	for _, c := range [][3]string{
		{`{"count":{"a":1,"b":null}}`, `{"count":{"a":null,"c":2}}`, `{"count":{"b":null,"c":2}}`},
		{`{"count":5}`, `{"count":{"a":null}}`, `{"count":{}}`},
		{`{}`, `{"text":{"a":{"b":null}}}`, `{"text":{"a":{}}}`},
		{`{"text":{"a":1}}`, `{"text":[null]}`, `{"text":[null]}`},
		{`{"text":{"a":1}}`, `{"text":"x"}`, `{"text":"x"}`},
		{`{"text":{"a":1}}`, `{"text":null}`, `{}`},
		{`{}`, `{"map":{"n":5}}`, `{"map":{"n":5}}`},
		{`{"map":{"a":"1","b":"2"}}`, `{"map":{"a":null,"n":[5]}}`, `{"map":{"b":"2","n":[5]}}`},
	} {
		v := decode(c[0])
		thingTable.Merge(v, decode(c[1]))
		if diff := cmp.Diff(value(t, c[2]), value(t, encode(v))); diff != "" {
			t.Errorf("%s with %s (-want +got):\n%s", c[0], c[1], diff)
		}
	}
}

// DropNulls removes null members of objects that have a table, and keeps nulls in other values.
func TestDropNulls(t *testing.T) {
	for stored, want := range map[string]string{
		`{"text":null,"any":null,"map":null,"x":null}`: `{}`,
		`{"part":{"name":null,"x":null}}`:              `{"part":{}}`,
		`{"parts":[{"name":null,"x":null},null]}`:      `{"parts":[{},null]}`,
		`{"any":[null]}`:                               `{"any":[null]}`,
		`{"any":{"a":null}}`:                           `{"any":{"a":null}}`,
		`{"x":{"a":null}}`:                             `{"x":{"a":null}}`,
		`{"text":{"a":null}}`:                          `{"text":{"a":null}}`,
		`{"lines":["x",null]}`:                         `{"lines":["x",null]}`,
		`{"map":{"a":null,"b":"1"}}`:                   `{"map":{"b":"1"}}`,
		`{"map":{"a":null,"b":[null]}}`:                `{"map":{"b":[null]}}`,
	} {
		v := decode(stored)
		thingTable.DropNulls(v, object.All)
		if diff := cmp.Diff(value(t, want), value(t, encode(v))); diff != "" {
			t.Errorf("%s without nulls (-want +got):\n%s", stored, diff)
		}
		if !thingTable.Exact(v, decode(want)) {
			t.Errorf("%s without nulls does not equal %s", stored, want)
		}
	}
}

// DropNulls has the same result as decoding without nulls.
func TestDropNullsAfterDecoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := things().Draw(t, "text")
		kept, dropped := decode(text), new(thing)
		thingTable.Decode([]byte(text), dropped, object.Reading{Nulls: object.NullIsDropped})
		thingTable.DropNulls(kept, object.All)
		thingTable.DropNulls(dropped, object.All) // beside a wrong type a map keeps its text, null and all
		if !thingTable.Exact(kept, dropped) || encode(kept) != encode(dropped) {
			t.Fatalf("%s becomes %s with DropNulls, and %s when decoded without nulls", text, encode(kept), encode(dropped))
		}
	})
}
