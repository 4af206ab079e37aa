package form

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SchemeFault says why [HasScheme] refuses a text that may have the meant scheme or one of the others.
func SchemeFault(s, meant string, others ...string) Fault {
	has := func(s string) bool { return HasScheme(s, append(others, meant)...) && IsWellFormedURI(s) }
	if f := faultAround(s); f.Key != "" {
		return f.wanting(has)
	}
	bare := strings.TrimLeft(s, "/")
	scheme, rest, _ := splitURI(s)
	switch isHost := strings.Contains(scheme, ".") || rest != "" && classes[rest[0]]&digit != 0; {
	case scheme != "" && !isHost:
		return Fault{Key: "other-scheme", Seen: scheme}
	case isHTTP(meant) && !strings.ContainsAny(authority(bare), ".:"):
		return Fault{Key: "no-scheme"} // not a host either
	case isHTTP(meant):
		return Fault{Key: "no-scheme", Want: meant + "://" + bare}.wanting(has)
	default:
		return Fault{Key: "no-scheme", Want: meant + ":" + withoutBlanks(s)}.wanting(has)
	}
}

// URIFault says why [IsWellFormedURI] refuses a text.
func URIFault(s string) Fault {
	f := faultAround(s)
	if f.Key == "" {
		f = uriFault(s)
	}
	return f.wanting(IsWellFormedURI)
}

// HTTPURLFault says why [IsHTTPURL] refuses a text.
func HTTPURLFault(s string) Fault {
	if f := faultAround(s); f.Key != "" || HasScheme(s, "http", "https") {
		return URIFault(s).wanting(IsHTTPURL)
	}
	return SchemeFault(s, "https", "http").wanting(IsHTTPURL)
}

func uriFault(s string) Fault {
	scheme, rest, hasScheme := strings.Cut(s, ":")
	switch {
	case !hasScheme || scheme == "" || classes[scheme[0]]&letter == 0 || !allOf(scheme, schemeChar):
		return Fault{Key: "no-scheme"}
	case equalFold(scheme, "tel") && isURIText(withoutBlanks(rest), uriAny):
		return telFault(s, rest)
	case !isURIText(rest, uriAny):
		f := textFault(s)
		if !isHTTP(scheme) || !isURIText(authority(strings.TrimPrefix(rest, "//")), uriAny) {
			f.Want = "" // no host was meant to have an escape
		}
		return f
	case isHTTP(scheme) && !strings.HasPrefix(rest, "//"):
		return Fault{Key: "no-slashes", Want: scheme + "://" + strings.TrimLeft(rest, "/")}
	case isHTTP(scheme):
		return authorityFault(authority(rest[2:]))
	case equalFold(scheme, "sip") && rest == "":
		return Fault{Key: "no-host"}
	default:
		return Fault{}
	}
}

// telFault returns the fault of a tel: URI whose number may have blanks.
func telFault(s, number string) Fault {
	for i, r := range number {
		switch {
		case unicode.IsSpace(r):
			return Fault{Key: "space", Want: withoutBlanks(s)}
		case r != '+' && r != '%' && (r >= utf8.RuneSelf || classes[number[i]]&dial == 0):
			return Fault{Key: "dial", Seen: string(r)}
		}
	}
	return Fault{Key: "no-number"}
}

// textFault returns the fault of a text that has a character that a URI must encode.
func textFault(s string) Fault {
	f := Fault{}
	var encoded strings.Builder
	for i, r := range s {
		isPercent := r == '%' && longChar(s[i:]) == 0
		if !isPercent && (r == '%' || r < utf8.RuneSelf && classes[s[i]]&uriAny != 0 || isUCSChar(r) && r != utf8.RuneError && !unicode.IsSpace(r)) {
			encoded.WriteRune(r)
			continue
		}
		for _, b := range []byte(string(r)) {
			fmt.Fprintf(&encoded, "%%%02X", b)
		}
		switch {
		case f.Key != "":
		case isPercent:
			f.Key = "percent"
		case unicode.IsSpace(r):
			f.Key = "space"
		default:
			f.Key, f.Seen = "encode", string(r)
		}
	}
	f.Want = encoded.String()
	return f
}

// authorityFault returns the fault of what follows the slashes of an HTTP URL.
func authorityFault(s string) Fault {
	host := s[strings.LastIndexByte(s, '@')+1:]
	name, port, _ := strings.Cut(host, ":")
	switch {
	case name == "":
		return Fault{Key: "no-host"}
	case name[0] != '[' && !allOf(port, digit):
		return Fault{Key: "port", Seen: port}
	default:
		return Fault{}
	}
}
