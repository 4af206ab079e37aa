package form_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/form"
	"pgregory.net/rapid"
)

// mutated draws one of the seeds and usually changes it in one or two places: implementations of a
// grammar differ in near misses.
func mutated(t *rapid.T, seeds []string) string {
	s := rapid.SampledFrom(seeds).Draw(t, "seed")
	for range rapid.IntRange(0, 2).Draw(t, "mutations") {
		s = mutate(t, s)
	}
	return s
}

// mutate draws a change of s.
func mutate(t *rapid.T, s string) string {
	at := rapid.IntRange(0, len(s)).Draw(t, "at")
	end := min(at+rapid.IntRange(0, 2).Draw(t, "replaced"), len(s))
	return s[:at] + piece(t, s) + s[end:]
}

// piece draws text to insert: nothing, a character that is special in a grammar, any byte, any character, or a part of s.
func piece(t *rapid.T, s string) string {
	const telling = "aAvwzZtT09-+.:@/?#[]%\"\\ \t\n\x00_~{}<>|^`'=&;,()*!$"
	switch rapid.IntRange(0, 4).Draw(t, "piece") {
	case 0:
		return ""
	case 1:
		return string(telling[rapid.IntRange(0, len(telling)-1).Draw(t, "telling")])
	case 2:
		return string([]byte{rapid.Byte().Draw(t, "byte")})
	case 3:
		return string(rapid.Rune().Draw(t, "rune"))
	}
	from := rapid.IntRange(0, len(s)).Draw(t, "from")
	return s[from:min(from+3, len(s))]
}

// TestReadingsAgree compares every check with its slow implementation.
func TestReadingsAgree(t *testing.T) {
	for _, r := range slowBools {
		t.Run(r.name, rapid.MakeCheck(func(t *rapid.T) {
			s := mutated(t, r.seeds)
			if got, want := r.fast(s), r.slow(s); got != want {
				t.Fatalf("Is%s(%q) = %t, the grammar says %t", r.name, s, got, want)
			}
		}))
	}
}

// TestSeedsAreValid tests that the seeds are valid.
func TestSeedsAreValid(t *testing.T) {
	for _, r := range slowBools {
		verdict(t, r.name, r.fast, r.seeds, nil)
		verdict(t, "slow "+r.name, r.slow, r.seeds, nil)
	}
	for _, s := range dateTimes {
		if _, ok := form.ParseDateTime(s); !ok {
			t.Errorf("ParseDateTime rejects %q", s)
		}
	}
}

// numberIn draws the digits of a number around the bounds, sometimes beyond them.
func numberIn(t *rapid.T, name string, width, low, high int) string {
	n := rapid.OneOf(rapid.IntRange(low, high), rapid.SampledFrom([]int{low, high, max(low-1, 0), high + 1})).Draw(t, name)
	return fmt.Sprintf("%0*d", width, n)
}

// drawDateTime draws a string with the shape of a date-time and every part around its bounds.
func drawDateTime(t *rapid.T) string {
	date := numberIn(t, "year", 4, 0, 9999) + "-" + numberIn(t, "month", 2, 1, 12) + "-" + numberIn(t, "day", 2, 1, 31)
	clock := numberIn(t, "hour", 2, 0, 23) + ":" + numberIn(t, "minute", 2, 0, 59) + ":" + numberIn(t, "second", 2, 0, 60)
	separator := rapid.SampledFrom([]string{"T", "t", "T", " "}).Draw(t, "separator")
	fraction := rapid.StringMatching(`|\.[0-9]{0,12}`).Draw(t, "fraction")
	offset := rapid.SampledFrom([]string{"", "Z", "z", "+", "-"}).Draw(t, "offset")
	if offset == "+" || offset == "-" {
		offset += numberIn(t, "offset hours", 2, 0, 23) + ":" + numberIn(t, "offset minutes", 2, 0, 59)
	}
	return date + separator + clock + fraction + offset
}

