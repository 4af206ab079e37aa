package filter_test

import (
	"strings"
	"testing"
)

// The memory that a line takes beyond the check of its event does not grow unnoticed. The limits are what it takes
// today, and seven more for the race detector, under which pools forget.
func TestAllocations(t *testing.T) {
	for _, test := range []struct {
		name, line string
		most       float64
	}{
		{"simple", `{"id":7,"op":"events.insert","body":{"summary":"Holiday","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}}`, 13},
		{"params", `{"id":7,"op":"events.insert","params":{"sendUpdates":"all"},"body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}}`, 16},
		{"no request", `{"id":7}`, 11},
	} {
		t.Run(test.name, func(t *testing.T) {
			line, dst := []byte(test.line), make([]byte, 0, 4096)
			count := testing.AllocsPerRun(100, func() { dst = check(line, dst[:0]) })
			if t.Logf("%v allocations", count); count > test.most {
				t.Errorf("there are %v allocations, want at most %v", count, test.most)
			}
			if !strings.HasPrefix(string(dst), `{"id":7,`) {
				t.Errorf("the answer is %s", dst)
			}
		})
	}
}
