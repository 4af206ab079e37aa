package conference_test

import (
	"testing"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
)

func BenchmarkCheck(b *testing.B) {
	for name, change := range valid(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				change.Check()
			}
		})
	}
	b.Run("update-read-back", func(b *testing.B) {
		c := conference.Change{On: diag.Update, Stored: read(b, full), Next: read(b, full), Present: true, Version: 1}
		b.ReportAllocs()
		for b.Loop() {
			c.Check()
		}
	})
	b.Run("broken", func(b *testing.B) {
		c := conference.Change{On: diag.Insert, Next: read(b, obj(holoDeck, entries(more, more))), Present: true, Version: 1}
		b.ReportAllocs()
		for b.Loop() {
			c.Check()
		}
	})
}

func BenchmarkApply(b *testing.B) {
	c := conference.Change{Stored: read(b, full), Next: read(b, full), Present: true, Version: 1}
	b.ReportAllocs()
	for b.Loop() {
		c.Apply()
	}
}
