package rtdbfuzz_test

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/fuzz/rtdbfuzz"
)

// outcome is a decision without its reasons.
type outcome struct{ Principal, Subject, Rules, Access string }

var (
	refused    = outcome{"rejected", "", "n/a", "none"}
	openToAll  = outcome{"none", "", "apply", "public"}
	unsettled  = outcome{"unspecified", "", "n/a", "none"}
	bypassing  = outcome{"service_account", "", "bypass", "full"}
	legacyFull = outcome{"legacy", "", "bypass", "full"}
	legacyUser = outcome{"legacy", "", "apply", "rules"}
)

// TestModel compares the library's decisions with those of a model that is written from the document alone: it has no table,
// reads the line with encoding/json, and asks one question after the other.
func TestModel(t *testing.T) {
	t.Run("valid", rapid.MakeCheck(func(t *rapid.T) {
		checkModel(t, rtdbfuzz.Request().Draw(t, "request"))
	}))
	t.Run("broken", func(t *testing.T) {
		violations(t, func(t *rapid.T, p rtdbfuzz.Payload) {
			checkModel(t, p.Request)
		})
	})
	// One part of a request in another request: this breaks it again, or repairs it.
	t.Run("mixed", rapid.MakeCheck(func(t *rapid.T) {
		requests := rapid.OneOf(rtdbfuzz.Request(), rapid.Map(brokenRequests, func(p rtdbfuzz.Payload) rtdbfuzz.Line { return p.Request }))
		line := fields(requests.Draw(t, "request"))
		other := fields(requests.Draw(t, "another"))
		for _, name := range []string{"method", "url", "headers", "policy", "dialect"} {
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
		checkModel(t, text)
	}))
}

// brokenRequests break one of the rules, any of them.
var brokenRequests = rapid.Custom(func(t *rapid.T) rtdbfuzz.Payload {
	rule := rapid.SampledFrom([]string{
		"rtdb.path", "rtdb.service-account", "rtdb.service-account.scopes", "rtdb.service-account.empty", "rtdb.id-token",
		"rtdb.id-token.expired", "rtdb.legacy", "rtdb.legacy.presentation", "rtdb.legacy.revoked", "rtdb.bearer", "rtdb.one-credential", "rtdb.override",
	}).Draw(t, "rule")
	return rtdbfuzz.Violating(rule).Draw(t, "payload")
})

func fields(object []byte) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	_ = json.Unmarshal(object, &m) // an absent object has no fields
	return m
}

func checkModel(t *rapid.T, r rtdbfuzz.Line) {
	t.Helper()
	d := r.Decision()
	got := outcome{d.Principal.String(), d.Subject, d.Rules(), d.Access()}
	if diff := cmp.Diff(modelOf(r), got); diff != "" {
		t.Errorf("decision (-model +rtdbauth):\n%s\nof %v\n%v", diff, r, d.Findings)
	}
}

// model is a line as the model reads it. Members whose type does not matter are of type any.
type model struct {
	Method  string
	URL     string
	Headers [][2]string
	Dialect string
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

	wrong, open bool        // whether the request is wrong, or leaves a question open
	nowhere     bool        // whether its location is unknown
	presented   [][2]string // places and tokens; the place "scheme" is a scheme other than Bearer

	// What only the public service reads.
	methods, databases, overrides []string
}

func (m *model) isPublic() bool { return m.Dialect == "google" }

// modelOf decides for whom the request acts.
func modelOf(line []byte) outcome {
	var m model
	if err := json.Unmarshal(line, &m); err != nil {
		panic(err)
	}
	m.readHeader()
	m.readQuery()
	if m.isPublic() {
		m.readPublic()
	}
	m.readForm()
	answer := m.decide()
	if m.nowhere {
		answer.Access = "none"
	}
	return answer
}

var (
	encodedSlash    = regexp.MustCompile(`%2[Ff]`)
	severalReadings = regexp.MustCompile(`//|%[0-9A-Fa-f]{2}|/\.\.?(;|/|\.json$)|\\`)
)

