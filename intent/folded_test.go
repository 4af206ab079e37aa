package intent

import (
	"strings"
	"testing"
)

// Addresses are folded as strings.EqualFold compares them.
func TestFolded(t *testing.T) {
	texts := []string{"", "a@b", "A@B", "k@b", "\u212a@b", "s@b", "ſ@b", "i@b", "ı@b", "İ@b", "ß@b", "ẞ@b", "Σ", "σ", "ς", "\xff", "\xfe"}
	for _, a := range texts {
		for _, b := range texts {
			if got, want := folded(a) == folded(b), strings.EqualFold(a, b); got != want {
				t.Errorf("%q and %q are the same address: %t, want %t", a, b, got, want)
			}
		}
	}
}
