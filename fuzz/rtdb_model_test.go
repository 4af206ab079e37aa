package fuzz_test

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/rtdbauth"
)

// rtdbOutcome is a decision without its reasons.
type rtdbOutcome struct{ Principal, Subject, Rules, Access string }

var (
	refused    = rtdbOutcome{"rejected", "", "n/a", "none"}
	openToAll  = rtdbOutcome{"none", "", "apply", "public"}
	unsettled  = rtdbOutcome{"unspecified", "", "n/a", "none"}
	bypassing  = rtdbOutcome{"service_account", "", "bypass", "full"}
	legacyFull = rtdbOutcome{"legacy", "", "bypass", "full"}
	legacyUser = rtdbOutcome{"legacy", "", "apply", "rules"}
)

// TestRTDBAgreesWithPlainModel compares the library's decisions with those of a model that is
// written from the document alone: it has no table, reads the line with encoding/json, and
// asks one question after the other.
func TestRTDBAgreesWithPlainModel(t *testing.T) {
	t.Run("valid", rapid.MakeCheck(func(t *rapid.T) {
		checkModel(t, fuzz.RTDBRequest().Draw(t, "request"))
	}))
	t.Run("broken", func(t *testing.T) {
		violations(t, func(t *rapid.T, p fuzz.Payload) {
			checkModel(t, p.RTDB)
		})
	})
	// Broken once more, or mended: a part of one request in another.
	t.Run("mixed", rapid.MakeCheck(func(t *rapid.T) {
		requests := rapid.OneOf(fuzz.RTDBRequest(), rapid.Map(brokenRequests, func(p fuzz.Payload) *fuzz.RTDB { return p.RTDB }))
		line := fields(requests.Draw(t, "request").Line)
		other := fields(requests.Draw(t, "another").Line)
		for _, name := range []string{"method", "url", "headers", "policy"} {
			if rapid.Bool().Draw(t, name) {
				line[name] = other[name]
			}
		}
		known, more := fields(line["known"]), fields(other["known"])
		for token, facts := range more {
			known[token] = facts
		}
		line["known"], _ = json.Marshal(known)
		text, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		checkModel(t, &fuzz.RTDB{Line: text})
	}))
}

// brokenRequests break any one of the rules.
var brokenRequests = rapid.Custom(func(t *rapid.T) fuzz.Payload {
	rule := rapid.SampledFrom([]string{
		"rtdb.path", "rtdb.service-account", "rtdb.service-account.scopes", "rtdb.service-account.empty", "rtdb.id-token",
		"rtdb.id-token.expired", "rtdb.legacy", "rtdb.legacy.presentation", "rtdb.legacy.revoked", "rtdb.bearer", "rtdb.one-credential",
	}).Draw(t, "rule")
	return fuzz.Violating(rule).Draw(t, "payload")
})

func fields(object []byte) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	_ = json.Unmarshal(object, &m) // what is absent has none
	return m
}

func checkModel(t *rapid.T, r *fuzz.RTDB) {
	t.Helper()
	d := rtdbauth.Check(r.Request()).Decision
	got := rtdbOutcome{d.Principal.String(), d.Subject, d.Rules.String(), d.Read.String()}
	if diff := cmp.Diff(modelOf(r.Line), got); diff != "" || d.Read != d.Write {
		t.Errorf("decision (-model +rtdbauth):\n%s\nwrite %v, of %v\n%v", diff, d.Write, r, d.Findings)
	}
}

// model is a line as the model reads it. Where a member's type is of no account, it is any.
type model struct {
	Method  string
	URL     string
	Headers [][2]string
	Known   map[string]any
	Policy  struct {
		Legacy            string
		LegacyIn          []string `json:"legacy_in"`
		LegacyRules       string   `json:"legacy_rules"`
		EmptyCredential   string   `json:"empty_credential"`
		UnsupportedScheme string   `json:"unsupported_scheme"`
		OnConflict        string   `json:"on_conflict"`
		AmbiguousPath     string   `json:"ambiguous_path"`
		LeewaySeconds     float64  `json:"leeway_seconds"`
		RequireTLS        bool     `json:"require_tls"`
		ScopeBase         string   `json:"scope_base"`
	}

	wrong, open, nowhere bool        // the request is; its location is not known
	presented            [][2]string // place and token; the place "scheme" is another scheme than Bearer
}

// modelOf decides as whom the request acts.
func modelOf(line []byte) rtdbOutcome {
	var m model
	if err := json.Unmarshal(line, &m); err != nil {
		panic(err)
	}
	m.readForm()
	m.readHeader()
	m.readQuery()
	answer := m.decide()
	if m.nowhere {
		answer.Access = "none"
	}
	return answer
}

