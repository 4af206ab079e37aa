package draw

import (
	"math"
	"math/bits"
)

// Int draws a number from low to high, both included: mostly one near 0.
func Int(t *T, label string, low, high int) int {
	if low < 0 {
		return IntRange(low, high).Draw(t, label)
	}
	return low + int(t.source.UpTo(label, uint64(high-low)))
}

// IntRange is [Int] as a generator.
func IntRange(low, high int) Generator[int] {
	g := Int64Range(int64(low), int64(high))
	return func(t *T) int { return int(g(t)) }
}

// Int64Range is [IntRange] for another type.
func Int64Range(low, high int64) Generator[int64] {
	switch {
	case low >= 0:
		return func(t *T) int64 { return low + int64(t.upTo(uint64(high-low))) }
	case high <= 0:
		return func(t *T) int64 { return high - int64(t.upTo(uint64(high-low))) }
	}
	return func(t *T) int64 {
		if Bool(t) {
			return -int64(t.upTo(uint64(-low)))
		}
		return int64(t.upTo(uint64(high)))
	}
}

// Around draws a number from low to high, both included: mostly a small one, and often high or
// the number before it, which are just inside a limit.
//
// It draws from a range that is longer than needed. Every number above the span means one of the two greatest. A single
// number that grows with its meaning shrinks best.
func Around(low, high int) Generator[int] {
	span := uint64(high - low)
	more := max(1, span/8) // numbers for each of the two
	return func(t *T) int {
		switch n := t.upTo(span + 2*more); {
		case n > span+more:
			return high
		case n > span:
			return max(low, high-1)
		default:
			return low + int(n)
		}
	}
}

// Integer draws an integer of at least low that has no documented upper limit. Some are at the
// end of a type that a reader may use: the greatest int64 is among them.
func Integer(low int64) Generator[int64] {
	from := func(t *T) int64 { return low + int64(t.upTo(1<<62)) }
	return OneOf(
		from, from, from,
		SampledFrom([]int64{low, low + 1, 1<<31 - 1, 1 << 31, 1 << 32, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64}),
	)
}

// Evenly draws a number from 0 to n-1, all with equal probability. It shrinks to 0.
func Evenly(n int) Generator[int] {
	return func(t *T) int {
		const more = 4 // bits, so that the remainder matters little
		drawn := 0
		for range bits.Len(uint(n-1)) + more {
			if drawn *= 2; Bool(t) {
				drawn++
			}
		}
		return drawn % n
	}
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

// below returns a number from 0 up to but not including limit.
func (r *random) below(limit uint64) uint64 {
	n, _ := bits.Mul64(r.next(), limit)
	return n
}

// share returns a number from 0 up to but not including 1.
func (r *random) share() float64 { return float64(r.next()>>11) / (1 << 53) }
