package filter_test

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/filter"
)

// The text of an event that looks like a finding is not counted.
func TestCounted(t *testing.T) {
	const in = `{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"findings":[{"rule":"time.order"}],"rule":"x"}}
{"op":"events.insert","body":{"start":{"date":"2026-03-10"}}}
{"op":"events.insert","body":{"end":{"date":"2026-03-10"}}}
{"op":"events.insert","body":{"start":{"date":"2026-03-10"}}}
no JSON
`
	f, err := filter.Named("check")
	if err != nil {
		t.Fatal(err)
	}
	f, counts := filter.Counted(f)
	if err := f.Run(t.Context(), strings.NewReader(in), io.Discard); err != nil {
		t.Fatal(err)
	}
	want := filter.Counts{Lines: 5, Rejected: 4, Rules: map[string]int{"event.start.required": 1, "event.end.required": 2, "json.unknown-field": 2}}
	if diff := cmp.Diff(&want, counts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var sum filter.Counts
	sum.Add(*counts)
	sum.Add(filter.Counts{Lines: 1, Rules: map[string]int{"time.order": 2}})
	want.Lines, want.Rules["time.order"] = 6, 2
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Errorf("the sum (-want +got):\n%s", diff)
	}
}

func TestNamed(t *testing.T) {
	for _, name := range filter.Names {
		if f, err := filter.Named(name); err != nil || f.Handle == nil {
			t.Errorf("there is no filter %s: %v", name, err)
		}
	}
	if _, err := filter.Named("chek"); err == nil || !strings.Contains(err.Error(), "check, expand, make, rtdb") {
		t.Errorf("the error is %v", err)
	}
}
