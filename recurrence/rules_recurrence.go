package recurrence

import (
	"iter"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

var exruleDeprecated = diag.Rule{
	ID: "recurrence.exrule.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "EXRULE lines should not be used, because RFC 5545 deprecates them.",
	Section: "RFC 5545 8.3.2",
	Why:     "Many programs drop EXRULE lines and then show the excluded instances.",
	Good:    sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260310T130000Z"},
	Bad:     sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "EXRULE:FREQ=DAILY;COUNT=1"},
	Says:    diag.Sentences{{Key: "deprecated", Text: "EXRULE is deprecated, and many calendars ignore it. Use EXDATE."}},
	Check:   check(checkExRule),
}

func checkExRule(in *input, r engine.Reporter) {
	for i := range in.lines {
		if l := &in.lines[i]; l.kind == exruleLine && !l.isFull() {
			in.report(r, i, "deprecated")
		}
	}
}

// instances yields the instances at the times in early, followed by the instances at or after from and before to, omitting
// instances for which selects returns false.
func (s *Series) instances(from, to int64, early []int64, selects func(Instance) bool) iter.Seq2[Instance, error] {
	return func(yield func(Instance, error) bool) {
		it := s.expanded().Iterate(from, to, s.expanded().NewBudget())
		it.Thorough = true
		it.Prepend(early)
		for batch := it.Batch(); len(batch) > 0; batch = it.Batch() {
			for _, unix := range batch {
				if i := s.instance(unix, it.FromRule); selects(i) && !yield(i, nil) {
					return
				}
			}
			it.Budget.Renew(len(batch))
		}
		if err := s.overBudget(it, from); err != nil {
			yield(Instance{}, err)
		}
	}
}

var noInstance = diag.Rule{
	ID: "recurrence.no-instance", Kind: diag.Reject, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: reads,
	Summary: "The set must have at least one instance.",
	Section: fieldSection,
	Why:     "The first instance of a series is its start, so a set without instances contradicts its event.",
	Good:    sample.Series{"RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260310T130000Z"},
	Bad:     sample.Series{"RRULE:FREQ=DAILY;COUNT=1", "EXDATE:20260310T130000Z"},
	Says: diag.Sentences{
		{Key: "until", Text: "UNTIL is before the start, so there is no instance. Change UNTIL, or remove the recurrence."},
		{Key: "excluded", Text: "EXDATE or EXRULE excludes every instance, including the start. Keep at least one instance."},
	},
	Check: check(checkNoInstance),
}

// checkBudget is the maximum number of steps that [input.expand] takes to search for an instance and, separately, for
// everything else. Even hostile lines therefore cost only milliseconds. Facts that are unknown when a budget is exhausted are
// not reported.
const checkBudget = 1 << 17

// instances contains the facts about the instances of a set that are used by the rules in this file.
type instances struct {
	empty          bool    // the set has no instance
	late           bool    // the UNTIL of each rule is before the start
	misses         []int   // the indexes of the EXDATE lines with a value that matches no instance
	missed         []Value // the first unmatched value in each of these lines
	startNotInRule bool
}

// instances returns the facts about the instances, which the first call determines. The facts are empty if a line is
// rejected or the start is unknown.
func (in *input) instances() *instances {
	if !in.expanded {
		in.expanded = true
		if !in.start.IsZero() && firstRejected(in.lines) < 0 {
			in.expand()
		}
	}
	return &in.found
}

// expand determines the facts about the instances, and must not be called if a line is rejected.
func (in *input) expand() {
	in.set.clear()
	in.set.addAll(in.lines)
	in.series.prepare(&in.set, in.start)
	in.budget, in.search = *expand.NewBudget(checkBudget), *expand.NewBudget(checkBudget)
	s, found := in.series.expansion, &in.found
	found.startNotInRule = len(in.set.Rules) > 0 && s.RulesMissStart(&in.budget)
	q := s.Ask(&in.budget)
	in.findMisses(&q)
	if !q.Contains(in.start.unix) {
		_, ok := s.Iterate(expand.Earliest, expand.Latest, &in.search).Next()
		found.empty = !ok && !in.search.IsOver()
		found.late = !s.IncludesStart()
	}
	if found.empty { // an EXDATE that matches no instance, or an UNTIL before the start, is not an additional fault
		found.misses, found.missed = nil, nil
		found.startNotInRule = found.startNotInRule && !found.late
	}
}

// findMisses excludes the values of the EXDATE lines, and finds the lines with a value that matches no instance.
func (in *input) findMisses(q *expand.Query) {
	i, found := 0, &in.found
	in.series.exclude(in.set.ExDates, func(d *Dates, instants []int64) {
		for in.lines[i].dates != d {
			i++
		}
		k := slices.IndexFunc(instants, func(at int64) bool { return !q.Contains(at) })
		if len(instants) == 0 { // the values are days
			k = slices.IndexFunc(d.Values, func(v Value) bool { return !q.ContainsDay(v.Clock) })
		}
		if k >= 0 && !in.budget.IsOver() {
			found.misses, found.missed = append(found.misses, i), append(found.missed, d.Values[k])
		}
	})
}

