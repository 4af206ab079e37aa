// Package rapidgen converts generators from package draw to rapid generators (pgregory.net/rapid).
package rapidgen

import (
	"math/bits"
	"sync"
	"unicode"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/gen/draw"
)

// Of returns a rapid generator that draws the values of g. Of is for property tests, in which rapid shrinks the values.
func Of[V any](g draw.Generator[V]) *rapid.Generator[V] {
	return labelled(rapid.Custom(func(t *rapid.T) V {
		s := &source{T: t}
		v := g(draw.From(s))
		if !s.drawn {
			s.Bit("nothing") // rapid does not allow a value without a draw
		}
		return v
	}))
}

// source draws numbers from rapid in a way that leaves rapid few candidates when shrinking a value. Rapid can lower or omit
// each drawn number without affecting the others.
type source struct {
	*rapid.T
	drawn bool
}

var bit = labelled(rapid.Bool())

// labelled returns g after calling String, which sets the generator's label. Rapid does not try to swap the groups of
// generators with different labels. Rapid itself would set the label on first use, which is a data race if several goroutines
// share the generator.
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
	const whole = 4 // additional lengths, which mean the whole range
	length := bits.Len64(limit)
	n := min(int(s.digit(label, uint64(length+whole))), length)
	// Even a one-bit number has a second part, which lets rapid lower a number without shifting the following numbers.
	low := uint64(1) << n >> 1
	return low + s.wide(label, min(max(low, 1)-1, limit-low))
}

// digit draws uniformly from the numbers 0 to limit, which must be small.
func (s *source) digit(label string, limit uint64) uint64 {
	if limit == 0 {
		return 0
	}
	s.drawn = true
	return uint64(digits()[limit].Draw(s.T, label))
}

const mostDigit = 64

// digits returns generators of the numbers from 0 to each limit. Rapid draws the index of a table uniformly, as a single
// number. Rapid's integer generators need a second number, which makes small integers more likely, and for which rapid would
// try hundreds of values when shrinking.
var digits = sync.OnceValue(func() []*rapid.Generator[rune] {
	all := make([]*rapid.Generator[rune], mostDigit+8)
	var tables []*unicode.RangeTable
	for limit := range all {
		tables = append(tables, &unicode.RangeTable{R16: []unicode.Range16{{Lo: uint16(limit), Hi: uint16(limit), Stride: 1}}})
		all[limit] = labelled(rapid.RuneFrom(nil, tables...))
	}
	return all
})

// wide draws almost uniformly from the numbers 0 to limit.
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

// The floating-point numbers that have the exponent of firstWide are integers. Rapid draws the fraction bits of a
// floating-point number uniformly, as a single number, unlike integers; see digits.
const (
	mostBits  = 52
	firstWide = 1 << mostBits
)

// wides returns generators of floating-point numbers, indexed by the number of random bits.
var wides = sync.OnceValue(func() (all [mostBits + 1]*rapid.Generator[float64]) {
	for length := range all {
		all[length] = labelled(rapid.Float64Range(firstWide, firstWide+float64(uint64(1)<<length-1)))
	}
	return all
})

// Group draws from a mapped generator, which puts all numbers drawn by the function in one rapid group. A custom generator that
// runs out of numbers would instead draw again, up to five times, as would each enclosing group.
func (s *source) Group(label string, draws func(bit bool)) {
	s.drawn = true
	rapid.Map(bit, func(bit bool) struct{} {
		draws(bit)
		return struct{}{}
	}).Draw(s.T, label)
}

// Misfit rejects a draw after a few attempts; rapid then draws another value.
func (s *source) Misfit(n int) {
	const most = 5
	if n >= most {
		s.SkipNow()
	}
}
