package rtdbauth_test

import (
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/internal/testing/surface"
	"github.com/calrules/calrules/rtdbauth"
)

// TestMisuse calls every exported function with nil, the zero value or what is out of range.
func TestMisuse(t *testing.T) {
	var nobody rtdbauth.Verifier
	calls := map[string]func(t *testing.T){
		"Authenticate": func(t *testing.T) {
			for _, m := range []rtdbauth.Message{{}, presenting(rtdbauth.InAuth).message(), {Headers: make([]rtdbauth.Field, 2)}} {
				policy := rtdbauth.Policy{LegacyIn: []rtdbauth.Place{255}, LeewaySeconds: -1 << 63, Dialect: 255}
				//lint:ignore SA1012 a nil Context is the misuse
				if d, err := rtdbauth.Authenticate(nil, m, nobody, policy, time.Time{}); d.Granted() || err == nil {
					t.Errorf("%v is granted something, %v", d.Principal, err)
				}
			}
		},
		"Catalogue": func(*testing.T) { rtdbauth.Catalogue().Rules()[0] = nil; rtdbauth.Catalogue().All() },
		"Decision.ForwardQuery": func(t *testing.T) {
			for _, d := range []rtdbauth.Decision{{}, {Principal: 255, Bypass: true, Location: "/"}, {Principal: rtdbauth.ServiceAccount, Location: "/"}} {
				if query, err := d.ForwardQuery(); query != "" || err == nil {
					t.Errorf("%+v is forwarded with %q", d, query)
				}
			}
		},
		"Policy.EmulatorOwner": func(t *testing.T) {
			v := (&rtdbauth.Policy{}).EmulatorOwner(nil)
			if facts, err := v.VerifyToken(t.Context(), 255, rtdbauth.Token{}); err == nil || facts.Verified != nil {
				t.Errorf("an empty token is known: %+v", facts)
			}
		},
		"Decision.Granted": func(t *testing.T) {
			if (rtdbauth.Decision{}).Granted() {
				t.Error("the zero decision grants something")
			}
		},
		"Decision.Problem": func(t *testing.T) {
			if p := (rtdbauth.Decision{}).Problem(-1); p.Title == "" || len(p.Errors) != 0 {
				t.Errorf("problem %+v", p)
			}
		},
		"Decision.Access": func(t *testing.T) {
			for _, d := range []rtdbauth.Decision{{}, {Principal: 255, Bypass: true, Location: "/"}} {
				if d.Access() != "none" || d.Granted() {
					t.Errorf("%+v grants %s", d, d.Access())
				}
			}
		},
		"Decision.Rules": func(t *testing.T) {
			if d := (rtdbauth.Decision{Principal: 255, Bypass: true}); d.Rules() != "n/a" {
				t.Errorf("the rules of an unknown principal: %s", d.Rules())
			}
		},
		"NewToken": func(t *testing.T) {
			if !rtdbauth.NewToken("").Equal(rtdbauth.Token{}) {
				t.Error("an empty token is not the zero value")
			}
		},
		"ParseKeyFile": func(t *testing.T) {
			for _, data := range [][]byte{nil, {}, {0xff}, []byte("null")} {
				if _, findings := rtdbauth.ParseKeyFile(data); !findings.Rejected() {
					t.Errorf("%q is a key file", data)
				}
			}
		},
		"Policy.Validate": func(t *testing.T) {
			if err := new(rtdbauth.Policy).Validate(); err != nil {
				t.Error(err)
			}
			for _, policy := range []rtdbauth.Policy{
				{LegacyIn: []rtdbauth.Place{rtdbauth.InAuth, 255}}, {LegacyIn: []rtdbauth.Place{0}}, {LeewaySeconds: -1}, {Dialect: 255},
			} {
				if policy.Validate() == nil {
					t.Errorf("%+v is valid", policy)
				}
				d, err := rtdbauth.Authenticate(t.Context(), rtdbauth.Message{Method: "GET", URL: rtdbauth.NewToken("/a.json")}, nobody, policy, time.Time{})
				if d.Granted() || d.Principal != rtdbauth.Unspecified || err == nil {
					t.Errorf("%v is granted something under %+v, %v", d.Principal, policy, err)
				}
			}
		},
		"Policy.RequiredScopes": func(t *testing.T) {
			if _, ok := (&rtdbauth.Policy{Dialect: 255}).RequiredScopes(); ok {
				t.Error("the scopes of an unknown dialect are known")
			}
		},
		"RedactURL": func(t *testing.T) {
			if got := rtdbauth.RedactURL(""); got != "" {
				t.Errorf("an empty URL becomes %q", got)
			}
		},
		"Table":       func(*testing.T) { rtdbauth.Table() },
		"Rows.String": func(*testing.T) { _ = rtdbauth.Rows{{}}.String() },
	}
	for _, name := range surface.Functions(t, ".") {
		if of, isMethod := strings.CutPrefix(name, "Token."); isMethod {
			calls[name] = func(t *testing.T) { misuseToken(t, of) }
		}
	}
	surface.CheckMisuse(t, ".", calls, ofEnumeration)
}

// ofEnumeration reports whether a function is a method of an enumeration. TestNameOfInvalidValue and
// TestTextOfInvalidValue call those.
func ofEnumeration(name string) bool {
	of, method, _ := strings.Cut(name, ".")
	return strings.Contains(" Principal Place Kind ", " "+of+" ") &&
		(method == "String" || method == "MarshalText" || method == "UnmarshalText")
}

// misuseToken calls a method of the zero token.
func misuseToken(t *testing.T, method string) {
	var zero rtdbauth.Token
	switch method {
	case "Empty":
		if !zero.Empty() {
			t.Error("the zero token is not empty")
		}
	case "Equal":
		if !zero.Equal(rtdbauth.Token{}) {
			t.Error("two zero tokens differ")
		}
	case "Reveal":
		if zero.Reveal() != "" {
			t.Error("the zero token has a text")
		}
	default: // the methods that render a token; see TestTokensAreNotShown
		for how, text := range renderings(zero) {
			if strings.Contains(text, "PANIC") {
				t.Errorf("%s: %s", how, text)
			}
		}
	}
}

// TestTextOfInvalidValue reads and writes texts and values that the enumerations do not have.
func TestTextOfInvalidValue(t *testing.T) {
	type text interface {
		MarshalText() ([]byte, error)
		UnmarshalText([]byte) error
	}
	principal, place := rtdbauth.Principal(255), rtdbauth.Place(255)
	for _, v := range []text{&principal, &place} {
		written, err := v.MarshalText()
		if err != nil || v.UnmarshalText(nil) != nil {
			t.Errorf("%T: %v", v, err)
		}
		if zero, _ := v.MarshalText(); string(zero) != string(written) {
			t.Errorf("%T: an invalid value is written as %q, the zero value as %q", v, written, zero)
		}
	}
}
