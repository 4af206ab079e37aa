package object

import (
	"strconv"
	"strings"
)

// ParseInt parses a JSON number, which may be written as 2.0 or 12e1, as an int64. ParseInt returns false if the number
// is not an int64.
func ParseInt(raw []byte) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true
	}
	d, _ := parseDecimal(string(raw))
	if d.exponent < 0 || len(d.digits)+d.exponent > maxDigits {
		return 0, false
	}
	n, err := strconv.ParseInt(d.sign+d.digits+strings.Repeat("0", d.exponent), 10, 64)
	if err != nil {
		return 0, false // the number is out of range
	}
	return n, true
}

// maxDigits is the number of digits in the largest int64.
const maxDigits = 19

// decimal is the value of a JSON number: digits times a power of ten. The digits have no leading or trailing zeros,
// except that the number zero has the single digit 0.
type decimal struct {
	sign, digits string
	exponent     int
}

// parseDecimal parses a JSON number exactly, without the rounding of a float, and also returns the exponent as written, limited
// to a magnitude that no number of digits can compensate.
func parseDecimal(s string) (d decimal, written int) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		const most = 1 << 30
		n, _ := strconv.Atoi(s[i+1:]) // n is the nearest int if the exponent is out of range
		written = max(-most, min(n, most))
		s = s[:i]
	}
	s, negative := strings.CutPrefix(s, "-")
	whole, fraction, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return decimal{digits: "0"}, written
	}
	d = decimal{digits: significant, exponent: written - len(fraction) + len(digits) - len(significant)}
	if negative {
		d.sign = "-"
	}
	return d, written
}
