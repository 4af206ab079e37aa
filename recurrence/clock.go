package recurrence

import "math/bits"

// clockMasks are sets of hours, minutes and seconds: bit n is set where n is one of them.
type clockMasks struct{ hours, minutes, seconds uint64 }

// allTimes has every hour, minute and second.
var allTimes = clockMasks{1<<24 - 1, 1<<60 - 1, 1<<60 - 1}

// timeOfDay is a time of day by its units.
type timeOfDay struct{ hour, minute, second uint }

// timeOf returns the time of day of a start.
func timeOf(start Start) timeOfDay {
	_, second := splitClock(start.clock)
	return timeOfDay{uint(second / 3600), uint(second / 60 % 60), uint(second % 60)}
}

// filledIn returns the sets with the unit of a time in place of each that is empty.
func (m clockMasks) filledIn(at timeOfDay) clockMasks {
	return clockMasks{or(m.hours, 1<<at.hour), or(m.minutes, 1<<at.minute), or(m.seconds, 1<<at.second)}
}

// or returns v, or the default where v is 0.
func or(v, byDefault uint64) uint64 {
	if v == 0 {
		return byDefault
	}
	return v
}

// residues returns the numbers below n that equal start modulo step, which divides n.
func residues(start, step, n uint) uint64 {
	var m uint64
	for i := start % step; i < n; i += step {
		m |= 1 << i
	}
	return m
}

// clockTimes are times of day: every combination of its hours, minutes and seconds, in
// order. Times are numbered from 0.
type clockTimes struct {
	hours         [24]uint8
	minutes       [60]uint8
	seconds       [60]uint8
	nh, nm, ns, n int   // how many there are of each, and of all together
	only          int64 // the one time where n is 1
}

func newClockTimes(m clockMasks) clockTimes {
	var c clockTimes
	c.nh = spread(c.hours[:], m.hours)
	c.nm = spread(c.minutes[:], m.minutes)
	c.ns = spread(c.seconds[:], m.seconds)
	c.n = c.nh * c.nm * c.ns
	c.only = int64(c.hours[0])*3600 + int64(c.minutes[0])*60 + int64(c.seconds[0])
	return c
}

// spread writes the bits that are set to list and returns how many there are.
func spread(list []uint8, m uint64) int {
	n := 0
	for ; m != 0; m &= m - 1 {
		list[n] = uint8(bits.TrailingZeros64(m))
		n++
	}
	return n
}

// at returns the time number i in seconds of the day.
func (c *clockTimes) at(i int) int64 {
	if c.n == 1 {
		return c.only
	}
	s, i := c.seconds[i%c.ns], i/c.ns
	m, i := c.minutes[i%c.nm], i/c.nm
	return int64(c.hours[i])*3600 + int64(m)*60 + int64(s)
}

// fill writes times from number i on to buf, added to base, and returns how many.
func (c *clockTimes) fill(buf []int64, i int, base int64) int {
	n := min(len(buf), c.n-i)
	s, i := i%c.ns, i/c.ns
	m, h := i%c.nm, i/c.nm
	for k := range n {
		buf[k] = base + int64(c.hours[h])*3600 + int64(c.minutes[m])*60 + int64(c.seconds[s])
		if s++; s == c.ns {
			s = 0
			if m++; m == c.nm {
				m = 0
				h++
			}
		}
	}
	return n
}

// before returns how many of the times lie before a second of the day.
func (c *clockTimes) before(second int64) int {
	h, m, s := uint8(second/3600), uint8(second/60%60), uint8(second%60)
	i := below(c.hours[:c.nh], h)
	n := i * c.nm * c.ns
	if i == c.nh || c.hours[i] != h {
		return n
	}
	i = below(c.minutes[:c.nm], m)
	n += i * c.ns
	if i == c.nm || c.minutes[i] != m {
		return n
	}
	return n + below(c.seconds[:c.ns], s)
}

func below(list []uint8, v uint8) int {
	for i, x := range list {
		if x >= v {
			return i
		}
	}
	return len(list)
}

// reaches reports whether any of the times equals want modulo g, where an hour, a minute
// and a second count as many as given (0: they do not count). It tries seconds first: those
// that miss modulo what a minute counts cannot be mended by hours and minutes.
func (c *clockTimes) reaches(want, g, perHour, perMinute, perSecond int64) bool {
	for _, s := range upTo(c.seconds[:c.ns], perSecond) {
		sum := int64(s) * perSecond
		if perMinute > 0 && (sum-want)%gcd(g, perMinute) != 0 {
			continue
		}
		for _, m := range upTo(c.minutes[:c.nm], perMinute) {
			sum := sum + int64(m)*perMinute
			if (sum-want)%gcd(g, perHour) != 0 {
				continue
			}
			for _, h := range c.hours[:c.nh] {
				if (sum+int64(h)*perHour-want)%g == 0 {
					return true
				}
			}
		}
	}
	return false
}

// upTo returns the list, or one element of it where it does not count.
func upTo(list []uint8, counts int64) []uint8 {
	if counts == 0 {
		return list[:1]
	}
	return list
}

// wait returns for how many seconds the limits rule out all times from a second of the day
// on, at most until its end. They say nothing of units that are shorter than the frequency's.
func (m *clockMasks) wait(freq Freq, second int64) int64 {
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
