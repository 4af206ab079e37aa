package form

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// AddressFault says why [IsAddrSpec] refuses a text.
func AddressFault(s string) Fault {
	f := faultAround(s)
	if f.Key == "" {
		f = wrappedFault(s)
	}
	if f.Key == "" {
		f = addressPartsFault(s)
	}
	return f.wanting(IsAddrSpec)
}

// wrappedFault returns the fault of a text that has more than an address.
func wrappedFault(s string) Fault {
	before, rest, hasAngle := strings.Cut(s, "<")
	within, _, isClosed := strings.Cut(rest, ">")
	switch last := s[len(s)-1]; {
	case hasAngle && isClosed && before == "":
		return Fault{Key: "brackets", Want: within}
	case hasAngle && isClosed:
		return Fault{Key: "display-name", Want: within}
	case len(s) > len("mailto:") && equalFold(s[:len("mailto:")], "mailto:"):
		return Fault{Key: "mailto", Want: s[len("mailto:"):]}
	case strings.Count(s, "@") > 1 && strings.ContainsAny(strings.TrimRight(s, ",; "), ",;"):
		return Fault{Key: "several"}
	case last == ',':
		return Fault{Key: "comma-end", Want: strings.TrimRight(s, ",; ")}
	case last == ';':
		return Fault{Key: "semicolon-end", Want: strings.TrimRight(s, ",; ")}
	case last == '"' && s[0] == '"' && len(s) > 1:
		return Fault{Key: "quoted", Want: s[1 : len(s)-1]}
	default:
		return Fault{}
	}
}

// addressPartsFault returns the fault of a text as a local part and a domain.
func addressPartsFault(s string) Fault {
	at := strings.LastIndexByte(s, '@')
	switch {
	case at < 0:
		return Fault{Key: "no-at"}
	case at == 0:
		return Fault{Key: "no-local"}
	case at == len(s)-1:
		return Fault{Key: "no-domain"}
	case s[0] == '"' && quotedString(s[:at]) != at:
		return Fault{Key: "quoted-local"}
	}
	domain := s[at+1:]
	if s[0] != '"' {
		if strings.Contains(s[:at], "@") {
			return Fault{Key: "two-ats"}
		}
		switch f := dotAtomFault(s[:at], "local-not-ascii"); f.Key {
		case "":
		case "space":
			return f // without the space, it may be the address of another person
		default:
			return f.within(s)
		}
	}
	if domain[0] == '[' && !isDomain(domain) {
		return Fault{Key: "literal"}
	}
	return dotAtomFault(domain, "domain-not-ascii").within(s)
}

// dotAtomFault returns the fault of a part of an address, with the key for characters beyond ASCII. It does not say
// what was meant.
func dotAtomFault(s, notASCII string) Fault {
	for i, r := range s {
		switch {
		case unicode.IsSpace(r):
			return Fault{Key: "space"}
		case r >= utf8.RuneSelf:
			return Fault{Key: notASCII, Seen: string(r)}
		case r != '.' && classes[s[i]]&atext == 0:
			return Fault{Key: "character", Seen: string(r)}
		}
	}
	switch {
	case strings.Contains(s, ".."):
		return Fault{Key: "two-dots"}
	case s[0] == '.' || s[len(s)-1] == '.':
		return Fault{Key: "dot-edge"}
	default:
		return Fault{}
	}
}

// within completes the fault of a part of the address s.
func (f Fault) within(s string) Fault {
	switch f.Key {
	case "space":
		f.Want = withoutBlanks(s)
	case "two-dots":
		for f.Want = s; strings.Contains(f.Want, ".."); {
			f.Want = strings.ReplaceAll(f.Want, "..", ".")
		}
	case "dot-edge":
		f.Want = strings.NewReplacer(".@", "@", "@.", "@").Replace(strings.Trim(s, "."))
	}
	return f
}
