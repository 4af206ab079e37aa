package rtdbauth

import (
	"fmt"
	"strings"

	"github.com/calrules/calrules/diag"
)

var bearerRule = &diag.Rule{
	ID: "rtdb.bearer", Kind: diag.Reject, When: diag.HTTP, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "The Authorization header is one Bearer credential. The scheme is case-insensitive.",
	Section: "RFC 6750 2.1",
	Why: "Of several fields, some readers use the first and others the last, so they would see different credentials. " +
		"The policy decides about other schemes than Bearer.",
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
		case isAuthorization(f.Name):
			// Some readers trim the name and see a credential (RFC 9112 section 5.1).
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

// isAuthorization reports whether name, without white space around it, is that of the field.
func isAuthorization(name string) bool {
	return strings.EqualFold(strings.TrimSpace(name), headerName)
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
	case r.policy.UnsupportedScheme == Ignore:
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
