// Package lineartest is for tests that hold code to time in proportion to what it is given.
package lineartest

import (
	"testing"
	"time"
)

// Hold fails the test where many, which is given ten times as much as few, takes more than forty
// times as long: a square would take a hundred times. A busy machine may be slow once, but not each
// time.
func Hold(t *testing.T, few, many func()) {
	t.Helper()
	const factor, attempts = 40, 3
	var quick, slow time.Duration
	for range attempts {
		if quick = max(duration(few), time.Millisecond); quick > time.Second {
			t.Fatalf("few take %v", quick)
		}
		if slow = duration(many); slow <= factor*quick {
			return
		}
	}
	t.Errorf("few take %v, ten times as many %v", quick, slow)
}

func duration(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}
