package recurrence

import (
	"strings"
	"testing"
)

// The prefix without control characters is found eight bytes at a time.
func TestControlFreeLength(t *testing.T) {
	const line = "RRULE:FREQ=ÿ\U0001f600~;"
	for n := range len(line) + 1 {
		if got := controlFreeLength(line[:n]); got != n/8*8 {
			t.Errorf("%q: %d", line[:n], got)
		}
	}
	for i := range 16 {
		for _, control := range []string{"\x00", "\t", "\x1f", "\x7f"} {
			text := strings.Repeat(" ", i) + control + strings.Repeat("\xff", 24-i)
			if got := controlFreeLength(text); got != i/8*8 {
				t.Errorf("%q: %d", text, got)
			}
		}
	}
}
