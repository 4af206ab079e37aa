package draw

import (
	"math"
	"math/bits"
)

// Int draws a number from low to high, inclusive. The number is usually near 0.
func Int(t *T, label string, low, high int) int {
	if low < 0 {
		return IntRange(low, high).Draw(t, label)
	}
	return low + int(t.source.UpTo(label, uint64(high-low)))
}

// IntRange is like [Int], but returns a generator.
func IntRange(low, high int) Generator[int] {
	g := Int64Range(int64(low), int64(high))
	return func(t *T) int { return int(g(t)) }
}

// Int64Range is like [IntRange], but for int64.
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

// Around returns a generator of numbers from low to high, inclusive. Around mostly draws small numbers, and often high or
// high-1, the numbers just inside a limit.
//
// The generator draws from a wider range, whose excess numbers mean high-1 or high. A single drawn number that increases with
// the result shrinks best.
func Around(low, high int) Generator[int] {
	span := uint64(high - low)
	more := max(1, span/8) // excess numbers for each of high-1 and high
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

// Integer returns a generator of integers greater than or equal to low, for members without a documented upper limit. The
// integers include numbers near the limits of types that a reader may use, such as the largest int64.
func Integer(low int64) Generator[int64] {
	from := func(t *T) int64 { return low + int64(t.upTo(1<<62)) }
	return OneOf(
		from, from, from,
		SampledFrom([]int64{low, low + 1, 1<<31 - 1, 1 << 31, 1 << 32, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64}),
	)
}

// Evenly returns a generator that draws uniformly from the numbers 0 to n-1, and shrinks to 0.
func Evenly(n int) Generator[int] {
	return func(t *T) int {
		const more = 4 // additional bits, which make the bias of the remainder negligible
		drawn := 0
		for range bits.Len(uint(n-1)) + more {
			if drawn *= 2; Bool(t) {
				drawn++
			}
		}
		return drawn % n
	}
}

// random is the generator splitmix64. The numbers depend only on the state and are the same on every machine. Similar
// states produce unrelated numbers.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in the half-open interval [0,limit).
func (r *random) below(limit uint64) uint64 {
	n, _ := bits.Mul64(r.next(), limit)
	return n
}

// share returns a number in the half-open interval [0,1).
func (r *random) share() float64 { return float64(r.next()>>11) / (1 << 53) }
