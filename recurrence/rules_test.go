package recurrence_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/recurrence"
)

var (
	newYork = load("America/New_York")
	timed   = recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, newYork)) // a Tuesday
	allDay  = recurrence.StartDate(2026, 3, 10)
)

// check returns the findings as "kind rule path", without the kind if it is reject.
func check(on diag.When, start *recurrence.Start, lines ...string) []string {
	checked := recurrence.Lines{Texts: lines, On: on}
	if start != nil {
		checked.Start = *start
	}
	var found []string
	for _, f := range checked.Check().Findings {
		kind := string(f.Kind) + " "
		if f.Kind == diag.Reject {
			kind = ""
		}
		if message := f.Message(); strings.Trim(message, ".") == "" || strings.ContainsAny(message, "{}") {
			kind = "silent "
		}
		found = append(found, kind+strings.TrimPrefix(f.Rule.ID, "recurrence.")+" "+string(f.Path))
	}
	return found
}

// TestInstancesFound tests what Check returns.
func TestInstancesFound(t *testing.T) {
	for _, c := range []struct {
		lines     string
		empty     bool
		unmatched []int
	}{
		{"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260311T130000Z", false, nil},
		{"RRULE:FREQ=DAILY;COUNT=1|EXDATE:20260310T130000Z", true, nil},
		{"RRULE:FREQ=DAILY;UNTIL=20260309T130000Z|EXDATE:20260310T130000Z", true, nil},
		{"EXDATE:20260313T130000Z|RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260311T130000Z|EXDATE:20260311T130001Z", false, []int{0, 3}},
		{"RRULE:FREQ=DAILY;COUNT=0|EXDATE:20260313T130000Z", false, nil},
	} {
		lines := strings.Split(c.lines, "|")
		got := recurrence.Lines{Texts: lines, Start: timed, On: diag.Patch}.Check()
		if got.Empty != c.empty || !slices.Equal(got.Unmatched, c.unmatched) {
			t.Errorf("%s: empty is %t, unmatched %v", c.lines, got.Empty, got.Unmatched)
		}
	}
	if (recurrence.Lines{Texts: []string{"RRULE:FREQ=DAILY;UNTIL=20260309T130000Z"}}).Check().Empty {
		t.Error("a set without a start is empty")
	}
}

// Lines that may be stored are not rejected for having no instance, but Check says so.
func TestStoredLines(t *testing.T) {
	lines := recurrence.Lines{Texts: []string{"RRULE:FREQ=DAILY;COUNT=1", "EXDATE:20260310T130000Z"}, Start: timed, On: diag.Patch}
	for _, stored := range []bool{false, true} {
		lines.Stored = stored
		if got := lines.Check(); !got.Empty || got.Findings.Rejected() == stored {
			t.Errorf("stored %t: %+v", stored, got)
		}
	}
}

// What one check read does not show in the next one, also if several run at once.
func TestCheckForgets(t *testing.T) {
	sets := [][]string{
		{"RRULE:FREQ=MONTHLY;BYDAY=2TU;BYMONTH=1,2,3;X-A=1", "EXDATE;TZID=Europe/Berlin:20260310T140000", "EXDATE;VALUE=DATE:20260414"},
		{"RDATE;VALUE=PERIOD:20260309T130000Z/PT1H", "RRULE:FREQ=YEARLY;BYMONTHDAY=10;COUNT=0", "FOO"},
		{"EXRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY;BYDAY=MO", "RRULE:FREQ=WEEKLY;BYDAY=MO"},
		{"RRULE:FREQ=DAILY"},
	}
	var group sync.WaitGroup
	want := make([]string, len(sets))
	for i, lines := range sets {
		want[i] = fmt.Sprint(check(diag.Insert, &timed, lines...))
	}
	for range 4 {
		group.Go(func() {
			for i := range 100 {
				k := i * 7 % len(sets)
				if got := fmt.Sprint(check(diag.Insert, &timed, sets[k]...)); got != want[k] {
					t.Errorf("%v: %s, at first %s", sets[k], got, want[k])
				}
			}
		})
	}
	group.Wait()
	if want[3] != "[]" || want[0] == "[]" {
		t.Errorf("findings %v", want)
	}
}

