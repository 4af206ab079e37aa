package rtdbgen

import (
	"testing"

	"github.com/calrules/calrules/internal/gen/draw"
)

// TestRedraws holds how many requests are drawn in vain until one breaks a rule.
func TestRedraws(t *testing.T) {
	const draws, limit = 40, 5
	for _, rule := range Rules() {
		sum := 0
		for seed := range uint64(draws) {
			_, redraws := violating(draw.Seeded(seed), rule)
			sum += redraws
		}
		if t.Logf("%s: %d redraws in %d", rule, sum, draws); sum > limit*draws {
			t.Errorf("%s: %d redraws for %d requests", rule, sum, draws)
		}
	}
}
