package rtdbauth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/rtdbauth/internal/redact"
)

var methodRule = &diag.Rule{
	ID: "rtdb.method", Kind: diag.Unspecified, When: occasion.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Methods other than GET, such as those that write data, are not shown.",
	Section: "rtdb.md, Endpoints",
	Why: "Who the caller is does not depend on the method, so the decision is made for GET and for the other methods of " +
		"RFC 9110 and RFC 5789. For any other method it is left open, whatever a token is worth, unless the path, the " +
		"transport or the form of the credentials rejects the request.",
	Good: ask(`{"principal":"none","write":"public","findings":[]}`, sampleGet),
	Bad:  ask(`{"principal":"none","write":"public","findings":[`+samplePutFinding+`]}`, samplePut),
}

// Message is the part of an HTTP request that authentication needs. The URL and the values of the
// header fields are [Token]s, because they can contain credentials.
type Message struct {
	Method  string  // case-sensitive (RFC 9110 section 9.1)
	URL     Token   // path and query as sent, relative to the database: "/users/jack.json?auth=..."
	Headers []Field // as received; names may repeat
	TLS     *bool   // whether the request came over TLS; nil if unknown
}

// Field is one header field.
type Field struct {
	Name  string
	Value Token
}

// presented is what a request contains.
type presented struct {
	// Reads is no if the request is rejected regardless of its credentials, unknown if the
	// document does not say what the request is, and yes if its credentials decide.
	Reads fact

	// Location is the path of the data, decoded once and without ".json": "/users/jack", or "/"
	// for the root. It is empty if the path does not name exactly one location.
	Location string

	// Credentials are all credentials of the request: first that of the header, then those of
	// access_token, then those of auth.
	Credentials []credential

	// OtherScheme reports an Authorization field with a scheme other than Bearer, unless the
	// policy ignores such a field.
	OtherScheme bool

	// Findings are about the form of the request. Reads is no if and only if one of them rejects.
	Findings diag.Findings
}

// maxCredentials is the largest number of credentials that a request may have under any policy.
// It limits how often a hostile request can call a [Verifier].
const maxCredentials = 8

// extract finds every credential of a request, and the location that its path names. It does not
// judge the credentials.
//
// extract reads all values of a field or parameter and decodes names and values once. It rejects
// a credential that readers could read differently, and one that no kind of token could be.
func extract(m Message, policy Policy) presented {
	r := reader{policy: policy, out: presented{Reads: yes}}
	r.method(m.Method)
	if policy.RequireTLS {
		r.transport(m.TLS)
	}
	r.header(m.Headers)
	r.target(m.URL.Reveal())
	r.finish()
	return r.out
}

type reader struct {
	policy Policy
	out    presented
}

// find adds a finding, unless it is there already: each pair of a hostile query may cause the
// same one.
func (r *reader) find(rule *diag.Rule, kind diag.Kind, at diag.Pointer, message string) {
	f := oldFinding(rule, kind, at, message)
	if !slices.ContainsFunc(r.out.Findings, f.Equal) {
		r.out.Findings = append(r.out.Findings, f)
	}
}

// reject rejects the request regardless of its credentials.
func (r *reader) reject(rule *diag.Rule, at diag.Pointer, message string) {
	r.find(rule, diag.Reject, at, message)
	r.out.Reads = no
}

// leaveOpen reports that the document does not say what the request is.
func (r *reader) leaveOpen(rule *diag.Rule, message string) {
	r.find(rule, diag.Unspecified, wholeRequest, message)
	r.out.Reads = r.out.Reads.and(unknown)
}

