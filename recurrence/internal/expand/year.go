package expand

import (
	"math/bits"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

func (p *plan) yearBits(y int) dayBits {
	first := civil.NewYear(y)
	b := p.monthBits(y)
	if p.walk == Yearly && p.step < p.interval {
		b.intersect(p.intervalBits(y, first))
	}
	if p.weekdays.given {
		b.intersect(p.weekdayBits(y, civil.WeekdayOf(first)))
	}
	if len(p.yearDays) > 0 {
		b.intersect(yearDayBits(p.yearDays, civil.DaysInYear(y)))
	}
	if !p.weekNos.isEmpty() {
		b.intersect(p.weekBits(y, first))
	}
	return b
}

// intervalBits returns the days in year y that are in periods selected by INTERVAL. The argument first is the day number of 1
// January.
func (p *plan) intervalBits(y int, first int64) dayBits {
	var b dayBits
	n := int64(civil.DaysInYear(y))
	switch p.freq {
	case Daily:
		for i := civil.FloorMod(p.firstNumber-first, p.interval); i < n; i += p.interval {
			b.add(int(i))
		}
	case Weekly:
		week := p.numberOf(Weekly, first*civil.SecondsPerDay)
		for week += civil.FloorMod(p.firstNumber-week, p.interval); ; week += p.interval {
			begin := Weekly.begin(week, p.weekStart)/civil.SecondsPerDay - first
			if begin >= n {
				break
			}
			b.addBits(int(max(begin, 0)), 0x7f>>max(-begin, 0)) // other parts remove days after the end of the year
		}
	case Monthly:
		before := &civil.DaysBefore[civil.LeapIndex(y)]
		january := 12 * int64(y)
		for m := civil.FloorMod(p.firstNumber-january, p.interval); m < 12; m += p.interval {
			b.addBits(before[m], 1<<(before[m+1]-before[m])-1)
		}
	}
	return b
}

// allDays contains all days of a common year and all days of a leap year.
var allDays = [2]dayBits{
	{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), 1<<(365-320) - 1},
	{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), 1<<(366-320) - 1},
}

const allMonths = 1<<13 - 2

func (p *plan) monthBits(y int) dayBits {
	leap := civil.LeapIndex(y)
	if p.months == allMonths && p.monthDays.isEmpty() {
		return allDays[leap]
	}
	var b dayBits
	for set := p.months; set != 0; set &= set - 1 {
		m := bits.TrailingZeros16(set)
		b.addBits(civil.DaysBefore[leap][m-1], monthDayBits(p.monthDays, civil.DaysInMonth(y, m)))
	}
	return b
}

// monthDayBits returns the days that match BYMONTHDAY in a month of n days. Bit 0 represents the first day.
func monthDayBits(d fromEnds, n int) uint64 {
	all := uint64(1)<<n - 1
	if d.isEmpty() {
		return all
	}
	return (d.start>>1 | bits.Reverse64(d.end)>>(63-n)) & all
}

// weekdayBits returns the days that match BYDAY in year y, which begins on the given weekday.
func (p *plan) weekdayBits(y, weekday int) dayBits {
	var b dayBits
	if p.weekdays.each != 0 {
		for i := range b {
			b[i] = everyWeek(p.weekdays.each, (weekday+64*i)%7)
		}
	}
	for _, d := range p.weekdays.nth {
		if p.weekdays.inMonth {
			before := &civil.DaysBefore[civil.LeapIndex(y)]
			for set := p.months; set != 0; set &= set - 1 {
				m := bits.TrailingZeros16(set)
				addNth(&b, d, weekday, before[m-1], before[m])
			}
		} else {
			addNth(&b, d, weekday, 0, civil.DaysInYear(y))
		}
	}
	return b
}

// everyWeek repeats a set of weekdays over 64 days. The first day is the given weekday.
func everyWeek(set uint8, first int) uint64 {
	week := (uint64(set) | uint64(set)<<7) >> first & 0x7f
	return week * 0x8102040810204081 // bits 0, 7, 14, and so on up to 63
}

// addNth adds the day on which a weekday with an ordinal falls, counted within the days from begin up to end of a year
// that begins on the given weekday.
func addNth(b *dayBits, d Weekday, weekday, begin, end int) {
	var day int
	if d.N > 0 {
		day = begin + (int(d.Day)-weekday-begin%7+14)%7 + 7*(d.N-1)
	} else {
		last := end - 1
		day = last - (weekday+last-int(d.Day))%7 + 7*(d.N+1)
	}
	if day >= begin && day < end {
		b.add(day)
	}
}

// yearDayBits returns the days that match BYYEARDAY in a year of n days.
func yearDayBits(list []int, n int) (b dayBits) {
	for _, day := range list {
		if day < 0 {
			day += n + 1
		}
		if day >= 1 && day <= n {
			b.add(day - 1)
		}
	}
	return b
}

// weekBits returns the days that match BYWEEKNO in year y, where first is the day number of 1 January. A week belongs to
// the year that contains at least four of its days (RFC 5545 section 3.3.10), so the first and last days of a year can be
// in a week of the previous or next year.
func (p *plan) weekBits(y int, first int64) dayBits {
	var b dayBits
	begin := p.weekOne(y - 1)
	for of := y - 1; of <= y+1; of++ {
		next := p.weekOne(of + 1)
		addWeeks(&b, p.weekNos, int(begin-first), civil.DaysInYear(y), int(next-begin)/7)
		begin = next
	}
	return b
}

// weekOne returns the first day of week 1 in a year, which is the week that contains 4 January.
func (p *plan) weekOne(y int) int64 {
	fourth := civil.NewYear(y) + 3
	return fourth - civil.FloorMod(int64(civil.WeekdayOf(fourth)-int(p.weekStart)), 7)
}

// addWeeks adds the days before end of the weeks with the given numbers, in a year of total weeks. The first week begins
// on day begin, which may be negative.
func addWeeks(b *dayBits, numbers fromEnds, begin, end, total int) {
	for k := max(0, -begin/7); k < total && begin+7*k < end; k++ {
		if numbers.start>>(k+1)&1 == 0 && numbers.end>>(total-k)&1 == 0 {
			continue
		}
		for day := max(begin+7*k, 0); day < min(begin+7*k+7, end); day++ {
			b.add(day)
		}
	}
}
