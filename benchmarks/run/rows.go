package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os/exec"
	"time"

	jsonpatch "github.com/evanphx/json-patch/v5"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-playground/validator/v10"
	"github.com/teambition/rrule-go"

	"github.com/calrules/calrules/benchmarks/internal/payload"
	"github.com/calrules/calrules/benchmarks/internal/plain"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/tags"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
)

// pairs returns all comparisons.
func pairs() []pair {
	var all []pair
	for _, p := range payload.Usual {
		all = append(all, decoding(p)...)
	}
	for _, p := range payload.Usual {
		if p.Valid && p.Name != "20 KB description" {
			all = append(all, checking(p)...)
		}
	}
	all = append(all, patching()...)
	all = append(all, otherNames(payload.Usual[1]))
	for _, p := range payload.Usual {
		all = append(all, merging(p))
	}
	for _, zone := range []string{"UTC", "America/New_York"} {
		for _, rule := range rules {
			all = append(all, expanding(rule, zone))
		}
		for _, rule := range rules[:len(rules)-1] { // the last rule has too many instances in 30 years
			all = append(all, lookingAhead(rule, zone))
		}
		all = append(all, instances(zone)...)
	}
	return all
}

// decoding compares decoding a body and finding its faults with libraries that only decode it.
func decoding(p payload.Payload) []pair {
	body, req := []byte(p.Body), p.Insert()
	standard := func() { must(json.Unmarshal(body, new(plain.Event))) }
	broken := 0.5
	if !p.Valid {
		broken = 1
	}
	return []pair{
		{"decode", p.Name, "encoding/json", func() { must(new(event.Event).UnmarshalJSON(body)) }, standard, 0},
		{"decode", p.Name, "go-json-experiment", func() { must(new(event.Event).UnmarshalJSON(body)) }, func() { must(jsonv2.Unmarshal(body, new(plain.Event))) }, 0},
		{"decode and find", p.Name, "encoding/json (decodes)", func() { payload.Findings(req) }, standard, broken},
		{"decode, check and answer", p.Name, "encoding/json (decodes)", func() { event.Check(req) }, standard, max(broken, 0.6)},
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
	schemaGoal := 0.0
	if p.Name == "typical" {
		schemaGoal = 1.0 / 30
	}
	return []pair{
		{"check a value", p.Name, "validator", ours, func() { must(v.Struct(e)) }, 1.0 / 12},
		{"check a value", p.Name, "jsonschema", ours, func() { must(s.Validate(value)) }, schemaGoal},
		{"check a value", p.Name, fmt.Sprintf("cel-go (%d rules)", len(expressions)), ours, func() {
			if !x.holds(vars) {
				panic("the expression does not hold")
			}
		}, 0},
	}
}

// patching compares checking a change to a stored event with checking an insert, and with a library that edits JSON without
// decoding it.
func patching() (all []pair) {
	change := []byte(`{"summary":"Planning","location":null}`)
	for _, p := range []payload.Payload{payload.Usual[1], payload.Usual[3]} {
		patch, update, insert := p.Patch(`{"summary":"Planning"}`), p.Insert(), p.Insert()
		update.Op, update.Existing = operation.EventsUpdate, p.Event()
		stored, next, text := p.Event(), p.Event(), []byte(p.Body)
		next.Summary, next.Location = "Planning", ""
		other := next.AppendJSON(nil)
		all = append(all,
			pair{"check a patch", p.Name, "the insert", func() { payload.Findings(patch) }, func() { payload.Findings(insert) }, 1.5},
			pair{"check an update", p.Name, "the insert", func() { payload.Findings(update) }, func() { payload.Findings(insert) }, 0},
			pair{"apply a patch", p.Name, "json-patch (texts)", func() {
				_, err := stored.AfterPatch(change, diag.Documents)
				must(err)
			}, func() {
				_, err := jsonpatch.MergePatch(text, change)
				must(err)
			}, 0},
			pair{"make a patch", p.Name, "json-patch (texts)", func() { stored.PatchTo(next, diag.Documents) }, func() {
				_, err := jsonpatch.CreateMergePatch(text, other)
				must(err)
			}, 0})
	}
	return all
}

// otherNames compares checking an event with the names of the public service and with the names of the documents.
func otherNames(p payload.Payload) pair {
	public, req := event.Checker{Dialect: diag.Google}, p.Insert()
	return pair{"decode and find in the google dialect", p.Name, "the same in the documents' names", func() {
		_, err := public.Find(req)
		must(err)
	}, func() { payload.Findings(req) }, 1.05}
}

// merging compares applying a merge patch (RFC 7396) to JSON.
func merging(p payload.Payload) pair {
	target, patch := []byte(p.Body), []byte(`{"summary":"Weekly planning","location":null,"start":{"dateTime":"2026-03-10T09:30:00-04:00"},"extendedProperties":{"private":{"stage":"3","crm-id":null}},"reminders":{"useDefault":true,"overrides":null}}`)
	buffer := make([]byte, 0, 2*len(target))
	return pair{"merge JSON", p.Name, "json-patch", func() {
		_, err := event.MergeJSON(buffer, target, patch)
		must(err)
	}, func() {
		_, err := jsonpatch.MergePatch(target, patch)
		must(err)
	}, 0.12}
}

var rules = []string{
	"FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH",
	"FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
	"FREQ=MINUTELY;INTERVAL=15;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,10,11,12,13,14,15,16", "FREQ=SECONDLY;INTERVAL=10;BYMINUTE=30",
}

// few is the number of instances to expand, which is about as many as rrule-go finds for each rule.
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

// instances compares listing the instances of a series as events, or as the answer to a request, with listing plain times.
func instances(zone string) []pair {
	const rule = "FREQ=WEEKLY;BYDAY=TU,TH"
	location, err := time.LoadLocation(zone)
	must(err)
	start := time.Date(2026, 3, 10, 9, 0, 0, 0, location)
	e := payload.Usual[1].Event()
	e.ID, e.Start, e.End, e.Recurrence = "series", event.TimeAt(start), event.TimeAt(start.Add(time.Hour)), []string{"RRULE:" + rule}
	_, theirs := compiledRule(rule, zone)
	req := &batch.Expansion{Start: e.Start, End: e.End, Recurrence: e.Recurrence, Limit: few}
	return []pair{
		{"250 instances as events", rule + " in " + zone, "rrule-go (times)", func() { take(event.Series{Event: e}.Instances(event.Window{})) }, func() { iterate(theirs) }, 0},
		{"answer a request for 250 instances", rule + " in " + zone, "rrule-go (times)", func() { batch.Expand(req) }, func() { iterate(theirs) }, 0},
	}
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

// figure is a quantity of calrules, without a comparison in the same process, and its goal.
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
	stream := repeated(`{"id":1,"op":"events.insert","params":{"sendUpdates":"all"},"body":{`+payload.Times+"}}", lines)
	series := repeated(`{"id":1,`+payload.Times+`,"recurrence":["RRULE:FREQ=DAILY"],"limit":100}`, lines)
	messages := repeated(`{"id":1,"method":"GET","url":"/a.json","headers":[],"known":{}}`, lines)
	return append([]figure{
		{"allocations for a finding, broken", func() float64 { return allocsPerFinding(payload.Usual[5]) }, false, 4},
		{"allocations for a finding, bad zone", func() float64 { return allocsPerFinding(payload.Usual[6]) }, false, 4},
		{"allocations of Event.AfterPatch, typical, beyond decoding the patch", patchAllocs, false, 8},
		{"allocations for an instance of a series", instanceAllocs, false, 4},
		{"CPU microseconds for an instance of a series, beyond its expansion", instanceMicroseconds, false, 1},
		{"CPU microseconds for a bad zone, beyond a good one", zoneMicroseconds, false, 5},
		{"CPU microseconds for a decision about a database request", decisionMicroseconds, false, 0},
		{"lines of check --ndjson in a CPU second, timed events without a fault", func() float64 { return lines / childCPU(stream, "check", "--ndjson").Seconds() }, true, 150_000},
		{"CPU time of check --ndjson, jq -c . = 1", func() float64 {
			return childCPU(stream, "check", "--ndjson").Seconds() / jqCPU(stream).Seconds()
		}, false, 0},
		{"peak MB of check --ndjson with 50,000 lines", func() float64 { return peakMB(stream, "check", "--ndjson") }, false, 64},
		{"peak MB of expand --ndjson with 50,000 lines, 100 instances each", func() float64 { return peakMB(series, "expand", "--ndjson") }, false, 64},
		{"peak MB of rtdb --ndjson with 50,000 lines", func() float64 { return peakMB(messages, "rtdb", "--ndjson") }, false, 64},
		{"time of check --ndjson on one processor, two processors = 1", func() float64 { return speedup(stream, "check", "--ndjson") }, true, 1.8},
		{"retained bytes of a decoded event, typical, plain struct = 1", func() float64 { return retained(payload.Named("typical")) }, false, 1.1},
		{"retained bytes of a decoded event, imported from Outlook, plain struct = 1", func() float64 { return retained(payload.Named("imported from Outlook")) }, false, 1.1},
		{"lines of fuzz in a CPU second", func() float64 { return 50_000 / childCPU(nil, "fuzz", "-n", "50000").Seconds() }, true, 10_000},
		{"CPU time of checking one small file, hello world = 1", startRatio, false, 3},
		{"MB of the command, as released", func() float64 { return megabytes(build("calrules", "./cmd/calrules")) }, false, 0},
		{"MB of the smallest program that checks an event, without debugging information", func() float64 { return megabytes(smallest()) }, false, 0},
		{"MB of a hello world, built likewise", func() float64 { return megabytes(hello()) }, false, 0},
		{"packages that the smallest program links", smallestPackages, false, 0},
		{"CPU time of the smallest program, hello world = 1", func() float64 {
			return cpuRatio(exec.Command(smallest()), exec.Command(hello()))
		}, false, 0},
	}, libicalFigures()...)
}
