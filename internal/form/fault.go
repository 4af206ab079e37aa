package form

import (
	"strings"
	"unicode"
)

// Fault is the reason why a string does not have a form. It is zero for a string that has it.
type Fault struct {
	Key  string // of a sentence of package constraint; noForm if there is nothing to add to the description of the form
	Seen string // the wrong part of the text, for some keys
	Want string // the text of the form that was probably meant; "" if there is none
}

const noForm = "form"

// explain returns the fault of a string: that it is empty, that it has blanks around it, which no form allows, or what
// a reader of the form finds. It keeps what was probably meant only if that has the form.
func explain(s string, read func(string) Fault) Fault {
	if s == "" {
		return Fault{Key: "no-text"}
	}
	f := Fault{Key: "blank-around", Want: strings.TrimSpace(s)}
	if f.Want == s {
		f = read(s)
	}
	if f.Want != "" && read(f.Want).Key != "" {
		f.Want = ""
	}
	return f
}

// withoutBlanks returns a string without its blanks.
func withoutBlanks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// EventIDFault returns the fault of an event id with characters beyond the alphabet of ids. A UUID with hyphens, and an
// id in capital letters, were probably meant as ids without them. In an id with letters of both cases, the case tells
// ids apart.
func EventIDFault(s string) Fault {
	if EventIDAlphabet(s) < 0 {
		return Fault{}
	}
	f := Fault{Key: "alphabet", Want: strings.ToLower(strings.ReplaceAll(s, "-", ""))}
	if s != strings.ToLower(s) && s != strings.ToUpper(s) || !IsEventID(f.Want) {
		f.Want = ""
	}
	return f
}

// MeetingCodeFault returns the fault of a string that [IsMeetingCode] refuses.
func MeetingCodeFault(s string) Fault { return explain(s, readMeetingCode) }

func readMeetingCode(s string) Fault {
	if IsMeetingCode(s) {
		return Fault{}
	}
	if _, path, isURL := strings.Cut(s, "://"); isURL {
		code, _, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], "?")
		return Fault{Key: "url", Want: code}
	}
	if len(s) == len("aaaaaaaaaa") {
		return Fault{Key: "no-hyphens", Want: s[:3] + "-" + s[3:7] + "-" + s[7:]}
	}
	return Fault{Key: noForm}
}

// ContactNameFault returns the fault of a string that [IsContactName] refuses.
func ContactNameFault(s string) Fault { return explain(s, readContactName) }

func readContactName(s string) Fault {
	switch {
	case IsContactName(s):
		return Fault{}
	case !strings.Contains(s, "/"):
		return Fault{Key: "no-people", Want: "people/" + s}
	default:
		return Fault{Key: noForm}
	}
}
