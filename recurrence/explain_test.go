package recurrence_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestExplainGolden compares sentences with those in testdata/explain.txt.
func TestExplainGolden(t *testing.T) {
	const file = "testdata/explain.txt"
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := explainAgain(t, string(want))
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("(-golden +got):\n%s", diff)
	}
}

// explainAgain returns the golden file with new sentences.
func explainAgain(t *testing.T, text string) string {
	var start recurrence.Start
	var lines, out []string
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "@ "):
			start = startOf(t, line[2:])
		case strings.HasPrefix(line, "="):
			set, err := recurrence.Parse(lines)
			if err != nil {
				t.Fatal(err)
			}
			line = "= " + set.Explain(start)
			checkSentence(t, set, line[2:])
		case line == "":
			lines = nil
		default:
			lines = append(lines, line)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// startOf reads "none", a date, or a local time or an instant and a zone.
func startOf(t *testing.T, text string) recurrence.Start {
	clock, zone, timed := strings.Cut(text, " ")
	if text == "none" {
		return recurrence.Start{}
	}
	if !timed {
		day, err := time.Parse(time.DateOnly, clock)
		if err != nil {
			t.Fatal(err)
		}
		return recurrence.StartDate(day.Date())
	}
	if instant, err := time.Parse(time.RFC3339, clock); err == nil {
		return recurrence.StartTime(instant.In(load(zone)))
	}
	return at(clock, zone)
}

// checkSentence checks what is true of every sentence of Explain.
func checkSentence(t interface{ Fatalf(string, ...any) }, set *recurrence.Set, s string) {
	switch {
	case len(s) < 2, s[0] < 'A' || s[0] > 'Z', !strings.HasSuffix(s, "."), strings.HasSuffix(s, ".."),
		strings.Contains(s, "  "), strings.Contains(s, " ,"), strings.Contains(s, " ;"), strings.Contains(s, " ."),
		strings.ContainsAny(s, "\n\t%"):
		t.Fatalf("%q is not a sentence for\n%s", s, set)
	}
}

// genAnySet draws a set with every kind of line.
func genAnySet(t *rapid.T, start time.Time) *recurrence.Set {
	set := &recurrence.Set{}
	for range rapid.IntRange(0, 2).Draw(t, "rules") {
		r := genRule(t)
		drawEnd(t, r, start)
		set.Rules = append(set.Rules, r)
	}
	if rapid.IntRange(0, 4).Draw(t, "exrule?") == 0 {
		set.ExRules = append(set.ExRules, genRule(t))
	}
	set.RDates = dates(genInstants(t, "rdates", start, nil))
	set.ExDates = dates(genInstants(t, "exdates", start, nil))
	return set
}

// TestExplainSentences checks the sentences for random sets.
func TestExplainSentences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := genStart(t)
		set := genAnySet(t, start)
		for _, s := range []recurrence.Start{{}, recurrence.StartTime(start), recurrence.StartDate(start.Date())} {
			text := set.Explain(s)
			checkSentence(t, set, text)
			if again := set.Explain(s); again != text {
				t.Fatalf("%q, and then %q", text, again)
			}
		}
	})
}

// TestExplainIsPrecise checks that two sets with the same sentence have the same instances. The
// second set is the first one with a single change, so that some sentences are the same.
func TestExplainIsPrecise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := genStart(t)
		r := genRule(t)
		drawEnd(t, r, start)
		changed := *r
		change(t, &changed, start)
		one, two := &recurrence.Set{Rules: []*recurrence.Rule{r}}, &recurrence.Set{Rules: []*recurrence.Rule{&changed}}
		if rapid.IntRange(0, 3).Draw(t, "dates?") == 0 {
			one.RDates, two.RDates = dates(genInstants(t, "rdates", start, nil)), dates(genInstants(t, "other rdates", start, nil))
			one.ExDates = someDates(t, "exdates", start)
			two.ExDates = someDates(t, "other exdates", start)
		}
		for _, s := range []recurrence.Start{recurrence.StartTime(start), recurrence.StartDate(start.Date())} {
			text := one.Explain(s)
			if text != two.Explain(s) {
				continue
			}
			a, errA := one.Compile(s)
			b, errB := two.Compile(s)
			if errA != nil || errB != nil {
				continue
			}
			if diff := cmp.Diff(firsts(a), firsts(b)); diff != "" {
				t.Fatalf("%s\ndescribes both sets (-first +second):\n%s\n%s\nfrom %s:\n%s", text, one, two, start, diff)
			}
		}
	})
}

// firsts returns the first instances that a small budget finds.
func firsts(s *recurrence.Series) []string {
	return collect(s.With(recurrence.Options{Budget: 1 << 15}), time.Time{}, time.Time{}, 40)
}

// someDates draws EXDATEs around the start, as dates or as times.
func someDates(t *rapid.T, label string, start time.Time) []*recurrence.Dates {
	list := dates(genInstants(t, label, start, []time.Time{start}))
	if len(list) > 0 && rapid.Bool().Draw(t, label+" as dates") {
		for i, v := range list[0].Values {
			_, offset := time.Unix(v.Clock, 0).In(start.Location()).Zone()
			clock := v.Clock + int64(offset)
			list[0].Values[i] = recurrence.Value{Form: recurrence.Date, Clock: clock - clock%86400}
		}
	}
	return list
}