// drawLeapSecond draws 23:59:60 UTC on a day around the end of a month, with any offset.
func drawLeapSecond(t *rapid.T) string {
	month := time.Date(rapid.IntRange(1, 9998).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")), 1, 0, 0, 0, 0, time.UTC)
	minute := month.AddDate(0, 0, rapid.IntRange(-1, 1).Draw(t, "days off")).Add(-time.Minute)
	offset := rapid.IntRange(-1439, 1439).Draw(t, "offset")
	zone := time.FixedZone("", offset*60)
	written := minute.In(zone).Format("2006-01-02T15:04:60Z07:00")
	return strings.Replace(written, "Z00:00", "Z", 1)
}

// checkDateTime compares ParseDateTime with the slow implementation: whether s is a date-time, has
// an offset, and which instant it is.
func checkDateTime(t interface{ Fatalf(string, ...any) }, s string) {
	got, ok := form.ParseDateTime(s)
	at, hasOffset, want := slowParseDateTime(s)
	switch {
	case ok != want:
		t.Fatalf("ParseDateTime(%q) = %t, the grammar says %t", s, ok, want)
	case form.IsDateTime(s) != (want && hasOffset):
		t.Fatalf("IsDateTime(%q) = %t", s, form.IsDateTime(s))
	case ok && (got.HasOffset != hasOffset || !got.Time().Equal(at)):
		t.Fatalf("ParseDateTime(%q) = %+v, %v, want %v", s, got, got.Time(), at)
	case !ok && got != form.DateTime{}:
		t.Fatalf("ParseDateTime(%q) rejects it and returns %+v", s, got)
	}
}

func TestDateTimesAgree(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T) string{
		"mutated": func(t *rapid.T) string { return mutated(t, dateTimes) },
		"parts":   drawDateTime,
		"leap":    drawLeapSecond,
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) { checkDateTime(t, draw(t)) }))
	}
}

// checkURI compares all checks of URIs with their slow implementations.
func checkURI(t interface{ Fatalf(string, ...any) }, s string) {
	for _, r := range slowBools {
		if strings.HasSuffix(r.name, "URL") || strings.HasSuffix(r.name, "URI") {
			if got, want := r.fast(s), r.slow(s); got != want {
				t.Fatalf("Is%s(%q) = %t, the grammar says %t", r.name, s, got, want)
			}
		}
	}
}

func TestURIsAgree(t *testing.T) {
	seeds := slices.Concat(httpURLs, telURIs, sipURIs, uris)
	rapid.Check(t, func(t *rapid.T) { checkURI(t, mutated(t, seeds)) })
}

// TestIPLiteralsAgree draws hosts of mostly hexadecimal digits and colons, which package net/netip
// parses.
func TestIPLiteralsAgree(t *testing.T) {
	group := rapid.SampledFrom([]string{"0", "1", "ab", "FFFF", "00001", "", "", "192.0.2.1", "1.2.3", "01.2.3.4", "256.1.1.1"})
	rapid.Check(t, func(t *rapid.T) {
		groups := rapid.SliceOfN(group, 0, 10).Draw(t, "groups")
		checkURI(t, "http://["+strings.Join(groups, ":")+"]")
	})
}

// TestZonesAgree mutates all zones.
func TestZonesAgree(t *testing.T) {
	zones := slices.Collect(form.Zones())
	rapid.Check(t, func(t *rapid.T) {
		s := mutated(t, zones)
		if got, want := form.IsZone(s), slices.Contains(zones, s); got != want {
			t.Fatalf("IsZone(%q) = %t, the list says %t", s, got, want)
		}
	})
}

func TestLongerThanCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
		limit := rapid.IntRange(0, len(s)+1).Draw(t, "limit")
		if got, want := form.LongerThan(s, limit), utf8.RuneCountInString(s) > limit; got != want {
			t.Fatalf("LongerThan(%q, %d) = %t", s, limit, got)
		}
	})
}

func TestEventIDAlphabetAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := mutated(t, []string{"abcde", "0123456789abcdefghijklmnopqrstuv"})
		want := strings.IndexFunc(s, func(r rune) bool {
			return !strings.ContainsRune("0123456789abcdefghijklmnopqrstuv", r)
		})
		if got := form.EventIDAlphabet(s); got != want {
			t.Fatalf("EventIDAlphabet(%q) = %d, want %d", s, got, want)
		}
	})
}

func TestSameAddressAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := mutated(t, []string{"a@example.com", "A@Example.COM", `"a@B"@c`, "a@k"})
		b := rapid.OneOf(rapid.Just(a), rapid.Just(strings.ToLower(a)), rapid.Just(strings.ToUpper(a)), rapid.Just(mutate(t, a))).Draw(t, "b")
		if got, want := form.SameAddress(a, b), slowSameAddress(a, b); got != want {
			t.Fatalf("SameAddress(%q, %q) = %t", a, b, got)
		}
	})
}

// TestNearestAgrees compares the choice from several candidates with that by the definition.
func TestNearestAgrees(t *testing.T) {
	word := rapid.StringMatching(`[abAB]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		w := word.Draw(t, "word")
		candidates := rapid.SliceOfN(word, 0, 5).Draw(t, "candidates")
		want, least := "", min(2, (len(w)-1)/2)+1
		for _, c := range candidates {
			if d := slowEdits(slowLower.Replace(w), slowLower.Replace(c)); d < least {
				want, least = c, d
			}
		}
		if w == "" {
			want = ""
		}
		if got, ok := form.Nearest(w, candidates); got != want || ok != (want != "") {
			t.Fatalf("Nearest(%q, %q) = %q, %t, want %q", w, candidates, got, ok, want)
		}
	})
}
