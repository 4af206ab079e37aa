package limits_test

import (
	"testing"
	"unicode/utf8"
)

// The property tests draw near-misses; these go through the ends of every alphabet and range,
// of which a draw may miss one.

// TestReadingsAgreeOnEveryCharacter puts every ASCII character, and a byte that begins none, in
// the place of each byte of the seeds. (A list of zones has no alphabet.)
func TestReadingsAgreeOnEveryCharacter(t *testing.T) {
	const longest = 40 // a seed of a thousand letters has no place that a short one lacks
	for _, r := range slowBools {
		for _, seed := range r.seeds {
			if len(seed) > longest || r.name == "Zone" {
				continue
			}
			b := []byte(seed)
			for at := range b {
				for c := byte(0); c <= utf8.RuneSelf; c++ {
					b[at] = c
					if got, want := r.fast(string(b)), r.slow(string(b)); got != want {
						t.Fatalf("Is%s(%q) = %t, the grammar says %t", r.name, b, got, want)
					}
				}
				b[at] = seed[at]
			}
		}
	}
}

// TestIRICharactersAgree goes through both ends of every range of RFC 3987's ucschar.
func TestIRICharactersAgree(t *testing.T) {
	ends := []rune{0xA0, 0xD7FF, 0xF900, 0xFDCF, 0xFDF0, 0xFFEF, 0xE0000, 0xE1000, 0xEFFFD}
	for plane := rune(0x10000); plane < 0xE0000; plane += 0x10000 {
		ends = append(ends, plane, plane|0xFFFD)
	}
	for _, end := range ends {
		for r := end - 2; r <= end+2; r++ {
			if utf8.ValidRune(r) {
				checkURI(t, "http://example.com/"+string(r))
			}
		}
	}
}
