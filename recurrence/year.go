package recurrence

import "math/bits"

// yearBits returns the days of a year that the parts about days all match.
func (p *plan) yearBits(y int) dayBits {
	first := newYear(y)
	b := p.monthBits(y)
	if p.walk == Yearly && p.step < p.interval {
		and(&b, p.intervalBits(y, first))
	}
	if p.weekdays != nil {
		and(&b, p.weekdayBits(y, weekdayOf(first)))
	}
	if p.yearDays != nil {
		and(&b, p.yearDays.bits(365+leapIndex(y)))
	}
	if p.weekNos != nil {
		and(&b, p.weekBits(y, first))
	}
	return b
}

// intervalBits gives the days of the periods of freq that INTERVAL meets, in the year that
// begins with day first.
func (p *plan) intervalBits(y int, first int64) dayBits {
	var b dayBits
	n := int64(365 + leapIndex(y))
	switch p.freq {
	case Daily:
		for i := floorMod(p.firstNumber-first, p.interval); i < n; i += p.interval {
			b.set(int(i))
		}
	case Weekly:
		week := p.numberOf(Weekly, first*secondsPerDay)
		for week += floorMod(p.firstNumber-week, p.interval); ; week += p.interval {
			begin := 7*week - p.weekShift() - first
			if begin >= n {
				break
			}
			if begin >= 0 { // what lies beyond the year falls away with the other parts
				b.or(int(begin), 0x7f)
			} else {
				b.or(0, 0x7f>>-begin)
			}
		}
	case Monthly:
		c := &cumulativeDays[leapIndex(y)]
		january := 12 * int64(y)
		for m := floorMod(p.firstNumber-january, p.interval); m < 12; m += p.interval {
			b.or(c[m], 1<<(c[m+1]-c[m])-1)
		}
	}
	return b
}

func and(b *dayBits, other dayBits) {
	for i := range b {
		b[i] &= other[i]
	}
}

// allYears are all days of a common and of a leap year.
var allYears = [2]dayBits{
	{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), 1<<(365-320) - 1},
	{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), 1<<(366-320) - 1},
}

// allMonths has a bit for each month.
const allMonths = 1<<13 - 2

// monthBits gives the days that BYMONTH and BYMONTHDAY match.
func (p *plan) monthBits(y int) dayBits {
	leap := leapIndex(y)
	if p.months == allMonths && p.monthDays == nil {
		return allYears[leap]
	}
	var b dayBits
	for set := p.months; set != 0; set &= set - 1 {
		m := bits.TrailingZeros16(set)
		first := cumulativeDays[leap][m-1]
		n := cumulativeDays[leap][m] - first
		b.or(first, uint64(p.monthDays.bits(n)))
	}
	return b
}

// bits gives the days of a month of n days, bit 0 for its first.
func (d *monthDays) bits(n int) uint32 {
	all := uint32(1)<<n - 1
	if d == nil {
		return all
	}
	return (d.fromStart>>1 | bits.Reverse32(d.fromEnd)>>(31-n)) & all
}

// weekdayBits gives the days that BYDAY matches in a year that begins with the weekday.
func (p *plan) weekdayBits(y, weekday int) dayBits {
	var b dayBits
	if p.weekdays.each != 0 {
		for i := range b {
			b[i] = everyWeek(p.weekdays.each, (weekday+64*i)%7)
		}
	}
	leap := leapIndex(y)
	for _, d := range p.weekdays.nth {
		if !p.weekdays.inMonth {
			setNth(&b, d, weekday, 0, 365+leap)
			continue
		}
		for set := p.months; set != 0; set &= set - 1 {
			m := bits.TrailingZeros16(set)
			c := &cumulativeDays[leap]
			setNth(&b, d, weekday, c[m-1], c[m])
		}
	}
	return b
}

// everyWeek repeats a set of weekdays over 64 days, the first of which is the weekday given.
func everyWeek(set uint8, first int) uint64 {
	week := (uint64(set) | uint64(set)<<7) >> first & 0x7f
	return week * 0x8102040810204081 // bits 0, 7, 14 and so on to 63
}

// setNth adds the day of an ordinal weekday within the days from begin to end of a year
// that begins with the weekday given.
func setNth(b *dayBits, d ByDay, weekday, begin, end int) {
	var day int
	if d.N > 0 {
		day = begin + (int(d.Day)-weekday-begin%7+14)%7 + 7*(d.N-1)
	} else {
		last := end - 1
		day = last - (weekday+last-int(d.Day))%7 + 7*(d.N+1)
	}
	if day >= begin && day < end {
		b.set(day)
	}
}

// bits gives the days that BYYEARDAY matches in a year of n days.
func (d *yearDays) bits(n int) dayBits {
	b := d.fromStart
	for _, k := range d.fromEnd {
		if k <= n {
			b.set(n - k)
		}
	}
	return b
}

// weekBits gives the days that BYWEEKNO matches in the year that begins with day first. A
// week belongs to the year that holds four of its days (RFC 5545 section 3.3.10), so days at
// either end of the year can lie in a week of the year before or after.
func (p *plan) weekBits(y int, first int64) dayBits {
	var b dayBits
	n := 365 + leapIndex(y)
	begin := p.weekOne(y - 1)
	for of := y - 1; of <= y+1; of++ {
		next := p.weekOne(of + 1)
		p.weekNos.spread(&b, int(begin-first), n, int(next-begin)/7)
		begin = next
	}
	return b
}

// weekOne returns the first day of week 1 of a year: the week that holds 4 January.
func (p *plan) weekOne(y int) int64 {
	fourth := newYear(y) + 3
	return fourth - floorMod(int64(weekdayOf(fourth)-p.wkst), 7)
}

// spread sets the days of the weeks that w names, in a year whose week 1 begins on day
// begin of b and which has total weeks, as far as they lie between 0 and end.
func (w *weekNos) spread(b *dayBits, begin, end, total int) {
	for k := max(0, -begin/7); k < total && begin+7*k < end; k++ {
		if w.fromStart>>(k+1)&1 == 0 && w.fromEnd>>(total-k)&1 == 0 {
			continue
		}
		for day := max(begin+7*k, 0); day < min(begin+7*k+7, end); day++ {
			b.set(day)
		}
	}
}
