package gen_test

import (
	"testing"

	"github.com/calrules/calrules/internal/gen"
)

// BenchmarkLine draws requests, half of which break a rule, and writes them as the command fuzz does.
func BenchmarkLine(b *testing.B) {
	mix, err := gen.Mix{InvalidShare: 0.5}.Compile()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var line []byte
	for i := 0; b.Loop(); i++ {
		line = mix.Payload(1, i).AppendRequest(line[:0])
	}
}
