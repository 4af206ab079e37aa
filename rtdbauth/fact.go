package rtdbauth

// Fact is the answer to a yes-or-no question, or [Unknown], which grants nothing.
type Fact uint8

// The values of a [Fact].
const (
	Unknown Fact = iota
	No
	Yes
)

var factNames = []string{"unknown", "no", "yes"}

// FactOf returns [Yes] for true and [No] for false.
func FactOf(b bool) Fact {
	if b {
		return Yes
	}
	return No
}

// String returns "unknown", "no" or "yes".
func (f Fact) String() string { return nameOf(factNames, f) }

// and returns [No] if either fact is No, [Yes] if both are Yes, and [Unknown] otherwise.
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

// or returns [Yes] if either fact is Yes, [No] if both are No, and [Unknown] otherwise.
func (f Fact) or(g Fact) Fact { return f.not().and(g.not()).not() }

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