// otherMethods are the methods of RFC 9110 section 9 and RFC 5789 that the document does not
// show.
var otherMethods = []string{"HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}

// method checks the method. The finding does not show a word that is not a method, because it
// could be anything, even a token.
func (r *reader) method(method string) {
	switch {
	case method == "GET":
	case slices.Contains(otherMethods, method):
		r.find(methodRule, diag.Unspecified, wholeRequest, method+otherMethod)
	default:
		r.leaveOpen(methodRule, "The method is not one that the document, RFC 9110 or RFC 5789 defines. Methods are case-sensitive: write GET.")
	}
}

const otherMethod = " is not a method that the document shows. The principal is decided as for GET; what the request does is up to you."

func (r *reader) transport(tls *bool) {
	switch known(tls) {
	case yes:
	case no:
		r.reject(bearerRule, wholeRequest, "The request did not come over TLS, which the policy requires. Send it over HTTPS.")
	default:
		r.leaveOpen(bearerRule, "The policy requires TLS, but it is unknown whether the request came over TLS. Set _request.tls to true or false, or Message.TLS.")
	}
}

// present adds a credential. It keeps one more than the limit, so that finish can see the excess.
func (r *reader) present(in Place, token string) {
	if len(r.out.Credentials) <= maxCredentials {
		r.out.Credentials = append(r.out.Credentials, credential{Place: in, Token: NewToken(token)})
	}
}

// empty rejects an empty credential, unless the policy ignores it.
func (r *reader) empty(rule *diag.Rule, in Place, message string) {
	if r.policy.IgnoreEmpty {
		r.find(rule, diag.Ignore, in.pointer(), "The credential is empty, and the policy ignores it. Send a token, or leave the credential out.")
		return
	}
	r.reject(rule, in.pointer(), message)
}

// finish sorts the credentials by place, and rejects too many of them.
func (r *reader) finish() {
	slices.SortStableFunc(r.out.Credentials, func(a, b credential) int { return cmp.Compare(a.Place, b.Place) })
	if len(r.out.Credentials) > maxCredentials {
		r.reject(oneCredentialRule, wholeRequest, fmt.Sprintf("The request has more than %d credentials, the limit under any policy. Send one.", maxCredentials))
		r.out.Credentials = nil
	}
}

// withoutDatabase returns a target without the address of a database of the public service, if it begins with one.
func withoutDatabase(target string) string {
	scheme, rest, ok := strings.Cut(target, "://")
	host, path, rooted := strings.Cut(rest, "/")
	if ok && rooted && strings.EqualFold(scheme, "https") && isDatabase(host) {
		return "/" + path
	}
	return target
}

// isDatabase reports whether a host, in any case, is that of a database of the public service.
func isDatabase(host string) bool {
	isLabel := func(s string) bool { return consistsOf(s, "-") }
	if !consistsOf(host, "-.") {
		return false // strings.ToLower makes ASCII letters of some others
	}
	host = strings.ToLower(host)
	name, domain, _ := strings.Cut(host, ".")
	region, regional := strings.CutSuffix(domain, ".firebasedatabase.app")
	return isLabel(name) && (regional && isLabel(region) || domain == "firebaseio.com")
}

func (r *reader) target(target string) {
	if r.policy.Dialect == diag.Google {
		target = withoutDatabase(target)
	}
	if strings.ContainsFunc(target, notInTarget) {
		r.reject(pathRule, wholeRequest, "The URL contains a space, a control character or a #. Percent-encode it.")
	}
	path, query, _ := strings.Cut(target, "?")
	r.path(path)
	r.query(query)
}

// notInTarget reports whether the target of a request cannot contain c (RFC 9112 section 3.2).
// Characters beyond ASCII are not allowed either, but every reader reads them alike.
func notInTarget(c rune) bool { return c <= ' ' || c == 0x7f || c == '#' }

var bearerRule = &diag.Rule{
	ID: "rtdb.bearer", Kind: diag.Reject, When: occasion.HTTP, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "The Authorization header is one Bearer credential. The scheme is case-insensitive.",
	Section: "RFC 6750 2.1",
	Why: "Of several fields, some readers use the first and others the last, so they would see different credentials. " +
		"The policy decides about other schemes than Bearer, and whether a request must come over TLS (RFC 6750 5.3).",
	Good: ask("", sampleGet, `"headers":[["authorization","BEARER sa-1"]]`, sampleKnownSA, samplePolicy),
	Bad:  ask("", sampleGet, `"headers":[["Authorization","sa-1"]]`, sampleKnownSA, samplePolicy),
}

// header reads the Authorization field. It reads none of several fields, so that their order does
// not matter.
func (r *reader) header(fields []Field) {
	count, last := 0, 0
	for i, f := range fields {
		switch {
		case strings.EqualFold(f.Name, headerName):
			count, last = count+1, i
		case redact.IsField(f.Name):
			r.reject(bearerRule, InHeader.pointer(), "The name of the Authorization field has white space around it. Remove the white space.")
		}
	}
	switch count {
	case 0:
	case 1:
		r.authorization(fields[last].Value.Reveal())
	default:
		r.reject(bearerRule, InHeader.pointer(), fmt.Sprintf("The request has %d Authorization fields. Send one.", count))
	}
}

func (r *reader) authorization(value string) {
	value = strings.Trim(value, " \t") // RFC 9110 section 5.5
	scheme, token, _ := strings.Cut(value, " ")
	token = strings.TrimLeft(token, " ")
	bearer := strings.EqualFold(scheme, "Bearer")
	switch {
	case value == "":
		r.empty(bearerRule, InHeader, "The Authorization field is empty. Send Bearer and a token, or leave the field out.")
	case bearer && token == "":
		r.empty(emptyTokenRule, InHeader, emptyAccessToken)
	case bearer && isB64Token(token):
		r.present(InHeader, token)
	case bearer:
		r.reject(bearerRule, InHeader.pointer(), "The text after Bearer is not a token of letters, digits and -._~+/ "+
			"with = only at the end (RFC 6750 section 2.1). Send the token as it was issued.")
	case token == "" || !isFieldToken(scheme) || hasControl(token):
		r.reject(bearerRule, InHeader.pointer(), malformedAuthorization)
	case r.policy.IgnoreOtherSchemes && !r.policy.RejectOtherSchemes:
		r.find(bearerRule, diag.Ignore, InHeader.pointer(),
			"The scheme of the Authorization field is not Bearer, and the policy ignores the field. Send Bearer and a token.")
	default:
		r.out.OtherScheme = true
	}
}

const malformedAuthorization = "The Authorization field is not a scheme, a space and a token. Write Bearer before the token."

// isB64Token reports whether s is a b64token (RFC 6750 section 2.1).
func isB64Token(s string) bool { return consistsOf(strings.TrimRight(s, "="), "-._~+/") }

// isFieldToken reports whether s is a token of RFC 9110 section 5.6.2, like the name of a scheme.
func isFieldToken(s string) bool { return consistsOf(s, "!#$%&'*+-.^_`|~") }

// consistsOf reports whether s is not empty and consists of ASCII letters, digits and the marks.
func consistsOf(s, marks string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		alphanumeric := '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		return !alphanumeric && !strings.ContainsRune(marks, c)
	})
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f })
}
