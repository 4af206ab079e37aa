package form

import (
	"math/bits"
	"strings"
	"sync"
)

const (
	// nearestMaxLength is the maximum length in bytes of a word that [Nearest] examines, to limit the cost of a hostile payload.
	// All names of the service are shorter.
	nearestMaxLength = 64

	// nearestMaxEdits is the maximum number of edits in a misspelling. If three edits were allowed, unrelated words would match.
	nearestMaxEdits = 2
)

// Nearest returns the candidate that the user most likely meant, if word is a misspelling. The result is the candidate that
// takes the fewest edits, which must be at most two and fewer than half the number of bytes in word. An edit inserts, deletes
// or changes a byte, or swaps two adjacent bytes. Nearest ignores the case of ASCII letters. If several candidates are equally
// near, Nearest returns the first. Nearest returns false if no candidate is near or if word is longer than 64 bytes.
func Nearest(word string, candidates []string) (best string, ok bool) {
	return nearest(word, candidates, func(i int) uint64 { return letterSet(candidates[i]) })
}

// Words is a list of candidates for repeated searches. Words caches the set of letters in each candidate.
type Words struct {
	List []string // must not change

	once    sync.Once
	letters []uint64
}

// Nearest is like the function [Nearest], with the words as candidates.
func (w *Words) Nearest(word string) (best string, ok bool) {
	if w == nil {
		return "", false
	}
	w.once.Do(func() {
		for _, known := range w.List {
			w.letters = append(w.letters, letterSet(known))
		}
	})
	return nearest(word, w.List, func(i int) uint64 { return w.letters[i] })
}

// nearest implements [Nearest], with a function lettersOf that returns the [letterSet] of candidate i.
func nearest(word string, candidates []string, lettersOf func(i int) uint64) (best string, ok bool) {
	if word == "" || len(word) > nearestMaxLength {
		return "", false
	}
	most, letters := maxEdits(word), letterSet(word)
	for i, candidate := range candidates {
		if abs(len(word)-len(candidate)) > most || !mayBeNear(letters, lettersOf(i), most) {
			continue
		}
		if d := edits(word, candidate, most); d <= most {
			best, ok, most = candidate, true, d-1 // the next candidate must be nearer
		}
		if most < 0 {
			break
		}
	}
	return best, ok
}

// MostSimilar returns the candidate that shares the most pairs of letters with the word, or the first candidate if no candidate
// shares any pair. Unlike [Nearest], MostSimilar always returns a candidate unless the list is empty, because in a short list
// even an unlikely candidate is a useful hint.
func MostSimilar(word string, candidates []string) (best string) {
	word = strings.ToLower(word[:min(len(word), nearestMaxLength)])
	shared := func(candidate string) (n int) {
		candidate = strings.ToLower(candidate)
		for i := range len(word) - 1 {
			if strings.Contains(candidate, word[i:i+2]) {
				n++
			}
		}
		return n
	}
	most := -1
	for _, candidate := range candidates {
		if n := shared(candidate); n > most {
			best, most = candidate, n
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// letterSet returns a bit set of the letters in a string and the letters that occur more than once, ignoring case. Several
// bytes that are not letters share a bit.
func letterSet(text string) (set uint64) {
	for i := range len(text) {
		bit := letterBits[text[i]]
		set |= bit | set&bit&firstLetters<<1
	}
	return set
}

// firstLetters contains the bit for each letter. In a [letterSet], the next higher bit is set if the letter occurs more
// than once.
const firstLetters = 0x5_5555_5555_5555

// letterBits maps each byte to its bit. The bit for a letter is in firstLetters.
var letterBits = func() (bits [256]uint64) {
	const letters = 'z' - 'a' + 1
	for c := range bits {
		bits[c] = 1 << (2*letters + c%(64-2*letters))
	}
	for c := range byte(letters) {
		bits['a'+c], bits['A'+c] = 1<<(2*c), 1<<(2*c)
	}
	return bits
}()

// mayBeNear reports whether two words with the given letter sets may differ by no more than most edits. An edit adds at
// most one bit and removes at most one bit. Comparing letter sets is much faster than counting edits.
func mayBeNear(a, b uint64, most int) bool {
	return bits.OnesCount64(a&^b) <= most && bits.OnesCount64(b&^a) <= most
}

// maxEdits returns the maximum number of edits by which a candidate may differ from word.
func maxEdits(word string) int { return min(nearestMaxEdits, (len(word)-1)/2) }

// edits returns the number of edits that turn a into b, or most+1 if that number exceeds most. The number is the optimal
// string alignment distance, a Damerau-Levenshtein distance in which no byte is edited twice.
func edits(a, b string, most int) int {
	a, b = trimCommon(a, b) // many names share a prefix, such as "America/"
	n := most + 1
	for isWithin(a, b, n-1) {
		n--
	}
	return n
}

// trimCommon returns a and b without their common prefix and suffix, ignoring case.
func trimCommon(a, b string) (string, string) {
	for a != "" && b != "" && sameLetter(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && sameLetter(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// isWithin reports whether at most n edits turn a into b, which is false for a negative n. Every possible edit is tried at the
// first difference, which is fast because n is small.
func isWithin(a, b string, n int) bool {
	for a != "" && b != "" && sameLetter(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	switch {
	case abs(len(a)-len(b)) > n:
		return false
	case a == "" || b == "":
		return true
	case n == 0:
		return false
	}
	isSwapped := len(a) > 1 && len(b) > 1 && sameLetter(a[0], b[1]) && sameLetter(a[1], b[0])
	return isSwapped && isWithin(a[2:], b[2:], n-1) || isWithin(a[1:], b[1:], n-1) || isWithin(a[1:], b, n-1) || isWithin(a, b[1:], n-1)
}

func sameLetter(a, b byte) bool { return lower(a) == lower(b) }
