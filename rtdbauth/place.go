package rtdbauth

import "github.com/calrules/calrules/diag"

// Place is the part of a request that contains a credential. The zero value means nowhere.
type Place uint8

// The places that the document shows.
const (
	InHeader      Place = iota + 1 // Authorization: Bearer <ACCESS_TOKEN>
	InAccessToken                  // ?access_token=<ACCESS_TOKEN>
	InAuth                         // ?auth=<ID_TOKEN>
)

// The names of the header field and the parameters. Parameter names are case-sensitive; field
// names are not (RFC 9110 section 5.1).
const (
	headerName      = "Authorization"
	accessTokenName = "access_token"
	authName        = "auth"
)

// wholeRequest is the path of findings about a request's path, method and transport.
const wholeRequest diag.Pointer = "/"

var (
	placeNames    = []string{"nowhere", "header", accessTokenName, authName}
	placePointers = []diag.Pointer{wholeRequest, diag.Header(headerName), diag.Param(accessTokenName), diag.Param(authName)}
)

// String returns "header", "access_token", "auth", or "nowhere". MarshalText returns the same text, and
// UnmarshalText reads it; any other text is read as nowhere.
func (p Place) String() string                   { return nameOf(placeNames, p) }
func (p Place) MarshalText() ([]byte, error)     { return []byte(p.String()), nil }
func (p *Place) UnmarshalText(text []byte) error { return parse(p, placeNames, text) }

// pointer returns the path of findings about the place.
func (p Place) pointer() diag.Pointer { return placePointers[orZero(placeNames, p)] }

// Credential is a token and its place in the request.
type Credential struct {
	Place Place `json:"place"`
	Token Token `json:"token"`
}
