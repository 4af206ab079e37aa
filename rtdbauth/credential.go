package rtdbauth

import "github.com/calrules/calrules/diag"

// Place is where in a request a credential stands. The zero value is nowhere.
type Place uint8

// The places that the document shows.
const (
	InHeader      Place = iota + 1 // Authorization: Bearer <ACCESS_TOKEN>
	InAccessToken                  // ?access_token=<ACCESS_TOKEN>
	InAuth                         // ?auth=<ID_TOKEN>
)

var placeWords = []string{"nowhere", "header", "access_token", "auth"}

// String returns "header", "access_token" or "auth".
func (p Place) String() string { return word(placeWords, p) }

// MarshalText writes the place as [Place.String] does.
func (p Place) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what [Place.String] returns. Another word is nowhere: no credential
// stands there, so it admits none.
func (p *Place) UnmarshalText(text []byte) error {
	*p = value[Place](placeWords, string(text))
	return nil
}

// The names under which credentials travel. Parameter names are case-sensitive, the names
// of header fields are not (RFC 9110 section 5.1).
const (
	headerName      = "Authorization"
	accessTokenName = "access_token"
	authName        = "auth"
)

// wholeRequest is the path of findings about the request as such: its path, its method,
// its transport.
const wholeRequest diag.Pointer = "/"

// placePointers are the places as findings name them, in the order of the constants.
var placePointers = []diag.Pointer{wholeRequest, diag.Header(headerName), diag.Param(accessTokenName), diag.Param(authName)}

// pointer returns the place as findings name it; nowhere is the whole request.
func (p Place) pointer() diag.Pointer { return placePointers[orZero(placeWords, p)] }

// Credential is a token and the place where it stood.
type Credential struct {
	Place Place `json:"place"`
	Token Token `json:"token"`
}
