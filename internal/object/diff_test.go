package object_test

import (
	"slices"
	"testing"
)

func TestSet(t *testing.T) {
	s := thingTable.Set("count", "text")
	if got, want := thingTable.NamesOf(s), []string{"text", "count"}; !slices.Equal(got, want) {
		t.Errorf("NamesOf = %q, want %q", got, want)
	}
	if !s.Has(thingTable.Set("text", "any")) || s.Has(thingTable.Set("any")) {
		t.Errorf("%b has a member other than text and count", s)
	}
	defer func() {
		if recover() == nil {
			t.Error("Set does not panic for a name that the table does not list")
		}
	}()
	thingTable.Set("text", "x")
}
