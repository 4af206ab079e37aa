package expand

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// TestShiftedInOrder checks the order of instances around a gap, out of which some are shifted,
// wherever the batches of a stream begin.
func TestShiftedInOrder(t *testing.T) {
	const minute = 60
	begin := civil.DayNumber(2026, 3, 8)*civil.SecondsPerDay + 2*3600 // the clock at which the gap begins
	for before := int64(minute); before <= 500*minute; before += 7 * minute {
		start := time.Unix(begin-before+5*3600, 0).In(load("America/New_York"))
		s := seriesOf(start, Rule{Freq: Minutely, Interval: 7}).With(Options{Steps: DefaultSteps, Shift: true})
		var want []int64
		for clock := begin - before; clock < begin+10*3600; clock += 7 * minute {
			if clock < begin+3600 {
				want = append(want, clock+5*3600)
			} else {
				want = append(want, clock+4*3600)
			}
		}
		slices.Sort(want)
		want = slices.Compact(want)
		if diff := cmp.Diff(want, first(s, len(want))); diff != "" {
			t.Fatalf("from %s (-want +got):\n%s", start, diff)
		}
	}
}

// TestPosition checks what is known if the budget is used up: all instances before the position were
// yielded. The next period may begin in a gap.
func TestPosition(t *testing.T) {
	for _, c := range []struct {
		zone string
		hour int
		rule Rule
	}{
		{"America/New_York", 0, Rule{Freq: Minutely, Interval: 7, ByMinute: []int{0, 1, 2}}},
		{"America/New_York", 0, Rule{Freq: Secondly, Interval: 1111}},
		{"America/Havana", -1, Rule{Freq: Daily, ByDay: weekdaysOf(time.Sunday, time.Wednesday), BySetPos: []int{1}}},
	} {
		start := time.Date(2026, 3, 8, c.hour, 30, 0, 0, load(c.zone))
		for _, shift := range []bool{false, true} {
			for steps := range 60 {
				s := seriesOf(start, c.rule).With(Options{Steps: steps, Shift: shift})
				b := s.NewBudget()
				it := s.Iterate(s.start.Instant, Latest, b)
				n, last := 0, s.start.Instant
				for batch := it.Batch(); len(batch) > 0; batch = it.Batch() {
					n, last = n+len(batch), batch[len(batch)-1]
				}
				position := it.Position()
				want := 0
				all := s.Iterate(s.start.Instant, position, NewBudget(DefaultSteps))
				for batch := all.Batch(); len(batch) > 0; batch = all.Batch() {
					want += len(batch)
				}
				if n < want || position < last-civil.MaxShift {
					t.Errorf("%+v in %s: %d of %d instances before %s, the last at %s", c.rule, c.zone, n, want, show(position), show(last))
				}
			}
		}
	}
}

// An instance that is shifted beyond UNTIL is none.
func TestShiftedBeyondUntil(t *testing.T) {
	start := time.Date(2026, 3, 7, 2, 30, 0, 0, load("America/New_York"))
	for until, want := range map[int64]int{14: 1, 15: 1, 30: 2, 45: 2} { // minutes after 3 o'clock, when the clock is set forward
		set := seriesOf(start, Rule{Freq: Daily}).set
		set.Rules[0].LastInstant = time.Date(2026, 3, 8, 7, int(until), 0, 0, time.UTC).Unix()
		if got := first(New(set, Options{Steps: DefaultSteps, Shift: true}), 3); len(got) != want {
			t.Errorf("until 3:%d, the instances are %v, want %d", until, got, want)
		}
	}
}
