package expand

import (
	"cmp"
	"math/bits"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// timeMasks contains sets of hours, minutes and seconds as bit masks. Bit n represents the number n.
type timeMasks [3]uint64

// The lengths of an hour, a minute and a second in seconds, and the number of each unit in the next longer unit.
var (
	unitSeconds = [3]int64{3600, 60, 1}
	unitTurns   = [3]int64{24, 60, 60}
)

var allTimes = timeMasks{1<<24 - 1, 1<<60 - 1, 1<<60 - 1}

// orElse returns the sets, with each empty set replaced by the corresponding set of other.
func (m timeMasks) orElse(other timeMasks) timeMasks {
	for u := range m {
		m[u] = cmp.Or(m[u], other[u])
	}
	return m
}

func timeOf(clock int64) [3]uint {
	_, second := civil.Split(clock)
	return [3]uint{uint(second / 3600), uint(second / 60 % 60), uint(second % 60)}
}

// residues returns the numbers below n that are congruent to start modulo step, a divisor of n.
func residues(start, step, n uint) uint64 {
	var m uint64
	for i := start % step; i < n; i += step {
		m |= 1 << i
	}
	return m
}

// dayTimes contains times of day: all combinations of some hours, minutes and seconds, in order and numbered from 0.
type dayTimes struct {
	masks  timeMasks
	lists  [3][60]uint8 // the hours, the minutes and the seconds
	counts [3]int       // the number of hours, minutes and seconds
	n      int          // the number of combinations
	only   int64        // the time, if n is 1
}

// set sets t, which must be empty, to the times of day that the masks represent.
func (t *dayTimes) set(m timeMasks) {
	t.masks, t.n = m, 1
	for u, set := range m {
		for ; set != 0; set &= set - 1 {
			t.lists[u][t.counts[u]] = uint8(bits.TrailingZeros64(set))
			t.counts[u]++
		}
		t.n *= t.counts[u]
		t.only += int64(t.lists[u][0]) * unitSeconds[u]
	}
}

func (t *dayTimes) at(i int) int64 {
	if t.n == 1 {
		return t.only
	}
	var second int64
	for u := 2; u >= 0; u-- {
		second += int64(t.lists[u][i%t.counts[u]]) * unitSeconds[u]
		i /= t.counts[u]
	}
	return second
}

// fill writes times to buf, starting with time number i and adding base to each, and returns the number of times written.
func (t *dayTimes) fill(buf []int64, i int, base int64) int {
	n := min(len(buf), t.n-i)
	s, i := i%t.counts[2], i/t.counts[2]
	m, h := i%t.counts[1], i/t.counts[1]
	for k := range n {
		buf[k] = base + int64(t.lists[0][h])*3600 + int64(t.lists[1][m])*60 + int64(t.lists[2][s])
		if s++; s == t.counts[2] {
			s = 0
			if m++; m == t.counts[1] {
				m = 0
				h++
			}
		}
	}
	return n
}

// countBefore returns the number of times before a second of the day.
func (t *dayTimes) countBefore(second int64) int {
	n, equal := 0, 1 // the number of combinations before the given time, and the number equal to it so far
	for u, v := range timeOf(second) {
		n = n*t.counts[u] + equal*bits.OnesCount64(t.masks[u]&(1<<v-1))
		equal &= int(t.masks[u] >> v & 1)
	}
	return n
}

// mayLieBetween reports whether one of the times may lie between two local times. If the two local times are on different days,
// mayLieBetween always returns true.
func (t *dayTimes) mayLieBetween(begin, end int64) bool {
	day, from := civil.Split(begin)
	last, to := civil.Split(end)
	return day != last || t.countBefore(from) != t.countBefore(to)
}

// reaches reports whether the masks allow a period, of length freq, whose number within the day is congruent to rest modulo g,
// proceeding from the given unit to longer units, which cannot compensate for a wrong remainder in a shorter unit.
func (m *timeMasks) reaches(freq Freq, unit int, rest, g int64) bool {
	if unit < 0 {
		return rest%g == 0
	}
	each := unitSeconds[unit] / freq.seconds()
	if rest%gcd(g, each) != 0 {
		return false
	}
	for set := m[unit]; set != 0; set &= set - 1 {
		if m.reaches(freq, unit-1, rest-int64(bits.TrailingZeros64(set))*each, g) {
			return true
		}
	}
	return false
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// wait returns the number of seconds, at most until the end of the day, for which the masks exclude all times from the given
// second of the day on, ignoring the masks for units shorter than the frequency.
func (m *timeMasks) wait(freq Freq, second int64) int64 {
	at := timeOf(second)
	for u := 0; u <= freq.unit(); u++ {
		if m[u]>>at[u]&1 == 0 {
			return nextBit(m[u], at[u], unitTurns[u])*unitSeconds[u] - second%(unitTurns[u]*unitSeconds[u])
		}
	}
	return 0
}

// nextBit returns the index of the first set bit at or after bit i, or n if there is none.
func nextBit(m uint64, i uint, n int64) int64 {
	if m >>= i; m != 0 {
		return int64(i) + int64(bits.TrailingZeros64(m))
	}
	return n
}
