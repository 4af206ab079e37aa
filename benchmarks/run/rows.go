package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/bytedance/sonic"
	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/go-playground/validator/v10"
	"github.com/teambition/rrule-go"

	"github.com/calrules/calrules/benchmarks/internal/payload"
	"github.com/calrules/calrules/benchmarks/internal/plain"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/tags"
	"github.com/calrules/calrules/recurrence"
)

// pairs returns the comparisons for which CPU time is more meaningful than instructions: with sonic, which uses vector
// instructions, and with libraries that spend most of their time on memory management.
func pairs() []pair {
	typical := payload.Named("typical")
	all := slices.Concat(decoding(typical), checking(typical), patching())
	for _, rule := range rules {
		all = append(all, expanding(rule, "America/New_York"))
	}
	return append(all, lookingAhead(rules[0], "America/New_York"), instances("America/New_York"))
}

// decoding compares decoding a body and finding its faults with libraries that only decode the body.
func decoding(p payload.Payload) []pair {
	body, req := []byte(p.Body), p.Insert()
	find := func() { payload.Findings(req) }
	return []pair{
		{"decode and find", p.Name, "encoding/json (decodes)", find, func() { must(json.Unmarshal(body, new(plain.Event))) }, 0.5},
		{"decode and find", p.Name, "sonic (decodes)", find, func() { must(sonic.Unmarshal(body, new(plain.Event))) }, 0},
	}
}

// checking compares checking a Go value with other validators.
func checking(p payload.Payload) []pair {
	v := validator.New(validator.WithRequiredStructEnabled())
	must(tags.Register(v))
	s, value := compiled(), decoded(p.Body)
	x, vars := newExpression(), variables(p.Body)
	req, e := p.Value(), p.Event()
	ours := func() {
		if found := payload.Findings(req); found != nil {
			panic(found)
		}
	}
	return []pair{
		{"check a value", p.Name, "validator (single values)", ours, func() { must(v.Struct(e)) }, 1.0 / 12},
		{"check a value", p.Name, "jsonschema (single values)", ours, func() { must(s.Validate(value)) }, 1.0 / 30},
		{"check a value", p.Name, fmt.Sprintf("cel-go (%d rules)", len(expressions)), ours, func() {
			if !x.holds(vars) {
				panic("the expression does not hold")
			}
		}, 0},
	}
}

// patching compares changes of a stored event with a library that edits JSON without decoding it.
func patching() []pair {
	p, change := payload.Named("200 attendees"), []byte(`{"summary":"Planning","location":null}`)
	stored, text, buffer := p.Event(), []byte(p.Body), make([]byte, 0, 2*len(p.Body))
	theirs := func() {
		_, err := jsonpatch.MergePatch(text, change)
		must(err)
	}
	return []pair{
		{"apply a patch to a value", p.Name, "json-patch (texts)", func() {
			_, err := stored.AfterPatch(change, diag.Documents)
			must(err)
		}, theirs, 0},
		{"merge JSON", p.Name, "json-patch", func() {
			_, err := event.MergeJSON(buffer, text, change)
			must(err)
		}, theirs, 0.12},
	}
}

var rules = []string{
	"FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
	"FREQ=MINUTELY;INTERVAL=15;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,10,11,12,13,14,15,16",
}

// few is the number of instances to expand.
const few = 250

// expanding compares listing the first instances of a compiled rule.
func expanding(rule, zone string) pair {
	series, theirs := compiledRule(rule, zone)
	return pair{"expand 250 instances", rule + " in " + zone, "rrule-go", func() { take(series.All()) }, func() { iterate(theirs) }, 0.1}
}

// lookingAhead compares listing the instances in a week, 30 years after the start.
func lookingAhead(rule, zone string) pair {
	series, theirs := compiledRule(rule, zone)
	from := series.Start().Time().AddDate(30, 0, 0)
	to := from.AddDate(0, 0, 7)
	return pair{"look at a week 30 years ahead", rule + " in " + zone, "rrule-go", func() {
		for _, err := range series.Between(from, to) {
			must(err)
		}
	}, func() { theirs.Between(from, to, true) }, 0}
}

