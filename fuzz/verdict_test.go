package fuzz_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/gen"
)

// TestVerdictForms checks that the command, which writes verdicts without reflection, writes those of this package.
func TestVerdictForms(t *testing.T) {
	draw, err := fuzz.Mix{InvalidShare: 0.5}.Payloads(1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 500 {
		want := draw(i).Verdict
		text := append(gen.Verdict(want).AppendJSON([]byte("{")), '}')
		var got fuzz.Verdict
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s is read as another verdict (-want +got):\n%s", text, diff)
		}
	}
}
