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
		c := conference.Change{On: diag.Update, Old: read(b, full), New: read(b, full), Sent: true, Version: 1}
		b.ReportAllocs()
		for b.Loop() {
			c.Check()
		}
	})
	b.Run("broken", func(b *testing.B) {
		c := conference.Change{On: diag.Insert, New: read(b, obj(holoDeck, entries(more, more))), Sent: true, Version: 1}
		b.ReportAllocs()
		for b.Loop() {
			c.Check()
		}
	})
}

func BenchmarkApply(b *testing.B) {
	c := conference.Change{Old: read(b, full), New: read(b, full), Sent: true, Version: 1}
	b.ReportAllocs()
	for b.Loop() {
		c.Apply()
	}
}