func (m *model) readForm() {
	path, _, _ := strings.Cut(m.URL, "?")
	decoded, err := url.PathUnescape(path)
	m.wrong = m.wrong || strings.ContainsAny(m.URL, "\x00\t\r\n #\x7f") || err != nil || !utf8.ValidString(decoded) ||
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
		} else if strings.EqualFold(h[0], "x-http-method-override") {
			m.methods = append(m.methods, h[1])
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
		name, _ = url.QueryUnescape(name) // a name that cannot be decoded is not that of a credential
		text, err := url.QueryUnescape(value)
		switch name {
		case "ns":
			m.databases = append(m.databases, text)
		case "auth_variable_override":
			m.overrides = append(m.overrides, text)
		}
		if name != "auth" && name != "access_token" {
			m.wrong = m.wrong || hidden.MatchString(unreserved(pair))
			continue
		}
		switch {
		case err != nil || strings.Contains(pair, ";"), strings.ContainsFunc(text, unicode.IsControl):
			m.wrong = true
		case text == "":
			m.wrong = m.wrong || m.Policy.EmptyCredential != "ignore"
		case !utf8.ValidString(text):
			m.wrong = true
		default:
			m.presented = append(m.presented, [2]string{name, text})
		}
	}
}

// readPublic reads what the document does not show.
func (m *model) readPublic() {
	if slices.Sort(m.methods); m.Method == "POST" && len(m.methods) > 0 {
		if m.Method = m.methods[0]; len(slices.Compact(m.methods)) > 1 {
			m.Method = "which?"
		}
	}
	for _, name := range m.databases {
		m.wrong = m.wrong || !regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(name)
	}
	if slices.Sort(m.databases); len(slices.Compact(m.databases)) > 1 {
		m.nowhere = true
		m.wrong = m.wrong || m.Policy.AmbiguousPath == "reject"
	}
	if len(m.overrides) > 0 {
		_, ok := m.override()
		m.wrong = m.wrong || !ok
	}
}

// override returns what the override makes of full access. It returns false if that is not known.
func (m *model) override() (o outcome, ok bool) {
	var auth map[string]any
	if len(m.overrides) > 1 || !jsontext.Value(m.overrides[0]).IsValid() || json.Unmarshal([]byte(m.overrides[0]), &auth) != nil {
		return refused, false
	}
	if auth == nil {
		return outcome{"service_account", "", "apply", "public"}, true
	}
	uid, _ := auth["uid"].(string)
	_, named := auth["uid"]
	isToken := slices.ContainsFunc(m.presented, func(p [2]string) bool { return p[1] == uid })
	return outcome{"service_account", uid, "apply", "rules"}, !named || uid != "" && !isToken
}

// hidden matches a credential between semicolons.
var hidden = regexp.MustCompile(`;(auth|access_token)(=|;|$)|^(auth|access_token);`)

// unreserved decodes the characters that need not be encoded (RFC 3986 section 2.3).
func unreserved(pair string) string {
	return regexp.MustCompile(`%[0-9A-Fa-f]{2}`).ReplaceAllStringFunc(pair, func(escape string) string {
		c, _ := url.QueryUnescape(escape)
		if !regexp.MustCompile(`^[A-Za-z0-9._~-]$`).MatchString(c) {
			return escape
		}
		return c
	})
}

// decide asks about the credentials.
func (m *model) decide() outcome {
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
	case len(m.presented) == 0 && m.isLimited():
		return unsettled
	case len(m.presented) == 0:
		return openToAll
	case len(m.presented) > 1 && m.isLimited():
		return refused
	}
	var worths []outcome
	for _, p := range m.presented {
		worths = append(worths, m.worth(p[0], p[1]))
	}
	return leastOf(worths)
}

func (m *model) isLimited() bool { return m.isPublic() && len(m.overrides) > 0 }

// leastOf returns the answer with the fewest rights: that of the first class with any answers, if
// they are all the same.
func leastOf(worths []outcome) outcome {
	for _, class := range []func(o outcome) bool{
		func(o outcome) bool { return o == refused },
		func(o outcome) bool { return o == unsettled },
		func(o outcome) bool { return o.Rules == "apply" },
		func(o outcome) bool { return o.Rules == "bypass" },
	} {
		of := slices.DeleteFunc(slices.Clone(worths), func(o outcome) bool { return !class(o) })
		switch of = slices.Compact(of); len(of) {
		case 0:
		case 1:
			return of[0]
		default:
			return refused // none of them has the fewest rights
		}
	}
	panic("a credential of no class")
}

