// Package rapidgen makes generators of pgregory.net/rapid from those of package draw.
package rapidgen

import (
	"sync"

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
			s.Bit("nothing")
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
func (s *source) UpTo(label string, limit uint64) uint64 {
	s.drawn = true
	n := numbers(max(limit, limit+1)).Draw(s.T, label)
	if n > limit {
		return 0
	}
	return n
}

// numbers returns a generator of the numbers up to a greatest one. Those of small numbers are made once.
func numbers(most uint64) *rapid.Generator[uint64] {
	if small := upToSmall(); most < uint64(len(small)) {
		return small[most]
	}
	return rapid.Uint64Range(0, most)
}

var upToSmall = sync.OnceValue(func() []*rapid.Generator[uint64] {
	all := make([]*rapid.Generator[uint64], 256)
	for most := range all {
		all[most] = rapid.Uint64Range(0, uint64(most))
	}
	return all
})

var bit = rapid.Bool()

func (s *source) Bit(label string) bool {
	s.drawn = true
	return bit.Draw(s.T, label)
}

func (s *source) Group(label string, draws func(draw.Source)) {
	s.drawn = true
	custom(func(inner draw.Source) bool {
		draws(inner)
		return true
	}).Draw(s.T, label)
}

func (s *source) Reject() { s.SkipNow() }
