package conference_test

import (
	"testing"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
)

func BenchmarkCheck(b *testing.B) {
	for name, v := range valid(b) {
		b.Run(name, func(b *testing.B) {
			var report diag.Report
			b.ReportAllocs()
			for b.Loop() {
				v.change.Check(v.on, &report, base)
			}
		})
	}
	b.Run("update-read-back", func(b *testing.B) {
		c := conference.Change{Old: read(b, full), New: read(b, full), Sent: true, Version: 1}
		var report diag.Report
		b.ReportAllocs()
		for b.Loop() {
			c.Check(diag.Update, &report, base)
		}
	})
	b.Run("broken", func(b *testing.B) {
		c := conference.Change{New: read(b, obj(holoDeck, entries(more, more))), Sent: true, Version: 1}
		b.ReportAllocs()
		for b.Loop() {
			var report diag.Report
			c.Check(diag.Insert, &report, base)
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
