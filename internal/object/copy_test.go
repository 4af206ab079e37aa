package object_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/object"
)

// Copy takes a zero value that was written out with it, and takes none along that the source does not have.
func TestCopyKeepsExplicitZeros(t *testing.T) {
	for _, test := range []struct{ name, to, from, want string }{
		{"explicit", `{"text":"a","flag":true}`, `{"text":"","flag":false,"count":0}`, `{"text":"","flag":false}`},
		{"absent", `{"text":"","flag":false,"count":0}`, `{}`, `{"count":0}`},
		{"values", `{"text":""}`, `{"text":"a","flag":true,"count":1}`, `{"text":"a","flag":true}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := decode(test.to)
			thingTable.Copy(v, decode(test.from), thingTable.Set("text", "flag"))
			if got := encode(v); got != test.want {
				t.Errorf("copied into %s from %s: %s, want %s", test.to, test.from, got, test.want)
			}
		})
	}
}

// Copies of a value share what no field holds, with room for more in the slices, until one is written to.
func TestCopiesDoNotWriteToEachOther(t *testing.T) {
	const text = `{"text":"","flag":false,"lines":null,"x":1,"y":2,"z":3}`
	copied := func(name string, v *thing) { thingTable.Copy(v, decode(`{"`+name+`":null}`), thingTable.Set(name)) }
	writers := []struct {
		name string
		do   func(*thing)
		want string
	}{
		{"write out", func(v *thing) { thingTable.WriteOut(v, thingTable.Set("count")) }, `{"text":"","flag":false,"count":0,"lines":null,"x":1,"y":2,"z":3}`},
		{"copy", func(v *thing) { copied("optNum", v) }, `{"text":"","flag":false,"optNum":null,"lines":null,"x":1,"y":2,"z":3}`},
		{"copy nothing", func(v *thing) { thingTable.Copy(v, decode(`{}`), thingTable.Set("text")) }, `{"flag":false,"lines":null,"x":1,"y":2,"z":3}`},
		{"decode", read(`{"optNum":null,"v":5}`), `{"text":"","flag":false,"optNum":null,"lines":null,"x":1,"y":2,"z":3,"v":5}`},
		{"decode other", read(`{"optText":null,"w":4}`), `{"text":"","optText":null,"flag":false,"lines":null,"x":1,"y":2,"z":3,"w":4}`},
	}
	original := decode(text)
	copies := make([]thing, len(writers))
	for i := range copies {
		copies[i] = *original // as a merge makes a value
		writers[i].do(&copies[i])
	}
	for i := range copies {
		if got, want := value(t, encode(&copies[i])), value(t, writers[i].want); !cmp.Equal(got, want) {
			t.Errorf("%s: %s, want %s", writers[i].name, encode(&copies[i]), writers[i].want)
		}
	}
	if got := encode(original); got != text {
		t.Errorf("the original becomes %s", got)
	}
}

func read(text string) func(*thing) {
	return func(v *thing) { thingTable.Decode([]byte(text), v, object.Reading{Nulls: object.NullIsKept}) }
}
