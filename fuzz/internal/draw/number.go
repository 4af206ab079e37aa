package draw

import (
	"math"

	"pgregory.net/rapid"
)

// Around draws a number from low to high, both included: mostly a small one, and often high or
// the number before it, which are just inside a limit.
func Around(low, high int) *rapid.Generator[int] { return around([2]int{low, high}) }

// around draws from a range that is longer than needed. Every number above the span stands for
// one of the two greatest. Rapid shrinks a single number that grows with its meaning best, and
// it prefers small ones.
var around = Keyed(func(bounds [2]int) *rapid.Generator[int] {
	low, high := bounds[0], bounds[1]
	span := int64(high) - int64(low)
	return rapid.Map(upTo(2*span), func(n int64) int {
		switch {
		case n > span+span/2:
			return high
		case n > span:
			return max(low, high-1)
		default:
			return int(int64(low) + n)
		}
	})
})

// upTo draws a number from 0 to limit, mostly a small one. Rapid cannot shrink the greatest
// number of a range step by step, because it draws no bits for it; here that number stands
// for 0.
func upTo(limit int64) *rapid.Generator[int64] {
	return rapid.Map(rapid.Int64Range(0, limit+1), func(n int64) int64 {
		if n > limit {
			return 0
		}
		return n
	})
}

// Integer draws an integer of at least low that has no documented upper limit. Some are at the
// end of a type that a reader may use: the greatest int64 is among them.
var Integer = Keyed(func(low int64) *rapid.Generator[int64] {
	from := rapid.Map(upTo(1<<62), func(n int64) int64 { return low + n })
	return rapid.OneOf(
		from, from, from,
		rapid.SampledFrom([]int64{low, low + 1, 1<<31 - 1, 1 << 31, 1 << 32, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64}),
	)
})

// Evenly draws a number from 0 to n-1, each as often as the others. The integers and samples of
// rapid favor the first. It shrinks to 0.
var Evenly = Keyed(func(n int) *rapid.Generator[int] {
	const bits = 20 // many more than n has, so that the remainder does not matter
	return rapid.Custom(func(t *rapid.T) int {
		drawn := 0
		for range bits {
			if drawn *= 2; Maybe(t, "bit") {
				drawn++
			}
		}
		return drawn % n
	})
})