// instances compares listing the instances of a series as events with listing plain times.
func instances(zone string) pair {
	const rule = "FREQ=WEEKLY;BYDAY=TU,TH"
	location, err := time.LoadLocation(zone)
	must(err)
	start := time.Date(2026, 3, 10, 9, 0, 0, 0, location)
	e := payload.Named("typical").Event()
	e.ID, e.Start, e.End, e.Recurrence = "series", event.TimeAt(start), event.TimeAt(start.Add(time.Hour)), []string{"RRULE:" + rule}
	_, theirs := compiledRule(rule, zone)
	return pair{"250 instances as events", rule + " in " + zone, "rrule-go (times)", func() { take(event.Series{Event: e}.Instances(event.Window{})) }, func() { iterate(theirs) }, 0}
}

// take iterates over the first few values.
func take[T any](all iter.Seq2[T, error]) {
	n := 0
	for _, err := range all {
		must(err)
		if n++; n == few {
			return
		}
	}
}

// iterate is like take, but for rrule-go.
func iterate(rule *rrule.RRule) {
	next := rule.Iterator()
	for range few {
		next()
	}
}

// compiledRule compiles a rule with both libraries.
func compiledRule(rule, zone string) (*recurrence.Series, *rrule.RRule) {
	location, err := time.LoadLocation(zone)
	must(err)
	start := time.Date(1997, 9, 2, 9, 0, 0, 0, location)
	set, err := recurrence.Parse([]string{"RRULE:" + rule})
	must(err)
	series, err := set.Compile(recurrence.StartTime(start))
	must(err)
	option, err := rrule.StrToROption(rule)
	must(err)
	option.Dtstart = start
	theirs, err := rrule.NewRRule(*option)
	must(err)
	return series, theirs
}

// figure is a measured property of calrules, without a comparison in the same process, and its goal.
type figure struct {
	name  string
	value func() float64
	least bool // whether the goal is a minimum, not a maximum
	goal  float64
}

// repeated returns the given number of copies of a line.
func repeated(line string, lines int) []byte { return bytes.Repeat([]byte(line+"\n"), lines) }

// figures returns all figures.
func figures() []figure {
	const lines = 50_000
	series := repeated(`{"id":1,`+payload.Times+`,"recurrence":["RRULE:FREQ=DAILY"],"limit":100}`, lines)
	mixed := bytes.Repeat(append(bytes.Join(payload.Lines, []byte("\n")), '\n'), lines/len(payload.Lines))
	return append([]figure{
		{"allocations for a finding, broken", func() float64 { return allocsPerFinding(payload.Named("broken")) }, false, 4},
		{"allocations for an instance of a series", instanceAllocs, false, 4},
		{"lines of check --ndjson in a CPU second, mixed", func() float64 { return lines / childCPU(mixed, "check", "--ndjson").Seconds() }, true, 0},
		{"time of check --ndjson on one processor, two processors = 1", func() float64 { return speedup(mixed, "check", "--ndjson") }, true, 1.8},
		{"peak MB of check --ndjson with 50,000 mixed lines", func() float64 { return peakMB(mixed, "check", "--ndjson") }, false, 64},
		{"peak MB of expand --ndjson with 50,000 lines, 100 instances each", func() float64 { return peakMB(series, "expand", "--ndjson") }, false, 64},
		{"MB of the command, as released", func() float64 { return megabytes(build("calrules", "./cmd/calrules")) }, false, 14},
		{"MB of the smallest program that checks an event, without debugging information", func() float64 { return megabytes(smallest()) }, false, 0},
		{"MB of a hello world, built likewise", func() float64 { return megabytes(hello()) }, false, 0},
	}, libicalFigures()...)
}
