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

// TestLengths compares the lengths of months and years, and the bounds of the calendar, with package time.
func TestLengths(t *testing.T) {
	for y := range 401 {
		if want := time.Date(y, 12, 31, 0, 0, 0, 0, time.UTC).YearDay(); DaysInYear(y) != want {
			t.Errorf("year %d has %d days, want %d", y, DaysInYear(y), want)
		}
		for m := 1; m <= 12; m++ {
			if want := time.Date(y, time.Month(m)+1, 0, 0, 0, 0, 0, time.UTC).Day(); DaysInMonth(y, m) != want {
				t.Errorf("%d-%d has %d days, want %d", y, m, DaysInMonth(y, m), want)
			}
		}
	}
	if want := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix(); MinClock != want {
		t.Errorf("the calendar begins at %d, want %d", MinClock, want)
	}
	if want := time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix(); MaxClock != want {
		t.Errorf("the calendar ends at %d, want %d", MaxClock, want)
	}
}

func TestDivision(t *testing.T) {
	for a := int64(-20); a <= 20; a++ {
		if q, r := FloorDiv(a, 7), FloorMod(a, 7); q*7+r != a || r < 0 || r >= 7 {
			t.Errorf("%d is %d times 7 and %d", a, q, r)
		}
		clock := a * 10_000
		if day, second := Split(clock); day*SecondsPerDay+second != clock || second < 0 || second >= SecondsPerDay {
			t.Errorf("clock %d is second %d of day %d", clock, second, day)
		}
	}
}
