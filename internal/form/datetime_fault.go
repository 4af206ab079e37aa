package form

import (
	"cmp"
	"strings"
)

// DateFault explains why [ParseDate] rejects s.
func DateFault(s string) Fault {
	return explain(s, func(s string) Fault {
		if IsDate(s) {
			return Fault{}
		}
		if end := strings.IndexAny(s, "Tt "); end == len("yyyy-mm-dd") && IsDate(s[:end]) {
			return Fault{Key: "has-time", Want: s[:end]}
		}
		r := clockReader{rest: s, written: make([]byte, 0, 32)}
		r.readDate()
		return r.fault(r.rest == "" && r.ok, IsDate)
	})
}

// DateTimeFault explains why [ParseDateTime] rejects s.
func DateTimeFault(s string) Fault { return explain(s, readDateTime) }

func readDateTime(s string) Fault {
	if isDateTime(s) {
		return Fault{}
	}
	r := clockReader{rest: s, written: make([]byte, 0, 32)}
	if r.readDate(); r.ok && r.rest == "" {
		return Fault{Key: "is-date"}
	}
	return r.fault(r.ok && r.readClock() && r.readOffset(), isDateTime)
}

func isDateTime(s string) bool {
	_, ok := ParseDateTime(s)
	return ok
}

// TimestampFault explains why [IsDateTime] rejects s.
func TimestampFault(s string) Fault {
	return explain(s, func(s string) Fault {
		f := readDateTime(s)
		if f.Key == "" && !IsDateTime(s) {
			return Fault{Key: "no-offset", Want: s + "Z"}
		}
		return f
	})
}

// A clockReader parses a date and time in a notation that differs from RFC 3339, and converts them to RFC 3339.
type clockReader struct {
	rest    string
	written []byte
	first   Fault // the first difference from RFC 3339
	outside Fault // the first number that is out of range
	ok      bool  // the date could be parsed
	compact bool  // the input has no hyphens and colons
}

// fault returns the first difference from RFC 3339. If the input could be parsed but is still invalid after conversion, fault
// returns the fault about the number that is out of range.
func (r *clockReader) fault(wasRead bool, is func(string) bool) Fault {
	switch {
	case !wasRead:
		return Fault{Key: cmp.Or(r.first.Key, noForm), Seen: r.first.Seen}
	case is(string(r.written)):
		r.first.Want = string(r.written)
		return r.first
	default:
		return r.outside
	}
}

func (r *clockReader) differs(key, seen string) {
	if r.first.Key == "" {
		r.first = Fault{Key: key, Seen: seen}
	}
}

// number parses a number of one or two digits, and writes it with two digits. If the number is not from low to high, number
// records a fault with the given key.
func (r *clockReader) number(low, high int, key string) bool {
	n := prefix(r.rest[:min(len(r.rest), 2)], digit)
	if n == 0 {
		return false
	}
	seen := r.rest[:n]
	if n == 1 {
		r.differs("one-digit", seen)
		r.written = append(r.written, '0')
	}
	r.written, r.rest = append(r.written, seen...), r.rest[n:]
	value := TwoDigits(r.written[len(r.written)-2], r.written[len(r.written)-1])
	if r.outside.Key == "" && (value < low || value > high) {
		r.outside = Fault{Key: key, Seen: seen}
	}
	return true
}

// separator reads one of the allowed characters, and writes the first allowed character.
func (r *clockReader) separator(allowed, key string) bool {
	r.written = append(r.written, allowed[0])
	switch {
	case r.compact:
		return true
	case r.rest == "" || strings.IndexByte(allowed, r.rest[0]) < 0:
		return false
	case r.rest[0] != allowed[0]:
		r.differs(key, r.rest[:1])
	}
	r.rest = r.rest[1:]
	return true
}

