package rtdbauth_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/rtdbauth"
)

// TestRequestRejectsInvalidLines has lines that JSON parsers change, or that are no objects.
func TestRequestRejectsInvalidLines(t *testing.T) {
	for name, line := range map[string]string{
		"array":              `[]`,
		"null":               `null`,
		"text":               `"x"`,
		"repeated member":    `{"url":"/a.json","url":"/b.json"}`,
		"repeated token":     `{"known":{"t":{"verified":false},"t":{"verified":true}}}`,
		"repeated transport": `{"known":{"_request":{"tls":true,"tls":false}}}`,
		"repeated policy":    `{"policy":{"legacy":"refuse","legacy":""}}`,
	} {
		var req rtdbline.Request
		if err := json.Unmarshal([]byte(line), &req); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRequestKeepsItsID(t *testing.T) {
	var req rtdbline.Request
	if err := json.Unmarshal([]byte(`{"headers":7,"id":{"n":[1]}}`), &req); err == nil || string(req.ID) != `{"n":[1]}` {
		t.Errorf("id %s, error %v", req.ID, err)
	}
}

// TestRequestMembers reads members with separators and escapes in their names and values.
func TestRequestMembers(t *testing.T) {
	res := answerLine(t, ` { "id" : {"\"}":[ -1.5e3 , "\\" , {} , [ ] ,null]} , "x":"\",\"url\":\"/b\"", "\u0075rl"`+"\t:\n"+
		`"/{a}\",.json", "method" :"GET","known":{"a\\":{},"\"":null , "_now" : 1 } ,"policy":{ } } `)
	if res.Location != `/{a}",` || string(res.ID) != `{"\"}":[ -1.5e3 , "\\" , {} , [ ] ,null]}` {
		t.Errorf("id %s, location %q: %v", res.ID, res.Location, res.Findings)
	}
}

// TestNullIsAbsent checks null with and without white space after it.
func TestNullIsAbsent(t *testing.T) {
	for _, space := range []string{"", " ", "\t", "\r\n"} {
		null := "null" + space
		for _, member := range []string{`"id":` + null, `"headers":` + null, `"known":` + null, `"policy":` + null, `"known":{"_request":` + null + `}`} {
			res := answerLine(t, `{"method":"GET","url":"/a.json",`+member+`}`)
			if res.Principal != rtdbauth.None || len(res.Findings) != 0 || len(res.ID) != 0 {
				t.Errorf("%q: principal %v, id %q: %v", member, res.Principal, res.ID, res.Findings)
			}
		}
		absent := answerLine(t, `{"method":"GET","url":"/a.json?auth=t"}`)
		if diff := cmp.Diff(absent, answerLine(t, `{"method":"GET","url":"/a.json?auth=t","known":{"t":`+null+`}}`)); diff != "" {
			t.Errorf("facts %q about a token (-absent +null):\n%s", null, diff)
		}
	}
}

// TestDifferentTextsAreDifferentTokens uses texts that encoding/json reads as the same: halves of
// surrogate pairs, and bytes that are not UTF-8.
func TestDifferentTextsAreDifferentTokens(t *testing.T) {
	const facts = `{"kind":"id_token","verified":true,"expired":false,"audience":"this_project","uid":"u"}`
	for name, c := range map[string]struct {
		line string
		want rtdbauth.Principal
	}{
		"two halves":       {`{"method":"GET","url":"/a.json?auth=\ud800abc","known":{"\udfffabc":` + facts + `}}`, rtdbauth.Rejected},
		"the same half":    {`{"method":"GET","url":"/a.json?auth=\ud800abc","known":{"\ud800abc":` + facts + `}}`, rtdbauth.Rejected},
		"a replacement":    {`{"method":"GET","url":"/a.json?auth=%EF%BF%BDabc","known":{"\ud800abc":` + facts + `}}`, rtdbauth.Unspecified},
		"half in the path": {`{"method":"GET","url":"/a\udc00.json"}`, rtdbauth.Rejected},
		"half elsewhere":   {`{"method":"GET","url":"/a.json?x=\udc00"}`, rtdbauth.None},
		"half in a header": {`{"method":"GET","url":"/a.json","headers":[["Authorization","Bearer \udc00"]]}`, rtdbauth.Rejected},
		"both halves":      {`{"method":"GET","url":"/a.json?auth=t","known":{"\ud800":{},"\udfff":{}}}`, rtdbauth.Unspecified},
	} {
		if res := answerLine(t, c.line); res.Principal != c.want {
			t.Errorf("%s: %v, want %v: %v", name, res.Principal, c.want, res.Findings)
		}
	}
	if err := new(rtdbline.Request).UnmarshalJSON([]byte("{\"url\":\"/a.json?auth=\xff\"}")); err == nil {
		t.Error("no error for bytes that are not UTF-8")
	}
}

// TestRequestCopiesItsLine checks that callers may reuse the buffer of a line.
func TestRequestCopiesItsLine(t *testing.T) {
	line := []byte(`{"id":7,"method":"GET","url":"/a.json?auth=i","known":{"i":{"kind":"other"}}}`)
	var req rtdbline.Request
	if err := json.Unmarshal(line, &req); err != nil {
		t.Fatal(err)
	}
	clear(line)
	if res := rtdbline.Check(&req); res.Principal != rtdbauth.Rejected || string(res.ID) != "7" {
		t.Errorf("id %s, principal %v", res.ID, res.Principal)
	}
}

// TestUnknownKindMessages checks that every reason for an unknown kind has its own message, and
// that no message shows the token or the text of the entry.
func TestUnknownKindMessages(t *testing.T) {
	const token, said = "s3cr3t-t0ken", "s3cr3t-err0r"
	seen := map[string]string{}
	for name, entry := range map[string]string{
		"not known":      `"another":{}`,
		"verifier error": `"` + token + `":{"kind":"id_token","verifier_error":"` + said + " " + token + `"}`,
		"no kind":        `"` + token + `":{"verified":true}`,
	} {
		res := answerLine(t, `{"method":"GET","url":"/a.json?auth=`+token+`","known":{`+entry+`}}`)
		if res.Principal != rtdbauth.Unspecified || len(res.Findings) != 1 {
			t.Errorf("%s: %v with %v", name, res.Principal, res.Findings)
			continue
		}
		message := res.Findings[0].Message()
		if other, ok := seen[message]; ok {
			t.Errorf("%s and %s have the same message: %s", name, other, message)
		}
		if leaks(message, token)+leaks(message, said) != "" {
			t.Errorf("%s: the message shows a secret: %s", name, message)
		}
		seen[message] = name
	}
}

// TestVerifierErrorIsNotShown uses a verifier with an error that contains the token.
func TestVerifierErrorIsNotShown(t *testing.T) {
	m := rtdbauth.Message{Method: "GET", URL: rtdbauth.NewToken("/a.json?auth=s3cr3t-t0ken")}
	d := must(rtdbauth.Authenticate(t.Context(), m, careless{}, rtdbauth.Policy{}, noon))
	unknown := must(rtdbauth.Authenticate(t.Context(), m, verifier{}, rtdbauth.Policy{}, noon))
	if len(d.Findings) != 1 || leaks(d.Findings[0].Message(), "s3cr3t-t0ken") != "" || d.Findings[0].Message() == unknown.Findings[0].Message() {
		t.Errorf("error: %v; unknown token: %v", d.Findings, unknown.Findings)
	}
}

func TestResultJSON(t *testing.T) {
	for line, want := range map[string]string{
		`{"id":"a","method":"GET","url":"/a.json"}`: `{"id":"a","principal":"none","rules":"apply","read":"public","write":"public","findings":[]}`,
		`{"method":"GET","url":"/a.json?auth=i","known":{"i":{"kind":"id_token","verified":true,"expired":false,"audience":"this_project","uid":"u"}},"policy":null,"headers":null}`: `{"id":null,"principal":"user","subject":"u","rules":"apply","read":"rules","write":"rules","findings":[]}`,
	} {
		got, err := json.Marshal(answerLine(t, line))
		if err != nil || string(got) != want {
			t.Errorf("%s\ngot  %s, %v\nwant %s", line, got, err, want)
		}
	}
}

func TestResultReadsBack(t *testing.T) {
	for _, c := range readCases(t) {
		want := answer(t, c.Request)
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got rtdbline.Result
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), `"rules":"`+want.Rules()+`"`) {
			t.Errorf("%s: %s, want the rules %s", c.Name, data, want.Rules())
		}
		want.Location, want.Method, want.Database, want.Override, want.Bypass = "", "", "", rtdbauth.Token{}, false // not part of the batch form
		for i := range want.Findings {
			got.Findings[i].Rule = want.Findings[i].Rule // only the id and the basis are read back
			got.Findings[i].Offset = -1
		}
		want.ID, got.ID = nil, nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
	}
}

