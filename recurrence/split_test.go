package recurrence_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence"
)

// genOptions draws options, which are often the usual ones.
func genOptions(t *rapid.T) (o recurrence.Options) {
	if rapid.IntRange(0, 2).Draw(t, "has options") == 0 {
		option := rapid.Bool()
		o = recurrence.Options{
			Shift: option.Draw(t, "shift"), AllMonths: option.Draw(t, "all months"), AllWeekdays: option.Draw(t, "all weekdays"),
			CountStart: option.Draw(t, "count the start"), OnlyMatches: option.Draw(t, "only matches"),
		}
	}
	return o
}

// genSplitSet draws a set that is valid with its start, which may be a date and may have options.
func genSplitSet(t *rapid.T) (*recurrence.Set, recurrence.Start) {
	at := genStart(t)
	start, allDay := recurrence.StartTime(at), rapid.IntRange(0, 3).Draw(t, "all-day") == 0
	if allDay {
		start = recurrence.StartDate(at.Date())
		at = start.Time()
	}
	start = start.With(genOptions(t))
	rules := func(label string, least, most int) (rules []*recurrence.Rule) {
		for range rapid.IntRange(least, most).Draw(t, label) {
			r := genRule(t)
			if allDay || label == "exrules" {
				r.Freq = max(r.Freq, recurrence.Daily)
				r.ByHour, r.ByMinute, r.BySecond, r.ByYearDay, r.BySetPos = nil, nil, nil, nil, nil
				if r.Freq == recurrence.Weekly {
					r.ByMonthDay = nil
				}
			}
			drawEnd(t, r, at)
			if allDay && r.Until.Form != 0 {
				r.Until.Form, r.Until.Clock = recurrence.Date, r.Until.Clock-r.Until.Clock%86400
			}
			rules = append(rules, r)
		}
		return rules
	}
	set := &recurrence.Set{Rules: rules("rules", rapid.IntRange(0, 1).Draw(t, "least"), 2), ExRules: rules("exrules", 0, 1)}
	series := compile(t, set, start)
	var instances []time.Time
	for _, text := range collect(series, time.Time{}, time.Time{}, 40) {
		if i, err := time.Parse(time.RFC3339, text); err == nil {
			instances = append(instances, i)
		}
	}
	set.RDates, set.ExDates = dates(genInstants(t, "rdates", at, instances)), dates(genInstants(t, "exdates", at, instances))
	for _, d := range append(set.RDates, set.ExDates...) {
		if form := recurrence.Form(rapid.IntRange(1, 3).Draw(t, "form")); form == recurrence.Date || allDay {
			for i, v := range d.Values {
				d.Values[i] = recurrence.DateValue(v.Time(at.Location()).Date())
			}
		} else if form == recurrence.Local {
			for i, v := range d.Values {
				d.Values[i] = recurrence.LocalValue(v.Time(nil).In(at.Location()))
			}
		}
	}
	return set, start
}

// startAt returns the start of the second half of a split.
func startAt(start recurrence.Start, at time.Time) recurrence.Start {
	if start.AllDay() {
		return recurrence.StartDate(at.Date()).With(start.Options())
	}
	return recurrence.StartTime(at).With(start.Options())
}

// upTo returns at most n instances, and stops at an error.
func upTo(s *recurrence.Series, n int) (all []time.Time) {
	for at, err := range s.Between(time.Time{}, time.Time{}) {
		if err != nil || len(all) == n {
			break
		}
		all = append(all, at)
	}
	return all
}

