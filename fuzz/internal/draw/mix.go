package draw

import (
	"fmt"

	"pgregory.net/rapid"
)

// Mix draws payloads by number, valid and broken ones.
type Mix[P any] struct {
	share         float64
	valid, broken []*rapid.Generator[P]
}

// NewMix returns a mix of the generators. The share of broken payloads must be from 0 to 1.
func NewMix[P any](share float64, valid, broken []*rapid.Generator[P]) (*Mix[P], error) {
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
	return from[r.next()%uint64(len(from))].Example(int(r.next() >> 33)) // 31 bits fit every int
}

// Generator draws the payloads for a property test. It shrinks to the first valid ones.
func (m *Mix[P]) Generator() *rapid.Generator[P] {
	const percent = 100
	return rapid.Custom(func(t *rapid.T) P {
		from := m.valid
		if isBroken := rapid.IntRange(1, percent).Draw(t, "percent") > int(percent*(1-m.share)); isBroken && len(m.broken) > 0 {
			from = m.broken
		}
		return from[Evenly(len(from)).Draw(t, "kind")].Draw(t, "payload")
	})
}

// random is the generator splitmix64. Its numbers depend on its state alone and are the same on
// every machine; close states give unrelated numbers.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// share returns a number from 0 up to but not including 1.
func (r *random) share() float64 { return float64(r.next()>>11) / (1 << 53) }
