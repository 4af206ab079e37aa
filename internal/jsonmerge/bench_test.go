package jsonmerge

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkAppend merges patches into texts of several shapes.
func BenchmarkAppend(b *testing.B) {
	nested := func(depth int, inner string) string {
		return strings.Repeat(`{"a":`, depth) + inner + strings.Repeat("}", depth)
	}
	var guests []string
	for i := range 200 {
		guests = append(guests, fmt.Sprintf(`{"email":"guest%d@example.com","responseStatus":"needsAction"}`, i))
	}
	large := `{"summary":"Standup","attendees":[` + strings.Join(guests, ",") + `],"location":"Room 4"}`
	filler := strings.Repeat(`"x",`, 1000)
	for _, test := range []struct{ name, target, patch string }{
		{"small", `{"summary":"Standup","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`, `{"summary":"Daily","start":{"date":"2026-03-09"}}`},
		{"large-target", large, `{"location":null}`},
		{"large-patch", `{"summary":"Standup"}`, large},
		{"deep", nested(90, "["+filler+"1]"), nested(90, "["+filler+"2]")},
	} {
		b.Run(test.name, func(b *testing.B) {
			target, patch := []byte(test.target), []byte(test.patch)
			b.SetBytes(int64(len(target) + len(patch)))
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				dst, _ = Append(dst[:0], target, patch)
			}
		})
	}
}
