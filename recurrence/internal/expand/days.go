package expand

import "math/bits"

// dayBits is a set of days within a year or part of a year. Bit i represents the day i days after the first day.
type dayBits [6]uint64

func (b *dayBits) add(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b *dayBits) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }

// addBits adds the lowest 32 bits of w, shifted left by i.
func (b *dayBits) addBits(i int, w uint64) {
	b[i>>6] |= w << (i & 63)
	if i>>6 < 5 {
		b[i>>6+1] |= w >> (64 - i&63)
	}
}

func (b *dayBits) intersect(other dayBits) {
	for i := range b {
		b[i] &= other[i]
	}
}

// extract returns the n bits starting at bit i, where n is at most 32. Bits beyond the set are 0.
func (b *dayBits) extract(i, n int) uint64 {
	w := b[i>>6] >> (i & 63)
	if i>>6 < 5 {
		w |= b[i>>6+1] << (64 - i&63)
	}
	return w & (1<<n - 1)
}

// next returns the first day in the set at or after day i, or -1 if there is none.
func (b *dayBits) next(i int) int {
	for k := i >> 6; k < len(b); k++ {
		w := b[k]
		if k == i>>6 {
			w = w >> (i & 63) << (i & 63)
		}
		if w != 0 {
			return k<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

func (b *dayBits) count() int { return b.countBefore(64 * len(b)) }

// countBefore returns the number of days in the set before day i.
func (b *dayBits) countBefore(i int) int {
	n := 0
	for k := range i >> 6 {
		n += bits.OnesCount64(b[k])
	}
	if i>>6 < len(b) {
		n += bits.OnesCount64(b[i>>6] & (1<<(i&63) - 1))
	}
	return n
}

// nth returns the day in the set that is preceded by exactly n other days in the set. The set must have more than n days.
func (b *dayBits) nth(n int) int {
	k := 0
	for c := bits.OnesCount64(b[0]); n >= c; c = bits.OnesCount64(b[k]) {
		n -= c
		k++
	}
	return k<<6 + nthBit(b[k], n)
}

// nthBit returns the index of the set bit in w that has n set bits below it. The search is binary: it repeatedly halves the
// word and continues in the half selected by the number of set bits in the lower half.
func nthBit(w uint64, n int) int {
	bit := 0
	for width := 32; width > 0; width /= 2 {
		if lower := bits.OnesCount64(w & (1<<width - 1)); n >= lower {
			n -= lower
			w >>= width
			bit += width
		}
	}
	return bit
}
