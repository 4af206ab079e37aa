package jsonmerge

import (
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/jsonscan"
)

// scanner checks JSON text while scanning it. The methods of a scanner start at a given offset, and return the offset after the
// scanned text, or fail.
type scanner struct {
	text []byte
	names
}

// fail is the result for JSON that is invalid or not supported by the fast merge.
const fail = -1

// space returns the offset after white space, or fail at the end of the input.
func (s *scanner) space(at int) int {
	if at < len(s.text) && s.text[at] > ' ' {
		return at // the usual case
	}
	return s.skipSpace(at)
}

func (s *scanner) skipSpace(at int) int {
	for at < len(s.text) {
		switch s.text[at] {
		case ' ', '\n', '\t', '\r':
			at++
		default:
			return at
		}
	}
	return fail
}

// isWhole reports whether a value that ends at the given offset is followed only by white space.
func (s *scanner) isWhole(end int) bool { return end != fail && s.space(end) == fail }

// enter scans the beginning of an array or object and, if the array or object is empty, its end.
func (s *scanner) enter(at int, end byte) (next int, more bool) {
	at = s.space(at + 1)
	if at != fail && s.text[at] == end {
		return at + 1, false
	}
	return at, at != fail
}

// next scans the comma after an element, or the end of the array or object.
func (s *scanner) next(at int, end byte) (next int, more bool) {
	at = s.space(at)
	switch {
	case at == fail:
	case s.text[at] == ',':
		at = s.space(at + 1)
		return at, at != fail
	case s.text[at] == end:
		return at + 1, false
	}
	return fail, false
}

// member scans the name of a member, and returns the name and the offset of the member's value.
func (s *scanner) member(at int) (n name, value int) {
	if s.text[at] != '"' {
		return n, fail
	}
	end, isPlain, mistake := jsonscan.ScanString(s.text, at)
	if mistake != 0 || !isPlain {
		return n, fail
	}
	colon := s.space(end)
	if colon == fail || s.text[colon] != ':' {
		return n, fail
	}
	return nameOf(s.text[at:end]), s.space(colon + 1)
}

// value scans a value. The parameter depth counts the levels of nesting, including the value itself.
func (s *scanner) value(at, depth int) int {
	var end int
	var mistake jsonscan.Mistake
	switch s.text[at] {
	case '"':
		end, _, mistake = jsonscan.ScanString(s.text, at)
	case '{':
		return s.object(at, depth)
	case '[':
		return s.array(at, depth)
	case 't':
		end, mistake = jsonscan.ScanWord(s.text, at, "true")
	case 'f':
		end, mistake = jsonscan.ScanWord(s.text, at, "false")
	case 'n':
		end, mistake = jsonscan.ScanWord(s.text, at, "null")
	default:
		end, mistake = jsonscan.ScanNumber(s.text, at)
	}
	if mistake != 0 {
		return fail
	}
	return end
}

func (s *scanner) object(at, depth int) int {
	if depth > constraint.JSONMaxDepth {
		return fail
	}
	o := s.open(at)
	at, more := s.enter(at, '}')
	for more {
		n, value := s.member(at)
		if value == fail || !s.add(&o, n, 0) {
			return fail
		}
		if at = s.value(value, depth+1); at == fail {
			return fail
		}
		at, more = s.next(at, '}')
	}
	s.close(o)
	return at
}

func (s *scanner) array(at, depth int) int {
	if depth > constraint.JSONMaxDepth {
		return fail
	}
	at, more := s.enter(at, ']')
	for more {
		if at = s.value(at, depth+1); at == fail {
			return fail
		}
		at, more = s.next(at, ']')
	}
	return at
}
