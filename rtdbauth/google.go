package rtdbauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/ndjson"
)

// Parts of a request that are used by the public service but absent from the documentation. The documents dialect ignores
// undocumented parts of a request.
const (
	methodField  = "X-HTTP-Method-Override" // the header field that changes the method of a POST
	methodName   = "x-http-method-override" // the parameter with the same effect
	databaseName = "ns"                     // the parameter that names the database
	overrideName = "auth_variable_override" // the parameter that limits the access of a service account
)

// googleMethods lists the methods that the public service is known to support.
var googleMethods = []string{"GET", "PUT", "POST", "PATCH", "DELETE"}

const overridePointer diag.Pointer = "?" + overrideName

// An override is the auth_variable_override parameter of a request.
type override struct {
	times     int
	otherCase bool   // whether the name was sent in a different case
	fault     string // the key of the message about the malformed value, or "" if the value is well formed
	auth      string // the value, as JSON
	uid       string
}

// overriding is the effect of the auth_variable_override parameter.
type overriding uint8

// The effects of auth_variable_override.
const (
	notOverridden overriding = iota
	asNobody                 // the parameter is null
	asObject
)

var overridingNames = []string{"none", "null", "object"}

// String returns "none", "null" or "object".
func (o overriding) String() string { return nameOf(overridingNames, o) }

// asks returns the effect of a well-formed override.
func (o *override) asks() overriding {
	switch {
	case o.times == 0:
		return notOverridden
	case o.auth == "null":
		return asNobody
	default:
		return asObject
	}
}

func (o *override) read(p pair) {
	o.times++
	value, err := new(jsonscan.Index).Check([]byte(p.value))
	switch {
	case !p.decodes, err != nil:
		o.fault = "malformed"
	case value.IsNull():
		o.auth = "null"
	case !value.IsObject():
		o.fault = "malformed"
	default:
		o.auth = string(value.Text)
		o.readUID(value)
	}
}

// readUID sets o.uid to the uid member of the object, if present.
func (o *override) readUID(object jsonscan.Value) {
	for name, value := range object.Members() {
		if string(jsonscan.UnquoteWTF8(name)) != "uid" {
			continue
		}
		uid, err := ndjson.NotEmpty(value.Text)
		if err != nil {
			o.fault = "uid"
		}
		o.uid = uid
	}
}

// readGoogle parses a name-value pair of the query for the parameters that only the public service supports.
func (in *reading) readGoogle(p pair) {
	if !p.hasSemicolon {
		in.readParam(p)
		return
	}
	for raw := range strings.SplitSeq(p.raw, ";") { // some servers end the pair at a semicolon
		part := readPair(raw)
		part.value = ";" // not a valid value for any parameter
		in.readParam(part)
	}
}

func (in *reading) readParam(p pair) {
	switch {
	case p.name == overrideName:
		in.override.read(p)
	case strings.EqualFold(p.name, overrideName):
		in.override.otherCase = true
	case p.name == databaseName:
		in.databases = appendNew(in.databases, p.value)
	case p.name == methodName:
		in.methods = appendNew(in.methods, p.value)
	}
}

// appendNew appends a value unless the list already contains the value or two other values, which suffice to detect a conflict.
func appendNew(list []string, value string) []string {
	if len(list) < 2 && !slices.Contains(list, value) {
		return append(list, value)
	}
	return list
}

// overrideMethod replaces the method of a POST request, but no other method, with the override in the request.
func (in *reading) overrideMethod() {
	switch {
	case in.method != "POST" || len(in.methods) == 0:
	case len(in.methods) == 1:
		in.method = strings.Clone(in.methods[0]) // the decision keeps the method, and must not keep the URL in memory
	default:
		in.method = "" // the effective override is unknown
	}
}

// placeDatabase sets the database of the path from the database names in the request.
func (in *reading) placeDatabase() {
	switch {
	case len(in.databases) == 0 || in.path.fault != "":
	case slices.ContainsFunc(in.databases, func(name string) bool { return !form.IsDatabaseName(name) }):
		in.path = path{fault: "database"}
	case len(in.databases) > 1:
		in.path.ambiguity = "databases"
	default:
		in.path.database = in.databases[0]
	}
}

// cutAddress removes the address of a database of the public service from the start of the target, and records the
// database name in the address.
func (in *reading) cutAddress() {
	const scheme = "https://"
	if len(in.target) < len(scheme) || !strings.EqualFold(in.target[:len(scheme)], scheme) {
		return
	}
	host, path, rooted := strings.Cut(in.target[len(scheme):], "/")
	if !rooted || !isDatabase(host) {
		return
	}
	name, _, _ := strings.Cut(strings.ToLower(host), ".")
	in.target, in.databases = "/"+path, appendNew(in.databases, name)
}

// isDatabase reports whether a host, ignoring case, is the address of a database of the public service.
func isDatabase(host string) bool {
	if !form.IsASCIIHost(host) {
		return false // strings.ToLower maps some non-ASCII letters to ASCII letters
	}
	host = strings.ToLower(host)
	name, domain, _ := strings.Cut(host, ".")
	region, regional := strings.CutSuffix(domain, ".firebasedatabase.app")
	return form.IsHostLabel(name) && (regional && form.IsHostLabel(region) || domain == "firebaseio.com")
}

// ForwardQuery returns the auth_variable_override query parameter that limits a service account of the public service to
// exactly the access of d. For a decision that bypasses the rules, ForwardQuery returns "".
//
// For the forwarded request, the rules see the uid of a [User], but not the other claims in the user's token. ForwardQuery
// returns an error for a decision that grants nothing, and for a [Legacy] credential to which the rules apply, because such a
// credential has no uid.
func (d Decision) ForwardQuery() (string, error) {
	auth := d.Override.Reveal()
	switch {
	case !d.Granted():
		return "", errors.New("rtdbauth: the decision grants nothing that could be forwarded")
	case d.Bypass:
		return "", nil
	case d.Principal == None:
		auth = "null"
	case d.Principal == User:
		if !utf8.ValidString(d.Subject) {
			return "", errors.New("rtdbauth: the uid of the user is not valid UTF-8") // JSON encoding would change the uid
		}
		text, _ := json.Marshal(map[string]string{"uid": d.Subject}) // cannot fail for strings
		auth = string(text)
	}
	if auth == "" {
		return "", fmt.Errorf("rtdbauth: the auth variable of the principal %v is not known", d.Principal)
	}
	return overrideName + "=" + url.QueryEscape(auth), nil
}

// EmulatorOwner returns a verifier for an emulator. The verifier accepts the token "owner", which the Admin SDKs send to
// emulators, as the access token of a service account with permissions for the database, and calls v for all other tokens. Use
// the verifier only for the database of an emulator, because the token "owner" is not secret.
func (p *Policy) EmulatorOwner(v Verifier) Verifier {
	scopes, _ := p.RequiredScopes() // without a scope base, these scopes do not suffice
	return emulatorOwner{orNobody(v), scopes}
}

type emulatorOwner struct {
	Verifier
	scopes [2]string
}

func (o emulatorOwner) VerifyToken(ctx context.Context, in Place, token Token) (Facts, error) {
	if token.Reveal() != "owner" {
		return o.Verifier.VerifyToken(ctx, in, token)
	}
	return Facts{
		Kind: KindOAuthAccess, ServiceAccount: new(true), Verified: new(true), Expired: new(false), Revoked: new(false),
		Audience: new(true), Database: new(true), DBPermission: new(true), Scopes: o.scopes[:],
	}, nil
}
