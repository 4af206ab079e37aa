package event

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/zone"
)

// A time is written as package time writes it, and the offset that was remembered is that of the location.
func TestAppendDateTime(t *testing.T) {
	names := []string{"UTC", "Europe/London", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata", "Africa/Monrovia", "Africa/Casablanca"}
	rapid.Check(t, func(t *rapid.T) {
		var cache zone.Offsets
		var days dayCache
		location := time.FixedZone("", rapid.IntRange(-86399, 86399).Draw(t, "offset"))
		if name := rapid.SampledFrom(append(names, "")).Draw(t, "zone"); name != "" {
			location, _ = zone.Load(name)
		}
		at := time.Unix(rapid.Int64Range(-62e9, 253e9).Draw(t, "unix"), 0)
		for range rapid.IntRange(1, 20).Draw(t, "instants") {
			at = at.Add(time.Duration(rapid.Int64Range(-1, 400*24).Draw(t, "hours"))*time.Hour + time.Duration(rapid.SampledFrom([]int{0, 0, 1, 5e8}).Draw(t, "fraction")))
			local := at.In(location)
			_, offset := local.Zone()
			if got := cache.At(local); got != offset {
				t.Fatalf("the offset of %v is %d, want %d", local, got, offset)
			}
			want := local
			if offset%60 != 0 {
				want = local.UTC()
			}
			if got := string(days.appendDateTime(nil, local, offset)); got != want.Format(time.RFC3339Nano) {
				t.Fatalf("%v is written as %s", local, got)
			}
		}
	})
}

// The forms of instances are written as package time writes them, whatever the year.
func TestAppendFormat(t *testing.T) {
	var days dayCache
	rapid.Check(t, func(t *rapid.T) {
		const secondsInYear = 31_556_952
		year := rapid.SampledFrom([]int64{2026, 0, 9999}).Draw(t, "year") - 1970
		seconds := year*secondsInYear + rapid.Int64Range(-2*secondsInYear, 2*secondsInYear).Draw(t, "seconds")
		at := time.Unix(seconds, rapid.SampledFrom([]int64{0, 0, 1, 5e8}).Draw(t, "nanoseconds")).UTC()
		offset := rapid.SampledFrom([]int{0, 0, 3600, -86399}).Draw(t, "offset")
		local := at.Add(time.Duration(offset) * time.Second)
		for _, layout := range []string{idDate, idTime, time.DateOnly, time.RFC3339Nano} {
			if got, want := string(days.appendFormat([]byte("x"), at, offset, layout)), "x"+local.Format(layout); got != want {
				t.Errorf("%v is written as %s, want %s", local, got, want)
			}
		}
	})
}
