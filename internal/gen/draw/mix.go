package draw

import "fmt"

// Mix draws payloads by number, valid and broken ones.
type Mix[P any] struct {
	share         float64
	valid, broken []Generator[P]
}

// NewMix returns a mix of the generators. The share of broken payloads must be from 0 to 1.
func NewMix[P any](share float64, valid, broken []Generator[P]) (*Mix[P], error) {
	if !(share >= 0 && share <= 1) { // which is also true of NaN
		return nil, fmt.Errorf("the share of broken requests is %v; it must be 0 to 1", share)
	}
	return &Mix[P]{share, valid, broken}, nil
}

// Payload returns payload number i of a seed.
func (m *Mix[P]) Payload(seed uint64, i int) P {
	r := random(seed)
	r = random(r.next() + uint64(i)) // hashed, because close seeds plus i would share numbers
	from := m.valid
	if r.share() < m.share && len(m.broken) > 0 {
		from = m.broken
	}
	return from[r.below(uint64(len(from)))](Seeded(r.next()))
}

// Draw draws a payload. It shrinks to the first valid ones.
func (m *Mix[P]) Draw(t *T) P {
	const percent = 100
	from := m.valid
	if isBroken := Evenly(percent).Draw(t, "percent") >= int(percent*(1-m.share)); isBroken && len(m.broken) > 0 {
		from = m.broken
	}
	return from[Evenly(len(from)).Draw(t, "kind")].Draw(t, "payload")
}
