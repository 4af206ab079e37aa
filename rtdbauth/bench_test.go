package rtdbauth_test

import (
	"encoding/json"
	"testing"

	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/rtdbauth"
)

// benchmarks are common requests.
var benchmarks = []struct {
	name string
	wire wire
}{
	{"none", wire{method: "GET", path: "/users/jack.json"}},
	{"header", wire{method: "GET", path: "/users/jack.json", headers: [][2]string{
		{"Accept", "*/*"}, {"Authorization", "Bearer access-1"}, {"User-Agent", "a"},
	}}},
	{"auth", wire{method: "GET", path: "/users/jack.json", pairs: []string{"print=pretty", "auth=user-1", "shallow=true"}}},
	{"conflict", wire{method: "GET", path: "/users/jack.json", pairs: []string{"access_token=access-1", "auth=user-1"}}},
}

// BenchmarkAuthenticate reads a request and decides about it, with a verifier that looks tokens up.
func BenchmarkAuthenticate(b *testing.B) {
	policy := rtdbauth.Policy{ScopeBase: scopeBase}
	for _, bm := range benchmarks {
		b.Run(bm.name, func(b *testing.B) {
			m := bm.wire.message()
			b.ReportAllocs()
			for b.Loop() {
				must(rtdbauth.Authenticate(b.Context(), m, good, policy, noon))
			}
		})
	}
}

// BenchmarkLine answers one line of the batch form, from bytes to bytes.
func BenchmarkLine(b *testing.B) {
	line, err := json.Marshal(readCases(b)[1].Request)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		var req rtdbline.Request
		if err := json.Unmarshal(line, &req); err != nil {
			b.Fatal(err)
		}
		if _, err := json.Marshal(rtdbline.Check(&req)); err != nil {
			b.Fatal(err)
		}
	}
}
