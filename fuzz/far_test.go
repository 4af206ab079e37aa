package fuzz_test

import (
	"fmt"
	"testing"

	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// TestFarIsFar checks that the variant "far above" begins at ten times the limit, even after
// shrinking, and that "far below" is not close to the limit.
func TestFarIsFar(t *testing.T) {
	aboutValues(t)
	seen := map[string]int{}
	for _, c := range fuzz.Cases() {
		if c.Rule != "reminders.minutes" {
			continue
		}
		for seed := range testdepth.Draws(10, 60) {
			p := c.Draw.Example(seed)
			minutes, ok := int64At(p)
			switch {
			case !ok || c.Variant != "far above" && c.Variant != "far below":
				continue
			case c.Variant == "far above" && minutes < 10*constraint.ReminderMinutesMax, c.Variant == "far below" && minutes > -1000:
				t.Errorf("%s: %d minutes", c.Variant, minutes)
			}
			seen[c.Variant]++
		}
	}
	if seen["far above"] == 0 || seen["far below"] == 0 {
		t.Errorf("drawn: %v", seen)
	}
}

// int64At returns the number at a payload's path, if the body contains it.
func int64At(p fuzz.Payload) (n int64, ok bool) {
	for _, place := range places(mustParse(p.Event.Body)) {
		if place.path == p.Path && place.node.kind() == '0' {
			for _, text := range number(place) {
				_, err := fmt.Sscan(text, &n)
				return n, err == nil
			}
		}
	}
	return 0, false
}
