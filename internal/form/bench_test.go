package form_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/form"
)

func BenchmarkValid(b *testing.B) {
	for _, leaf := range leaves {
		b.Run(leaf.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				leaf.check(leaf.valid)
			}
		})
	}
}

func BenchmarkZone(b *testing.B) {
	zones := slices.Collect(form.Zones())
	b.Run("known", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			form.IsZone(zones[i*37%len(zones)]) // not in order, which branch prediction would learn
		}
	})
	b.Run("unknown", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			form.IsZone(unknownZones[i%len(unknownZones)])
		}
	})
}

func BenchmarkNearest(b *testing.B) {
	for name, word := range map[string]string{
		"zone":       "America/New York",
		"none":       "Middle/Earth_Hobbiton",
		"too-long":   strings.Repeat("America/New_York", 1000),
		"other-case": "pacific/auckland",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				form.NearestZone(word)
			}
		})
	}
}
