package object_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What the text of a map tells beside its strings outlives a merge and a settling that do not
// touch it, and nulls do not.
func TestMapKeepsWhatIsNoString(t *testing.T) {
	for _, c := range []struct{ name, stored, patch, merged, settled string }{
		{"untouched", `{"map":{"a":"1","b":5}}`, `{"text":"x"}`, `{"text":"x","map":{"a":"1","b":5}}`, `{"text":"x","map":{"a":"1","b":5}}`},
		{"beside", `{"map":{"a":"1","b":5}}`, `{"map":{"a":"2"}}`, `{"map":{"a":"2","b":5}}`, `{"map":{"a":"2","b":5}}`},
		{"replaced", `{"map":{"b":5}}`, `{"map":{"b":"2"}}`, `{"map":{"b":"2"}}`, `{"map":{"b":"2"}}`},
		{"cleared", `{"map":{"a":"1","b":[]}}`, `{"map":{"b":null}}`, `{"map":{"a":"1"}}`, `{"map":{"a":"1"}}`},
		{"null", `{"map":{"a":null}}`, `{"map":{"b":"1"}}`, `{"map":{"a":null,"b":"1"}}`, `{"map":{"b":"1"}}`},
		{"null beside", `{"map":{"a":null,"b":5}}`, `{"map":{"c":"1"}}`, `{"map":{"a":null,"b":5,"c":"1"}}`, `{"map":{"b":5,"c":"1"}}`},
		{"no object", `{"map":"x"}`, `{"text":"y"}`, `{"text":"y","map":"x"}`, `{"text":"y","map":"x"}`},
		{"no object, replaced", `{"map":"x"}`, `{"map":{"a":"1"}}`, `{"map":{"a":"1"}}`, `{"map":{"a":"1"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := decode(c.stored)
			thingTable.Merge(v, decode(c.patch))
			if diff := cmp.Diff(value(t, c.merged), value(t, encode(v))); diff != "" {
				t.Errorf("merged (-want +got):\n%s", diff)
			}
			thingTable.Settle(v)
			if diff := cmp.Diff(value(t, c.settled), value(t, encode(v))); diff != "" {
				t.Errorf("settled (-want +got):\n%s", diff)
			}
		})
	}
}
