package diag

import (
	"iter"
	"net/url"
	"strconv"
	"strings"
)

// Pointer identifies a place in a request. For a place in the body, a Pointer is a JSON Pointer (RFC 6901), such as
// "/attendees/2/email"; the empty pointer identifies the whole body. A query parameter has the form "?name", and a header field
// the form "#Name". Pointers can be compared and used as map keys.
type Pointer string

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Member returns the place of a member of the object at p. Member escapes ~ and / in the name.
func (p Pointer) Member(name string) Pointer {
	if strings.IndexByte(name, '~') >= 0 || strings.IndexByte(name, '/') >= 0 {
		name = escaper.Replace(name)
	}
	var memory [64]byte
	return Pointer(append(append(append(memory[:0], p...), '/'), name...)) // faster than p + "/" + name
}

// Index returns the place of element i of the array at p.
func (p Pointer) Index(i int) Pointer { return p + "/" + Pointer(strconv.Itoa(i)) }

// Tokens yields the unescaped reference tokens of p from left to right. Tokens yields nothing for places outside the body.
func (p Pointer) Tokens() iter.Seq[string] {
	return func(yield func(string) bool) {
		if p == "" || p[0] != '/' {
			return
		}
		for token := range strings.SplitSeq(string(p[1:]), "/") {
			if !yield(unescaped(token)) {
				return
			}
		}
	}
}

// Split returns the place that contains p, and the last reference token of p, unescaped. Split returns two empty results if p
// contains no token.
func (p Pointer) Split() (around Pointer, last string) {
	i := strings.LastIndexByte(string(p), '/')
	if i < 0 {
		return "", ""
	}
	return p[:i], unescaped(string(p[i+1:]))
}

func unescaped(token string) string {
	if strings.IndexByte(token, '~') < 0 {
		return token // the usual case
	}
	return unescaper.Replace(token)
}

// InBody reports whether p is a place in the body rather than in the query or the header.
func (p Pointer) InBody() bool { return p == "" || p[0] == '/' }

// Fragment returns p as a URI fragment (RFC 6901 section 6), including the leading #.
func (p Pointer) Fragment() string {
	return "#" + (&url.URL{Fragment: string(p)}).EscapedFragment()
}
