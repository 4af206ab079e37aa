package rtdbauth_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/internal/testing/testdepth"
	"github.com/calrules/calrules/rtdbauth"
)

// leakBytes is how many consecutive characters of a token are a leak.
const leakBytes = 8

// leakDetector finds the parts of a token in a text, as they are or formatted with %x or %d.
type leakDetector struct{ plain, lower []string }

func detectorOf(token string) (d leakDetector) {
	for i := 0; i+leakBytes <= len(token); i++ {
		part := token[i : i+leakBytes]
		d.plain = append(d.plain, part, strings.Trim(fmt.Sprint([]byte(part)), "[]"))
		d.lower = append(d.lower, hex.EncodeToString([]byte(part)), fmt.Sprintf("% x", part))
	}
	return d
}

// find returns a part of the token that the text shows, or "".
func (d leakDetector) find(text string) string {
	lower := strings.ToLower(text)
	for i := range d.plain {
		if strings.Contains(text, d.plain[i]) || strings.Contains(lower, d.lower[i]) {
			return d.plain[i]
		}
	}
	return ""
}

// leaks returns a part of the token that the text shows, or "".
func leaks(text, token string) string { return detectorOf(token).find(text) }

// hidden contains values of the package in unexported fields, for which fmt does not call methods.
type hidden struct {
	name  string
	value any
	token rtdbauth.Token
	msg   rtdbauth.Message
	known rtdbline.Known
	list  []rtdbauth.Token
	byKey map[string]rtdbauth.Token
}

// valuesWith returns values of every type of the package that may contain the token.
func valuesWith(t failer, token string) map[string]any {
	t.Helper()
	policy := rtdbauth.Policy{ScopeBase: scopeBase}
	secret := rtdbauth.NewToken(token)
	m := rtdbauth.Message{
		Method:  "GET",
		URL:     rtdbauth.NewToken("/a.json?auth=" + token + "&access_token=" + token + "&Auth=" + token),
		Headers: []rtdbauth.Field{{Name: "Authorization", Value: rtdbauth.NewToken("Bearer " + token)}},
	}
	line, err := json.Marshal(map[string]any{
		"method": "GET", "url": "/a.json?auth=" + token, "headers": [][2]string{{"Authorization", token}},
		"known": map[string]any{token: map[string]any{"kind": "id_token"}},
	})
	if err != nil {
		t.Errorf("%v", err)
	}
	var req rtdbline.Request
	if err := json.Unmarshal(line, &req); err != nil {
		t.Errorf("%v", err)
	}
	limited := rtdbauth.Message{
		Method: "POST", URL: rtdbauth.NewToken(`/a.json?auth_variable_override={"uid":"ada","token":"` + token + `"}`),
		Headers: []rtdbauth.Field{{Name: "Authorization", Value: rtdbauth.NewToken("Bearer owner")}},
	}
	own := limited
	own.URL, own.Headers = rtdbauth.NewToken(`/a.json?auth_variable_override={"uid":"`+token+`"}&access_token=`+token), nil
	misplaced := limited
	misplaced.Headers = append(slices.Clip(misplaced.Headers), rtdbauth.Field{Name: "X-HTTP-Method-Override", Value: secret})
	list := []rtdbauth.Token{secret}
	d := must(rtdbauth.Authenticate(context.Background(), m, careless{}, policy, noon))
	key, _ := rtdbauth.ParseKeyFile([]byte(`{"client_email":"a@b.example","private_key":"-----BEGIN PRIVATE KEY-----\n` + keyText(token) + `\n-----END PRIVATE KEY-----"}`))
	_, badKey := rtdbauth.ParseKeyFile([]byte(`{"client_email":7,"private_key":"` + keyText(token) + `"}`))
	return map[string]any{
		"token": secret, "pointer": &secret, "message": m, "list": list,
		"limited": decideGoogle(limited), "limited to the token": decideGoogle(own), "token as method": decideGoogle(misplaced),
		"decision": d, "error": d.Findings.Err(), "problem": d.Problem(403), "request": req, "pointer to request": &req,
		"result": rtdbline.Check(&req), "known": req.Known, "key file": key, "bad key file": badKey, "bad key file's error": badKey.Err(),
		"hidden":   hidden{"x", secret, secret, m, req.Known, list, map[string]rtdbauth.Token{"a": secret}},
		"redacted": rtdbauth.RedactURL(m.URL.Reveal()),
		"bad line": json.Unmarshal([]byte(`{"url":{"`+token+`":1},"headers":["`+token+`"],"known":"`+token+`"}`), new(rtdbline.Request)),
		"twice":    json.Unmarshal([]byte(`{"known":{"`+token+`":{},"`+token+`":{}}}`), new(rtdbline.Request)),
	}
}

// decideGoogle decides in the dialect of the public service for an emulator.
func decideGoogle(m rtdbauth.Message) rtdbauth.Decision {
	return must(rtdbauth.Authenticate(context.Background(), m, owner, public, noon))
}

// careless is a verifier with errors that show the token.
type careless struct{}

func (careless) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	return rtdbauth.Facts{}, errors.New("cannot verify " + token.Reveal())
}