// A control character is found wherever it is, and a character of several bytes is none.
func TestControlCharacters(t *testing.T) {
	const line = "RRULE;X-A=é\u07ff\U0001f600ÿ~\t:FREQ=DAILY;COUNT=3"
	if got := check(diag.Insert, &timed, line); got != nil {
		t.Errorf("%q: %v", line, got)
	}
	for i := len("RRULE;X-A="); i <= len(line); i++ {
		for _, control := range []string{"\x00", "\x1f", "\x7f", "\r\n"} {
			changed := line[:i] + control + line[i:]
			if got := check(diag.Insert, &timed, changed); !slices.Equal(got, []string{"line.syntax /0"}) {
				t.Errorf("%q: %v", changed, got)
			}
		}
	}
}

// The findings are in the order of the lines, whatever the order of the rules.
func TestFindingsAreInOrder(t *testing.T) {
	faults := []string{"RRULE:FREQ=DAILY;COUNT=0", "FOO", "EXDATE:20260309T130001Z", "RRULE:FREQ=DAILY;UNTIL=20260309", "RDATE:20260309T13", "RRULE:FREQ=WEEKLY;BYDAY=1MO"}
	const n = 12 // so that the index of some lines has two digits
	for _, first := range faults {
		for _, second := range faults {
			var lines []string
			for i := range n / 2 {
				lines = append(lines, fmt.Sprint(first, ";X-A=", i), fmt.Sprint(second, ";X-B=", i))
			}
			at := -1 // of the whole array
			for _, f := range (recurrence.Lines{Texts: lines, Start: timed, On: diag.Insert}).Check().Findings {
				i := -1
				if f.Path != "" {
					fmt.Sscanf(string(f.Path), "/%d", &i)
				}
				if i < at {
					t.Errorf("%s and %s: a finding at %s follows one at /%d", first, second, f.Path, at)
				}
				at = i
			}
		}
	}
}

func TestNothingToReport(t *testing.T) {
	for _, lines := range [][]string{nil, {}} {
		if got := check(diag.Insert, &timed, lines...); got != nil {
			t.Errorf("%v: %v", lines, got)
		}
	}
}

func TestCatalogue(t *testing.T) {
	for _, r := range recurrence.Rules() {
		if r.Summary == "" || r.Section == "" || r.Why == "" {
			t.Errorf("%s has no summary, section or reason", r.ID)
		}
	}
}

// In a response, each fault of the name of a line breaks the rule line.name, and nothing else in the line is checked.
func TestNamesInResponses(t *testing.T) {
	for line, want := range map[string][2][]string{
		"DTSTART:20260310":  {{"line.dtstart /0"}, {"line.name /0"}},
		"":                  {{"line.syntax /0"}, {"line.name /0"}},
		"X-FOO=1":           {{"line.name /0"}, {"line.name /0"}},
		"RRULE":             {{"line.syntax /0"}, nil},
		"RRULE:FREQ=DAILY ": {{"line.syntax /0"}, nil},
		"RRULE:FREQ=X":      {{"rule.part /0"}, nil},
	} {
		got := [2][]string{check(diag.Insert, nil, line), check(diag.Response, nil, line)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", line, diff)
		}
	}
}

// A rule about each line finds the line that breaks it, whatever lines are before it.
func TestLaterLines(t *testing.T) {
	before := []string{"EXDATE:20260317T130000Z", "RRULE:FREQ=WEEKLY", "RRULE:FREQ=WEEKLY;UNTIL=20260602T130000Z"}
	for _, test := range []struct {
		last, want string
		found      bool
	}{
		{"RRULE:FREQ=DAILY;UNTIL=20260602T090000", "rule.until-form /3", true},
		{"RRULE:FREQ=DAILY;BYYEARDAY=69", "rule.by-part /3", true},
		{"RRULE:FREQ=WEEKLY;BYYEARDAY=69", "rule.by-part /3", true},
		{"RRULE:FREQ=MONTHLY;BYYEARDAY=69", "rule.by-part /3", true},
		{"RRULE:FREQ=HOURLY;BYYEARDAY=69", "rule.by-part /3", false},
		{"RRULE:FREQ=YEARLY;BYMONTHDAY=10", "advise rule.ambiguous /3", true},
		{"RDATE:20260310T125959Z", "advise rdate-before-start /3", true},
		{"RDATE:20260310T130000Z", "advise rdate-before-start /3", false},
		{"RDATE;VALUE=PERIOD:20260310T125959Z/PT1H", "advise rdate-before-start /3", true},
		{"RDATE;VALUE=PERIOD:20260310T130000Z/PT1H", "advise rdate-before-start /3", false},
	} {
		found := check(diag.Insert, &timed, append(slices.Clone(before), test.last)...)
		if slices.Contains(found, test.want) != test.found {
			t.Errorf("%s: %v", test.last, found)
		}
	}
}

