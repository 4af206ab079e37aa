package rtdbgen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/rtdbline"
)

// fault changes a draft without credentials such that the request may break a rule.
type fault = func(d *draft)

// faults returns, for each rule, the faults that break only that rule in at least one of a few requests.
var faults = sync.OnceValue(func() map[string][]fault {
	const seeds = 16
	found := map[string][]fault{}
	for _, f := range allFaults() {
		seen := map[string]bool{}
		for seed := range uint64(seeds) {
			d := newDraft(draw.Seeded(seed))
			f(d)
			line := d.line()
			findings := ask(line)
			for _, finding := range findings {
				if id := finding.Rule.ID; !seen[id] && verdict(id, line, findings) != nil {
					seen[id] = true
					found[id] = append(found[id], f)
				}
			}
		}
	}
	return found
})

// ask returns the library's findings about a request.
func ask(line json.RawMessage) diag.Findings {
	req := new(rtdbline.Request)
	if err := req.UnmarshalJSON(line); err != nil {
		panic(fmt.Errorf("rtdbfuzz: not a request: %w", err))
	}
	return rtdbline.Check(req).Decision.Findings
}

// verdict returns the request with its verdict, or nil if the request does not break the rule, or if another rule rejects the
// request.
func verdict(rule string, line json.RawMessage, findings diag.Findings) *Payload {
	var found *diag.Finding
	for i, f := range findings {
		switch {
		case f.Rule.ID != rule && f.Kind == diag.Reject:
			return nil
		case f.Rule.ID != rule:
		case found == nil:
			found = &findings[i]
		case rule != ruleid.RTDBOneCredential || found.Kind != f.Kind: // reported for each credential
			return nil
		}
	}
	if found == nil {
		return nil
	}
	return &Payload{Verdict: gen.Verdict{Accepted: found.Kind != diag.Reject, Rule: rule, Kind: found.Kind, Path: found.Path}, Request: line}
}

// allFaults returns the faults in the facts about tokens, in the choices of a policy, and in malformed strings.
func allFaults() (all []fault) {
	for _, k := range []*tokenKind{oauthAccess, idToken, legacySecret, legacyToken} {
		for _, fact := range slices.Concat(optionalFacts, []string{"nbf", "iat", "exp", "expired"}) {
			all = append(all, func(d *draft) { d.spoil(k, fact) }, func(d *draft) { d.withhold(k, fact) })
		}
		all = append(all, func(d *draft) { d.misplace(k) })
	}
	for _, p := range presentations {
		all = append(all, func(d *draft) {
			p.draw(d)
			before := d.policy
			d.policy = drawPolicy(d.T) // another policy may not allow the credential
			d.policy.Legacy = drawChoice(d.T, "legacy", "refuse")
			d.policy.EmptyCredential, d.policy.ScopeBase = drawChoice(d.T, "empty credential", "ignore"), before.ScopeBase
			d.policy.AmbiguousPath = drawChoice(d.T, "ambiguous path", "reject")
			if d.policy.RequireTLS && draw.Maybe(d.T, "without TLS") {
				d.tls = draw.Pointer(d.T, "TLS", draw.Just(false))
			}
		})
	}
	return append(all,
		leaveOpen,
		func(d *draft) { d.method = draw.OneOf(noMethod, draw.SampledFrom(otherMethods)).Draw(d.T, "method") },
		func(d *draft) { d.path = wrongPath.Draw(d.T, "path") },
		func(d *draft) { d.path, d.policy.AmbiguousPath = ambiguousPath.Draw(d.T, "path"), "reject" },
		func(d *draft) { d.pairs = append(d.pairs, wrongPair.Draw(d.T, "pair")) },
		func(d *draft) {
			d.headers = append(d.headers, [2]string{headerName(d.T), wrongHeader.Draw(d.T, "header")})
		},
		func(d *draft) {
			d.dialect = diag.Google
			d.present(drawKind(d.T))
			d.putOverride(draw.OneOf(goodOverride, wrongOverride).Draw(d.T, "auth"))
		},
		func(d *draft) { // two credentials
			d.present(drawKind(d.T))
			d.present(drawKind(d.T))
		},
	)
}

