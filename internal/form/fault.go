package form

import (
	"strings"
	"unicode"
)

// Fault says why a text does not have a form. The functions that return one are called only for texts that the form
// does not allow.
type Fault struct {
	Key  string // names a sentence of package constraint; "" if there is nothing to say beyond what the form is
	Seen string // the part of the text that is wrong, for some keys
	Want string // the text of the form that was probably meant; "" if there is none
}

// faultAround returns the fault of a text that is empty, or that has blanks around what it says.
func faultAround(s string) Fault {
	trimmed := strings.TrimSpace(s)
	switch {
	case s == "":
		return Fault{Key: "no-text"}
	case trimmed != s:
		return Fault{Key: "blank-around", Want: trimmed}
	default:
		return Fault{}
	}
}

// wanting returns the fault without the text that was meant if the text does not have the form either.
func (f Fault) wanting(is func(string) bool) Fault {
	if f.Want != "" && !is(f.Want) {
		f.Want = ""
	}
	return f
}

// withoutBlanks returns a text without its blanks.
func withoutBlanks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// EventIDFault says what an event id was probably meant to be that has characters beyond the alphabet of ids: a UUID with
// hyphens, or capital letters.
func EventIDFault(s string) Fault {
	return Fault{Key: "alphabet", Want: strings.ToLower(strings.ReplaceAll(s, "-", ""))}.wanting(IsEventID)
}

// MeetingCodeFault says why [IsMeetingCode] refuses a text.
func MeetingCodeFault(s string) Fault {
	if f := faultAround(s); f.Key != "" {
		return f.wanting(IsMeetingCode)
	}
	if _, path, isURL := strings.Cut(s, "://"); isURL {
		code, _, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], "?")
		return Fault{Key: "url", Want: code}.wanting(IsMeetingCode)
	}
	if len(s) == len("aaaaaaaaaa") {
		return Fault{Key: "no-hyphens", Want: s[:3] + "-" + s[3:7] + "-" + s[7:]}.wanting(IsMeetingCode)
	}
	return Fault{}
}

// ContactNameFault says why [IsContactName] refuses a text.
func ContactNameFault(s string) Fault {
	f := faultAround(s)
	if f.Key == "" && !strings.Contains(s, "/") {
		f = Fault{Key: "no-people", Want: "people/" + s}
	}
	return f.wanting(IsContactName)
}
