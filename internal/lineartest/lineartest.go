// Package lineartest helps to test that code takes linear time.
package lineartest

import (
	"testing"
	"time"
)

// Check fails the test if do takes more than a hundred times as long as reference, which is known
// to take linear time for the same input. The input must be so large that quadratic time is far more
// than that. The machine may be busy during one attempt, but not during each.
func Check(t *testing.T, reference, do func()) {
	t.Helper()
	const factor, attempts = 100, 3
	var took, limit time.Duration
	for range attempts {
		limit = factor * duration(reference)
		if took = duration(do); took <= limit {
			return
		}
	}
	t.Errorf("it takes %v; at most %v is allowed", took, limit)
}

func duration(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}
