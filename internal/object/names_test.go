package object

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A name has the index at which a search finds it, also among names with the same hash.
func TestNames(t *testing.T) {
	anyName := rapid.StringMatching(`[a-c]{0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfDistinct(anyName, rapid.ID[string]).Draw(t, "names")
		n := newNames(len(list))
		for _, name := range list {
			n.add(name)
		}
		for _, name := range append(list, anyName.Draw(t, "name")) {
			want := slices.Index(list, name)
			if i, j := indexOf(n, name), indexOf(n, []byte(name)); i != want || j != want {
				t.Errorf("%q has the index %d and %d in %q, want %d", name, i, j, list, want)
			}
		}
	})
}