var (
	encodedSlash    = regexp.MustCompile(`%2[Ff]`)
	severalReadings = regexp.MustCompile(`//|%[0-9A-Fa-f]{2}|/\.\.?(/|$)`)
)

func (m *model) readForm() {
	path, _, _ := strings.Cut(m.URL, "?")
	decoded, err := url.PathUnescape(path)
	m.wrong = strings.ContainsAny(m.URL, "\x00\t\r\n #\x7f") || err != nil || !utf8.ValidString(decoded) ||
		!strings.HasPrefix(decoded, "/") || !strings.HasSuffix(decoded, ".json")
	if encodedSlash.MatchString(path) || severalReadings.MatchString(decoded) {
		m.nowhere = true
		m.wrong = m.wrong || m.Policy.AmbiguousPath == "reject"
	}
	request, _ := m.Known["_request"].(map[string]any)
	if tls := request["tls"]; m.Policy.RequireTLS && tls != true {
		m.wrong, m.open = m.wrong || tls == false, true
	}
	if !slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}, m.Method) {
		m.open = true
	}
}

var (
	bearerForm = regexp.MustCompile(`^(?i:bearer) +([A-Za-z0-9._~+/-]+=*)$`)
	emptyForm  = regexp.MustCompile(`^(?i:bearer)? *$`)
	schemeForm = regexp.MustCompile("^([A-Za-z0-9!#$%&'*+.^_`|~-]+) +[^ \\x00-\\x08\\x0a-\\x1f\\x7f][^\\x00-\\x08\\x0a-\\x1f\\x7f]*$")
)

func (m *model) readHeader() {
	var values []string
	for _, h := range m.Headers {
		if strings.EqualFold(h[0], "authorization") {
			values = append(values, strings.Trim(h[1], " \t"))
		} else if strings.EqualFold(strings.TrimSpace(h[0]), "authorization") {
			m.wrong = true
		}
	}
	if len(values) != 1 {
		m.wrong = m.wrong || len(values) > 1
		return
	}
	scheme := schemeForm.FindStringSubmatch(values[0])
	switch token := bearerForm.FindStringSubmatch(values[0]); {
	case token != nil:
		m.presented = append(m.presented, [2]string{"header", token[1]})
	case emptyForm.MatchString(values[0]):
		m.wrong = m.wrong || m.Policy.EmptyCredential != "ignore"
	case scheme == nil || strings.EqualFold(scheme[1], "bearer"):
		m.wrong = true
	case m.Policy.UnsupportedScheme != "ignore":
		m.presented = append(m.presented, [2]string{"scheme", ""})
	}
}

func (m *model) readQuery() {
	_, query, _ := strings.Cut(m.URL, "?")
	for _, pair := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		text, err2 := url.QueryUnescape(value)
		if err != nil || err2 != nil || strings.Contains(pair, ";") {
			m.wrong = true
			continue
		}
		if name != "auth" && name != "access_token" {
			continue
		}
		switch {
		case text == "":
			m.wrong = m.wrong || m.Policy.EmptyCredential != "ignore"
		case !utf8.ValidString(text):
			m.wrong = true
		default:
			m.presented = append(m.presented, [2]string{name, text})
		}
	}
}

// decide asks about the credentials.
func (m *model) decide() rtdbOutcome {
	lone := len(m.presented) == 1
	switch {
	case m.wrong || len(m.presented) > 9 || len(m.presented) > 8 && !slices.Contains(m.presented, [2]string{"scheme", ""}):
		return refused
	case len(m.presented) > 1 && m.Policy.OnConflict != "least_privilege":
		return refused
	case lone && m.presented[0][0] == "scheme":
		return m.worth("scheme", "")
	case m.open:
		return unsettled
	case len(m.presented) == 0:
		return openToAll
	}
	var worths []rtdbOutcome
	for _, p := range m.presented {
		worths = append(worths, m.worth(p[0], p[1]))
	}
	return leastOf(worths)
}

// leastOf returns the answer that gives least: of the first class that there are any of, all
// of which must be the same.
func leastOf(worths []rtdbOutcome) rtdbOutcome {
	for _, class := range []func(o rtdbOutcome) bool{
		func(o rtdbOutcome) bool { return o == refused },
		func(o rtdbOutcome) bool { return o == unsettled },
		func(o rtdbOutcome) bool { return o.Rules == "apply" },
		func(o rtdbOutcome) bool { return o.Rules == "bypass" },
	} {
		of := slices.DeleteFunc(slices.Clone(worths), func(o rtdbOutcome) bool { return !class(o) })
		switch of = slices.Compact(of); len(of) {
		case 0:
		case 1:
			return of[0]
		default:
			return refused // neither of them is the less
		}
	}
	panic("a credential of no class")
}

