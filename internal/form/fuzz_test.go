package form_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/form"
)

// The fuzz targets compare the checks with slow ones, and with their faults, on arbitrary bytes. More seeds, and what the
// fuzzer has found, are in testdata/fuzz.

func addAll(f *testing.F, seeds []string) {
	for _, s := range seeds {
		f.Add(s)
	}
}

func FuzzDate(f *testing.F) {
	addAll(f, dates)
	f.Fuzz(func(t *testing.T, s string) {
		checkFaults(t, "date", s)
		d, ok := form.ParseDate(s)
		if ok != slowIsDate(s) || ok != form.IsDate(s) {
			t.Fatalf("ParseDate(%q) = %+v, %t, the grammar says %t", s, d, ok, slowIsDate(s))
		}
		written := fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
		if ok && written != s || !ok && d != (form.Date{}) {
			t.Fatalf("ParseDate(%q) = %+v, %t", s, d, ok)
		}
	})
}

func FuzzDateTime(f *testing.F) {
	addAll(f, dateTimes)
	f.Fuzz(func(t *testing.T, s string) {
		checkDateTime(t, s)
		checkFaults(t, "dateTime", s)
		checkFaults(t, "time", s)
	})
}

func FuzzAddrSpec(f *testing.F) {
	addAll(f, addresses)
	f.Fuzz(func(t *testing.T, s string) {
		checkFaults(t, "address", s)
		if got, want := form.IsAddrSpec(s), slowAddrSpec.MatchString(s); got != want {
			t.Fatalf("IsAddrSpec(%q) = %t, the grammar says %t", s, got, want)
		}
		half := len(s) / 2
		for _, other := range []string{s, slowLower.Replace(s), slowLower.Replace(s[:half]) + s[half:], s[:half] + slowLower.Replace(s[half:]), s[:half]} {
			same := form.SameAddress(s, other)
			if want := slowSameAddress(s, other); same != want || same != form.SameAddress(other, s) {
				t.Fatalf("SameAddress(%q, %q) = %t, want %t both ways", s, other, same, want)
			}
		}
	})
}

func FuzzURI(f *testing.F) {
	addAll(f, httpURLs)
	addAll(f, telURIs)
	addAll(f, sipURIs)
	addAll(f, uris)
	f.Fuzz(func(t *testing.T, s string) {
		checkURI(t, s)
		checkFaults(t, "uri", s)
		checkFaults(t, "url", s)
		checkFaults(t, "tel", s)
		checkFaults(t, "sip", s)
	})
}

func FuzzZone(f *testing.F) {
	f.Add("Europe/Paris")
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := form.IsZone(s), slowIsZone(s); got != want {
			t.Fatalf("IsZone(%q) = %t, the list says %t", s, got, want)
		}
		near, ok := form.NearestZone(s)
		if want := slowNearestZone(s); near != want || ok != (want != "") {
			t.Fatalf("NearestZone(%q) = %q, %t, want %q", s, near, ok, want)
		}
	})
}

// slowNearestZone computes the distance to every zone and returns the first of the nearest.
func slowNearestZone(s string) (best string) {
	least := min(2, (len(s)-1)/2) + 1
	if len(s) <= 4 || strings.ContainsAny(s, "0123456789") {
		least = 1
	}
	if s == "" || len(s) > 34 { // the longest name and two more
		return ""
	}
	for zone := range form.Zones() {
		if d := matrixEdits(slowLower.Replace(s), slowLower.Replace(zone)); d < least {
			best, least = zone, d
		}
	}
	return best
}

// matrixEdits computes the whole matrix: distance[i][j] is the distance between the first i bytes
// of a and the first j bytes of b.
func matrixEdits(a, b string) int {
	distance := make([][]int, len(a)+1)
	for i := range distance {
		distance[i] = make([]int, len(b)+1)
		for j := range distance[i] {
			switch {
			case i == 0 || j == 0:
				distance[i][j] = i + j
			case a[i-1] == b[j-1]:
				distance[i][j] = distance[i-1][j-1]
			default:
				distance[i][j] = 1 + min(distance[i-1][j-1], distance[i-1][j], distance[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				distance[i][j] = min(distance[i][j], distance[i-2][j-2]+1)
			}
		}
	}
	return distance[len(a)][len(b)]
}

// TestMatrixEdits compares matrixEdits with slowEdits.
func TestMatrixEdits(t *testing.T) {
	word := rapid.StringMatching(`[ab]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := matrixEdits(a, b), slowEdits(a, b); got != want {
			t.Fatalf("matrixEdits(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
}
