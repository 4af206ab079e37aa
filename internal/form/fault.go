package form

import (
	"strings"
	"unicode"
)

// A Fault is the reason why a string is invalid. The zero Fault means that the string is valid.
type Fault struct {
	Key  string // the key of a sentence in package constraint; noForm if only the general sentence applies
	Seen string // the wrong part of the string, for some keys
	Want string // the valid string that was probably intended, or "" if it is unknown
}

const noForm = "form"

// explain returns the fault in s: that s is empty, that s has leading or trailing blanks, which are never allowed, or otherwise
// the result of read. If the string in Fault.Want is also invalid, explain clears it.
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

// withoutBlanks returns s without white space.
func withoutBlanks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// EventIDFault returns the fault in an event id that contains characters outside the id alphabet. If s is a UUID with hyphens
// or is in capital letters, Fault.Want is the id without hyphens and in lower case. If s mixes upper and lower case, Fault.Want
// is empty, because ids may differ only in case.
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

// MeetingCodeFault explains why [IsMeetingCode] rejects s.
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

// ContactNameFault explains why [IsContactName] rejects s.
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
