package filter

import (
	"encoding/binary"
	"math/bits"

	"github.com/calrules/calrules/internal/form"
)

// The factors for the two halves of a hash, from the golden ratio and from L'Ecuyer's tables of multipliers.
const factorA, factorB = 0x9e3779b97f4a7c15, 0xd1342543de82ef95

// hashID returns the id of the event that a request creates. Identical requests yield identical ids.
func hashID(text []byte) string { return form.NewEventID(hash(text)) }

// hash returns a hash of text that is the same in every process. The hash need not be cryptographic, because the author of a
// request can choose the id anyway. Computing SHA-256 would take a fifth of the time spent on a line.
func hash(text []byte) (sum [16]byte) {
	const word = 8 // bytes
	a, b, length := uint64(factorB), uint64(factorA), uint64(len(text))
	for ; len(text) >= word; text = text[word:] {
		a, b = mix(a, b, binary.LittleEndian.Uint64(text))
	}
	var rest [word]byte
	copy(rest[:], text)
	a, b = mix(a, b, binary.LittleEndian.Uint64(rest[:]))
	a, b = mix(a, b, length) // distinguishes zeros at the end from padding
	binary.BigEndian.PutUint64(sum[:word], a)
	binary.BigEndian.PutUint64(sum[word:], b)
	return sum
}

// mix mixes a word into both halves of a hash, and each half into the other. For a given hash, different words lead to
// different hashes, since the factors are odd.
func mix(a, b, word uint64) (uint64, uint64) {
	a, b = (a^word)*factorA, (b+word)*factorB
	a ^= bits.RotateLeft64(b, 32)
	b += bits.RotateLeft64(a, 29)
	return a, b
}