func checkNoInstance(in *input, r engine.Reporter) {
	found := in.instances()
	switch {
	case !found.empty || in.stored:
	case found.late:
		r.Report("", "until")
	default:
		r.Report("", "excluded")
	}
}

var startNotInRule = diag.Rule{
	ID: "recurrence.start-not-in-rule", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "The start should be an instance of an RRULE.",
	Section: "RFC 5545 3.8.5.3",
	Why: "If the start is not an instance of the rule, RFC 5545 does not define the set. In the library, such a start is the first " +
		"instance unless EXDATE excludes it, and COUNT does not count it; other programs count the start or drop it.",
	Good: weekly,
	Bad:  sample.Series{"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10"},
	Says: diag.Sentences{
		{Key: "start", Text: "The start is not an instance of the rule, but it counts as the first instance unless EXDATE excludes it. Move the start to an instance of the rule, or change the rule."},
		{Key: "never", Text: "No RRULE line has an instance. Correct the rule, or remove it."},
	},
	Check: check(checkStartNotInRule),
}

func checkStartNotInRule(in *input, r engine.Reporter) {
	if in.instances().startNotInRule {
		first := slices.IndexFunc(in.lines, func(l line) bool { return l.kind == rruleLine })
		key := "start"
		if in.rulesGiveNone() {
			key = "never"
		}
		r.Report(diag.Pointer("").Index(first), key)
	}
}

// rulesGiveNone reports whether the RRULE lines produce no instance after the start, which the rules must not match. The result
// is false if the search exceeds its budget.
func (in *input) rulesGiveNone() bool {
	var series Series
	series.prepare(&Set{Rules: in.set.Rules}, in.start)
	budget := expand.NewBudget(checkBudget)
	_, found := series.expansion.Iterate(in.start.unix+1, expand.Latest, budget).Next()
	return !found && !budget.IsOver()
}

var exdateMisses = diag.Rule{
	ID: "recurrence.exdate-misses", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each EXDATE value should match an instance.",
	Section: "RFC 5545 3.8.5.1",
	Why:     "Usually the zone is wrong, or the start was moved later. The instance to exclude is still there.",
	Good:    sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T130000Z"},
	Bad:     sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T090000Z"},
	Says: diag.Sentences{
		{Key: "date", Text: "EXDATE {date} matches no instance. Correct the date, or remove it."},
		{Key: "time", Text: "EXDATE {date} matches no instance. Compare its zone and time with the start."},
	},
	Check: check(checkExdateMisses),
}

func checkExdateMisses(in *input, r engine.Reporter) {
	found := in.instances()
	for k, i := range found.misses {
		missed, key := found.missed[k], "time"
		if missed.Form == Date {
			key = "date"
		}
		r.Report(diag.Pointer("").Index(i), key, missed.arg(), diag.Value("value", missed.String()))
	}
}

var subDaily = diag.Rule{
	ID: "recurrence.sub-daily", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: reads,
	Summary:  "The frequency should not be SECONDLY, MINUTELY or HOURLY.",
	Section:  "observed",
	Seen:     "The service responds to FREQ=HOURLY with an internal error.",
	Reported: []string{"googleapis/google-api-ruby-client#572"},
	Why:      "RFC 5545 has the frequencies SECONDLY, MINUTELY and HOURLY, but the public service returns an internal error for them.",
	Good:     sample.Series{"RRULE:FREQ=DAILY;BYHOUR=9,12;COUNT=4"},
	Bad:      sample.Series{"RRULE:FREQ=HOURLY;INTERVAL=3;COUNT=4"},
	Says:     diag.Sentences{{Key: "freq", Text: "The public service returns an error for FREQ={freq}, although RFC 5545 allows it. Use DAILY or longer."}},
	Check:    check(checkSubDaily),
}

func checkSubDaily(in *input, r engine.Reporter) {
	if in.start.allDay {
		return
	}
	for i := range in.lines {
		if rule := in.lines[i].rule; rule != nil && rule.Freq.SubDaily() {
			in.report(r, i, "freq", rule.Freq.arg())
		}
	}
}

var rdateBeforeStart = diag.Rule{
	ID: "recurrence.rdate-before-start", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: reads,
	Summary: "No RDATE value should be before the start.",
	Section: fieldSection,
	Why: "The start is the first instance, so an earlier value adds no instance. Usually the zone is wrong, or the start was moved " +
		"later.",
	Good:  sample.Series{"RDATE:20260311T130000Z"},
	Bad:   sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "RDATE:20260309T130000Z"},
	Says:  diag.Sentences{{Key: "before", Text: "RDATE {date} is before the start and adds no instance. Move the start to this date, or remove the date."}},
	Check: check(checkRDateBeforeStart),
}

func checkRDateBeforeStart(in *input, r engine.Reporter) {
	if in.start.IsZero() {
		return
	}
	for i := range in.lines {
		l := &in.lines[i]
		if l.kind != rdateLine || l.dates == nil || l.rejected {
			continue
		}
		c := newConverter(in.start)
		if v, found := c.firstEarly(l.dates); found {
			r.Report(diag.Pointer("").Index(i), "before", v.arg(), diag.Value("value", v.String()))
		}
	}
}

// firstEarly returns the first value in the line that is before the start, and reports whether there is one.
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
