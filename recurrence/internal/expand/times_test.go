package expand

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// TestNever compares whether a rule below DAILY steps past all times that its parts allow with a
// walk through all periods of a day that it ever visits.
func TestNever(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 3 {
			r := genTimes(t)
			start := time.Unix(rapid.Int64Range(0, 10*civil.SecondsPerDay).Draw(t, "start"), 0).UTC()
			if got, want := seriesOf(start, *r).rules[0].never, !meetsTime(r, start.Unix()); got != want {
				t.Fatalf("%+v from %s: never is %t, want %t", r, start, got, want)
			}
		}
	})
}

// genTimes draws a rule below DAILY with parts about times only.
func genTimes(t *rapid.T) *Rule {
	intervals := []int64{1, 2, 7, 10, 16, 30, 36, 45, 60, 90, 100, 150, 720, 1000, 1440, 3600, 5400, 7200, 86400, 129600}
	list := func(label string, most int) []int {
		return rapid.SliceOfNDistinct(rapid.IntRange(0, most), 0, rapid.IntRange(0, 4).Draw(t, label+"?"), rapid.ID[int]).Draw(t, label)
	}
	return &Rule{
		WeekStart: time.Monday,
		Freq:      Freq(rapid.IntRange(1, 3).Draw(t, "freq")),
		Interval:  rapid.SampledFrom(intervals).Draw(t, "interval"),
		ByHour:    list("hours", 23),
		ByMinute:  list("minutes", 59),
		BySecond:  list("seconds", 59),
	}
}

// meetsTime reports whether a period of the rule begins at an hour, a minute and a second that the
// rule allows, apart from units shorter than the period.
func meetsTime(r *Rule, start int64) bool {
	unit := r.Freq.seconds()
	for k := range civil.SecondsPerDay / unit {
		if allowsTime(r, (start/unit+k*r.Interval)*unit%civil.SecondsPerDay) {
			return true
		}
	}
	return false
}

// allowsTime reports whether the rule allows a second of the day to begin a period.
func allowsTime(r *Rule, second int64) bool {
	return allows(r.ByHour, second/3600) &&
		(r.Freq == Hourly || allows(r.ByMinute, second/60%60)) &&
		(r.Freq != Secondly || allows(r.BySecond, second%60))
}

func allows(list []int, n int64) bool { return len(list) == 0 || slices.Contains(list, int(n)) }

// TestWait checks that limits exclude all times that they make a walk skip, and that they make it
// skip every time that they exclude.
func TestWait(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := genTimes(t)
		m := r.times().orElse(allTimes)
		for range 10 {
			second := rapid.Int64Range(0, civil.SecondsPerDay/r.Freq.seconds()-1).Draw(t, "period") * r.Freq.seconds()
			wait := m.wait(r.Freq, second)
			if wait < 0 || wait > 0 == allowsTime(r, second) {
				t.Fatalf("%+v at second %d: wait %d", r, second, wait)
			}
			for at := second; at < second+wait; at += r.Freq.seconds() {
				if at >= civil.SecondsPerDay || allowsTime(r, at) {
					t.Fatalf("%+v at second %d: wait %d skips %d", r, second, wait, at)
				}
			}
		}
	})
}
