package recurrence

import (
	"slices"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
	"github.com/calrules/calrules/recurrence/internal/civil"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

// The rules about lines that are correct but do not mean what they seem to.

var ruleAmbiguous = diag.Rule{
	ID: "recurrence.rule.ambiguous", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "A rule has one meaning: BYMONTHDAY in a YEARLY rule and beside a numbered BYDAY comes with BYMONTH, BYWEEKNO comes with " +
		"BYDAY, and BYSETPOS does not count instances before the start.",
	Section: "RFC 5545 3.3.10, RFC 8984 4.3.3",
	Why: "Readers fill in the missing part differently; here RFC 8984 decides. Readers also differ in whether BYSETPOS counts what lies " +
		"before the start in the first period. That is reported only if the result depends on it, and not beside BYWEEKNO, whose weeks belong to two years.",
	Good: sample.Series("RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10;COUNT=3"),
	Bad:  sample.Series("RRULE:FREQ=YEARLY;BYMONTHDAY=10;COUNT=3"),
	Says: diag.Sentences{
		{Key: "number-in-month", Text: numberedDay + "it counts in the month" + addMonth},
		{Key: "number-of-start", Text: numberedDay + "both mean the month of the start" + addMonth},
		{Key: "number-in-year", Text: numberedDay + "it counts in the year" + addMonth},
		{Key: "month", Text: yearlyDay + "it means the month of the start" + addMonth},
		{Key: "month-each", Text: yearlyDay + "it means each" + addMonth},
		{Key: "weekday", Text: weekNumber + "it means the weekday of the start" + addWeekday},
		{Key: "weekday-each", Text: weekNumber + "it means each" + addWeekday},
		{Key: "first-period", Text: "The start is within the first {unit} of BYSETPOS, and readers differ in whether instances before the start count; " +
			"here they do. Write the rule without BYSETPOS if you can."},
	},
	Check: check(checkAmbiguous),
}

// How the sentences of [ruleAmbiguous] begin and end.
const (
	numberedDay = "BYMONTHDAY and a numbered BYDAY appear without BYMONTH, and readers combine them differently; here "
	yearlyDay   = "BYMONTHDAY appears in a YEARLY rule without BYMONTH, which may mean one month or each; here "
	weekNumber  = "BYWEEKNO appears without BYDAY, which may mean one day of the week or each; here "
	addMonth    = ". Add BYMONTH, with all twelve months if each is meant."
	addWeekday  = ". Add BYDAY, with all seven days if each is meant."
)

func checkAmbiguous(in *input, r engine.Reporter) {
	in.periods = *expand.NewBudget(checkBudget)
	for i := range in.lines {
		l := &in.lines[i]
		if l.rule == nil || l.rejected {
			continue
		}
		if key := l.rule.missingPart(); key != "" {
			r.Report(diag.Pointer("").Index(i), key)
		}
		if !in.start.IsZero() && l.rule.dependsOnFirstPeriod(in.start, &in.periods) {
			r.Report(diag.Pointer("").Index(i), "first-period", wording.Text("unit", unitNames[l.rule.Freq]))
		}
	}
}

// missingPart says which part a rule needs to have one meaning, and what it means without it: it returns the key of a
// sentence of [ruleAmbiguous], or "".
func (r *Rule) missingPart() string {
	noYearDay := len(r.ByYearDay) == 0 // with BYYEARDAY nothing is taken from the start
	switch {
	case len(r.ByMonth) > 0 || len(r.ByMonthDay) == 0:
	case slices.ContainsFunc(r.ByDay, ByDay.isNumbered):
		return numberedMeaning(r.Freq, noYearDay)
	case r.Freq == Yearly && noYearDay && len(r.ByWeekNo) == 0:
		return "month"
	case r.Freq == Yearly:
		return "month-each"
	}
	switch {
	case len(r.ByWeekNo) == 0 || len(r.ByDay) > 0:
		return ""
	case noYearDay && len(r.ByMonthDay) == 0:
		return "weekday"
	default:
		return "weekday-each"
	}
}

// numberedMeaning returns the key of the sentence that says in what a numbered BYDAY beside BYMONTHDAY counts.
func numberedMeaning(freq Freq, noYearDay bool) string {
	switch {
	case freq == Monthly:
		return "number-in-month"
	case noYearDay:
		return "number-of-start"
	default:
		return "number-in-year"
	}
}

// dependsOnFirstPeriod reports whether BYSETPOS chooses other instances of the first period if instances before the
// start do not count. It reports false if there are too many to tell.
func (r *Rule) dependsOnFirstPeriod(start Start, budget *expand.Budget) bool {
	if len(r.BySetPos) == 0 || len(r.ByWeekNo) > 0 {
		return false
	}
	every := r.without(start.clock)
	begin, end := every.Period(start.clock)
	if begin <= civil.MinClock {
		return false
	}
	all, ok := between(every, begin, end, budget)
	if !ok {
		return false
	}
	first, _ := slices.BinarySearch(all, start.clock)
	whole := slices.DeleteFunc(atPositions(all, r.BySetPos), func(clock int64) bool { return clock < start.clock })
	return !slices.Equal(whole, atPositions(all[first:], r.BySetPos))
}

// without returns the rule without BYSETPOS, INTERVAL and an end, and with all parts that it would
// take from a start.
func (r *Rule) without(clock int64) *expand.Rule {
	var x expand.Rule
	r.expandTo(&x)
	x.Interval, x.Count, x.BySetPos, x.LastInstant, x.LastClock = 0, 0, nil, expand.NoUntil, civil.MaxClock
	day, second := civil.Split(clock)
	x.FillIn(day, false)
	fill := func(list *[]int, below Freq, value int64) {
		if r.Freq > below && len(*list) == 0 {
			*list = []int{int(value)}
		}
	}
	fill(&x.ByHour, Hourly, second/3600)
	fill(&x.ByMinute, Minutely, second/60%60)
	fill(&x.BySecond, Secondly, second%60)
	return &x
}

// between returns the clocks of a rule from begin on and before end. It reports false if the budget is
// over.
func between(rule *expand.Rule, begin, end int64, budget *expand.Budget) (all []int64, ok bool) {
	before := begin - 1 // in the period before
	series := expand.New(expand.Set{
		Start: expand.Start{Clock: before, Instant: before},
		Zone:  civil.ZoneOf(time.UTC),
		Rules: []expand.Rule{*rule},
	}, expand.Options{})
	it := series.Iterate(begin, end, budget)
	for len(all) < maxOfPeriod {
		clock, found := it.Next()
		if !found {
			return all, !budget.IsOver()
		}
		all = append(all, clock)
	}
	return nil, false
}

// maxOfPeriod is how many instances of a period dependsOnFirstPeriod compares at most.
const maxOfPeriod = 1 << 12

// atPositions returns the instances at the positions of BYSETPOS, in order and distinct.
func atPositions(all []int64, positions []int) (chosen []int64) {
	for _, p := range positions {
		if p < 0 {
			p += len(all) + 1
		}
		if 1 <= p && p <= len(all) {
			chosen = append(chosen, all[p-1])
		}
	}
	slices.Sort(chosen)
	return slices.Compact(chosen)
}

var rdateBeforeStart = diag.Rule{
	ID: "recurrence.rdate-before-start", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: reads,
	Summary: "No RDATE value is before the start.",
	Section: fieldSection,
	Why:     "The start is the first instance, so what is before it is not an instance. Usually the zone is wrong, or the start was moved later.",
	Good:    sample.Series("RDATE:20260311T130000Z"),
	Bad:     sample.Series("RRULE:FREQ=DAILY;COUNT=3", "RDATE:20260309T130000Z"),
	Says:    diag.Sentences{{Key: "before", Text: "RDATE {date} is before the start and gives no instance; move the start to it, or remove it."}},
	Check:   check(checkRDateBeforeStart),
}

func checkRDateBeforeStart(in *input, r engine.Reporter) {
	if in.start.IsZero() {
		return
	}
	c := newConverter(in.start)
	for i := range in.lines {
		l := &in.lines[i]
		if l.kind != rdateLine || l.dates == nil || l.rejected {
			continue
		}
		if v, found := c.firstEarly(l.dates); found {
			r.Report(diag.Pointer("").Index(i), "before", v.arg(), diag.Value("value", v.String()))
		}
	}
}

// firstEarly returns the first value that is before the start.
func (c *converter) firstEarly(d *Dates) (early Value, found bool) {
	zone, _ := c.resolver(d)
	for _, v := range d.Values {
		if c.instant(v, &zone) < c.start.unix {
			return v, true
		}
	}
	for _, p := range d.Periods {
		if c.instant(p.Start, &zone) < c.start.unix {
			return p.Start, true
		}
	}
	return Value{}, false
}

var lineRepeated = diag.Rule{
	ID: "recurrence.line.repeated", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: reads,
	Summary: "No line appears twice.",
	Section: fieldSection,
	Why: "An instance that two lines give is one instance, so the second line adds nothing. Lines are compared as text: lines that " +
		"mean the same in other words are not reported.",
	Good:  sample.Series("RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=WEEKLY;COUNT=3"),
	Bad:   sample.Series("RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY;COUNT=3"),
	Says:  diag.Sentences{{Key: "repeated", Text: "The line repeats line {line} and adds nothing; remove it."}},
	Check: check(checkLineRepeated),
}

func checkLineRepeated(in *input, r engine.Reporter) {
	if in.differInLength() {
		return
	}
	for i := range in.lines {
		l := &in.lines[i]
		k, repeated := in.first[l.text]
		switch {
		case !repeated:
			in.first[l.text] = i
		case !l.rejected:
			in.report(r, i, "repeated", diag.Number("line", k+1))
		}
	}
}

// differInLength reports whether all lines differ in length, as a few lines mostly do.
func (in *input) differInLength() bool {
	var seen uint64
	for i := range in.lines {
		bit := uint64(1) << (len(in.lines[i].text) & 63)
		if seen&bit != 0 {
			return false
		}
		seen |= bit
	}
	return true
}
