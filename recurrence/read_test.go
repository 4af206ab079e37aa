package recurrence_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/teambition/rrule-go"

	"github.com/calrules/calrules/recurrence"
)

// readCase is a line of testdata/read.ndjson: a text as a library or a calendar writes it, and what Read makes of it.
// Starts are the first instances, up to eight, as python-dateutil lists them: of the text itself if it can read the text
// (peer is text), and otherwise of the corrected lines.
type readCase struct {
	Name  string   `json:"name"`
	Text  string   `json:"text"`
	Error string   `json:"error"`
	Start string   `json:"start"`
	End   string   `json:"end"`
	Zone  string   `json:"zone"`
	Lines []string `json:"lines"`
	Rules []string `json:"rules"` // of the advice
	Peer  string   `json:"peer"`

	Writes []string `json:"writes"` // what the advice writes, other than the lines
	Starts []string `json:"starts"`
}

func readCases(t testing.TB) (cases []readCase) {
	t.Helper()
	file, err := os.Open("testdata/read.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var c readCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil || len(cases) < 100 {
		t.Fatal(len(cases), err)
	}
	return cases
}

func TestRead(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			if diff := cmp.Diff(c, read(t, c), cmp.Transformer("none", emptyToNil)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// read returns the case with what Read makes of its text.
func read(t *testing.T, c readCase) readCase {
	got := readCase{Name: c.Name, Text: c.Text, Peer: c.Peer}
	r, err := recurrence.Read(c.Text)
	if err != nil {
		got.Error = err.Error()
		return got
	}
	got.Lines = r.Lines
	for _, a := range r.Advice {
		got.Rules = append(got.Rules, a.Rule)
		if !slices.Contains(r.Lines, a.Write) {
			got.Writes = append(got.Writes, a.Write)
		}
	}
	if !r.Start.IsZero() {
		got.Start, got.End = startText(r.Start, r.Start.Time()), startText(r.Start, r.Start.End())
		got.Zone = r.Start.Time().Location().String()
	}
	got.Starts = firstStarts(t, r)
	return got
}

func emptyToNil(list []string) string { return strings.Join(list, "\n") }

func startText(s recurrence.Start, at time.Time) string {
	if s.AllDay() {
		return at.Format(time.DateOnly)
	}
	return at.Format(time.RFC3339)
}

// firstStarts lists the first instances as python-dateutil does: without a start that the rules miss.
func firstStarts(t *testing.T, r *recurrence.Reading) (starts []string) {
	if r.Start.IsZero() || len(r.Lines) == 0 {
		return nil
	}
	s := compile(t, r.Set, r.Start).With(recurrence.Options{OnlyMatches: true})
	for at, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		if starts = append(starts, startText(r.Start, at.UTC())); len(starts) == 8 {
			break
		}
	}
	return starts
}

// TestReadAgainstRRuleGo reads the texts that rrule-go can read, and compares the instances.
func TestReadAgainstRRuleGo(t *testing.T) {
	n := 0
	for _, c := range readCases(t) {
		other, err := rrule.StrToRRuleSet(c.Text)
		r, err2 := recurrence.Read(c.Text)
		if err != nil || err2 != nil || r.Start.IsZero() || other.GetDTStart().IsZero() || len(r.Set.ExRules) > 0 || len(r.Set.Rules) != 1 {
			continue
		}
		n++
		var want []string
		for next := other.Iterator(); len(want) < 8; {
			at, ok := next()
			if !ok {
				break
			}
			want = append(want, startText(r.Start, at.UTC()))
		}
		if diff := cmp.Diff(want, firstStarts(t, r)); diff != "" {
			t.Errorf("%s: %q (-rrule-go +series):\n%s", c.Name, c.Text, diff)
		}
	}
	if n < 20 {
		t.Errorf("rrule-go reads only %d texts", n)
	}
}

// TestReadRefuses has texts in which it is not clear what is meant, and the lines and rules that the error names.
func TestReadRefuses(t *testing.T) {
	type fault struct {
		Line int
		Rule string
	}
	for _, test := range []struct {
		text string
		want []fault
	}{
		{"every day", []fault{{0, "recurrence.line.name"}}},
		{"DTSTART:20260310\nEXDATES:20260311", []fault{{1, "recurrence.line.name"}}},
		{"DTSTART:tomorrow\n\nRRULE:FREQ=NEVER;BYDAY=XX", []fault{{0, "recurrence.dates.form"}, {2, "recurrence.rule.part"}, {2, "recurrence.rule.part"}}},
		{"RRULE:FREQ=BIMONTHLY", []fault{{0, "recurrence.rule.part"}}},
		{"RRULE:FREQ=DAILY;COUNT=0", []fault{{0, "recurrence.rule.count-until"}}},
		{"RRULE:FREQ=YEARLY;BYEASTER=0", []fault{{0, "recurrence.rule.part"}}},
		{"EXDATE;TZID=Mars/Olympus:20260311T090000", []fault{{0, "recurrence.dates.zone"}}},
		{"DTSTART:20260310T090000Z\nRRULE:FREQ=DAILY;BYHOUR=24", []fault{{1, "recurrence.rule.part"}}},
		{"DTSTART:20260310T090000Z\nRRULE:FREQ=WEEKLY;BYDAY=TU;BYDAY=TH", []fault{{1, "recurrence.rule.part"}}},
		{"RRULE:FREQ=DAILY;\r\n COUNT=X", []fault{{0, "recurrence.rule.part"}}},
		{"RRULE:FREQ=WEEKLY;BYDAY=XX-FR", []fault{{0, "recurrence.rule.part"}}},
		{"RRULE:FREQ=WEEKLY;BYDAY=MO-XX", []fault{{0, "recurrence.rule.part"}}},
		{"RRULE:FREQ=DAILY;BYHOUR=X-5", []fault{{0, "recurrence.rule.part"}}},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=1-99", []fault{{0, "recurrence.rule.part"}}},
		{"DTSTART;TZID=Office (EU) Amsterdam:20260310T090000", []fault{{0, "recurrence.dates.zone"}}},
		{"RRULE FOO", []fault{{0, "recurrence.line.syntax"}}},
		{"RRULE:FREQ=DAILY,COUNT", []fault{{0, "recurrence.rule.part"}}},
		{"RRULE:FREQ=DAILY;X-=1", []fault{{0, "recurrence.rule.part"}}},
		{"RRULE:FREQ=DAILY;X-A=1=2", []fault{{0, "recurrence.rule.part"}}},
		{"EXDATE;TZID=\"\":20260310T090000", []fault{{0, "recurrence.dates.zone"}}},
		{"RRULE:FREQ=DAILY;COUNT", []fault{{0, "recurrence.line.syntax"}}},
		{"RRULE:FREQ=DAILY;COUNT=3]", []fault{{0, "recurrence.rule.part"}}},
		{"RRULE:FREQ=DAILY;COUNT=3\"", []fault{{0, "recurrence.rule.part"}}},
		{"[RRULE:FREQ=DAILY;COUNT=3", []fault{{0, "recurrence.line.syntax"}}},
		{"\"", []fault{{0, "recurrence.line.syntax"}}},
		{"EXDATE:20260311;COUNT=", []fault{{0, "recurrence.dates.form"}}},
		{"EXDATE:20260230T240000Z", []fault{{0, "recurrence.dates.form"}}},
		{"EXDATE;TZID=Europe/Berlin:2026031", []fault{{0, "recurrence.dates.form"}}},
		{"EXDATE;X=ɐɐɐɐɐɐɐɐ;TZID=:20260310T240000", []fault{{0, "recurrence.dates.zone"}}}, // a capital Ɐ has more bytes
		{"DTSTART;TZID=GMT0200:20260310T090000", []fault{{0, "recurrence.dates.zone"}}},
	} {
		_, err := recurrence.Read(test.text)
		var got []fault
		if list, ok := err.(interface{ Unwrap() []error }); ok {
			for _, err := range list.Unwrap() {
				if e, ok := errors.AsType[*recurrence.SyntaxError](err); ok {
					got = append(got, fault{e.Line, e.Rule})
				}
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got): %v\n%s", test.text, err, diff)
		}
	}
	for _, text := range []string{
		"BEGIN:VEVENT\nDTSTART:20260310\nEND:VEVENT\nBEGIN:VEVENT\nDTSTART:20260311\nEND:VEVENT",
		strings.Repeat("RRULE:", 100) + "FREQ=DAILY",
		"RDATE:20120701T023000Z,20120702,FRT023000Z", // each change uncovers a fault
		"RRULE:FREQ=DAILY" + strings.Repeat(";EXDATE:20260311", 65),
		"EXDATE;TZID=/" + strings.Repeat("x", 87) + "/Europe/Berlin:20260311T090000",
	} {
		if _, err := recurrence.Read(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	for _, text := range []string{ // the last texts, as long as they may be
		"RRULE:FREQ=DAILY" + strings.Repeat(";EXDATE:20260311", 64),
		"EXDATE;TZID=/" + strings.Repeat("x", 86) + "/Europe/Berlin:20260311T090000",
	} {
		if _, err := recurrence.Read(text); err != nil {
			t.Error(err)
		}
	}
}

// FuzzRead checks these laws on arbitrary texts. Read never panics. The lines of a reading mean its set, and Check refuses
// them only for having no instance. They are read back as they are, without advice.
func FuzzRead(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := recurrence.Read(text)
		if err != nil {
			return
		}
		set, err := recurrence.Parse(r.Lines)
		if err != nil || set.String() != r.Set.String() {
			t.Fatalf("%q means %q, %v, and the set is %q", r.Lines, set, err, r.Set)
		}
		for _, finding := range (recurrence.Lines{Texts: r.Lines, Start: r.Start}).Check().Findings {
			if finding.Kind == "reject" && finding.Rule.ID != "recurrence.no-instance" {
				t.Fatalf("%q: %v", r.Lines, finding)
			}
		}
		again, err := recurrence.Read(strings.Join(append(startLine(r.Start), r.Lines...), "\n"))
		if err != nil {
			t.Fatalf("%q cannot be read again: %v", r.Lines, err)
		}
		if diff := cmp.Diff(r.Lines, again.Lines, cmp.Transformer("none", emptyToNil)); diff != "" || len(again.Advice) > 0 {
			t.Fatalf("%q is read again with %v (-first +second):\n%s", r.Lines, again.Advice, diff)
		}
	})
}

// startLine returns the DTSTART line of a start, or none for the zero Start.
func startLine(s recurrence.Start) []string {
	at := s.Time()
	switch {
	case s.IsZero():
		return nil
	case s.AllDay():
		return []string{"DTSTART;VALUE=DATE:" + recurrence.DateValue(at.Date()).String()}
	case at.Location() == time.UTC:
		return []string{"DTSTART:" + recurrence.UTCValue(at).String()}
	}
	return []string{"DTSTART;TZID=" + at.Location().String() + ":" + recurrence.LocalValue(at).String()}
}
