package recurrence

import "math/bits"

// Time inside this package is civil: day numbers count days and clocks count seconds from
// 1970-01-01T00:00:00 of the Gregorian calendar, without zone and without leap seconds.

const (
	secondsPerDay = 86400
	minYear       = 0    // the first that the four digits of RFC 5545 can write
	maxYear       = 9999 // the last
)

var (
	minClock = dayNumber(minYear, 1, 1) * secondsPerDay
	maxClock = dayNumber(maxYear+1, 1, 1)*secondsPerDay - 1
)

// cumulativeDays[l][m] is the number of days before month m+1 in a common (l=0) or a leap
// year (l=1).
var cumulativeDays = [2][13]int{
	{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
	{0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366},
}

func isLeap(y int) bool { return y%4 == 0 && (y%100 != 0 || y%400 == 0) }

// leapIndex is 1 for a leap year and 0 for a common one.
func leapIndex(y int) int {
	if isLeap(y) {
		return 1
	}
	return 0
}

func daysInMonth(y, m int) int {
	c := &cumulativeDays[leapIndex(y)]
	return c[m] - c[m-1]
}

// dayNumber returns the day number of a date.
func dayNumber(y, m, d int) int64 { return newYear(y) + int64(cumulativeDays[leapIndex(y)][m-1]+d-1) }

// newYear returns the day number of 1 January. The shift makes it right for the years down to -98
// as well. Of them only the year -1 is met: weeks reach across the first day of the calendar, and
// zones do.
func newYear(y int) int64 {
	p := int64(y) - 1
	return p*365 + p>>2 - p/100 + p/400 - 719162
}

// yearOf returns the year that a day lies in.
func yearOf(day int64) int {
	n := day + 719162                     // days since 1 January of year 1
	y := int(floorDiv(n*400, 146097)) + 1 // never too late, and at most one too early
	if day >= newYear(y+1) {
		return y + 1
	}
	return y
}

// dateOf returns the date of a day number.
func dateOf(day int64) (y, m, d int) {
	y = yearOf(day)
	yday := int(day - newYear(y))
	m = monthOf(y, yday)
	return y, m, yday - cumulativeDays[leapIndex(y)][m-1] + 1
}

// monthOf returns the month, 1 to 12, that a day of the year lies in; yday counts from 0.
func monthOf(y, yday int) int {
	c := &cumulativeDays[leapIndex(y)]
	m := yday/31 + 1 // never too late, and at most one too early
	if yday >= c[m] {
		m++
	}
	return m
}

// weekdayOf returns the weekday of a day number, Sunday as 0.
func weekdayOf(day int64) int { return int(floorMod(day+4, 7)) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func floorMod(a, b int64) int64 {
	r := a % b
	if r < 0 {
		r += b
	}
	return r
}

// splitClock splits a clock into its day and the second of that day.
func splitClock(clock int64) (day, second int64) {
	day = floorDiv(clock, secondsPerDay)
	return day, clock - day*secondsPerDay
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// dayBits is a set of days of one year, or of a part of it: bit i is the day i days after
// the first.
type dayBits [6]uint64

func (b *dayBits) set(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b *dayBits) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }

// or puts the n lowest bits of w in at bit i; n is at most 32.
func (b *dayBits) or(i int, w uint64) {
	b[i>>6] |= w << (i & 63)
	if i>>6 < 5 {
		b[i>>6+1] |= w >> (64 - i&63)
	}
}

// extract returns the n bits from bit i on; n is at most 32, and bits beyond the set are 0.
func (b *dayBits) extract(i, n int) uint64 {
	w := b[i>>6] >> (i & 63)
	if i>>6 < 5 {
		w |= b[i>>6+1] << (64 - i&63)
	}
	return w & (1<<n - 1)
}

// next returns the first day of the set at or after i, or -1.
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

func (b *dayBits) len() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// before returns how many days of the set lie before day i.
func (b *dayBits) before(i int) int {
	n := 0
	for k := range i >> 6 {
		n += bits.OnesCount64(b[k])
	}
	if i>>6 < len(b) {
		n += bits.OnesCount64(b[i>>6] & (1<<(i&63) - 1))
	}
	return n
}

// nth returns the day of the set that n others precede. The set must have it.
func (b *dayBits) nth(n int) int {
	k := 0
	for c := bits.OnesCount64(b[0]); n >= c; c = bits.OnesCount64(b[k]) {
		n -= c
		k++
	}
	return k<<6 + nthBit(b[k], n)
}

// nthBit returns the bit of w that n others precede. It halves the word again and again: the
// number of bits in the lower half says which half to go on with.
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

// nextBit returns the first bit at or after i that is set, or n where there is none.
func nextBit(m uint64, i uint, n int) int {
	if m >>= i; m != 0 {
		return int(i) + bits.TrailingZeros64(m)
	}
	return n
}