// spoil presents a token of the given kind with a bad fact. The request includes the current time.
func (d *draft) spoil(k *tokenKind, fact string) {
	d.present(k)
	d.clocked = true
	d.about[fact] = d.bad(fact)
}

// withhold presents a token of the given kind without the given fact. To withhold exp or expired, withhold removes both,
// because either would imply whether the token has expired.
func (d *draft) withhold(k *tokenKind, fact string) {
	d.present(k)
	for _, name := range []string{fact, "expired", "exp"} {
		if delete(d.about, name); fact != "exp" && fact != "expired" {
			return
		}
	}
}

// misplace presents a token of the given kind, or of an unknown kind, in any place.
func (d *draft) misplace(k *tokenKind) {
	in := credentialPlace.Draw(d.T, "place")
	token := d.token(in, nil)
	if d.known[token] = any(d.facts(k)); draw.Maybe(d.T, "another kind") {
		d.known[token] = facts{"kind": draw.One(d.T, "kind", "session_cookie", "refresh_token", "ID_TOKEN", "oauth_access ", "other")}
	}
	d.put(in, token)
}

// wrongPath draws paths that do not identify a location.
var wrongPath = draw.OneOf(
	draw.Matching(`/[a-z]{1,8}(/[a-z]{1,8})?|/|/[a-z]{1,8}\.(xml|jsonp|json5|json\.gz|JSON|jso%4E)|/json|/[a-z]{1,8}\.json/`),
	draw.Matching(`/[a-z]{1,8}(%252Ejson|\.jso%256E|\.json(%20|%00|%3Fx=\.|%23|%2)|%zz\.json|%FF\.json|%ED%A0%80\.json)`),
	draw.Matching(`[a-z]{1,8}\.json|https://database\.example\.com/a\.json||/[a-z]{1,8}( |\t|\n|\x7f|#)a\.json`),
)

// wrongPair draws parameters with a credential that servers interpret in different ways.
var wrongPair = draw.OneOf(
	draw.Matching(`(auth|access_token)=(%zz|a%2|a;b|%FF|a%C3)|%61uth=%|x=1;(auth|access_token)=abc|auth;x`),
	draw.Matching(`(Auth|AUTH|Access_Token)=[a-z]{1,8}|(auth|access_token)=?`),
)

// wrongOverride draws values whose effect in the public service is unknown.
var wrongOverride = draw.Sampled(
	"", "ada", `"ada"`, "1", "[{}]", "NULL", "null null", `{"uid":"ada"`, `{"uid":7}`, `{"uid":null}`, `{"uid":""}`, `{"uid":"a","u\u0069d":"b"}`,
	`{"uid":"a","x":{"y":1,"y":2}}`, `{"uid":"\ud800"}`, "{\"uid\":\"\xff\"}",
)

// wrongHeader draws header field values other than bearer tokens (RFC 6750).
var wrongHeader = draw.OneOf(
	draw.Matching(`[a-z]{1,8} ?|Bearer\t[a-z]{1,8}|Bearer[a-z]{1,8}|Bearer [a-z]{1,8}(, Bearer| |\t)[a-z]{1,8}|Bearer [a-z]{1,8},`),
	draw.Matching(`Bearer ("[a-z]{1,8}"|<a>|token="a"|=a|a=b|==|=|a!|a%20|é|a\x00|\{a\})|Bearer: a|"Bearer" a|Bea/rer a|\(x\) a`),
	draw.Matching(`Basic a\x01a|Digest \x7f|Basic a\r\nb|| |\t `),
)

// wrongKeyFile draws strings that are not key files.
func wrongKeyFile(t *draw.T) string {
	file := keyFile(t)
	text := string(draw.EncodeJSON(file))
	name := draw.One(t, "member", "client_email", "private_key")
	switch value := draw.One[any](t, "instead", "left out", "in capitals", "text", nil, "", 7, true, []any{"a"}, map[string]any{}); value {
	case "text":
		return draw.One(t, "text", text[:len(text)-1], text+text, "["+text+"]", "", "key.json", text[:len(text)-1]+",}", "-----BEGIN PRIVATE KEY-----")
	case "in capitals":
		file[strings.ToUpper(name)] = file[name]
		delete(file, name)
	case "left out":
		delete(file, name)
	default:
		file[name] = value
	}
	return string(draw.EncodeJSON(file))
}
