// Package rapidgen makes generators of pgregory.net/rapid from those of package draw.
package rapidgen

import (
	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/draw"
)

// Of returns the generator of rapid that draws the values of g, for property tests: rapid shrinks them.
func Of[V any](g draw.Generator[V]) *rapid.Generator[V] {
	return custom(func(s draw.Source) V { return g(draw.From(s)) })
}

// custom returns a generator that draws from a source. Rapid does not allow values for which nothing is drawn.
func custom[V any](create func(draw.Source) V) *rapid.Generator[V] {
	return rapid.Custom(func(t *rapid.T) V {
		s := &source{T: t}
		v := create(s)
		if !s.drawn {
			s.Bit()
		}
		return v
	})
}

// source draws numbers from rapid.
type source struct {
	*rapid.T
	drawn bool
}

// UpTo draws from a range that is one longer: rapid cannot shrink the greatest number of a range step by
// step, because it draws no bits for it. Here that number stands for 0.
func (s *source) UpTo(limit uint64) uint64 {
	s.drawn = true
	n := rapid.Uint64Range(0, max(limit, limit+1)).Draw(s.T, "number")
	if n > limit {
		return 0
	}
	return n
}

var bit = rapid.Bool()

func (s *source) Bit() bool {
	s.drawn = true
	return bit.Draw(s.T, "bit")
}

func (s *source) Group(label string, draws func(draw.Source)) {
	s.drawn = true
	custom(func(inner draw.Source) bool {
		draws(inner)
		return true
	}).Draw(s.T, label)
}

func (s *source) Reject() { s.SkipNow() }