// change changes one part of a rule, often to what the start implies anyway.
func change(t *rapid.T, r *recurrence.Rule, start time.Time) {
	other := genRule(t)
	switch rapid.IntRange(0, 14).Draw(t, "change") {
	case 0:
		r.Freq = recurrence.Freq(rapid.IntRange(1, 7).Draw(t, "other freq"))
	case 1:
		r.Interval = rapid.Int64Range(0, 3).Draw(t, "other interval")
	case 2:
		r.ByMonth = rapid.SampledFrom([][]int{nil, {int(start.Month())}, other.ByMonth}).Draw(t, "months")
	case 3:
		r.ByWeekNo = other.ByWeekNo
	case 4:
		r.ByYearDay = rapid.SampledFrom([][]int{nil, {start.YearDay()}, other.ByYearDay}).Draw(t, "year days")
	case 5:
		r.ByMonthDay = rapid.SampledFrom([][]int{nil, {start.Day()}, other.ByMonthDay}).Draw(t, "month days")
	case 6:
		today := []recurrence.ByDay{{Day: start.Weekday()}}
		r.ByDay = rapid.SampledFrom([][]recurrence.ByDay{nil, today, other.ByDay}).Draw(t, "days")
	case 7:
		r.ByHour = rapid.SampledFrom([][]int{nil, {start.Hour()}, other.ByHour}).Draw(t, "hours")
	case 8:
		r.ByMinute = rapid.SampledFrom([][]int{nil, {start.Minute()}, other.ByMinute}).Draw(t, "minutes")
	case 9:
		r.BySecond = rapid.SampledFrom([][]int{nil, {start.Second()}, other.BySecond}).Draw(t, "seconds")
	case 10:
		r.BySetPos = other.BySetPos
	case 11:
		r.WeekStart = other.WeekStart
	case 12:
		r.ByDay = slices.Clone(r.ByDay)
		for i := range r.ByDay {
			r.ByDay[i].N = 0
		}
	default:
		r.Count, r.Until = 0, recurrence.Value{}
		drawEnd(t, r, start)
	}
}

// TestExplainMade explains rules that a program can make, and no line may have.
func TestExplainMade(t *testing.T) {
	for _, test := range []struct {
		rule recurrence.Rule
		want string
	}{
		{recurrence.Rule{Freq: recurrence.Weekly, ByMonthDay: []int{13}, ByDay: []recurrence.ByDay{{Day: time.Friday}}},
			"Every week on the 13th of the month if the day is a Friday."},
		{recurrence.Rule{Freq: recurrence.Daily, BySetPos: []int{1}}, "Every day, only the first."},
	} {
		if got := (&recurrence.Set{Rules: []*recurrence.Rule{&test.rule}}).Explain(recurrence.Start{}); got != test.want {
			t.Errorf("%v: %q, want %q", test.rule, got, test.want)
		}
	}
}

// TestExplainUnreadable explains sets that no lines express.
func TestExplainUnreadable(t *testing.T) {
	for _, r := range []*recurrence.Rule{{}, {Freq: 99}, {Freq: recurrence.Daily, ByHour: []int{-5}}, {Freq: recurrence.Daily, WeekStart: -1},
		{Freq: recurrence.Daily, Until: recurrence.Value{Form: recurrence.Date, Clock: 1}}} {
		set := &recurrence.Set{Rules: []*recurrence.Rule{r}}
		checkSentence(t, set, set.Explain(timed))
	}
	checkSentence(t, &recurrence.Set{}, (&recurrence.Set{}).Explain(recurrence.StartDate(123456, 1, 1)))
}

// TestExplainOffset explains a start in a zone without a name, which the golden file cannot have.
func TestExplainOffset(t *testing.T) {
	set, err := recurrence.Parse([]string{"RRULE:FREQ=DAILY;BYHOUR=9,17"})
	if err != nil {
		t.Fatal(err)
	}
	start := recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, time.FixedZone("", -9000)))
	if got := set.Explain(start); !strings.Contains(got, " UTC-02:30") {
		t.Errorf("%q does not name the zone", got)
	}
}

// TestExplainHostile explains sets that are made to be expensive.
func TestExplainHostile(t *testing.T) {
	for _, line := range []string{"RRULE:FREQ=DAILY;INTERVAL=7", "EXRULE:FREQ=YEARLY;BYMONTHDAY=1,2,-3;BYDAY=MO", "EXDATE:20270311T130000Z",
		"RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20270311T130000/P1D", "RRULE:FREQ=YEARLY;BYSETPOS=1,3,5,-1,-3;BYYEARDAY=1,3,5,7"} {
		set, err := recurrence.Parse(slices.Repeat([]string{line}, 2000))
		if err != nil {
			t.Fatal(err)
		}
		checkSentence(t, set, set.Explain(timed))
	}
}
