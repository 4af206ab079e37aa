package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/go-playground/validator/v10"
	"github.com/tidwall/gjson"

	"github.com/calrules/calrules/benchmarks/internal/payload"
	"github.com/calrules/calrules/benchmarks/internal/plain"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/tags"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/operation"
)

// row is one kind of work, by calrules and by others.
type row struct {
	name  string
	sides []side  // calrules first
	goal  float64 // the most that the ratio to the second side may be or, if there is none, the instructions; 0 for none
	each  int     // how many things the work is about, if it is not one
}

// side is who does the work of a row.
type side struct {
	name    string
	prepare func() (work func()) // what is prepared is not counted
}

const ours = "calrules"

// The names of decoders.
const (
	v1 = "encoding/json"
	v2 = "encoding/json/v2"
)

// decoders decode into a value, by their names. Files with build tags add others.
var decoders = map[string]func(body []byte, into any) error{v1: json.Unmarshal}

// decodedBy returns a side that decodes a text into a new value.
func decodedBy[T any](decoder string, body []byte) side {
	return side{decoder, func() func() {
		decode := decoders[decoder]
		return func() { must(decode(body, new(T))) }
	}}
}

// byAll returns a side for each decoder, v1 first.
func byAll[T any](body []byte) (sides []side) {
	sides = append(sides, decodedBy[T](v1, body))
	for _, name := range peers {
		sides = append(sides, decodedBy[T](name, body))
	}
	return sides
}

// peers are the decoders beside v1, in the order of the columns.
var peers = []string{v2, "go-json-experiment", "sonic", "goccy", "easyjson"}

func work(f func()) func() func() { return func() func() { return f } }

// rows returns all rows.
func rows() (all []row) {
	for _, p := range slices.Concat(payload.Usual, payload.Unusual) {
		all = append(all, finding(p))
	}
	all = append(all, answered())
	for _, p := range payload.Usual[:5] {
		all = append(all, decoding(p))
	}
	return slices.Concat(all, texts(), changes(), others(), series())
}

// goals of decoding and finding, if they are not the usual one.
var findGoals = map[string]float64{"1,000 unknown members": 1.5, "broken": .8, "twelve guests who have answered": .5, "bad zone": 1}

// finding decodes a body and finds its faults; the others only decode it.
func finding(p payload.Payload) row {
	goal, isOwn := findGoals[p.Name]
	if !isOwn {
		goal = .35
	}
	return row{"decode and find: " + p.Name, append([]side{{ours, func() func() {
		req := p.Insert()
		return func() { payload.Findings(req) }
	}}}, byAll[plain.Event]([]byte(p.Body))...), goal, 1}
}

// answered checks what the public service answers.
func answered() row {
	return row{"decode and find: an answer of the public service", append([]side{{ours, func() func() {
		req := &event.Request{Op: operation.Response, Body: []byte(payload.Answer), Dialect: diag.Google}
		return func() { payload.Findings(req) }
	}}}, byAll[plain.Event]([]byte(payload.Answer))...), .35, 1}
}

// decoding only decodes; the second side only looks whether the text is JSON.
func decoding(p payload.Payload) row {
	body := []byte(p.Body)
	sides := []side{
		{ours, work(func() { event.Decode(body, diag.Documents) })},
		{"gjson.ValidBytes", work(func() { gjson.ValidBytes(body) })},
	}
	return row{"decode: " + p.Name, append(sides, byAll[plain.Event](body)...), 1.8, 1}
}

// texts decode long strings.
func texts() (all []row) {
	const n = 10_000 // bytes
	for _, t := range []struct {
		name, unit string
		goal       float64
	}{{"ASCII", "x", 3}, {"UTF-8", "é", 8}, {"escapes", `\n`, 8}} {
		body := []byte(`{"description":"` + strings.Repeat(t.unit, n/len(t.unit)) + `"}`)
		all = append(all, row{"decode a byte of text: " + t.name, []side{{ours, work(func() { event.Decode(body, diag.Documents) })}}, t.goal, n})
	}
	return all
}

