package main

import (
	"errors"
	"testing"
)

// A count is positive and close to the truth, although totals differ at random and the first number of times is too small.
func TestDifference(t *testing.T) {
	const start, once = 270_000_000, 5_000.0
	random := []float64{500_000, 0, 250_000, 500_000, 0} // the first total is the larger one by chance
	for _, more := range []int{0, 30, 10_000} {
		runs := 0
		n, err := difference(more, func(times int) (float64, error) {
			runs++
			return start + once*float64(times) + random[(runs-1)%len(random)], nil
		})
		if err != nil || n < 0.97*once || n > 1.03*once {
			t.Errorf("beginning with %d more: %.0f instructions, %v; want about %.0f", more, n, err, once)
		}
	}
}

// Work that takes no instructions has no count, and neither has work that fails.
func TestNoDifference(t *testing.T) {
	failed := errors.New("exit status 1")
	for name, total := range map[string]func(int) (float64, error){
		"none":  func(int) (float64, error) { return 270_000_000, nil },
		"fewer": func(times int) (float64, error) { return 270_000_000 - float64(times), nil },
		"fails": func(int) (float64, error) { return 0, failed },
	} {
		if n, err := difference(30, total); err == nil {
			t.Errorf("%s: %f instructions, want an error", name, n)
		}
	}
}