// TestPolicy reads every member of a policy.
func TestPolicy(t *testing.T) {
	const known = `{"legacy":"refuse","legacy_in":["header","access_token","auth"],"legacy_rules":"bypass","empty_credential":"ignore",` +
		`"unsupported_scheme":"reject","on_conflict":"least_privilege","ambiguous_path":"reject","leeway_seconds":5,"require_tls":true,"scope_base":"s"}`
	for text, want := range map[string]rtdbauth.Policy{
		known: {
			RejectLegacy: true, LegacyIn: []rtdbauth.Place{rtdbauth.InHeader, rtdbauth.InAccessToken, rtdbauth.InAuth},
			LegacyBypass: new(true), IgnoreEmpty: true, RejectOtherSchemes: true,
			LeastPrivilege: true, RejectAmbiguousPath: true, LeewaySeconds: 5, RequireTLS: true, ScopeBase: "s",
		},
		`{"unsupported_scheme":"ignore"}`: {IgnoreOtherSchemes: true},
		`{"legacy_rules":"apply"}`:        {LegacyBypass: new(false)},
		`{"legacy_in":[]}`:                {LegacyIn: []rtdbauth.Place{}}, // accepted nowhere, in any dialect
	} {
		var req rtdbline.Request
		if err := json.Unmarshal([]byte(`{"policy":`+text+`}`), &req); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, req.Policy); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestZeroValuesGrantNothing leaves out one thing that a decision needs.
func TestZeroValuesGrantNothing(t *testing.T) {
	for name, d := range map[string]rtdbauth.Decision{
		"decision": {},
		"request":  rtdbline.Check(&rtdbline.Request{}).Decision,
		"verifier": must(rtdbauth.Authenticate(t.Context(), presenting(rtdbauth.InAuth).message(), nil, rtdbauth.Policy{}, noon)),
		"facts":    decide(presenting(rtdbauth.InHeader), verifier{}, rtdbauth.Policy{}),
	} {
		if d.Granted() {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
