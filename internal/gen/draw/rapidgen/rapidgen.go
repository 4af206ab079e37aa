// Package rapidgen makes generators of pgregory.net/rapid from generators of package draw.
package rapidgen

import (
	"math/bits"
	"sync"
	"unicode"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/gen/draw"
)

// Of returns the generator of rapid that draws the values of g, for property tests: rapid shrinks them.
func Of[V any](g draw.Generator[V]) *rapid.Generator[V] {
	return labelled(rapid.Custom(func(t *rapid.T) V {
		s := &source{T: t}
		v := g(draw.From(s))
		if !s.drawn {
			s.Bit("nothing") // because rapid does not allow values for which nothing is drawn
		}
		return v
	}))
}

// source draws numbers from rapid, so that rapid has little to try when it shrinks a value. Of each number only one
// part matters, and a part that rapid lowers or leaves out changes nothing else.
type source struct {
	*rapid.T
	drawn bool
}

var bit = labelled(rapid.Bool())

// labelled gives a generator its label: only after a call of String, rapid sees that the groups of two generators
// differ, and does not try to swap them. Rapid would make the label when it first needs it, which is a data race if
// several goroutines share the generator.
func labelled[V any](g *rapid.Generator[V]) *rapid.Generator[V] {
	_ = g.String()
	return g
}

func (s *source) Bit(label string) bool {
	s.drawn = true
	return bit.Draw(s.T, label)
}

func (s *source) Maybe(label string) bool { return s.Bit(label) }

func (s *source) UpTo(label string, limit uint64) uint64 {
	if limit < mostDigit {
		return s.digit(label, limit)
	}
	const whole = 4 // numbers of bits that mean the whole range
	length := bits.Len64(limit)
	n := min(int(s.digit(label, uint64(length+whole))), length)
	// Even a number of one bit has a second part, so that rapid can lower a number without moving the numbers after it.
	low := uint64(1) << n >> 1
	return low + s.wide(label, min(max(low, 1)-1, limit-low))
}

// digit draws a number from 0 to a small limit, uniformly.
func (s *source) digit(label string, limit uint64) uint64 {
	if limit == 0 {
		return 0
	}
	s.drawn = true
	return uint64(digits()[limit].Draw(s.T, label))
}

const mostDigit = 64

// digits returns generators of the numbers up to each limit. Rapid draws a table as one number, all with equal
// probability. An integer that it draws is mostly small, because it depends on another number, for which rapid would
// try hundreds of values.
var digits = sync.OnceValue(func() []*rapid.Generator[rune] {
	all := make([]*rapid.Generator[rune], mostDigit+8)
	var tables []*unicode.RangeTable
	for limit := range all {
		tables = append(tables, &unicode.RangeTable{R16: []unicode.Range16{{Lo: uint16(limit), Hi: uint16(limit), Stride: 1}}})
		all[limit] = labelled(rapid.RuneFrom(nil, tables...))
	}
	return all
})

// wide draws a number from 0 to limit, all with almost equal probability.
func (s *source) wide(label string, limit uint64) uint64 {
	n := s.ofBits(label, bits.Len64(limit))
	if n > limit {
		n -= limit + 1
	}
	return n
}

func (s *source) ofBits(label string, length int) (n uint64) {
	if length > mostBits {
		return s.ofBits(label, length-mostBits)<<mostBits | s.ofBits(label, mostBits)
	}
	s.drawn = true
	return uint64(wides()[length].Draw(s.T, label)) - firstWide
}

// Floating-point numbers from firstWide on are integers, if they have that exponent. Rapid draws the bits of such a
// number as one number, all with equal probability. An integer that it draws by itself is mostly small, because it
// depends on a second number.
const (
	mostBits  = 52
	firstWide = 1 << mostBits
)

// wides returns generators of floating-point numbers, by the number of their bits.
var wides = sync.OnceValue(func() (all [mostBits + 1]*rapid.Generator[float64]) {
	for length := range all {
		all[length] = labelled(rapid.Float64Range(firstWide, firstWide+float64(uint64(1)<<length-1)))
	}
	return all
})

// Group draws from a mapped generator, whose function may draw more numbers: they are in the same group of
// rapid. A custom generator would draw its numbers again, up to five times, if there are no more, and each group
// around it, too.
func (s *source) Group(label string, draws func(bit bool)) {
	s.drawn = true
	rapid.Map(bit, func(bit bool) struct{} {
		draws(bit)
		return struct{}{}
	}).Draw(s.T, label)
}

// Misfit rejects a draw early, so that rapid draws another value.
func (s *source) Misfit(n int) {
	const most = 5
	if n >= most {
		s.SkipNow()
	}
}
