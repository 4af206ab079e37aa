package object

import (
	"math"
	"strconv"
	"strings"
)

// parseInt parses a JSON number that is an int64, which may be written as 2.0 or 12e1.
func parseInt(raw []byte) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true
	}
	return parseDecimal(string(raw))
}

// maxDigits is how many digits the largest int64 has.
const maxDigits = 19

// parseDecimal parses digits, fraction and exponent exactly: a float would round.
func parseDecimal(s string) (int64, bool) {
	s, negative := strings.CutPrefix(s, "-")
	exponent := 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exponent = parseExponent(s[i+1:])
		s = s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	significant := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(significant)
	switch {
	case significant == "":
		return 0, true
	case exponent < 0 || len(significant)+exponent > maxDigits:
		return 0, false
	}
	n, err := strconv.ParseUint(significant+strings.Repeat("0", exponent), 10, 64)
	switch {
	case err != nil:
		return 0, false
	case negative && n <= -math.MinInt64:
		return int64(-n), true
	case !negative && n <= math.MaxInt64:
		return int64(n), true
	default:
		return 0, false
	}
}

// parseExponent parses an exponent, and limits it to a size that no number of digits can balance.
func parseExponent(s string) int {
	const most = 1 << 30
	n, _ := strconv.Atoi(s) // if it is too large for an int, n is the nearest
	return max(-most, min(n, most))
}