// TestManyFaultsOfALine checks how many faults of a line are kept, of one kind or of two.
func TestManyFaultsOfALine(t *testing.T) {
	const kept = 32
	// Once a line has that many, its parts are not judged together.
	line := "RRULE:FREQ=DAILY;COUNT=1;UNTIL=20260401T000000Z" + strings.Repeat(";FOO=1", kept)
	if found := check(diag.Insert, &timed, line); len(found) != kept {
		t.Errorf("%d findings beside COUNT and UNTIL", len(found))
	}
	for _, name := range []string{"RRULE", "EXRULE"} {
		for _, more := range []int{kept - 1, kept, kept + 1, 1000} {
			line := name + ":FREQ=DAILY" + strings.Repeat(";FOO=1", more)
			refused, advised := min(more, kept), 0
			if name == "EXRULE" && more < kept {
				advised = 1
			}
			if found := check(diag.Insert, &timed, line); len(found) != refused+advised {
				t.Errorf("%s with %d faults has %d findings", name, more, len(found))
			}
		}
	}
}

// TestHostileLines checks lines that are made to be expensive. Without a budget, most of these sets would take minutes.
func TestHostileLines(t *testing.T) {
	many := func(line string) []string {
		lines := make([]string, 2000)
		for i := range lines {
			lines[i] = strings.ReplaceAll(line, "#", fmt.Sprint(2027+i%7000))
		}
		return lines
	}
	more := func(lines, others string) []string { // too many to try each with each
		return slices.Repeat(append(many(lines), many(others)...), 4)
	}
	list := func(n int) string { return strings.TrimSuffix(strings.Repeat("1,2,3,4,5,", n/5), ",") }
	for name, lines := range map[string][]string{
		"rules":            many("RRULE:FREQ=DAILY;INTERVAL=7"),
		"exdates":          append(many("EXDATE:#0311T130000Z"), "RRULE:FREQ=SECONDLY;COUNT=9223372036854775807"),
		"exdates counted":  append(many("EXDATE:#0311T130000Z"), "RRULE:FREQ=MINUTELY;COUNT=99999999"),
		"rules and exdate": append(many("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=100"), "EXDATE:20260310T130000Z"),
		"rules taken out":  append(many("RRULE:FREQ=SECONDLY"), "EXDATE;VALUE=DATE:20260310,20260311,20260312"),
		"ended and days":   more("RRULE:FREQ=DAILY;UNTIL=20260310T130000Z", "EXDATE;VALUE=DATE:#0311"),
		"begun and days":   more("RRULE:FREQ=YEARLY;INTERVAL=9999", "EXDATE;VALUE=DATE:#0311"),
		"empty and days":   more("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "EXDATE;VALUE=DATE:#0311"),
		"rules by exrules": more("RRULE:FREQ=DAILY;COUNT=9", "EXRULE:FREQ=WEEKLY;INTERVAL=2"),
		"exrules":          append(many("EXRULE:FREQ=SECONDLY"), "RRULE:FREQ=SECONDLY"),
		"contradiction":    {"RRULE:FREQ=SECONDLY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=30", "EXDATE:20260310T130000Z"},
		"never":            {"RRULE:FREQ=SECONDLY;INTERVAL=60;BYSECOND=30", "EXDATE:20260310T130000Z"},
		"interval":         {"RRULE:FREQ=YEARLY;INTERVAL=9223372036854775807", "EXDATE:20260310T130000Z"},
		"count":            {"RRULE:FREQ=SECONDLY;COUNT=9223372036854775807", "EXDATE:99991231T235959Z"},
		"long lists": {"RRULE:FREQ=YEARLY;BYMONTH=" + list(300) + ";BYMONTHDAY=" + list(300) + ";BYHOUR=" + list(300) +
			";BYMINUTE=" + list(300) + ";BYSECOND=" + list(300) + ";BYSETPOS=" + list(300)},
		"long line":     {"RRULE:FREQ=DAILY;BYMONTH=" + list(1<<18)},
		"long bad line": {"RRULE:FREQ=DAILY;BYMONTH=" + strings.Repeat("x,", 1<<18)},
		"long dates":    {"EXDATE:" + strings.Repeat("20260311T130000Z,", 1<<14) + "20260311T130000Z"},
		"long name":     {strings.Repeat("X", 1<<20)},
		"parts":         {"RRULE:" + strings.Repeat("X-A=1;", 1<<18) + "FREQ=DAILY"},
	} {
		t.Run(name, func(t *testing.T) { check(diag.Insert, &timed, lines...) })
	}
}
