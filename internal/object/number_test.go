package object

import (
	"math"
	"math/big"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseInt(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "7": 7, "-7": -7,
		"2.0": 2, "2.000": 2, "-2.0": -2, "0.0": 0, "-0.0": 0,
		"1e3": 1000, "1E3": 1000, "1e+3": 1000, "1e0": 1, "-1e3": -1000,
		"10e-1": 1, "1.5e1": 15, "1500e-2": 15, "0.00015e5": 15, "12.50e1": 125,
		"9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64,
		"9223372036854775807.0": math.MaxInt64, "922337203685477580.7e1": math.MaxInt64, "-922337203685477580.8e1": math.MinInt64,
		"9e18": 9e18, "9223372036854775807000e-3": math.MaxInt64,
		"0e999999999999": 0, "0e-999999999999": 0, "0.000e400": 0, "-0e99999999999999999999": 0,
		"1" + strings.Repeat("0", 400) + "e-400":        1,
		"0." + strings.Repeat("0", 400) + "7e401":       7,
		"12" + strings.Repeat("0", 30) + "e-30":         12,
		"5." + strings.Repeat("0", 1000):                5,
		"0." + strings.Repeat("0", 99_999) + "1e100000": 1,
	} {
		if got, ok := ParseInt([]byte(text)); !ok || got != want {
			t.Errorf("ParseInt(%.50s) = %d, %t, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"1.5", "-1.5", "1e-1", "15e-1", "0.1", "0.5e0", "1e-400", "1e-999999999999", "1.0000000000000000000000000001",
		"9223372036854775808", "-9223372036854775809", "9223372036854775807.5", "9223372036854775808.0", "92233720368547758070", "922337203685477580.8e1",
		"1e19", "1e400", "-1e400", "1e999999999999", "1e99999999999999999999999", "18446744073709551616", "18446744073709551617", "9999999999999999999",
		"1" + strings.Repeat("0", 400), "5." + strings.Repeat("0", 1000) + "1",
	} {
		if got, ok := ParseInt([]byte(text)); ok || got != 0 {
			t.Errorf("ParseInt(%.50s) = %d, %t, want 0, false: another number would be written back", text, got, ok)
		}
	}
}

// A number that is far too large or too small is not written out to detect that.
func TestHugeExponentIsCheap(t *testing.T) {
	for _, text := range []string{"1e1000000000", "1e-1000000000", "1e99999999999999999999", "1e-99999999999999999999"} {
		const most = 1 << 20 // bytes
		if got := allocated(func() { ParseInt([]byte(text)) }); got > most {
			t.Errorf("ParseInt(%s) allocates %d bytes", text, got)
		}
		if got := allocated(func() { SameJSON([]byte(text), []byte("1")) }); got > most {
			t.Errorf("SameJSON(%s, 1) allocates %d bytes", text, got)
		}
	}
}

// allocated returns the number of bytes that are allocated while f runs.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// number draws the text of a JSON number, often an integer near the limits of int64.
func number() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		digits := rapid.OneOf(
			rapid.StringMatching(`0|[1-9][0-9]{0,22}`),
			rapid.SampledFrom([]string{"9223372036854775807", "9223372036854775808", "922337203685477580", "92233720368547758"}),
		)
		return rapid.StringMatching(`-?`).Draw(t, "sign") + digits.Draw(t, "digits") +
			rapid.StringMatching(`(\.([0-9]{0,6}|0{0,30})[07])?`).Draw(t, "fraction") +
			rapid.StringMatching(`([eE][+-]?([0-9]|[12][0-9]))?`).Draw(t, "exponent")
	})
}

// parseInt agrees with exact arithmetic.
func TestParseIntIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := number().Draw(t, "number")
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%s is not a number", text)
		}
		want := exact.IsInt() && exact.Num().IsInt64()
		got, ok := ParseInt([]byte(text))
		if ok != want || want && got != exact.Num().Int64() {
			t.Fatalf("ParseInt(%s) = %d, %t, the exact value is %s", text, got, ok, exact)
		}
	})
}

func TestParseIntOfEveryInt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		if got, ok := ParseInt(strconv.AppendInt(nil, n, 10)); !ok || got != n {
			t.Fatalf("ParseInt(%d) = %d, %t", n, got, ok)
		}
	})
}
