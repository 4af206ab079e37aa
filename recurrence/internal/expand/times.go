package expand

import (
	"cmp"
	"math/bits"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// timeMasks are sets of hours, minutes and seconds. Bit n is set if n is in the set.
type timeMasks struct{ hours, minutes, seconds uint64 }

// allTimes has every hour, minute and second.
var allTimes = timeMasks{1<<24 - 1, 1<<60 - 1, 1<<60 - 1}

// orElse returns the sets with those of other in place of each that is empty.
func (m timeMasks) orElse(other timeMasks) timeMasks {
	return timeMasks{cmp.Or(m.hours, other.hours), cmp.Or(m.minutes, other.minutes), cmp.Or(m.seconds, other.seconds)}
}

// timeOfDay is a time of day by its units.
type timeOfDay struct{ hour, minute, second uint }

func timeOf(clock int64) timeOfDay {
	_, second := civil.Split(clock)
	return timeOfDay{uint(second / 3600), uint(second / 60 % 60), uint(second % 60)}
}

func (t timeOfDay) masks() timeMasks { return timeMasks{1 << t.hour, 1 << t.minute, 1 << t.second} }

// residues returns the numbers below n that are congruent to start modulo step, a divisor of n.
func residues(start, step, n uint) uint64 {
	var m uint64
	for i := start % step; i < n; i += step {
		m |= 1 << i
	}
	return m
}

// dayTimes are times of day: every combination of some hours, minutes and seconds, in order and
// numbered from 0.
type dayTimes struct {
	hours         [24]uint8
	minutes       [60]uint8
	seconds       [60]uint8
	nh, nm, ns, n int   // the numbers of hours, minutes and seconds, and their product
	only          int64 // the time, if n is 1
}

func newDayTimes(m timeMasks) dayTimes {
	var t dayTimes
	t.nh = listBits(t.hours[:], m.hours)
	t.nm = listBits(t.minutes[:], m.minutes)
	t.ns = listBits(t.seconds[:], m.seconds)
	t.n = t.nh * t.nm * t.ns
	t.only = int64(t.hours[0])*3600 + int64(t.minutes[0])*60 + int64(t.seconds[0])
	return t
}

// listBits writes the set bits of m to list and returns their number.
func listBits(list []uint8, m uint64) int {
	n := 0
	for ; m != 0; m &= m - 1 {
		list[n] = uint8(bits.TrailingZeros64(m))
		n++
	}
	return n
}

// at returns time number i, in seconds of the day.
func (t *dayTimes) at(i int) int64 {
	if t.n == 1 {
		return t.only
	}
	s, i := t.seconds[i%t.ns], i/t.ns
	m, i := t.minutes[i%t.nm], i/t.nm
	return int64(t.hours[i])*3600 + int64(m)*60 + int64(s)
}

// fill writes the times from number i on to buf, added to base, and returns how many it wrote.
func (t *dayTimes) fill(buf []int64, i int, base int64) int {
	n := min(len(buf), t.n-i)
	s, i := i%t.ns, i/t.ns
	m, h := i%t.nm, i/t.nm
	for k := range n {
		buf[k] = base + int64(t.hours[h])*3600 + int64(t.minutes[m])*60 + int64(t.seconds[s])
		if s++; s == t.ns {
			s = 0
			if m++; m == t.nm {
				m = 0
				h++
			}
		}
	}
	return n
}

// countBefore returns the number of times before a second of the day.
func (t *dayTimes) countBefore(second int64) int {
	h, m, s := uint8(second/3600), uint8(second/60%60), uint8(second%60)
	i := countBelow(t.hours[:t.nh], h)
	n := i * t.nm * t.ns
	if i == t.nh || t.hours[i] != h {
		return n
	}
	i = countBelow(t.minutes[:t.nm], m)
	n += i * t.ns
	if i == t.nm || t.minutes[i] != m {
		return n
	}
	return n + countBelow(t.seconds[:t.ns], s)
}

func countBelow(list []uint8, v uint8) int {
	for i, x := range list {
		if x >= v {
			return i
		}
	}
	return len(list)
}

// mayLieBetween reports whether one of the times may lie between two clocks. It does not look
// closely if the clocks are on two days, and says yes.
func (t *dayTimes) mayLieBetween(begin, end int64) bool {
	day, from := civil.Split(begin)
	last, to := civil.Split(end)
	return day != last || t.countBefore(from) != t.countBefore(to)
}

// reaches reports whether one of the times is congruent to want modulo g, if an hour, a minute
// and a second count as given (0: they do not count). It tries seconds first, since hours and
// minutes cannot make up for a second that differs modulo what a minute counts.
func (t *dayTimes) reaches(want, g, perHour, perMinute, perSecond int64) bool {
	for _, s := range counted(t.seconds[:t.ns], perSecond) {
		sum := int64(s) * perSecond
		if perMinute > 0 && (sum-want)%gcd(g, perMinute) != 0 {
			continue
		}
		for _, m := range counted(t.minutes[:t.nm], perMinute) {
			sum := sum + int64(m)*perMinute
			if (sum-want)%gcd(g, perHour) != 0 {
				continue
			}
			for _, h := range t.hours[:t.nh] {
				if (sum+int64(h)*perHour-want)%g == 0 {
					return true
				}
			}
		}
	}
	return false
}

// counted returns the list, or one element of it if the elements do not count.
func counted(list []uint8, each int64) []uint8 {
	if each == 0 {
		return list[:1]
	}
	return list
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// wait returns for how many seconds the masks exclude all times from a second of the day on,
// at most until the day ends. They say nothing about units shorter than the frequency's.
func (m *timeMasks) wait(freq Freq, second int64) int64 {
	if freq == Daily {
		return 0
	}
	h := uint(second / 3600)
	if m.hours>>h&1 == 0 {
		return int64(nextBit(m.hours, h, 24))*3600 - second
	}
	if freq == Hourly {
		return 0
	}
	minute := uint(second / 60 % 60)
	if m.minutes>>minute&1 == 0 {
		return int64(h)*3600 + int64(nextBit(m.minutes, minute, 60))*60 - second
	}
	if freq == Minutely {
		return 0
	}
	s := uint(second % 60)
	return int64(nextBit(m.seconds, s, 60)) - int64(s)
}

// nextBit returns the first set bit at or after i, or n if there is none.
func nextBit(m uint64, i uint, n int) int {
	if m >>= i; m != 0 {
		return int(i) + bits.TrailingZeros64(m)
	}
	return n
}
