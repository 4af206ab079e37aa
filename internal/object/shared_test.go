package object_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/object"
)

// A function that writes to a plain copy of a value has the same result as with a deep copy. It changes neither
// the value nor its other argument, even if the result is cloned and changed.
func TestWritesToPlainCopies(t *testing.T) {
	for name, write := range map[string]func(v, other *thing){
		"Merge":      thingTable.Merge,
		"Copy":       func(v, other *thing) { thingTable.Copy(v, other, object.All) },
		"KeepWithin": func(v, other *thing) { thingTable.KeepWithin(v, other, object.All) },
		"DropNulls":  func(v, _ *thing) { thingTable.DropNulls(v, object.All) },
		"WriteOut":   func(v, _ *thing) { thingTable.WriteOut(v, thingTable.Set("text", "flag", "count")) },
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			v, other := decode(things().Draw(t, "value")), decode(things().Draw(t, "other"))
			if rapid.Bool().Draw(t, "share") {
				other.Part, other.Parts, other.Map, other.Lines = v.Part, v.Parts, v.Map, v.Lines
			}
			valueBefore, otherBefore := encode(v), encode(other)
			plain, deep := *v, thingTable.Clone(v)
			write(&plain, other)
			write(deep, thingTable.Clone(other))
			if encode(&plain) != encode(deep) || !thingTable.Exact(&plain, deep) {
				t.Fatalf("a plain copy of %s becomes %s, and a deep one %s", valueBefore, encode(&plain), encode(deep))
			}
			change(thingTable.Clone(&plain))
			if encode(v) != valueBefore || encode(other) != otherBefore {
				t.Fatalf("%s and %s become %s and %s", valueBefore, otherBefore, encode(v), encode(other))
			}
			if text := thingTable.ChangedText(v, &plain, object.All); thingTable.ChangedValue(v, &plain, text) != thingTable.ChangedValue(thingTable.Clone(v), deep, object.All) {
				t.Fatalf("of %s and %s the members %v differ, and of deep copies others", valueBefore, encode(&plain), thingTable.NamesOf(text))
			}
		}))
	}
}
