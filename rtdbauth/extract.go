package rtdbauth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
)

// Message is a request as it stood on the wire, as far as its authentication needs it. The
// URL and the values of the header fields are [Token]s, for that is what they may hold.
type Message struct {
	Method  string  `json:"method"`  // case-sensitive (RFC 9110 section 9.1)
	URL     Token   `json:"url"`     // path and query, undecoded, relative to the database: "/users/jack.json?auth=..."
	Headers []Field `json:"headers"` // as received; a name may repeat
	TLS     Fact    `json:"-"`       // whether the request came over TLS
}

// Field is one line of a request's header.
type Field struct {
	Name  string
	Value Token
}

// Presented is what [Extract] saw in a request. The zero value is a request of which
// nothing is known; it decides as [Unspecified].
type Presented struct {
	// Reads is Yes where the request can be judged by its credentials, No where it is
	// refused whatever they are worth, and Unknown where the document leaves open what
	// the request is.
	Reads Fact

	// Location is the path of the data, decoded once and without ".json": "/users/jack",
	// or "/" for the root. It is empty where the path names no location, or not one only.
	Location string

	// Credentials are all that were presented, in the order of their places: header,
	// access_token, auth.
	Credentials []Credential

	// OtherScheme says that an Authorization header has another scheme than Bearer, and
	// that the policy does not ignore it.
	OtherScheme bool

	// Findings are about the request's form. [Decide] adds those about its credentials. With
	// one of kind [diag.Reject] the request is refused, whatever Reads says.
	Findings diag.Findings
}

// MaxCredentials is how many credentials one request may present, even where the policy
// resolves conflicts. It bounds how often a hostile request makes a [Verifier] work.
const MaxCredentials = 8

// Extract reads every credential in every place of a request, and the location that its
// path names. It decides nothing: whether a credential is any good is the matter of
// [Decide].
//
// It sees all values of a field or parameter, not only the first, decodes names and values
// once, and refuses a query that it cannot read in full: what cannot be read could be a
// second credential.
func Extract(m Message, policy Policy) Presented {
	r := reader{policy: policy, out: Presented{Reads: Yes}}
	r.method(m.Method)
	r.transport(m.TLS)
	r.header(m.Headers)
	r.target(m.URL.Reveal())
	r.settle()
	return r.out
}

// reader gathers what one request presents.
type reader struct {
	policy Policy
	out    Presented
}

// find keeps a finding, each once: a hostile query can give rise to the same one for each of
// its pairs, but not to many that differ.
func (r *reader) find(doc *diag.Rule, kind diag.Kind, at diag.Pointer, message string) {
	f := diag.Finding{Rule: doc, Kind: kind, Path: at, Message: message}
	if !slices.Contains(r.out.Findings, f) {
		r.out.Findings = append(r.out.Findings, f)
	}
}

// refuse makes the request one that is refused whatever its credentials.
func (r *reader) refuse(doc *diag.Rule, at diag.Pointer, message string) {
	r.find(doc, diag.Reject, at, message)
	r.out.Reads = No
}

// leaveOpen makes the request one of which the document does not say what it is.
func (r *reader) leaveOpen(doc *diag.Rule, message string) {
	r.find(doc, diag.Unspecified, wholeRequest, message)
	r.out.Reads = r.out.Reads.and(Unknown)
}

