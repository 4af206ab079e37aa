package rtdbauth

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
)

// A Principal is the identity on whose behalf a request acts. The zero value is [Unspecified].
type Principal uint8

// The principals. Requests with the principal [Unspecified] or [Rejected] are granted nothing; see the package comment.
const (
	Unspecified    Principal = iota // neither the documentation nor the policy determines the principal
	Rejected                        // the request is wrong
	None                            // the request has no credential
	ServiceAccount                  // a service account with permissions for the database
	User                            // the user that an identity token identifies
	Legacy                          // the bearer of a legacy token or a database secret
)

var principalNames = []string{"unspecified", "rejected", "none", "service_account", "user", "legacy"}

// isAccepted reports whether the request is accepted as coming from the principal.
func (p Principal) isAccepted() bool { return p > Rejected && p <= Legacy }

// String and MarshalText return the name used in batch mode. UnmarshalText converts an unknown name to [Unspecified].
func (p Principal) String() string                   { return nameOf(principalNames, p) }
func (p Principal) MarshalText() ([]byte, error)     { return []byte(p.String()), nil }
func (p *Principal) UnmarshalText(text []byte) error { return parse(p, principalNames, text) }

// A Place is the part of a request that contains a credential. The zero value means nowhere.
type Place uint8

// The places in which the documentation shows credentials.
const (
	InHeader      Place = iota + 1 // Authorization: Bearer <ACCESS_TOKEN>
	InAccessToken                  // ?access_token=<ACCESS_TOKEN>
	InAuth                         // ?auth=<ID_TOKEN>
)

// The names of the header field and the parameters that contain credentials. Parameter names are case-sensitive; field
// names are not (RFC 9110 section 5.1).
const (
	headerName      = "Authorization"
	accessTokenName = "access_token"
	authName        = "auth"
)

// wholeRequest is the path of findings about a request's URL path, method and transport.
const wholeRequest diag.Pointer = ""

var (
	placeNames    = []string{"nowhere", "header", accessTokenName, authName}
	placePointers = []diag.Pointer{wholeRequest, "#" + headerName, "?" + accessTokenName, "?" + authName}

	pointers = append(placePointers, overridePointer) // in the order in which findings are sorted
)

// String and MarshalText return "header", "access_token", "auth" or "nowhere". UnmarshalText converts an unknown name to
// the zero value.
func (p Place) String() string                   { return nameOf(placeNames, p) }
func (p Place) MarshalText() ([]byte, error)     { return []byte(p.String()), nil }
func (p *Place) UnmarshalText(text []byte) error { return parse(p, placeNames, text) }

// pointer returns the path for findings about the place.
func (p Place) pointer() diag.Pointer { return placePointers[orZero(placeNames, p)] }

// A credential is a token and its place in the request.
type credential struct {
	Place Place
	Token Token

	isVisible bool // whether the token is known to consist of visible ASCII, as almost every token does
}

// orZero returns v, or the zero value if v is not a value of the enumeration with the given names. The zero value of
// every enumeration grants nothing.
func orZero[T ~uint8](names []string, v T) T {
	if int(v) >= len(names) {
		return 0
	}
	return v
}

func nameOf[T ~uint8](names []string, v T) string { return names[orZero(names, v)] }

// parse sets v to the value with the given name, or to the zero value if the name is unknown.
func parse[T ~uint8](v *T, names []string, name []byte) error {
	*v = T(max(slices.Index(names, string(name)), 0))
	return nil
}

// A set is a set of values of an enumeration with at most eight values. The zero value is the empty set.
type set[T enum] uint8

type enum interface {
	~uint8
	String() string
}

func setOf[T enum](values ...T) set[T] {
	var s set[T]
	for _, v := range values {
		s |= 1 << v
	}
	return s
}

// Has reports whether v is in the set.
func (s set[T]) Has(v T) bool { return s&(1<<v) != 0 }

// String returns the names of the values, or "any" for the set of all values.
func (s set[T]) String() string {
	if s == ^set[T](0) {
		return "any"
	}
	var names []string
	for v := range T(8) {
		if s.Has(v) {
			names = append(names, v.String())
		}
	}
	return strings.Join(names, " / ")
}
