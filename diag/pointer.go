package diag

import (
	"iter"
	"net/url"
	"strconv"
	"strings"
)

// Pointer is a place in a payload as a JSON Pointer (RFC 6901), such as
// "/attendees/2/email". The empty pointer is the whole payload. Two forms that RFC 6901
// does not have name places outside the body: "?name" is a query parameter, "#Name" is a
// header field. Pointers compare with == and work as map keys.
type Pointer string

// Param returns the place of the query parameter name.
func Param(name string) Pointer { return Pointer("?" + name) }

// Header returns the place of the header field name.
func Header(name string) Pointer { return Pointer("#" + name) }

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Member returns the place of the member name of the object at p. The characters ~ and /
// are escaped.
func (p Pointer) Member(name string) Pointer {
	if strings.ContainsAny(name, "~/") {
		name = escaper.Replace(name)
	}
	return p + "/" + Pointer(name)
}

// Index returns the place of the element i of the array at p.
func (p Pointer) Index(i int) Pointer { return p + "/" + Pointer(strconv.Itoa(i)) }

// Tokens yields the reference tokens of p, unescaped, from the outermost in. It yields
// nothing for places outside the body.
func (p Pointer) Tokens() iter.Seq[string] {
	return func(yield func(string) bool) {
		if p == "" || p[0] != '/' {
			return
		}
		for token := range strings.SplitSeq(string(p[1:]), "/") {
			if strings.Contains(token, "~") {
				token = unescaper.Replace(token)
			}
			if !yield(token) {
				return
			}
		}
	}
}

// InBody reports whether p is a place in the body and not in the query or the header.
func (p Pointer) InBody() bool { return p == "" || p[0] == '/' }

// Fragment returns p as a URI fragment (RFC 6901 section 6), with its leading #.
func (p Pointer) Fragment() string {
	return "#" + (&url.URL{Fragment: string(p)}).EscapedFragment()
}
