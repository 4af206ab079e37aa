// Package draw provides the generators from which the packages of calendar requests and of database requests make
// theirs. The first draw of a generator, to which all draws shrink, is the smallest value.
//
// A [T] asks a [Source] for numbers: a seed, which is cheap, or package rapidgen, which makes generators of
// pgregory.net/rapid from generators of this package. This package does not import rapid.
package draw

import (
	"maps"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
)

// T draws the numbers that values are made of. It is for one goroutine at a time.
type T struct{ source Source }

// Source draws numbers for a T. It may record them, and find smaller ones when a property fails.
type Source interface {
	// UpTo draws a number from 0 to limit, mostly a small one, which can be left out by itself.
	UpTo(label string, limit uint64) uint64

	// Bit draws false or true with equal probability.
	Bit(label string) bool

	// Maybe draws whether something optional is present.
	Maybe(label string) bool

	// Group draws numbers that belong together and can be left out together: a bit, and the numbers that draw draws.
	Group(label string, draw func(bit bool))

	// Misfit counts the nth draw that does not fit. It does not return after too many.
	Misfit(n int)
}

// From returns a T that draws from a source.
func From(s Source) *T { return &T{s} }

// Seeded returns the T of a seed, which draws the same on every machine. With some seeds, most optional parts are
// absent: a request with few members is as good a test as one with many, and independent members would hardly ever
// be few.
func Seeded(seed uint64) *T {
	s := &seeded{random: random(seed)}
	const half, threeQuarters, sevenEighths = 4 << 61, 6 << 61, 7 << 61
	s.absent = [...]uint64{half, threeQuarters, sevenEighths}[s.below(3)]
	return From(s)
}

// seeded is the source of a seed.
type seeded struct {
	random
	absent uint64 // the number below which a random one means that something is absent
}

// UpTo draws all numbers of a small range with equal probability, and from a large range mostly a small number.
func (s *seeded) UpTo(_ string, limit uint64) uint64 {
	const small = 64
	if limit < small {
		return s.below(limit + 1)
	}
	// The number of bits is the least of two, so that small ones are more frequent.
	const whole = 4 // numbers of bits that mean the whole range
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

// upTo draws a number from 0 to limit.
func (t *T) upTo(limit uint64) uint64 { return t.source.UpTo("number", limit) }

// index draws an index of a list.
func (t *T) index(length int) int {
	if length == 0 {
		panic("fuzz: there is nothing to draw from")
	}
	return int(t.upTo(uint64(length - 1)))
}

// Generator draws values.
type Generator[V any] func(t *T) V

// Draw draws a value. The label is its purpose.
func (g Generator[V]) Draw(t *T, label string) V { return g(t) }

// grouped draws a value whose numbers can be left out together.
func (g Generator[V]) grouped(t *T, label string) (v V) {
	t.source.Group(label, func(bool) { v = g(t) })
	return v
}

// Filter draws only values that are ok.
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

// First draws at most n values, up to the first that is ok, and returns the last with the number of values before
// it.
func (g Generator[V]) First(t *T, n int, ok func(V) bool) (v V, before int) {
	for ; before < n; before++ {
		if v = g.grouped(t, "try"); ok(v) {
			break
		}
	}
	return v, before
}

// Map draws the result of f for a value of g.
func Map[U, V any](g Generator[U], f func(U) V) Generator[V] {
	return func(t *T) V { return f(g(t)) }
}

// Just draws the value.
func Just[V any](v V) Generator[V] { return func(*T) V { return v } }

// Custom draws the result of f.
func Custom[V any](f func(t *T) V) Generator[V] { return f }

// One draws one of the values. There must be at least one.
func One[V any](t *T, label string, values ...V) V {
	return values[t.source.UpTo(label, uint64(len(values)-1))]
}

// Sampled is [One] as a generator.
func Sampled[V any](values ...V) Generator[V] { return SampledFrom(values) }

// SampledFrom is [Sampled] for a list.
func SampledFrom[V any](values []V) Generator[V] {
	return func(t *T) V { return values[t.index(len(values))] }
}

// OneOf draws a value of one of the generators.
func OneOf[V any](from ...Generator[V]) Generator[V] {
	return func(t *T) V { return from[t.index(len(from))](t) }
}

// Lazy makes a generator at its first draw, for a generator that takes long to make.
func Lazy[V any](create func() Generator[V]) Generator[V] {
	once := sync.OnceValue(create)
	return func(t *T) V { return once()(t) }
}

// Keyed returns a function that makes a generator for each argument at its first call. There must be
// few different arguments, because it keeps all generators.
func Keyed[K comparable, V any](create func(K) Generator[V]) func(K) Generator[V] {
	var one sync.Mutex // makes a generator at a time
	var made atomic.Pointer[map[K]Generator[V]]
	made.Store(new(map[K]Generator[V]))
	return func(key K) Generator[V] {
		if g := (*made.Load())[key]; g != nil {
			return g
		}
		g := create(key) // which may ask for another generator
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

// Maybe draws whether something is present: at first it is not, so that shrinking removes it.
func Maybe(t *T, label string) bool { return t.source.Maybe(label) }

// Seldom is [Maybe] for members that only a few values have.
func Seldom(t *T, label string) bool {
	const one, in = 7, 8
	return t.source.UpTo(label, in-1) == one
}

// Optional draws a value of g or, at first, the zero value.
func Optional[V any](t *T, label string, g Generator[V]) (v V) {
	if Maybe(t, label) {
		v = g.grouped(t, label)
	}
	return v
}

// Pointer draws a pointer to a value of g or, at first, nil.
func Pointer[V any](t *T, label string, g Generator[V]) *V {
	if !Maybe(t, label) {
		return nil
	}
	v := g.grouped(t, label)
	return &v
}

// Built draws pointers, with a function that draws the values they point to.
func Built[V any](fill func(t *T, v *V)) Generator[*V] {
	return func(t *T) *V {
		v := new(V)
		fill(t, v)
		return v
	}
}
