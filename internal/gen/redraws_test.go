package gen

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

var update = flag.Bool("update", false, "write the record of redraws")

// figures are what a record has of a rule in a dialect.
type figures struct {
	Redraws int            // how many requests were drawn in vain for ten that break the rule
	Without []operation.ID `json:",omitempty"` // the operations on which none was found
}

// TestRedraws compares how many requests are drawn in vain until one breaks a rule, and the operations on which none does, with
// a record. A generator or an example that fits badly makes the figures grow; the flag -update accepts them.
func TestRedraws(t *testing.T) {
	got := map[string]figures{}
	for rule := range event.Catalogue().All() {
		for _, in := range []diag.Dialect{diag.Documents, diag.Google} {
			if b := findBreach(breachOf{id: rule.ID, in: in}); len(b.operations(nil)) > 0 {
				got[rule.ID+" "+in.String()] = figures{redraws(b), without(b)}
			}
		}
	}
	record := filepath.Join("testdata", "redraws.json")
	if *update {
		if err := os.WriteFile(record, bytes.ReplaceAll(must(json.Marshal(got)), []byte("},"), []byte("},\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]figures{}
	if err := json.Unmarshal(must(os.ReadFile(record)), &want); err != nil {
		t.Fatal(err)
	}
	for name, is := range got {
		const more = 15 // than on record
		if was := want[name]; is.Redraws > was.Redraws+more || len(is.Without) > len(was.Without) {
			t.Errorf("%s: %d redraws, and not broken on %v; on record are %d and %v", name, is.Redraws, is.Without, was.Redraws, was.Without)
		}
	}
}

func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// redraws draws ten payloads and returns the number of redraws.
func redraws(b *breach) (sum int) {
	const draws = 10
	for seed := range uint64(draws) {
		_, n := b.draw(draw.Seeded(seed), b.operations(nil), 0)
		sum += n
	}
	return sum
}

// without lists the operations of the rule on which it cannot be broken.
func without(b *breach) (ops []operation.ID) {
	for _, op := range OperationsOn(b.rule.When) {
		if b.plain[op]() == nil {
			ops = append(ops, op)
		}
	}
	return ops
}
