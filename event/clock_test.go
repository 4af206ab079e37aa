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
		var cache offsetCache
		location := time.FixedZone("", rapid.IntRange(-86399, 86399).Draw(t, "offset"))
		if name := rapid.SampledFrom(append(names, "")).Draw(t, "zone"); name != "" {
			location, _ = zone.Load(name)
		}
		at := time.Unix(rapid.Int64Range(-62e9, 253e9).Draw(t, "unix"), 0)
		for range rapid.IntRange(1, 20).Draw(t, "instants") {
			at = at.Add(time.Duration(rapid.Int64Range(-1, 400*24).Draw(t, "hours"))*time.Hour + time.Duration(rapid.SampledFrom([]int{0, 0, 1, 5e8}).Draw(t, "fraction")))
			local := at.In(location)
			_, offset := local.Zone()
			if got := cache.at(local); got != offset {
				t.Fatalf("the offset of %v is %d, want %d", local, got, offset)
			}
			want := local
			if offset%60 != 0 {
				want = local.UTC()
			}
			if got := string(appendDateTime(nil, local, offset)); got != want.Format(time.RFC3339Nano) {
				t.Fatalf("%v is written as %s", local, got)
			}
		}
	})
}
