package proxy

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/calrules/calrules/internal/traffic"
	"github.com/calrules/calrules/rtdbauth"
	"github.com/calrules/calrules/rtdbauth/rtdbhttp"
)

// Authentication describes the authentication of a request to a realtime database. Authentication contains no part of a token.
type Authentication struct {
	// Principal and Rules describe the decision if the credentials are good, which only the database can determine.
	Principal rtdbauth.Principal `json:"principal"`
	Rules     string             `json:"rules"`

	Credentials []Credential `json:"credentials"` // the credentials that determine Principal
}

// Credential is a credential in a request.
type Credential struct {
	In   rtdbauth.Place `json:"in"`
	Kind string         `json:"kind"` // inferred from the form of the credential
}

// authenticates returns the authentication of a request, and the findings about it.
func (p *Proxy) authenticates(r *http.Request) (*Authentication, []traffic.Finding) {
	m := rtdbhttp.Message(r)
	m.TLS = nil // the client's connection does not matter
	policy := rtdbauth.Policy{Dialect: p.o.Dialect, LegacyIn: []rtdbauth.Place{rtdbauth.InAuth}}
	seen := &looks{policy: policy}
	d, _ := rtdbauth.Authenticate(r.Context(), m, seen, policy, time.Now()) // the policy is valid
	return &Authentication{d.Principal, d.Rules(), append([]Credential{}, seen.credentials...)}, p.o.Print.Findings(d.Findings)
}

// looks is a verifier that judges each token only by its form, and assumes that a token is good unless it states that it has
// expired.
type looks struct {
	policy      rtdbauth.Policy
	credentials []Credential
}

// VerifyToken implements [rtdbauth.Verifier].
func (l *looks) VerifyToken(_ context.Context, in rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	uid := "somebody"
	scopes, ok := l.policy.RequiredScopes()
	facts := rtdbauth.Facts{
		Verified: new(true), Expired: new(false), Revoked: new(false), Audience: new(true), Database: new(true),
		ServiceAccount: new(true), DBPermission: new(true), Scopes: scopes[:], UID: &uid,
	}
	if !ok {
		facts.Scopes = nil // the dialect does not determine the scopes
	}
	facts.Kind, facts.Expires = kindOf(in, token)
	l.credentials = append(l.credentials, Credential{in, facts.Kind.String()})
	return facts, nil
}

// kindOf returns the kind of a token, judged by its form, and its expiry time if stated. A token of three parts that
// names a user is an identity token; any other token has the usual kind for its place.
func kindOf(in rtdbauth.Place, token rtdbauth.Token) (kind rtdbauth.Kind, expires time.Time) {
	var claims struct {
		Subject string  `json:"sub"`
		Expires float64 `json:"exp"`
	}
	parts := strings.Split(token.Reveal(), ".")
	if len(parts) == 3 {
		text, err := base64.RawURLEncoding.DecodeString(parts[1])
		if err == nil && json.Unmarshal(text, &claims) == nil && claims.Subject != "" {
			if claims.Expires > 0 && claims.Expires < 1e11 {
				expires = time.Unix(int64(claims.Expires), 0)
			}
			return rtdbauth.KindIDToken, expires
		}
	}
	if in == rtdbauth.InAuth {
		return rtdbauth.KindLegacySecret, expires
	}
	return rtdbauth.KindOAuthAccess, expires
}