// Both halves of a split together are the whole.
func TestSplitLaw(t *testing.T) {
	var split, refused int
	rapid.Check(t, func(t *rapid.T) {
		set, start := genSplitSet(t)
		series, err := set.Compile(start)
		if err != nil {
			return // a date before the year 0
		}
		whole := upTo(series, 60)
		if len(whole) == 0 {
			return
		}
		i := rapid.IntRange(0, len(whole)-1).Draw(t, "at")
		before, after, err := set.Split(start, whole[i])
		var inexact *recurrence.EditError
		if errors.As(err, &inexact) {
			o := start.Options()
			// An instance that is moved out of a gap is a start that its rule does not match.
			isMoved := o.Shift && o.OnlyMatches
			if o == (recurrence.Options{}) && !strings.Contains(inexact.Line, "INTERVAL") || !isMoved && len(set.Rules)+len(set.ExRules)+len(set.RDates) == 1 {
				t.Fatalf("%s from %s: %v", set, whole[0], err)
			}
			refused++
			return
		}
		var tooLong *recurrence.BudgetError
		switch {
		case errors.As(err, &tooLong):
			t.Skip("finding the instances takes too many steps")
		case err != nil:
			t.Fatal(err)
		}
		split++
		if (before == nil) != (i == 0) {
			t.Fatalf("the half before instance %d is %v", i, before)
		}
		if before != nil {
			if diff := cmp.Diff(texts(whole[:i]), texts(upTo(compile(t, before, start), 61))); diff != "" {
				t.Fatalf("%s\nfrom %s, before %s:\n%s (-whole +half)\n%s", set, whole[0], whole[i], before, diff)
			}
		}
		if diff := cmp.Diff(texts(whole[i:]), texts(upTo(compile(t, after, startAt(start, whole[i])), len(whole)-i))); diff != "" {
			t.Fatalf("%s\nfrom %s, from %s on:\n%s (-whole +half)\n%s", set, whole[0], whole[i], after, diff)
		}
		if again, err := recurrence.Parse(after.Lines()); err != nil || len(after.Lines()) == 0 && len(set.Lines()) > 0 {
			t.Fatalf("%s is %v, %v", after, again, err)
		}
	})
	t.Logf("%d splits, %d refused", split, refused)
	if refused > split {
		t.Error("most splits are refused")
	}
}

// A truncated set has the instances before the instant, and no others.
func TestTruncateLaw(t *testing.T) {
	const most = 40
	rapid.Check(t, func(t *rapid.T) {
		set, start := genSplitSet(t)
		series, err := set.Compile(start)
		if err != nil {
			return // a date before the year 0
		}
		whole := upTo(series, most)
		at := start.Time()
		if len(whole) > 0 {
			at = rapid.SampledFrom(whole).Draw(t, "near")
		}
		at = at.Add(time.Duration(rapid.OneOf(rapid.SampledFrom([]int64{0, 1, -1, 1e9, 12 * 3600 * 1e9, 24 * 3600 * 1e9}), rapid.Int64Range(-1e15, 1e15)).Draw(t, "by")))
		var want []time.Time
		for _, instance := range whole {
			if instance.Before(at) {
				want = append(want, instance)
			}
		}
		if len(want) == most {
			return // there may be more
		}
		before, err := set.Truncate(start, at)
		if err != nil {
			t.Fatalf("%s before %s: %v", set, at, err)
		}
		if before == nil {
			if want != nil {
				t.Fatalf("%s before %s: nothing is left of %s", set, at, want)
			}
			return
		}
		if again, err := recurrence.Parse(before.Lines()); err != nil || !cmp.Equal(again.Lines(), before.Lines()) {
			t.Fatalf("%s before %s: %s is %s, %v", set, at, before, again, err)
		}
		if diff := cmp.Diff(texts(want), texts(upTo(compile(t, before, start), most+1))); diff != "" {
			t.Fatalf("%s\nfrom %s, before %s:\n%s (-want +got)\n%s", set, start.Time(), at, before, diff)
		}
	})
}

