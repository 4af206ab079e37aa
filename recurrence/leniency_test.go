package recurrence_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/recurrence"
)

// spellings are the lines of the table in docs/recurrence.md.
var spellings = []string{
	"RRULE:FREQ=DAILY;UNTIL=20260312",
	"RRULE:FREQ=DAILY;UNTIL=20260312T130000Z",
	"RRULE:FREQ=DAILY;UNTIL=20260312T090000",
	"RRULE;VALUE=RECUR:FREQ=DAILY",
	"RRULE;VALUE=DATE:FREQ=DAILY",
	"RRULE;TZID=America/New_York:FREQ=DAILY",
	"EXDATE:20260311",
	"EXDATE:20260311T130000Z",
	"EXDATE:20260311T090000",
	"EXDATE;VALUE=DATE:20260311",
	"EXDATE;VALUE=DATE:20260311T130000Z",
	"EXDATE;VALUE=DATE-TIME:20260311T130000Z",
	"EXDATE;VALUE=DATE-TIME:20260311",
	"EXDATE;VALUE=PERIOD:20260311T130000Z/PT1H",
	"EXDATE;TZID=America/New_York:20260311T090000",
	"EXDATE;TZID=/America/New_York:20260311T090000",
	"EXDATE;TZID=Eastern Standard Time:20260311T090000",
	"EXDATE;TZID=/example.org/America/New_York:20260311T090000",
	"EXDATE;TZID=America/New_York:20260311T130000Z",
	"EXDATE;TZID=America/New_York;VALUE=DATE:20260311",
	"RDATE:20260320",
	"RDATE:20260320T130000Z",
	"RDATE:20260320T090000",
	"RDATE:20260320T130000Z/PT1H",
	"RDATE;VALUE=DATE:20260320",
	"RDATE;VALUE=PERIOD:20260320T130000Z/PT1H",
	"RDATE;VALUE=PERIOD:20260320T130000/20260320T140000",
	"RDATE;VALUE=PERIOD:20260320/P1D",
	"RDATE;TZID=America/New_York:20260320T090000",
	"RDATE:20260309T130000Z",
	"EXDATE:20260309T130000Z",
	"EXDATE;VALUE=DATE:20260309",
	"RDATE;VALUE=DATE:20260309",
}

// TestLeniency compares the table in docs/recurrence.md with what the rules say.
func TestLeniency(t *testing.T) {
	const file, begin = "../docs/recurrence.md", "| line | all-day start | timed start |\n| --- | --- | --- |\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, _ := strings.Cut(rest, "\n\n")
	if !ok {
		t.Fatalf("%s has no table", file)
	}
	var table strings.Builder
	for _, line := range spellings {
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", line, verdict(line, allDay), verdict(line, timed))
	}
	want := head + begin + table.String() + "\n" + tail
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(text), "\n")); diff != "" {
		t.Errorf("%s is out of date; run go test ./recurrence -run Leniency -update (-want +got):\n%s", file, diff)
	}
}

// verdict says in a cell what the rules say about a line beside an endless daily rule.
func verdict(line string, start recurrence.Start) string {
	var cells []string
	for _, f := range (recurrence.Lines{Texts: []string{line, "RRULE:FREQ=DAILY;INTERVAL=1"}, Start: start}).Check().Findings {
		verb := map[diag.Kind]string{diag.Reject: "refused", diag.Advise: "advice"}[f.Kind]
		_, page, _ := strings.Cut(f.Rule.URL(), "/docs/")
		cells = append(cells, fmt.Sprintf("%s: %s [%s](%s)", verb, f.Message(), f.Rule.ID, page))
	}
	if cells == nil {
		return "accepted"
	}
	return strings.Join(cells, "<br>")
}
