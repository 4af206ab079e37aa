package draw

import "fmt"

// Mix draws valid and broken payloads, each identified by a number.
type Mix[P any] struct {
	share         float64
	valid, broken []Generator[P]
}

// NewMix returns a mix of the generators. The share of broken payloads must be between 0 and 1.
func NewMix[P any](share float64, valid, broken []Generator[P]) (*Mix[P], error) {
	if !(share >= 0 && share <= 1) { // also true for NaN
		return nil, fmt.Errorf("the share of broken requests is %v; it must be 0 to 1", share)
	}
	return &Mix[P]{share, valid, broken}, nil
}

// Payload returns payload number i for the given seed.
func (m *Mix[P]) Payload(seed uint64, i int) P {
	r := random(seed)
	r = random(r.next() + uint64(i)) // hashed, because different seeds plus i could be equal
	from := m.valid
	if r.share() < m.share && len(m.broken) > 0 {
		from = m.broken
	}
	return from[r.below(uint64(len(from)))](Seeded(r.next()))
}

// Draw draws a payload, which shrinks to a payload of the first valid generator.
func (m *Mix[P]) Draw(t *T) P {
	const percent = 100
	from := m.valid
	if isBroken := Evenly(percent).Draw(t, "percent") >= int(percent*(1-m.share)); isBroken && len(m.broken) > 0 {
		from = m.broken
	}
	return from[Evenly(len(from)).Draw(t, "kind")].Draw(t, "payload")
}
