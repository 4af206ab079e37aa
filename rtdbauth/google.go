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

// The parts of a request that the public service reads and the document does not show. The dialect of the documents reads
// none of them.
const (
	methodField  = "X-HTTP-Method-Override" // the header field that changes the method of a POST
	methodName   = "x-http-method-override" // the parameter that does the same
	databaseName = "ns"                     // the parameter that names the database
	overrideName = "auth_variable_override" // the parameter that limits the access token of a service account
)

// googleMethods are the known methods of the public service.
var googleMethods = []string{"GET", "PUT", "POST", "PATCH", "DELETE"}

const overridePointer diag.Pointer = "?" + overrideName

// override is the parameter auth_variable_override of a request.
type override struct {
	times     int
	otherCase bool   // whether the name was sent in another case
	fault     string // the key of the reason why it is malformed, or ""
	auth      string // JSON
	uid       string
}

// overriding is the effect of auth_variable_override.
type overriding uint8

// The values of overriding.
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

// readUID reads the uid of the object, which may have none.
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

// readGoogle reads a pair of a query for the parameters that only the public service has.
func (in *reading) readGoogle(p pair) {
	if !strings.Contains(p.raw, ";") {
		in.readParam(p)
		return
	}
	for raw := range strings.SplitSeq(p.raw, ";") { // at which some readers end the pair
		part := readPair(raw)
		part.value = ";" // which no parameter has
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

// appendNew appends a value that is not in the list. It keeps two, because more are no worse.
func appendNew(list []string, value string) []string {
	if len(list) < 2 && !slices.Contains(list, value) {
		return append(list, value)
	}
	return list
}

// overrideMethod changes the method of a POST to the method that the request names. It does not change other methods.
func (in *reading) overrideMethod() {
	switch {
	case in.method != "POST" || len(in.methods) == 0:
	case len(in.methods) == 1:
		in.method = in.methods[0]
	default:
		in.method = "" // it is unknown which one counts
	}
}

// placeDatabase finds the database of the location.
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

// cutAddress cuts the address of a database of the public service from the start of the target. The address names the
// database.
func (in *reading) cutAddress() {
	scheme, rest, ok := strings.Cut(in.target, "://")
	host, path, rooted := strings.Cut(rest, "/")
	if !ok || !rooted || !strings.EqualFold(scheme, "https") || !isDatabase(host) {
		return
	}
	name, _, _ := strings.Cut(strings.ToLower(host), ".")
	in.target, in.databases = "/"+path, appendNew(in.databases, name)
}

// isDatabase reports whether a host, in any case, is a database of the public service.
func isDatabase(host string) bool {
	if !form.IsASCIIHost(host) {
		return false // strings.ToLower makes ASCII letters of some others
	}
	host = strings.ToLower(host)
	name, domain, _ := strings.Cut(host, ".")
	region, regional := strings.CutSuffix(domain, ".firebasedatabase.app")
	return form.IsHostLabel(name) && (regional && form.IsHostLabel(region) || domain == "firebaseio.com")
}

// ForwardQuery returns the query parameter, auth_variable_override, with which a service account of the public service
// makes a request with exactly the access of d. It is "" for a decision that bypasses the rules.
//
// The rules see the uid of a [User], but not the other claims of the token. ForwardQuery returns an error for a decision
// that grants nothing, and for a [Legacy] credential under the rules, because it has no uid for the rules.
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
			return "", errors.New("rtdbauth: the uid of the user is not valid UTF-8") // JSON would make it another one
		}
		text, _ := json.Marshal(map[string]string{"uid": d.Subject}) // does not fail for strings
		auth = string(text)
	}
	if auth == "" {
		return "", fmt.Errorf("rtdbauth: it is not known what the rules see of the principal %v", d.Principal)
	}
	return overrideName + "=" + url.QueryEscape(auth), nil
}

// EmulatorOwner returns a verifier for an emulator. It accepts the token "owner", which the Admin clients send to
// emulators, as the access token of a service account with permissions for the database. It asks v about other tokens. Use
// it only for the database of an emulator: everybody knows that token.
func (p *Policy) EmulatorOwner(v Verifier) Verifier {
	scopes, _ := p.RequiredScopes() // without a scope base, they are not enough
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