func TestTruncate(t *testing.T) {
	day, nine := recurrence.StartDate(2026, 1, 31), recurrence.StartTime(time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		start           recurrence.Start
		lines, at, want string
	}{
		{day, "RRULE:FREQ=DAILY", "2026-02-02T12:00:00Z", "RRULE:FREQ=DAILY;UNTIL=20260202"},
		{day, "RRULE:FREQ=DAILY", "2026-02-02T00:00:00Z", "RRULE:FREQ=DAILY;UNTIL=20260201"},
		{day, "RRULE:FREQ=DAILY;COUNT=9", "2026-02-02T00:00:01Z", "RRULE:FREQ=DAILY;COUNT=3"},
		{day, "RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=MO", "2026-01-31T00:00:01Z", "RRULE:FREQ=WEEKLY;UNTIL=20260131;BYDAY=MO"},
		{nine, "RRULE:FREQ=DAILY;COUNT=9", "2026-02-01T09:00:00.000000001Z", "RRULE:FREQ=DAILY;COUNT=2"},
		{nine, "RRULE:FREQ=DAILY\nEXDATE:20260131T090000Z", "2026-01-31T09:00:01Z", ""},
		{nine, "RRULE:FREQ=DAILY;BYHOUR=8,9\nEXDATE;VALUE=DATE:20260202", "2026-02-02T08:30:00Z", "RRULE:FREQ=DAILY;UNTIL=20260202T082959Z;BYHOUR=8,9\nEXDATE;VALUE=DATE:20260202"},
		{nine, "RRULE:FREQ=DAILY;BYHOUR=0,9\nEXDATE;VALUE=DATE:20260202", "2026-02-02T00:00:00Z", "RRULE:FREQ=DAILY;UNTIL=20260201T235959Z;BYHOUR=0,9"},
		{nine, "RRULE:FREQ=DAILY;UNTIL=20260202T090000Z", "2026-02-02T09:00:00Z", "RRULE:FREQ=DAILY;UNTIL=20260202T085959Z"},
		{nine, "RRULE:FREQ=DAILY;UNTIL=20260202T090000Z", "2026-02-02T10:00:00Z", "RRULE:FREQ=DAILY;UNTIL=20260202T090000Z"},
		{nine, "RRULE:FREQ=DAILY;UNTIL=20260202", "2026-02-02T09:00:00Z", "RRULE:FREQ=DAILY;UNTIL=20260202T085959Z"},
		{nine, "RRULE:FREQ=DAILY;UNTIL=20260202", "2026-02-03T09:00:00Z", "RRULE:FREQ=DAILY;UNTIL=20260202"},
		{nine, "RRULE:FREQ=DAILY", "1969-01-01T00:00:00Z", ""},
		{nine.With(recurrence.Options{OnlyMatches: true}), "RDATE:20260301T090000Z", "2026-01-31T09:00:00Z", ""},
		{nine, "RRULE:FREQ=DAILY", "9999-12-31T23:59:59Z", "RRULE:FREQ=DAILY;UNTIL=99991231T235958Z"},
	} {
		set, err := recurrence.Parse(strings.Split(c.lines, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		at, _ := time.Parse(time.RFC3339, c.at)
		if got, err := set.Truncate(c.start, at); err != nil || got.String() != c.want {
			t.Errorf("%q before %s = %q, %v, want %q", c.lines, c.at, got, err, c.want)
		}
	}
	daily, _ := recurrence.Parse([]string{"RRULE:FREQ=DAILY"})
	if got, err := daily.Truncate(nine, time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)); err != nil || got.String() != "RRULE:FREQ=DAILY" {
		t.Errorf("before the year 20000: %s, %v", got, err)
	}
}

// textSplit splits lines as a program does that handles only text and a list of instances in UTC: a rule with BYDAY and
// its times of day written out, and EXDATE and RDATE values in UTC, whose order is that of their texts.
func textSplit(lines []string, instances []string, at string) (before, after []string) {
	earlier, _ := slices.BinarySearch(instances, at)
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ":")
		if name != "RRULE" {
			var first, rest []string
			for _, v := range strings.Split(value, ",") {
				if v < at {
					first = append(first, v)
				} else {
					rest = append(rest, v)
				}
			}
			if first != nil {
				before = append(before, name+":"+strings.Join(first, ","))
			}
			if rest != nil {
				after = append(after, name+":"+strings.Join(rest, ","))
			}
			continue
		}
		var kept []string
		ending, rest := ";UNTIL="+instances[max(earlier-1, 0)], ""
		for _, part := range strings.Split(value, ";") {
			switch {
			case strings.HasPrefix(part, "COUNT="):
				n, _ := strconv.Atoi(part[len("COUNT="):])
				ending, rest = fmt.Sprintf(";COUNT=%d", earlier), fmt.Sprintf(";COUNT=%d", n-earlier)
			case strings.HasPrefix(part, "UNTIL="):
				rest = ";" + part
			default:
				kept = append(kept, part)
			}
		}
		before = append(before, "RRULE:"+strings.Join(kept, ";")+ending)
		after = append(after, "RRULE:"+strings.Join(kept, ";")+rest)
	}
	return before, after
}

