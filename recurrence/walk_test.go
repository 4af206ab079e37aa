package recurrence

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestFill holds that a walker fills a buffer with what it gives one by one, also over many
// periods.
func TestFill(t *testing.T) {
	for _, rule := range []string{
		"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=WEEKLY;BYDAY=SU,MO;BYSETPOS=1,2", "FREQ=HOURLY;INTERVAL=5", "FREQ=DAILY;BYHOUR=9,10,11",
	} {
		s := seriesOfLines(t, StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)), "RRULE:"+rule)
		b := newBudget(DefaultBudget)
		p := s.rules[0]
		one := p.newWalker(p.first, maxClock, &b)
		many := p.newWalker(p.first, maxClock, &b)
		var want, got [40]int64
		for i := range want {
			want[i], _ = one.pop()
		}
		if n := many.fill(got[:]); n != len(got) {
			t.Errorf("%s: %d matches at once", rule, n)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-one by one +at once):\n%s", rule, diff)
		}
	}
}
