package limits_test

import (
	"testing"

	"github.com/calrules/calrules/limits"
)

// The fuzz targets hold the fast readings equal to the slow ones on bytes that nobody meant.
// Beside these seeds, testdata/fuzz has more, and whatever the fuzzer has found.

func addAll(f *testing.F, seeds []string) {
	for _, s := range seeds {
		f.Add(s)
	}
}

func FuzzDate(f *testing.F) {
	f.Add("2024-02-29")
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := limits.ParseDate(s)
		if ok != slowIsDate(s) || ok != limits.IsDate(s) {
			t.Fatalf("ParseDate(%q) = %+v, %t, the grammar says %t", s, d, ok, slowIsDate(s))
		}
	})
}

func FuzzDateTime(f *testing.F) {
	addAll(f, dateTimes)
	f.Fuzz(func(t *testing.T, s string) { checkDateTime(t, s) })
}

func FuzzAddrSpec(f *testing.F) {
	addAll(f, addresses)
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := limits.IsAddrSpec(s), slowAddrSpec.MatchString(s); got != want {
			t.Fatalf("IsAddrSpec(%q) = %t, the grammar says %t", s, got, want)
		}
		if !limits.SameAddress(s, s) {
			t.Fatalf("SameAddress(%q, itself) is false", s)
		}
	})
}

func FuzzURI(f *testing.F) {
	addAll(f, httpURLs)
	addAll(f, telURIs)
	addAll(f, sipURIs)
	f.Fuzz(func(t *testing.T, s string) { checkURI(t, s) })
}

func FuzzZone(f *testing.F) {
	f.Add("Europe/Paris")
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := limits.IsZone(s), slowIsZone(s); got != want {
			t.Fatalf("IsZone(%q) = %t, the list says %t", s, got, want)
		}
		if near, ok := limits.NearestZone(s); ok && !limits.IsZone(near) || limits.IsZone(s) && near != s {
			t.Fatalf("NearestZone(%q) = %q, %t", s, near, ok)
		}
	})
}