// changes make and check changes of an event with 200 guests.
func changes() []row {
	p := payload.Named("200 attendees")
	next := func() *event.Event {
		e := p.Event()
		e.Attendees[100].ResponseStatus = "accepted"
		return e
	}
	return []row{
		{"make a patch: 200 guests, one of them changed", []side{
			{ours, func() func() {
				stored, next := p.Event(), next()
				return func() { stored.PatchTo(next, diag.Documents) }
			}},
			{"json-patch (texts)", func() func() {
				stored, next := []byte(p.Body), next().AppendJSON(nil)
				return func() {
					_, err := jsonpatch.CreateMergePatch(stored, next)
					must(err)
				}
			}},
		}, .3, 1},
		{"check an update: 200 guests", []side{
			{ours, func() func() {
				req := p.Insert()
				req.Op, req.Existing = operation.EventsUpdate, p.Event()
				return func() { payload.Findings(req) }
			}},
			{"calrules, the insert", func() func() {
				req := p.Insert()
				return func() { payload.Findings(req) }
			}},
		}, 1.3, 1},
	}
}

// others are the rest.
func others() (all []row) {
	for _, p := range payload.Usual[:4] {
		goal := 1.0 / 8
		if p.Name == "200 attendees" {
			goal = 1.0 / 15
		}
		all = append(all, row{"check a value: " + p.Name, []side{
			{ours, func() func() {
				req := p.Value()
				return func() { payload.Findings(req) }
			}},
			{"validator", func() func() {
				v, e := validator.New(validator.WithRequiredStructEnabled()), p.Event()
				must(tags.Register(v))
				return func() { must(v.Struct(e)) }
			}},
		}, goal, 1})
	}
	page := payload.Page(250)
	bare, broken := payload.Named("minimal"), payload.Named("broken")
	finds := len(payload.Findings(broken.Insert()))
	return append(all,
		row{"read a page: 250 events of the public service", append([]side{{ours, work(func() { event.DecodePage(page, diag.Google) })}}, byAll[plain.Page](page)...), .35, 1},
		row{"an EXDATE: of 10,000", []side{{ours, exdates(10_000)}}, 700, 10_000},
		row{"an instance as an event: of 250", []side{{ours, instances(250)}}, 1200, 250},
		row{"a finding: broken, decoding included", []side{{ours, work(func() { payload.Findings(broken.Insert()) })}}, 2500, finds},
		row{"a finding with its sentence: broken, decoding included", []side{{ours, work(func() {
			for _, f := range payload.Findings(broken.Insert()) {
				f.Message()
			}
		})}}, 4000, finds},
		row{"a decision about a database request", []side{{ours, decision}}, 8000, 1},
		row{"check and answer: minimal", append([]side{{ours, func() func() {
			req := bare.Insert()
			return func() { event.Check(req) }
		}}}, byAll[plain.Event]([]byte(bare.Body))...), .6, 1},
	)
}

// exdates excludes instances.
func exdates(n int) func() func() {
	return func() func() {
		e := payload.Named("minimal").Event()
		start := time.Date(2026, 3, 10, 13, 0, 0, 0, time.UTC)
		values := make([]string, n)
		for i := range values {
			values[i] = start.AddDate(0, 0, i).Format("20060102T150405Z")
		}
		e.Recurrence = []string{fmt.Sprintf("RRULE:FREQ=DAILY;COUNT=%d", n+10), "EXDATE:" + strings.Join(values, ",")}
		return func() {
			for _, err := range (event.Series{Event: e}).Instances(event.Window{}) {
				must(err)
			}
		}
	}
}

// instances lists events.
func instances(n int) func() func() {
	return func() func() {
		e := payload.Named("typical").Event()
		e.ID, e.Recurrence = "series", []string{fmt.Sprintf("RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=%d", n)}
		return func() {
			for _, err := range (event.Series{Event: e}).Instances(event.Window{}) {
				must(err)
			}
		}
	}
}

func decision() func() {
	var req rtdbline.Request
	must(req.UnmarshalJSON([]byte(`{"method":"GET","url":"/users/jack.json?print=pretty&auth=user-1","known":{"user-1":{"kind":"id_token"}}}`)))
	return func() { rtdbline.Check(&req) }
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
