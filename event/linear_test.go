package event_test

import (
	"testing"
	"time"
)

// checkLinearTime fails the test if a run of size n takes far longer than ten runs of size n/10.
// Linear code takes as long, and quadratic code ten times as long. prepare makes the input of a size
// and returns the run.
//
// The two sides are measured one after the other, so a busy machine slows both down. It may be busy
// during one side only, but not on each attempt.
func checkLinearTime(t *testing.T, n int, prepare func(n int) func()) {
	t.Helper()
	const parts, factor, attempts = 10, 4, 5
	const least = 10 * time.Millisecond // shorter times are mostly noise
	small, large := prepare(n/parts), prepare(n)
	times := int(least/max(duration(parts, small), 1)) + 1
	var took, reference time.Duration
	for range attempts {
		reference = duration(times*parts, small)
		if took = duration(times, large); took <= factor*reference {
			return
		}
	}
	t.Errorf("%d runs of size %d take %v, %d runs of size %d take %v", times, n, took, times*parts, n/parts, reference)
}

// duration returns how long some runs take.
func duration(times int, run func()) time.Duration {
	start := time.Now()
	for range times {
		run()
	}
	return time.Since(start)
}
