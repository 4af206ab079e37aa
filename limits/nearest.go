package limits

import "iter"

const (
	// nearestMaxLength is the longest word, in bytes, that [Nearest] looks at. It bounds
	// what a hostile payload can cost; no name that the service knows is as long.
	nearestMaxLength = 64

	// nearestMaxEdits is how many slips a misspelt word can have. With three, unlike
	// words come to be alike.
	nearestMaxEdits = 2
)

// Nearest returns the candidate that word is most likely a misspelling of, the case of
// ASCII letters aside: one that differs in nothing else, or else in the fewest edits, at
// most two and fewer than half the bytes of word. An edit is one byte added, dropped,
// changed, or exchanged with the next. The first of several equally near ones wins. It
// reports false if none is near, or if word has more than 64 bytes.
func Nearest(word string, candidates iter.Seq[string]) (string, bool) {
	return nearest(word, candidates, mostEdits(word))
}

// mostEdits returns how many edits a misspelling of word may have.
func mostEdits(word string) int { return min(nearestMaxEdits, (len(word)-1)/2) }

// nearest is [Nearest] with at most most edits.
func nearest(word string, candidates iter.Seq[string], most int) (string, bool) {
	s := search{word: word, most: most}
	for candidate := range candidates {
		if s.see(candidate) {
			break
		}
	}
	return s.best, s.ok
}

// search is how far the search for the nearest candidate has come.
type search struct {
	word string
	best string
	ok   bool // there is a best
	most int  // edits that the next one may have
}

// see looks at a candidate, and reports whether no other can be nearer.
func (s *search) see(candidate string) (done bool) {
	if s.word == "" || len(s.word) > nearestMaxLength {
		return true
	}
	d := edits(s.word, candidate, s.most)
	if d <= s.most {
		s.best, s.ok, s.most = candidate, true, d-1 // from here on only a nearer one will do
	}
	return d == 0
}

// edits returns the edits that make b of a, or most+1 if it takes more than most. It is
// the Damerau-Levenshtein distance in which no byte is edited twice (optimal string
// alignment), computed one row of the matrix at a time.
func edits(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	a, b = trimCommon(a, b) // many names begin alike, with "America/" for one
	var rows [3][nearestMaxLength + nearestMaxEdits + 1]uint8
	before, above, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		row[j] = uint8(j)
	}
	for i := range len(a) {
		before, above, row = above, row, before
		if fillRow(a[:i+1], b, before, above, row) > most {
			return most + 1
		}
	}
	return min(int(row[len(b)]), most+1)
}

// trimCommon returns a and b without what they begin and end with alike, case aside.
func trimCommon(a, b string) (string, string) {
	for a != "" && b != "" && lower(a[0]) == lower(b[0]) {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && lower(a[len(a)-1]) == lower(b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// fillRow sets row[j] to the edits that make b[:j] of a, and returns the fewest of them.
// above and before are the rows for a without its last byte and its last two.
func fillRow(a, b string, before, above, row *[nearestMaxLength + nearestMaxEdits + 1]uint8) int {
	i := len(a) - 1
	row[0] = uint8(i + 1)
	least := row[0]
	for j := range len(b) {
		same := lower(a[i]) == lower(b[j])
		d := min(above[j+1], row[j]) + 1
		switch {
		case same:
			d = min(d, above[j])
		case i > 0 && j > 0 && lower(a[i]) == lower(b[j-1]) && lower(a[i-1]) == lower(b[j]):
			d = min(d, above[j]+1, before[j-1]+1)
		default:
			d = min(d, above[j]+1)
		}
		row[j+1] = d
		least = min(least, d)
	}
	return int(least)
}
