package filter

import (
	"bytes"
	"fmt"
	"math/bits"
	"testing"

	"github.com/calrules/calrules/limits"
)

// TestHashDiffers has texts of every length up to a few words, each with one bit changed or with a zero at its end: their
// hashes all differ, in many bits.
func TestHashDiffers(t *testing.T) {
	seen := map[[16]byte]string{}
	add := func(text []byte) [16]byte {
		sum := hash(text)
		if other, ok := seen[sum]; ok {
			t.Errorf("%q and %q have the hash %x", text, other, sum)
		}
		seen[sum] = string(text)
		return sum
	}
	for length := range 40 {
		text := bytes.Repeat([]byte{'a', 'b', 0}, 14)[:length]
		sum := add(text)
		for bit := range 8 * length {
			changed := bytes.Clone(text)
			changed[bit/8] ^= 1 << (bit % 8)
			if n := differing(sum, add(changed)); n < 128/4 {
				t.Errorf("%q: bit %d of the text changes %d bits of the hash", text, bit, n)
			}
		}
	}
	for i := range 20_000 {
		add(fmt.Appendf(nil, `{"id":%d,"op":"events.insert","body":{"summary":"Standup"}}`, i))
	}
}

// differing returns the number of bits in which two hashes differ.
func differing(a, b [16]byte) (n int) {
	for i := range a {
		n += bits.OnesCount8(a[i] ^ b[i])
	}
	return n
}

// TestHashID has ids that must not change, since equal requests have equal answers in all versions and on all machines.
func TestHashID(t *testing.T) {
	for text, want := range map[string]string{
		`{"op":"events.insert"}`:   "g6ho4u82i6ptc5m2e9o2akelg0",
		`{"op":"events.quickAdd"}`: "f4vph51rojn4ejbn0orqpo6k7c", // whole words
	} {
		if got := hashID([]byte(text)); got != want || !limits.IsEventID(got) {
			t.Errorf("the id of %s is %q, want %q", text, got, want)
		}
	}
}