// Split gives the same instances as a split of the texts.
func TestSplitAgreesWithText(t *testing.T) {
	const layout = "20060102T150405Z"
	start := time.Date(2024, 2, 28, 9, 30, 0, 0, load("America/New_York")) // a Wednesday
	rules := []string{
		"FREQ=DAILY;BYHOUR=9;BYMINUTE=30", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=3;WKST=SU;BYDAY=SU,WE,SA",
		"FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=-1,1", "FREQ=YEARLY;BYMONTH=2,3;BYMONTHDAY=28", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-2",
	}
	ends := []string{"", ";COUNT=7", ";COUNT=30", ";UNTIL=20240601T000000Z"}
	format := func(all []time.Time) (texts []string) {
		for _, at := range all {
			texts = append(texts, at.UTC().Format(layout))
		}
		return texts
	}
	expand := func(t *rapid.T, lines []string, start time.Time, n int) []string {
		set, err := recurrence.Parse(lines)
		if err != nil {
			t.Fatal(err)
		}
		return format(upTo(compile(t, set, recurrence.StartTime(start)), n))
	}
	rapid.Check(t, func(t *rapid.T) {
		rule := "RRULE:" + rapid.SampledFrom(rules).Draw(t, "rule") + rapid.SampledFrom(ends).Draw(t, "end")
		ofRule := expand(t, []string{rule}, start, 24)
		at := rapid.IntRange(1, len(ofRule)-1).Draw(t, "at")
		lines := []string{rule}
		if others := slices.DeleteFunc(slices.Clone(ofRule), func(text string) bool { return text == ofRule[at] }); rapid.Bool().Draw(t, "exdate") {
			chosen := rapid.SliceOfNDistinct(rapid.SampledFrom(others), 1, min(3, len(others)), rapid.ID).Draw(t, "excluded")
			lines = append(lines, "EXDATE:"+strings.Join(chosen, ","))
		}
		if rapid.Bool().Draw(t, "rdate") {
			lines = append(lines, "RDATE:20240229T010000Z,20240305T020000Z,20250401T030000Z")
		}
		split, _ := time.Parse(layout, ofRule[at])
		split = split.In(start.Location())
		set, err := recurrence.Parse(lines)
		if err != nil {
			t.Fatal(err)
		}
		before, after, err := set.Split(recurrence.StartTime(start), split)
		if err != nil {
			t.Fatalf("%s at %s: %v", lines, split, err)
		}
		textBefore, textAfter := textSplit(lines, ofRule, ofRule[at])
		if diff := cmp.Diff(expand(t, textAfter, split, 40), expand(t, after.Lines(), split, 40)); diff != "" {
			t.Fatalf("%s from %s on: %s, as text %s:\n%s", lines, split, after, textAfter, diff)
		}
		if before == nil {
			if left := expand(t, textBefore, start, 1); left != nil {
				t.Fatalf("%s before %s has %s", lines, split, left)
			}
			return
		}
		if diff := cmp.Diff(expand(t, textBefore, start, 60), expand(t, before.Lines(), start, 60)); diff != "" {
			t.Fatalf("%s before %s: %s, as text %s:\n%s", lines, split, before, textBefore, diff)
		}
	})
}

