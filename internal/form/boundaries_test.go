package form_test

import (
	"testing"
	"unicode/utf8"
)

// The property tests draw near misses; these tests cover the ends of every alphabet and range, which a draw may miss.

// TestReadingsAgreeOnEveryCharacter replaces each byte of the seeds with every ASCII character and
// with a byte that is not one. (Zones do not have an alphabet.)
func TestReadingsAgreeOnEveryCharacter(t *testing.T) {
	const longest = 40 // a very long seed would add nothing
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

// TestIRICharactersAgree tests both ends of every range of ucschar (RFC 3987).
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
