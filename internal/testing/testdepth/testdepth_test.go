package testdepth_test

import (
	"testing"

	"github.com/calrules/calrules/internal/testing/testdepth"
)

func TestDraws(t *testing.T) {
	for value, want := range map[string]int{"": 3, "full": 500, "1": 3} {
		t.Setenv("CALRULES_TEST_DRAWS", value)
		if got := testdepth.Draws(3, 500); got != want {
			t.Errorf("CALRULES_TEST_DRAWS=%s: Draws(3, 500) = %d, want %d", value, got, want)
		}
	}
}
