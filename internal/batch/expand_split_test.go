package batch_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/batch"
)

// The halves of a split are requests whose instances, exceptions included, are those of the whole.
func TestExpandSplitIsWhole(t *testing.T) {
	exceptions := `,"exceptions":[` + changedOne + "," + movedAway + "," + wholeDay + "," + dropped + `]`
	rapid.Check(t, func(r *rapid.T) {
		day := rapid.IntRange(6, 10).Draw(r, "day")
		split := time.Date(2026, 3, day, 14, 0, 0, 0, time.UTC)
		if day >= 8 {
			split = split.Add(-time.Hour) // on summer time
		}
		halves := expandLine(t, nineDaily+exceptions+`,"split":"`+split.Format(time.RFC3339)+`"`)
		if halves.Error != "" || (halves.Before == nil) != (day == 6) {
			r.Fatalf("on day %d: %+v", day, halves)
		}
		var got []string
		for _, half := range []*batch.Half{halves.Before, halves.After} {
			if half == nil {
				continue
			}
			text, err := json.Marshal(half)
			if err != nil {
				r.Fatal(err)
			}
			got = append(got, startsOf(expandLine(t, string(text[1:len(text)-1])))...)
		}
		want := startsOf(expandLine(t, nineDaily+exceptions))
		slices.Sort(got) // an exception may take place beyond the split
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			r.Fatalf("on day %d (-whole +halves):\n%s", day, diff)
		}
	})
}

// startsOf returns the starts in an answer, with its error if there is one.
func startsOf(answer batch.Expanded) (starts []string) {
	for _, i := range answer.Instances {
		starts = append(starts, i.Start.String())
	}
	if answer.Error != "" {
		starts = append(starts, answer.Error)
	}
	return starts
}

// A split refuses every member that it does not use.
func TestExpandSplitAlone(t *testing.T) {
	const split = `,"split":"2026-03-09T13:00:00Z"`
	for _, members := range []string{`"from":"2026-03-06"`, `"to":"2026-03-06"`, `"window":"overlap"`, `"limit":1`, `"ask":"count"`, `"at":"2026-03-06"`} {
		if answer := expandLine(t, nineDaily+","+members+split); answer.Error == "" || answer.Before != nil || answer.After != nil {
			t.Errorf("%s: %+v", members, answer)
		}
	}
	for _, text := range []string{"soon", "2026-03-09"} {
		if answer := expandLine(t, nineDaily+`,"split":"`+text+`"`); !strings.Contains(answer.Error, "split is ") || answer.After != nil {
			t.Errorf("split %q: %+v", text, answer)
		}
	}
	if answer := expandLine(t, nineDaily+`,"gap":"shift"`+split); answer.Error != "" || answer.After == nil {
		t.Errorf("with a gap: %+v", answer)
	}
}