// keyText returns the body of a PEM block that contains the token.
func keyText(token string) string {
	return strings.Repeat(hex.EncodeToString([]byte(token)), 4)
}

// renderings returns the output of every verb, encoder and logger for the value.
func renderings(value any) map[string]string {
	out := map[string]string{}
	for _, verb := range []string{"v", "+v", "#v", "s", "q", "x", "X", "d", "t", "T", "c", "b", "o", "U", "e", "g", "p", " x", "#x", "+q", "-40s", "080d"} {
		out["%"+verb] = fmt.Sprintf("%"+verb, value)
	}
	out["Sprint"], out["Sprintln"] = fmt.Sprint(value), fmt.Sprintln(value)
	out["wrapped"] = fmt.Errorf("wrapped: %v", value).Error()
	out["in a map"] = fmt.Sprintf("%v %#v", map[string]any{"a": value}, map[string]any{"a": value})
	out["in a slice"] = fmt.Sprintf("%x %d", []any{value}, []any{&value})
	data, err := json.Marshal(value)
	out["JSON"] = fmt.Sprintf("%s %v", data, err)
	data, err = xml.Marshal(value)
	out["XML"] = fmt.Sprintf("%s %v", data, err)
	var b bytes.Buffer
	out["gob"] = fmt.Sprint(gob.NewEncoder(&b).Encode(value)) + b.String()
	for name, handler := range map[string]slog.Handler{"slog text": slog.NewTextHandler(&b, nil), "slog JSON": slog.NewJSONHandler(&b, nil)} {
		b.Reset()
		slog.New(handler).With("with", value).Info("seen", "value", value, slog.Group("group", "nested", value))
		out[name] = b.String()
	}
	return out
}

// TestTokensAreNotShown renders every value that may contain a token in every way.
func TestTokensAreNotShown(t *testing.T) {
	tokens := rapid.StringMatching(`[A-Za-z0-9._~-]{16,40}`)
	for seed := range testdepth.Draws(10, 100) {
		token := tokens.Example(seed)
		detector := detectorOf(token)
		for name, value := range valuesWith(t, token) {
			for how, text := range renderings(value) {
				if part := detector.find(text); part != "" {
					t.Errorf("%s under %s shows %q of the token: %s", name, how, part, text)
				}
			}
		}
	}
}

// TestLeaksAreFound checks that the test above would find a leak.
func TestLeaksAreFound(t *testing.T) {
	const token = "0123456789abcdef"
	for _, text := range []string{"a " + token[3:12], fmt.Sprintf("%x", token), fmt.Sprintf("%d", []byte(token)), fmt.Sprintf("% X", token)} {
		if leaks(text, token) == "" {
			t.Errorf("no leak found in %q", text)
		}
	}
	if part := leaks("REDACTED", token); part != "" {
		t.Errorf("found %q, but nothing leaked", part)
	}
}

// No answer shows a token that is where another value should be.
func TestAnswersShowNoMisplacedToken(t *testing.T) {
	const token = "Zq7xK9wTr4MvB2nLd8Hs"
	facts := map[string]any{"kind": "legacy_secret", "verified": true, "revoked": false}
	for _, path := range []string{
		"method", "url", "headers", "dialect", "known", "policy", "policy legacy", "policy legacy_in", "policy legacy_rules",
		"policy empty_credential", "policy unsupported_scheme", "policy on_conflict", "policy ambiguous_path", "policy leeway_seconds",
		"policy require_tls", "known _now", "known _request", "known " + token + " kind", "known " + token + " verified",
		"known " + token + " exp", "known " + token + " audience", "known " + token + " issued_to", "known " + token + " scopes",
		"known " + token + " verifier_error",
	} {
		for _, value := range []any{token, []any{token}, []any{[]any{token, token, token}}, map[string]any{token: token}, 7} {
			line := map[string]any{
				"method": "GET", "url": "/a.json?auth=" + token, "policy": map[string]any{"legacy_in": []any{"auth"}},
				"known": map[string]any{token: maps.Clone(facts)},
			}
			put(line, strings.Fields(path), value)
			text, err := json.Marshal(line)
			if err != nil {
				t.Fatal(err)
			}
			answer := filter.Database(diag.Documents).Handle(text, nil)
			if part := leaks(string(answer), token); part != "" {
				t.Errorf("the answer to %s shows %q: %s", text, part, answer)
			}
		}
	}
}

// put sets a value within nested objects.
func put(in map[string]any, path []string, value any) {
	for ; len(path) > 1; path = path[1:] {
		inner, ok := in[path[0]].(map[string]any)
		if !ok {
			inner = map[string]any{}
			in[path[0]] = inner
		}
		in = inner
	}
	in[path[0]] = value
}

func TestTokenEqual(t *testing.T) {
	a, b, c := rtdbauth.NewToken("a"), rtdbauth.NewToken("a"), rtdbauth.NewToken("ab")
	var zero rtdbauth.Token
	if !a.Equal(b) || a.Equal(c) || a.Equal(zero) || !zero.Equal(rtdbauth.NewToken("")) {
		t.Error("Equal does not compare texts")
	}
	if !zero.Empty() || a.Empty() || a.Reveal() != "a" {
		t.Error("Reveal does not return the text")
	}
}
