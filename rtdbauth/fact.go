package rtdbauth

import "bytes"

// Fact is the answer to a yes-or-no question that may not have been answered. The zero
// value is [Unknown], which is neither yes nor no and grants nothing.
type Fact uint8

// The three values of a [Fact].
const (
	Unknown Fact = iota
	No
	Yes
)

// FactOf returns [Yes] for true and [No] for false.
func FactOf(b bool) Fact {
	if b {
		return Yes
	}
	return No
}

// and is [No] where either says so, else [Unknown] where either is, else [Yes].
func (f Fact) and(g Fact) Fact {
	switch {
	case f == No || g == No:
		return No
	case f == Yes && g == Yes:
		return Yes
	default:
		return Unknown
	}
}

// not turns yes and no about and leaves what is unknown.
func (f Fact) not() Fact {
	switch f {
	case No:
		return Yes
	case Yes:
		return No
	default:
		return Unknown
	}
}

// or is [Yes] where either says so, else [Unknown] where either is, else [No].
func (f Fact) or(g Fact) Fact { return f.not().and(g.not()).not() }

// String returns "unknown", "no" or "yes".
func (f Fact) String() string { return word(factWords, f) }

var factWords = []string{"unknown", "no", "yes"}

// MarshalJSON writes yes as true, no as false and unknown as null.
func (f Fact) MarshalJSON() ([]byte, error) {
	switch f {
	case No:
		return []byte("false"), nil
	case Yes:
		return []byte("true"), nil
	default:
		return []byte("null"), nil
	}
}

// UnmarshalJSON reads true and false. Anything else, such as the string "true", answers no
// question: the fact is then unknown, and there is no error.
func (f *Fact) UnmarshalJSON(data []byte) error {
	switch {
	case bytes.Equal(data, []byte("true")):
		*f = Yes
	case bytes.Equal(data, []byte("false")):
		*f = No
	default:
		*f = Unknown
	}
	return nil
}

// orZero returns the enumeration value v, or the zero value for one that the enumeration with
// these words does not have: it grants nothing either.
func orZero[T ~uint8](words []string, v T) T {
	if int(v) >= len(words) {
		return 0
	}
	return v
}

// word returns the name of the enumeration value v.
func word[T ~uint8](words []string, v T) string { return words[orZero(words, v)] }

// value returns the enumeration value that is called text, or the zero value.
func value[T ~uint8](words []string, text string) T {
	for i, w := range words {
		if w == text {
			return T(i)
		}
	}
	return 0
}
