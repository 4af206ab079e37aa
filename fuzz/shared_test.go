package fuzz_test

import (
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/fuzz"
)

// TestGeneratorsAreForSeveralGoroutines draws lists of a shared generator's values and the values
// by themselves at the same time. It is the race detector that sees what is wrong with that.
func TestGeneratorsAreForSeveralGoroutines(t *testing.T) {
	var all sync.WaitGroup
	for _, shared := range []func() *rapid.Generator[string]{fuzz.ID, fuzz.Address, fuzz.ZoneName} {
		for seed := range 4 {
			all.Go(func() {
				if len(rapid.SliceOfN(shared(), 1, 3).Example(seed)) == 0 {
					t.Error("an empty list")
				}
			})
			all.Go(func() {
				if shared().Example(seed) == "" {
					t.Error("an empty text")
				}
			})
		}
	}
	all.Wait()
}