// worth returns what a credential would give by itself.
func (m *model) worth(place, token string) outcome {
	if place == "scheme" {
		if m.Policy.UnsupportedScheme == "reject" {
			return refused
		}
		return unsettled
	}
	o := m.unlimited(place, token)
	switch {
	case !m.isLimited() || o == refused || o == unsettled:
		return o
	case o == bypassing:
		o, _ = m.override()
		return o
	default:
		return refused
	}
}

// unlimited returns what a credential would give without an override.
func (m *model) unlimited(place, token string) outcome {
	f, _ := m.Known[token].(map[string]any)
	if f == nil || f["verifier_error"] != nil {
		return unsettled
	}
	if f["kind"] == nil || f["kind"] == "" {
		if m.isPublic() && f["verified"] == false {
			return refused
		}
		return unsettled
	}
	switch f["kind"] {
	case "oauth_access":
		if !regexp.MustCompile(`^[ -~]+$`).MatchString(token) {
			return refused
		}
		return m.account(place, f)
	case "id_token":
		if !regexp.MustCompile(`^[A-Za-z0-9._-]+$`).MatchString(token) {
			return refused
		}
		return m.user(place, f)
	case "legacy_secret", "legacy_token":
		return m.legacy(place, f)
	default:
		return refused
	}
}

// account: full access for the token of a service account with both scopes and permissions.
func (m *model) account(place string, f map[string]any) outcome {
	database := "/auth/platform.database"
	if m.isPublic() {
		database = "/auth/firebase.database"
		if m.Policy.ScopeBase == "" {
			m.Policy.ScopeBase = "https://www.googleapis.com"
		}
	}
	base := strings.TrimSuffix(m.Policy.ScopeBase, "/")
	scopes, known := f["scopes"].([]any)
	has := func(base string) bool {
		return slices.Contains(scopes, any(base+"/auth/userinfo.email")) && slices.Contains(scopes, any(base+database))
	}
	complete := has(base)
	if m.Policy.ScopeBase == "" { // then any base may be the right one
		complete = slices.ContainsFunc(scopes, func(scope any) bool {
			other, found := strings.CutSuffix(scope.(string), "/auth/userinfo.email")
			return found && other != "" && has(other)
		})
	}
	lacks := known && !complete
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

// user: the user that the token identifies; the rules apply.
func (m *model) user(place string, f map[string]any) outcome {
	switch life := m.life(f); {
	case place != "auth" || life == "over" || m.spoilt(f) || f["uid"] == "":
		return refused
	case life == "unknown" || m.untimed(f) || f["verified"] != true || f["uid"] == nil || f["audience"] == nil:
		return unsettled
	default:
		return outcome{"user", f["uid"].(string), "apply", "rules"}
	}
}

// legacy: still accepted in the places and with the rights that the policy gives.
func (m *model) legacy(place string, f map[string]any) outcome {
	life, stands := m.life(f), f["revoked"] == false
	isKnown := m.isPublic() && place == "auth" && f["kind"] == "legacy_secret"
	if f["kind"] == "legacy_token" {
		stands = stands || life == "going"
	}
	switch {
	case life == "over" || m.spoilt(f) || m.Policy.Legacy == "refuse":
		return refused
	case !slices.Contains(m.Policy.LegacyIn, place) && (m.Policy.LegacyIn != nil || !isKnown) || m.untimed(f) || f["verified"] != true || !stands:
		return unsettled
	case m.Policy.LegacyRules == "bypass", m.Policy.LegacyRules == "" && isKnown:
		return legacyFull
	default:
		return legacyUser
	}
}

// life returns "over", "going" or "unknown".
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

// spoilt reports whether a fact counts against a token of any kind.
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

// untimed reports whether the token has a start of validity that cannot be compared with a clock.
func (m *model) untimed(f map[string]any) bool {
	return m.Known["_now"] == nil && (f["nbf"] != nil || f["iat"] != nil)
}