// otherMethods are the methods of RFC 9110 section 9 and RFC 5789 that the document does
// not show.
var otherMethods = []string{"HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}

// method tells methods that are not shown from words that are no method. For the former the
// caller's identity is what it is for GET. The word itself is not repeated in the finding:
// only here could a client have put anything into it.
func (r *reader) method(method string) {
	switch {
	case method == "GET":
	case slices.Contains(otherMethods, method):
		r.find(docMethod, diag.Unspecified, wholeRequest,
			"the document shows GET only: who the caller is is decided, what "+method+" does is not")
	default:
		r.leaveOpen(docMethod, "the method is none that the document or HTTP defines; methods are case-sensitive: write GET")
	}
}

// transport holds the request to TLS where the policy asks for it.
func (r *reader) transport(tls Fact) {
	switch {
	case !r.policy.RequireTLS || tls == Yes:
	case tls == No:
		r.refuse(docBearer, wholeRequest, "the request did not come over TLS, which the policy requires: send it over HTTPS")
	default:
		r.leaveOpen(docBearer, "the policy requires TLS, and it is not known whether the request came over it; say so (_request.tls, Message.TLS)")
	}
}

// header reads the Authorization field. Several are refused unread, for which of them comes
// first must not matter.
func (r *reader) header(fields []Field) {
	lines, last := 0, 0
	for i, f := range fields {
		switch {
		case strings.EqualFold(f.Name, headerName):
			lines, last = lines+1, i
		case isAuthorization(f.Name):
			// RFC 9112 section 5.1: some readers would trim the name and see a credential.
			r.refuse(docBearer, InHeader.pointer(), "white space is no part of a field's name; write Authorization without it")
		}
	}
	switch lines {
	case 0:
	case 1:
		r.authorization(fields[last].Value.Reveal())
	default:
		r.refuse(docBearer, InHeader.pointer(), fmt.Sprintf("there are %d Authorization fields; send one", lines))
	}
}

// isAuthorization reports whether name is that of the field, be it with white space around
// it that is no part of a name.
func isAuthorization(name string) bool {
	return strings.EqualFold(strings.TrimSpace(name), headerName)
}

// authorization reads the value of an Authorization field.
func (r *reader) authorization(value string) {
	value = strings.Trim(value, " \t") // RFC 9110 section 5.5
	scheme, token, _ := strings.Cut(value, " ")
	token = strings.TrimLeft(token, " ")
	bearer := strings.EqualFold(scheme, "Bearer")
	switch {
	case value == "":
		r.empty(docBearer, InHeader, "the Authorization field is empty; send Bearer and a token, or leave it out")
	case bearer && token == "":
		r.empty(docEmpty, InHeader, emptyAccessToken)
	case bearer && isB64Token(token):
		r.present(InHeader, token)
	case bearer:
		r.refuse(docBearer, InHeader.pointer(),
			"what follows Bearer is not one token of letters, digits and -._~+/ with = at its end only (RFC 6750 section 2.1); send the token alone, as it was issued")
	case token == "" || !isName(scheme) || hasControl(token):
		r.refuse(docBearer, InHeader.pointer(), "the Authorization field is not a scheme, a space and a token; write Bearer before the token")
	case r.policy.UnsupportedScheme == Ignore:
		r.find(docBearer, diag.Ignore, InHeader.pointer(), "the Authorization field has another scheme than Bearer, which the policy ignores; for it to count, send Bearer and a token")
	default:
		r.out.OtherScheme = true
	}
}

// present keeps a credential, unless there is one too many already.
func (r *reader) present(in Place, token string) {
	if len(r.out.Credentials) <= MaxCredentials {
		r.out.Credentials = append(r.out.Credentials, Credential{Place: in, Token: NewToken(token)})
	}
}

// emptyAccessToken is what the document says of an empty access token (Service-account
// access token, 4).
const emptyAccessToken = "the access token is empty: where the token library returned it so, " +
	"the service account lacks permission to generate access tokens; grant it that, and generate one anew"

// empty refuses an empty credential, unless the policy has it count as absent.
func (r *reader) empty(doc *diag.Rule, in Place, message string) {
	if r.policy.EmptyCredential == Ignore {
		r.find(doc, diag.Ignore, in.pointer(), "the credential is empty, which the policy has count as absent; send a token or leave it out")
		return
	}
	r.refuse(doc, in.pointer(), message)
}

// settle puts the credentials into the order of their places, and refuses more of them than
// anyone has a use for.
func (r *reader) settle() {
	slices.SortStableFunc(r.out.Credentials, func(a, b Credential) int { return cmp.Compare(a.Place, b.Place) })
	if len(r.out.Credentials) > MaxCredentials {
		r.refuse(docOneCredential, wholeRequest, fmt.Sprintf("there are more than %d credentials, the most that are looked at under any policy; send one", MaxCredentials))
		r.out.Credentials = nil
	}
}

// target reads the path and the query.
func (r *reader) target(target string) {
	if strings.ContainsFunc(target, notInTarget) {
		r.refuse(docPath, wholeRequest, "the URL holds a space, a control character or a #; percent-encode it")
	}
	path, query, _ := strings.Cut(target, "?")
	r.path(path)
	r.query(query)
}

// notInTarget reports whether c never stands in a request's target (RFC 9112 section 3.2).
// Letters beyond ASCII should not either, but there is one way only to read them.
func notInTarget(c rune) bool { return c <= ' ' || c == 0x7f || c == '#' }

// isB64Token reports whether s is a b64token (RFC 6750 section 2.1).
func isB64Token(s string) bool {
	s = strings.TrimRight(s, "=")
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return !isAlphanumeric(c) && !strings.ContainsRune("-._~+/", c) })
}

// isName reports whether s is a token in the sense of RFC 9110 section 5.6.2, as the name
// of a scheme is.
func isName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return !isAlphanumeric(c) && !strings.ContainsRune("!#$%&'*+-.^_`|~", c) })
}

func isAlphanumeric(c rune) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f })
}
