package event_test

import (
	"testing"
	"time"
)

// checkLinearTime fails the test if a run of size n takes far longer than ten runs of size n/10. Linear code
// takes as long, and quadratic code ten times as long. prepare makes the input of a size and returns
// the run.
//
// Both sides are measured one after the other, so that a busy machine slows both down. It may be busy
// on one side only now and then, but not on each attempt.
func checkLinearTime(t *testing.T, n int, prepare func(n int) func()) {
	t.Helper()
	const parts, factor, attempts = 10, 4, 5
	small, large := prepare(n/parts), prepare(n)
	var took, reference time.Duration
	for range attempts {
		reference = max(time.Millisecond, duration(func() {
			for range parts {
				small()
			}
		}))
		if took = duration(large); took <= factor*reference {
			return
		}
	}
	t.Errorf("size %d takes %v, and %d times size %d takes %v", n, took, parts, n/parts, reference)
}

func duration(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}