// What a rule takes from the start is written where the new start would say something else.
func TestSplitLines(t *testing.T) {
	newYork := load("America/New_York")
	nine := recurrence.StartTime(time.Date(2026, 1, 31, 9, 0, 0, 0, newYork)) // a Saturday
	for _, c := range []struct {
		lines, at, before, after string
	}{
		{"RRULE:FREQ=MONTHLY", "2026-03-31T09:00:00-04:00", "RRULE:FREQ=MONTHLY;UNTIL=20260331T125959Z", "RRULE:FREQ=MONTHLY"},
		{"RRULE:FREQ=DAILY;COUNT=3\nRDATE:20260201T170000Z", "2026-02-01T12:00:00-05:00", "RRULE:FREQ=DAILY;COUNT=2", "RRULE:FREQ=DAILY;COUNT=1;BYHOUR=9\nRDATE:20260201T170000Z"},
		{"RRULE:FREQ=YEARLY\nRDATE:20260301T140000Z", "2026-03-01T09:00:00-05:00", "RRULE:FREQ=YEARLY;UNTIL=20260301T135959Z", "RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=31\nRDATE:20260301T140000Z"},
		{"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2", "2026-02-02T09:00:00-05:00", "RRULE:FREQ=WEEKLY;UNTIL=20260202T135959Z;BYDAY=MO", "RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=MO"},
		{"RRULE:FREQ=YEARLY\nRDATE:20260331T130000Z", "2026-03-31T09:00:00-04:00", "RRULE:FREQ=YEARLY;UNTIL=20260331T125959Z", "RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=31\nRDATE:20260331T130000Z"},
		{"RRULE:FREQ=DAILY;UNTIL=20260202T140000Z\nRDATE;VALUE=DATE:20260301,20260302\nRDATE:20260215T170000Z", "2026-02-15T12:00:00-05:00",
			"RRULE:FREQ=DAILY;UNTIL=20260202T140000Z", "RDATE:20260301T090000,20260302T090000\nRDATE:20260215T170000Z"},
		{"RRULE:FREQ=DAILY;UNTIL=20260202T140000Z", "2026-02-02T09:00:00-05:00", "RRULE:FREQ=DAILY;UNTIL=20260202T135959Z", "RRULE:FREQ=DAILY;UNTIL=20260202T140000Z"},
		{"RDATE:20260215T140000Z", "2026-02-15T09:00:00-05:00", "RDATE:20260131T140000Z", "RDATE:20260215T140000Z"},
		{"RRULE:FREQ=WEEKLY;INTERVAL=2\nEXDATE:20260131T140000Z,20260228T140000Z\nEXRULE:FREQ=MONTHLY;COUNT=5", "2026-02-14T09:00:00-05:00", "",
			"RRULE:FREQ=WEEKLY;INTERVAL=2\nEXRULE:FREQ=MONTHLY;COUNT=4;BYMONTHDAY=31\nEXDATE:20260228T140000Z"},
	} {
		set, err := recurrence.Parse(strings.Split(c.lines, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		at, _ := time.Parse(time.RFC3339, c.at)
		before, after, err := set.Split(nine, at)
		if err != nil {
			t.Errorf("%q: %v", c.lines, err)
			continue
		}
		if diff := cmp.Diff([]string{c.before, c.after}, []string{before.String(), after.String()}); diff != "" {
			t.Errorf("%q at %s (-want +got):\n%s", c.lines, c.at, diff)
		}
	}
}

// The halves of a split have the options of the whole. A start that a half has in addition to its rule is not counted twice, and
// a start that is moved out of a gap, and of a rule that does not match it, has no exact split.
func TestSplitOptions(t *testing.T) {
	gap := recurrence.StartTime(time.Date(2026, 3, 1, 2, 30, 0, 0, newYork))                // a week before 2:30 is skipped
	apia := recurrence.StartTime(time.Date(2011, 12, 28, 9, 0, 0, 0, load("Pacific/Apia"))) // two days before a day is skipped
	for _, c := range []struct {
		start             recurrence.Start
		options           recurrence.Options
		lines, at         string
		before, after, no string
	}{
		{gap, recurrence.Options{Shift: true, OnlyMatches: true}, "RRULE:FREQ=WEEKLY", "2026-03-08T03:30:00-04:00", "", "", "the instance at 2026-03-08T03:30:00-04:00 would be at 2026-03-15"},
		{gap, recurrence.Options{Shift: true}, "RRULE:FREQ=WEEKLY;COUNT=5", "2026-03-08T03:30:00-04:00", "RRULE:FREQ=WEEKLY;COUNT=1", "RRULE:FREQ=WEEKLY;COUNT=3;BYHOUR=2", ""},
		{gap, recurrence.Options{Shift: true}, "RRULE:FREQ=WEEKLY;COUNT=2", "2026-03-08T03:30:00-04:00", "RRULE:FREQ=WEEKLY;COUNT=1", "RDATE:20260308T073000Z", ""},
		{gap, recurrence.Options{Shift: true, CountStart: true}, "RRULE:FREQ=WEEKLY;COUNT=5", "2026-03-08T03:30:00-04:00", "RRULE:FREQ=WEEKLY;COUNT=1", "RRULE:FREQ=WEEKLY;COUNT=4;BYHOUR=2", ""},
		{nineInNewYork, recurrence.Options{OnlyMatches: true}, "RRULE:FREQ=DAILY;COUNT=3;BYHOUR=12\nRDATE:20260311T130000Z", "2026-03-11T09:00:00-04:00",
			"RRULE:FREQ=DAILY;COUNT=1;BYHOUR=12", "RRULE:FREQ=DAILY;COUNT=2;BYHOUR=12\nRDATE:20260311T130000Z", ""},
		{nineInNewYork, recurrence.Options{CountStart: true}, "RRULE:FREQ=DAILY;COUNT=3;BYHOUR=12\nRDATE:20260311T130000Z", "2026-03-11T09:00:00-04:00",
			"RRULE:FREQ=DAILY;COUNT=2;BYHOUR=12", "RRULE:FREQ=DAILY;COUNT=2;BYHOUR=12\nRDATE:20260311T130000Z", ""},
		{nineInNewYork, recurrence.Options{}, "RRULE:FREQ=DAILY;COUNT=9\nRDATE;VALUE=PERIOD:20260311T170000Z/PT1H,20260313T170000Z/PT1H", "2026-03-12T09:00:00-04:00",
			"RRULE:FREQ=DAILY;COUNT=2\nRDATE;VALUE=PERIOD:20260311T170000Z/PT1H", "RRULE:FREQ=DAILY;COUNT=7\nRDATE;VALUE=PERIOD:20260313T170000Z/PT1H", ""},
		{nineInNewYork, recurrence.Options{}, "RRULE:FREQ=DAILY;COUNT=9\nRDATE;VALUE=PERIOD:20260311T170000Z/PT1H", "2026-03-12T09:00:00-04:00",
			"RRULE:FREQ=DAILY;COUNT=2\nRDATE;VALUE=PERIOD:20260311T170000Z/PT1H", "RRULE:FREQ=DAILY;COUNT=7", ""},
		{apia, recurrence.Options{}, "RRULE:FREQ=DAILY;COUNT=9;BYHOUR=5\nRDATE;VALUE=DATE:20111230", "2011-12-31T05:00:00+14:00",
			"RRULE:FREQ=DAILY;COUNT=1;BYHOUR=5", "RRULE:FREQ=DAILY;COUNT=8;BYHOUR=5\nRDATE:20111230T090000", ""},
	} {
		start, set := c.start.With(c.options), parseText(t, c.lines)
		at, _ := time.Parse(time.RFC3339, c.at)
		before, after, err := set.Split(start, at)
		if c.no != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.no) {
				t.Errorf("%q with %+v at %s: %v, want %s", c.lines, c.options, c.at, err, c.no)
			}
			continue
		}
		if diff := cmp.Diff([]string{c.before, c.after}, []string{before.String(), after.String()}); err != nil || diff != "" {
			t.Errorf("%q with %+v at %s: %v (-want +got):\n%s", c.lines, c.options, c.at, err, diff)
			continue
		}
		halves := append(upTo(compile(t, before, start), 20), upTo(compile(t, after, startAt(start, at.In(start.Time().Location()))), 20)...)
		if diff := cmp.Diff(texts(upTo(compile(t, set, start), 20)), texts(halves)); diff != "" {
			t.Errorf("%q with %+v at %s (-whole +halves):\n%s", c.lines, c.options, c.at, diff)
		}
	}
}

