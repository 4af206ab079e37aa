package rtdbauth_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/rtdbauth"
)

// TestFactsJSON: an embedder may read the facts of the batch form by themselves. What cannot be
// read leaves all of them unknown, and only what is written twice is an error.
func TestFactsJSON(t *testing.T) {
	old := rtdbauth.Facts{Kind: rtdbauth.KindOAuthAccess, Verified: rtdbauth.Yes}
	for line, want := range map[string]rtdbauth.Facts{
		`{}`: {},
		`{"kind":"id_token","verified":true,"revoked":false,"exp":1700000000.5,"audience":"another","uid":"u"}`: {
			Kind: rtdbauth.KindIDToken, Verified: rtdbauth.Yes, Revoked: rtdbauth.No,
			Expires: time.Unix(1700000000, 5e8), Audience: rtdbauth.No, UID: new("u"),
		},
		`{"kind":"id_token","uid":7}`:                 {},
		`{"kind":"id_token","verifier_error":"down"}`: {},
		`[]`:                                   {},
		`null`:                                 {},
		`{"kind":"id_token","verified":null }`: {Kind: rtdbauth.KindIDToken},
	} {
		got := old
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
	got := old
	if err := json.Unmarshal([]byte(`{"verified":false,"verified":true}`), &got); err == nil || !cmp.Equal(got, rtdbauth.Facts{}) {
		t.Errorf("a repeated member is read as %+v, error %v", got, err)
	}
}