// readDate parses a date that begins with the year.
func (r *clockReader) readDate() {
	const hyphens, key = "-/.", "hyphens"
	switch n := prefix(r.rest, digit); {
	case n == len("yyyymmdd"):
		r.compact = true
		r.differs("compact", "")
	case n == 1 || n == 2:
		r.differs("year-first", "")
		return
	case n == len(r.rest):
		r.differs("number", "")
		return
	case n != len("yyyy"):
		return
	}
	r.written, r.rest = append(r.written, r.rest[:4]...), r.rest[4:]
	r.ok = r.separator(hyphens, key) && r.number(1, 12, "month") && r.separator(hyphens, key) && r.number(1, 31, "day")
	if r.outside.Key == "" && r.ok && !IsDate(string(r.written)) {
		r.outside = Fault{Key: "no-day"} // for example, 30 February
	}
}

// readClock parses the time of day after a date. The seconds are optional.
func (r *clockReader) readClock() bool {
	if r.rest != "" && lower(r.rest[0]) == 't' {
		r.rest, r.written = r.rest[1:], append(r.written, 'T')
	} else if r.compact = false; !r.separator("T ", "t") {
		return false
	}
	if !r.number(0, 23, "hour") || !r.separator(":.", "colons") || !r.number(0, 59, "minute") {
		return false
	}
	if r.rest == "" || strings.IndexByte(":.0123456789", r.rest[0]) < 0 {
		r.differs("no-seconds", "")
		r.written = append(r.written, ":00"...)
		return true
	}
	return r.separator(":.", "colons") && r.number(0, 60, "second") && r.readFraction()
}

// readFraction parses a fraction of a second, if present.
func (r *clockReader) readFraction() bool {
	if r.rest == "" || r.rest[0] != '.' && r.rest[0] != ',' {
		return true
	}
	if r.rest[0] == ',' {
		r.differs("comma", "")
	}
	n := prefix(r.rest[1:], digit)
	if n == 0 {
		r.differs("no-fraction", "")
	} else {
		r.written = append(append(r.written, '.'), r.rest[1:1+n]...)
	}
	r.rest = r.rest[1+n:]
	return true
}

// readOffset parses the offset after the time of day.
func (r *clockReader) readOffset() bool {
	s := strings.TrimLeft(r.rest, " ")
	if clock, zone, ok := strings.Cut(s, "["); ok && strings.HasSuffix(zone, "]") {
		r.differs("bracketed-zone", zone[:len(zone)-1])
		s = clock
	}
	switch {
	case s == "":
	case equalFold(s, "UTC"), equalFold(s, "GMT"):
		r.differs("utc", s)
		r.written = append(r.written, 'Z')
	case IsZone(s):
		r.differs("zone-name", s)
	case s != r.rest && s[0] != '[':
		r.differs("blank-before-offset", "")
		r.rest = s
		return r.readOffset()
	case equalFold(s, "Z"):
		r.written = append(r.written, 'Z')
	case s[0] == '+' || s[0] == '-':
		return r.readSigned(s)
	default:
		r.differs("trailing", s)
		return false
	}
	if r.outside.Key == "" {
		r.outside = Fault{Key: "no-leap"}
	}
	return true
}

// readSigned parses an offset with a sign, in the form +1, +01, +0100, +1:00 or +01:00.
func (r *clockReader) readSigned(s string) bool {
	hours, minutes, hasColon := strings.Cut(s[1:], ":")
	if !hasColon && len(hours) > 2 {
		cut := len(hours) - 2
		hours, minutes = hours[:cut], hours[cut:]
	}
	if minutes == "" && !hasColon {
		minutes = "00"
	}
	if len(hours) == 1 {
		hours = "0" + hours
	}
	if len(hours) != 2 || len(minutes) != 2 || !allOf(hours+minutes, digit) {
		r.differs("trailing", s)
		return false
	}
	offset := s[:1] + hours + ":" + minutes
	if offset != s {
		r.differs("offset", s)
	}
	r.written = append(r.written, offset...)
	if r.outside.Key == "" {
		r.outside = Fault{Key: "no-leap"}
		if hours > "23" || minutes > "59" {
			r.outside = Fault{Key: "offset-range", Seen: s}
		}
	}
	return true
}
