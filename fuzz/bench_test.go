package fuzz_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/fuzz"
)

// BenchmarkRequest draws requests for each operation.
func BenchmarkRequest(b *testing.B) {
	for _, op := range known {
		b.Run(string(op), func(b *testing.B) {
			b.ReportAllocs()
			requests := fuzz.Request(diag.Documents, op)
			for seed := 0; b.Loop(); seed++ {
				requests.Example(seed)
			}
		})
	}
}
