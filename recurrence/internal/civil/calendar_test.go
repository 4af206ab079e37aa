package civil

import (
	"testing"
	"time"
)

// TestDates compares the days of the calendar with those of package time. It includes the weeks
// just before and after the calendar, since a week can cross its bounds.
func TestDates(t *testing.T) {
	at := time.Date(-1, 12, 25, 0, 0, 0, 0, time.UTC)
	first := at.Unix() / SecondsPerDay
	last := MaxClock/SecondsPerDay + 7
	for day := first; day <= last; day++ {
		y, m, d := DateOf(day)
		if y != at.Year() || m != int(at.Month()) || d != at.Day() {
			t.Fatalf("day %d is %d-%d-%d, want %s", day, y, m, d, at.Format(time.DateOnly))
		}
		if DayNumber(y, m, d) != day || WeekdayOf(day) != int(at.Weekday()) || y != YearOf(day) {
			t.Fatalf("%s is day %d and weekday %d, want %d", at.Format(time.DateOnly), DayNumber(y, m, d), WeekdayOf(day), day)
		}
		if at = at.AddDate(0, 0, 1); at.Year() == 410 { // the calendar repeats after 400 years
			at, day = time.Date(9990, 1, 1, 0, 0, 0, 0, time.UTC), DayNumber(9990, 1, 1)-1
		}
	}
}