// worth says what a credential alone would give.
func (m *model) worth(place, token string) rtdbOutcome {
	if place == "scheme" {
		if m.Policy.UnsupportedScheme == "reject" {
			return refused
		}
		return unsettled
	}
	f, _ := m.Known[token].(map[string]any)
	if f == nil || f["verifier_error"] != nil || misread(f) {
		return unsettled
	}
	if f["kind"] == nil || f["kind"] == "" {
		return unsettled
	}
	switch f["kind"] {
	case "oauth_access":
		return m.account(place, f)
	case "id_token":
		return m.user(place, f)
	case "legacy_secret", "legacy_token":
		return m.legacy(place, f)
	default:
		return refused
	}
}

// misread reports whether a fact is of a type that it does not have.
func misread(f map[string]any) bool {
	types := map[string]any{
		"kind": "", "issued_to": "", "db": "", "audience": "", "uid": "", "exp": 0.0, "nbf": 0.0, "iat": 0.0,
		"verified": true, "expired": true, "revoked": true, "db_permission": true, "scopes": []any{},
	}
	for name, value := range f {
		if like, known := types[name]; known && value != nil && typeName(value) != typeName(like) {
			return true
		}
	}
	scopes, _ := f["scopes"].([]any)
	return slices.ContainsFunc(scopes, func(scope any) bool { return typeName(scope) != "string" })
}

func typeName(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	default:
		return "object"
	}
}

// account: full access for the token of a service account with both scopes and permissions.
func (m *model) account(place string, f map[string]any) rtdbOutcome {
	base := strings.TrimSuffix(m.Policy.ScopeBase, "/")
	scopes, known := f["scopes"].([]any)
	lacks := m.Policy.ScopeBase != "" && known &&
		!(slices.Contains(scopes, any(base+"/auth/userinfo.email")) && slices.Contains(scopes, any(base+"/auth/platform.database")))
	switch life := m.life(f); {
	case place == "auth" || life == "over" || m.spoilt(f) || lacks ||
		f["issued_to"] != nil && f["issued_to"] != "service_account" || f["db_permission"] == false:
		return refused
	case life == "unknown" || m.untimed(f) || f["verified"] != true || f["issued_to"] == nil || f["db_permission"] != true ||
		m.Policy.ScopeBase == "" || !known:
		return unsettled
	default:
		return bypassing
	}
}

// user: the single user whom the token identifies; the rules apply.
func (m *model) user(place string, f map[string]any) rtdbOutcome {
	switch life := m.life(f); {
	case place != "auth" || life == "over" || m.spoilt(f) || f["uid"] == "":
		return refused
	case life == "unknown" || m.untimed(f) || f["verified"] != true || f["uid"] == nil || f["audience"] == nil:
		return unsettled
	default:
		return rtdbOutcome{"user", f["uid"].(string), "apply", "rules"}
	}
}

// legacy: still accepted, where and as the policy has it.
func (m *model) legacy(place string, f map[string]any) rtdbOutcome {
	life, stands := m.life(f), f["revoked"] == false
	if f["kind"] == "legacy_token" {
		stands = stands || life == "going"
	}
	switch {
	case life == "over" || m.spoilt(f) || m.Policy.Legacy == "refuse":
		return refused
	case !slices.Contains(m.Policy.LegacyIn, place) || m.untimed(f) || f["verified"] != true || !stands:
		return unsettled
	case m.Policy.LegacyRules == "bypass":
		return legacyFull
	default:
		return legacyUser
	}
}

// life says whether a token is "over", is "going", or that it is "unknown".
func (m *model) life(f map[string]any) string {
	now, clock := m.Known["_now"].(float64)
	exp, timed := f["exp"].(float64)
	switch {
	case f["expired"] == true || clock && timed && now-max(m.Policy.LeewaySeconds, 0) >= exp:
		return "over"
	case f["expired"] == false || clock && timed:
		return "going"
	default:
		return "unknown"
	}
}

// spoilt reports whether something counts against a token of any kind.
func (m *model) spoilt(f map[string]any) bool {
	now, clock := m.Known["_now"].(float64)
	for _, name := range []string{"nbf", "iat"} {
		if from, timed := f[name].(float64); clock && timed && from > now+max(m.Policy.LeewaySeconds, 0) {
			return true
		}
	}
	return f["verified"] == false || f["revoked"] == true ||
		f["audience"] != nil && f["audience"] != "this_project" ||
		f["db"] != nil && f["db"] != "this_database" && f["db"] != "this_db"
}

// untimed reports whether the token has a time from which it is valid, and there is no clock.
func (m *model) untimed(f map[string]any) bool {
	return m.Known["_now"] == nil && (f["nbf"] != nil || f["iat"] != nil)
}
