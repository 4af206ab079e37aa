// Package draw provides the basic generators for the packages that draw calendar requests and database requests. The
// first value of a generator, to which all values shrink, is its smallest value.
//
// A [T] gets its numbers from a [Source]. The source is either a seed, which is cheap, or package rapidgen, which converts
// this package's generators to rapid generators (pgregory.net/rapid). Package draw does not import rapid.
package draw

import (
	"maps"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
)

// T draws the numbers from which values are built. A T must not be used by several goroutines at the same time.
type T struct{ source Source }

// Source draws numbers for a T. A Source may record the numbers, and look for smaller numbers when a property fails.
type Source interface {
	// UpTo draws a number from 0 to limit, usually a small number. A source can omit this number on its own.
	UpTo(label string, limit uint64) uint64

	// Bit draws false or true with equal probability.
	Bit(label string) bool

	// Maybe draws true if an optional value is present.
	Maybe(label string) bool

	// Group draws numbers that a source can omit together: a bit, and the numbers drawn by the function.
	Group(label string, draw func(bit bool))

	// Misfit is called after the nth draw that does not fit. If n is too large, Misfit does not return.
	Misfit(n int)
}

// From returns a T that draws its numbers from a source.
func From(s Source) *T { return &T{s} }

// Seeded returns a T that draws the same numbers for a given seed on every machine. With some seeds, most optional parts are
// absent, because requests with few members are good tests but would otherwise rarely be drawn.
func Seeded(seed uint64) *T {
	s := &seeded{random: random(seed)}
	const half, threeQuarters, sevenEighths = 4 << 61, 6 << 61, 7 << 61
	s.absent = [...]uint64{half, threeQuarters, sevenEighths}[s.below(3)]
	return From(s)
}

type seeded struct {
	random
	absent uint64 // Maybe returns false for a random number below absent
}

// UpTo draws uniformly from a small range, and usually draws a small number from a large range.
func (s *seeded) UpTo(_ string, limit uint64) uint64 {
	const small = 64
	if limit < small {
		return s.below(limit + 1)
	}
	// The length in bits is the minimum of two random lengths, which makes small numbers more frequent.
	const whole = 4 // additional lengths, which mean the whole range
	length := uint64(bits.Len64(limit))
	n := min(s.below(length+whole), s.below(length+whole))
	switch {
	case n < length:
		return s.next() & (1<<n - 1)
	case limit == math.MaxUint64:
		return s.next()
	default:
		return s.below(limit + 1)
	}
}

func (s *seeded) Bit(string) bool                     { return s.next()>>63 != 0 }
func (s *seeded) Maybe(string) bool                   { return s.next() >= s.absent }
func (s *seeded) Group(label string, draw func(bool)) { draw(s.Bit(label)) }

func (s *seeded) Misfit(n int) {
	const most = 1000
	if n >= most {
		panic("fuzz: no value is found that fits")
	}
}

func (t *T) upTo(limit uint64) uint64 { return t.source.UpTo("number", limit) }

// index draws an index into a list of the given length.
func (t *T) index(length int) int {
	if length == 0 {
		panic("fuzz: there is nothing to draw from")
	}
	return int(t.upTo(uint64(length - 1)))
}

// A Generator uses a T to draw a value.
type Generator[V any] func(t *T) V

// Draw draws a value. The label describes the purpose of the value.
func (g Generator[V]) Draw(t *T, label string) V { return g(t) }

// grouped draws a value whose numbers a source can omit together.
func (g Generator[V]) grouped(t *T, label string) (v V) {
	t.source.Group(label, func(bool) { v = g(t) })
	return v
}

// Filter returns a generator that draws only values for which ok returns true.
func (g Generator[V]) Filter(ok func(V) bool) Generator[V] {
	return func(t *T) V {
		for n := 1; ; n++ {
			if v := g.grouped(t, "try"); ok(v) {
				return v
			}
			t.source.Misfit(n)
		}
	}
}

// First draws up to n values, until ok returns true for a value. First returns the last value, and the number of values for
// which ok returned false.
func (g Generator[V]) First(t *T, n int, ok func(V) bool) (v V, before int) {
	for ; before < n; before++ {
		if v = g.grouped(t, "try"); ok(v) {
			break
		}
	}
	return v, before
}

// Map returns a generator that draws a value from g and applies f to it.
func Map[U, V any](g Generator[U], f func(U) V) Generator[V] {
	return func(t *T) V { return f(g(t)) }
}

// Just returns a generator that draws only v.
func Just[V any](v V) Generator[V] { return func(*T) V { return v } }

// Custom returns f as a generator.
func Custom[V any](f func(t *T) V) Generator[V] { return f }

// One draws one of the given values. At least one value must be given.
func One[V any](t *T, label string, values ...V) V {
	return values[t.source.UpTo(label, uint64(len(values)-1))]
}

// Sampled is like [One], but returns a generator.
func Sampled[V any](values ...V) Generator[V] { return SampledFrom(values) }

// SampledFrom is like [Sampled], but draws from a slice.
func SampledFrom[V any](values []V) Generator[V] {
	return func(t *T) V { return values[t.index(len(values))] }
}

// OneOf returns a generator that draws a value from one of the generators.
func OneOf[V any](from ...Generator[V]) Generator[V] {
	return func(t *T) V { return from[t.index(len(from))](t) }
}

// Lazy returns a generator that calls create on its first draw. Lazy is for generators that are expensive to create.
func Lazy[V any](create func() Generator[V]) Generator[V] {
	var lazy struct { // one allocation; [sync.OnceValue] makes more
		once sync.Once
		g    Generator[V]
	}
	return func(t *T) V {
		lazy.once.Do(func() { lazy.g = create() })
		return lazy.g(t)
	}
}

// Keyed returns a function that calls create once for each argument and keeps the resulting generator. The number of
// different arguments must be small.
func Keyed[K comparable, V any](create func(K) Generator[V]) func(K) Generator[V] {
	var one sync.Mutex // guards changes to made
	var made atomic.Pointer[map[K]Generator[V]]
	made.Store(new(map[K]Generator[V]))
	return func(key K) Generator[V] {
		if g := (*made.Load())[key]; g != nil {
			return g
		}
		g := create(key) // may itself need another generator
		one.Lock()
		defer one.Unlock()
		more := map[K]Generator[V]{key: g}
		maps.Copy(more, *made.Load())
		made.Store(&more)
		return more[key]
	}
}

// Bool draws false or true.
func Bool(t *T) bool { return t.source.Bit("bool") }

// Maybe draws true if an optional value is present, and shrinks to false; shrinking therefore removes the value.
func Maybe(t *T, label string) bool { return t.source.Maybe(label) }

// Seldom is like [Maybe], but seldom draws true.
func Seldom(t *T, label string) bool {
	const one, in = 7, 8
	return t.source.UpTo(label, in-1) == one
}

// Optional draws a value from g or, at first, the zero value.
func Optional[V any](t *T, label string, g Generator[V]) (v V) {
	if Maybe(t, label) {
		v = g.grouped(t, label)
	}
	return v
}

// Pointer draws a pointer to a value from g or, at first, nil.
func Pointer[V any](t *T, label string, g Generator[V]) *V {
	if !Maybe(t, label) {
		return nil
	}
	v := g.grouped(t, label)
	return &v
}

// Built returns a generator of pointers to values that fill draws.
func Built[V any](fill func(t *T, v *V)) Generator[*V] {
	return func(t *T) *V {
		v := new(V)
		fill(t, v)
		return v
	}
}
