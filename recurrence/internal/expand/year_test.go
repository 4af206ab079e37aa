package expand

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestOrdinalsOfYear checks that each of several ordinals counts.
func TestOrdinalsOfYear(t *testing.T) {
	start := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC) // the first Monday
	s := seriesOf(start, Rule{Freq: Yearly, ByDay: []Weekday{{1, time.Monday}, {20, time.Monday}, {-1, time.Friday}}})
	var got []string
	for _, unix := range first(s, 4) {
		got = append(got, time.Unix(unix, 0).UTC().Format(time.DateOnly))
	}
	if diff := cmp.Diff([]string{"2026-01-05", "2026-05-18", "2026-12-25", "2027-01-04"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