func TestEditErrors(t *testing.T) {
	start := recurrence.StartTime(time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		start           recurrence.Start
		lines, at, want string
	}{
		{start, "RRULE:FREQ=DAILY", "2026-02-01T09:00:01Z", "there is no instance at the instant of the split"},
		{start, "RRULE:FREQ=DAILY", "2026-01-30T09:00:00Z", "there is no instance at the instant of the split"},
		{start, "RRULE:FREQ=DAILY;INTERVAL=2\nRDATE:20260201T090000Z", "2026-02-01T09:00:00Z", `"RRULE:FREQ=DAILY;INTERVAL=2": the split is in a period that INTERVAL=2 skips`},
		{recurrence.Start{}, "RRULE:FREQ=DAILY", "2026-02-01T09:00:00Z", "recurrence: The start is missing"},
	} {
		set, err := recurrence.Parse(strings.Split(c.lines, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		at, _ := time.Parse(time.RFC3339, c.at)
		before, after, err := set.Split(c.start, at)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || before != nil || after != nil {
			t.Errorf("%q at %s: %v, %v, %v, want %s", c.lines, c.at, before, after, err, c.want)
		}
	}
}

// A split that takes too long to count fails. From the second of two equal times of the clock, instances are visited to
// count them.
func TestSplitCounts(t *testing.T) {
	second := recurrence.StartTime(time.Date(2026, 11, 1, 6, 30, 0, 0, time.UTC).In(newYork)) // 1:30 again
	for _, c := range []struct {
		start     recurrence.Start
		lines, at string
		split     string // the sets or the error
		truncated string
	}{
		{timed, "RRULE:FREQ=SECONDLY;COUNT=90000000;BYHOUR=1,9,10;BYSETPOS=1", "2029-03-10T14:00:00Z", "no instance found", "more than 65536 instances"},
		{second, "RRULE:FREQ=SECONDLY;COUNT=90000", "2026-11-02T06:30:00Z", "more than 65536 instances", "more than 65536 instances"},
		{second, "RRULE:FREQ=DAILY;COUNT=5", "2026-11-03T06:30:00Z", "RRULE:FREQ=DAILY;COUNT=2 and RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY;COUNT=2"},
	} {
		set, err := unmarshal(c.lines)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := time.Parse(time.RFC3339, c.at)
		before, after, err := set.Split(c.start, at)
		if got := fmt.Sprint(before, " and ", after, err); !strings.Contains(got, c.split) {
			t.Errorf("%s is split into %s, want %s", set, got, c.split)
		}
		before, err = set.Truncate(c.start, at)
		if got := fmt.Sprint(before, err); !strings.Contains(got, c.truncated) {
			t.Errorf("%s is cut to %s, want %s", set, got, c.truncated)
		}
	}
}
