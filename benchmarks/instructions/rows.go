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
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/operation"
)

// row is one kind of work, performed by calrules and other libraries.
type row struct {
	name  string  // the work and the payload: "decode and find: minimal"
	sides []side  // calrules first
	goal  float64 // the maximum ratio to the second side or, if there is only one side, the maximum count; 0 if there is no goal
	each  int     // the number of items processed, if not one
}

// side is a library that performs the work in a row.
type side struct {
	name    string
	prepare func() (work func()) // the preparation is not counted
	less    string               // the work that it leaves out, if it is not a decoder
}

const ours = "calrules"

// The names of standard decoders.
const (
	v1 = "encoding/json"
	v2 = "encoding/json/v2"
)

// decoders contains the decoding functions, keyed by name. Files with build tags add further decoders.
var decoders = map[string]func(body []byte, into any) error{v1: json.Unmarshal}

// decodedBy returns a side that decodes a body into a new value.
func decodedBy[T any](decoder string, body []byte) side {
	return side{decoder, func() func() {
		decode := decoders[decoder]
		return func() { must(decode(body, new(T))) }
	}, ""}
}

// byAll returns a side for each decoder, starting with v1.
func byAll[T any](body []byte) (sides []side) {
	sides = append(sides, decodedBy[T](v1, body))
	for _, name := range peers {
		sides = append(sides, decodedBy[T](name, body))
	}
	return sides
}

// peers are the decoders other than v1, in column order.
var peers = []string{v2, "go-json-experiment", "sonic", "goccy", "easyjson"}

func work(f func()) func() func() { return func() func() { return f } }

// rows returns all rows.
func rows() (all []row) {
	for _, p := range slices.Concat(payload.Usual, payload.Unusual) {
		all = append(all, finding(p))
	}
	all = append(all, answered())
	for i, p := range payload.Usual[:5] {
		all = append(all, decoding(p, i < 2))
	}
	return slices.Concat(all, besides(), texts(), changes(), values(), pages(), others(), series())
}

// findGoals contains the goals for decoding and finding faults, by payload.
var findGoals = map[string]float64{
	"minimal": .4, "recurring": .5, "typical": .3, "200 attendees": .35, "imported from Outlook": .35,
	"3 unknown members": .8, "40 unknown members": 1.2, "1,000 unknown members": 1.5, "broken": .9, "20 guests who accepted": .6,
	"10 attachments as Drive returns them": .6, "50 EXDATE in a line": .6, "50 EXDATE on 50 lines": .8,
}

// finding returns the row in which calrules decodes a body and finds its faults, while all other libraries only decode the
// body.
func finding(p payload.Payload) row {
	return row{"decode and find: " + p.Name, append([]side{findingOf(ours, p)}, byAll[plain.Event]([]byte(p.Body))...), findGoals[p.Name], 1}
}

// findingOf returns a side with the given name that decodes a body and finds its faults.
func findingOf(name string, p payload.Payload) side {
	return side{name, func() func() {
		req := p.Insert()
		return func() { payload.Findings(req) }
	}, ""}
}

// besides returns the rows that compare a payload with a similar one.
func besides() (all []row) {
	for _, b := range []struct {
		name, similar string
		goal          float64
	}{{"times without offsets", "minimal", 1.2}, {"a birthday", "an all-day event", 1.5}} {
		all = append(all, row{"decode and find, beside a similar body: " + b.name, []side{
			findingOf(ours, payload.Named(b.name)), findingOf("calrules: "+b.similar, payload.Named(b.similar)),
		}, b.goal, 1})
	}
	return all
}

// answered returns the row that checks an answer from the public service.
func answered() row {
	return row{"decode and find: an answer of the public service", append([]side{{ours, func() func() {
		req := &event.Request{Op: operation.Response, Body: []byte(payload.Answer), Dialect: diag.Google}
		return func() { payload.Findings(req) }
	}, ""}}, byAll[plain.Event]([]byte(payload.Answer))...), .35, 1}
}

// decoding returns the row that only decodes a body; the second side only checks that the body is JSON.
func decoding(p payload.Payload, shown bool) row {
	body := []byte(p.Body)
	sides := []side{
		{ours, work(func() { event.Decode(body, diag.Documents) }), ""},
		{"gjson.ValidBytes", work(func() { gjson.ValidBytes(body) }), ""},
	}
	r := row{"decode: " + p.Name, append(sides, byAll[plain.Event](body)...), 0, 1}
	if shown {
		r.goal = 1.8
	}
	return r
}

// texts returns the rows that decode long strings.
func texts() (all []row) {
	const n = 10_000 // bytes
	for _, t := range []struct {
		name, unit string
		goal       float64
	}{{"ASCII", "x", 0}, {"UTF-8", "é", 0}, {"CJK", "日本語のテキスト", 2}, {"escapes", `\n`, 1.7}, {"HTML", `\u003cp\u003eWhat was said`, 2}} {
		body := []byte(`{"description":"` + strings.Repeat(t.unit, n/len(t.unit)) + `"}`)
		all = append(all, row{"decode a byte of text: " + t.name, []side{
			{ours, work(func() { event.Decode(body, diag.Documents) }), ""}, decodedBy[plain.Event]("sonic", body),
		}, t.goal, n})
	}
	return all
}

// changes returns the rows that apply and check changes to an event with 200 guests.
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
			}, ""},
			{"json-patch (texts)", func() func() {
				stored, next := []byte(p.Body), next().AppendJSON(nil)
				return func() {
					_, err := jsonpatch.CreateMergePatch(stored, next)
					must(err)
				}
			}, "compares texts, and knows no members"},
		}, 0, 1},
		{"check an update: 200 guests", []side{
			{ours, func() func() {
				req := p.Insert()
				req.Op, req.Existing = operation.EventsUpdate, p.Event()
				return func() { payload.Findings(req) }
			}, ""},
			findingOf("calrules: the insert", p),
		}, 1.3, 1},
		{"check a patch of two members: 200 guests", []side{
			{ours, func() func() {
				req := p.Patch(twoMembers)
				return func() { payload.Findings(req) }
			}, ""},
			decodedBy[plain.Event](v2, []byte(twoMembers)),
		}, 4, 1},
	}
}

const twoMembers = `{"summary":"Quarterly planning, moved","location":"Room 5"}`

// values returns the rows that check a Go value.
func values() (all []row) {
	goals := map[string]float64{"minimal": .15, "30 properties in UTF-8": .4, "50 EXDATE in a line": .5}
	for _, p := range append(slices.Clone(payload.Usual[:4]), payload.Named("30 properties in UTF-8"), payload.Named("50 EXDATE in a line")) {
		all = append(all, row{"check a value: " + p.Name, []side{
			{ours, func() func() {
				// Every map has its own hash seed, so checking a single value would take more instructions in some processes than in
				// others.
				var reqs [32]*event.Request
				for i := range reqs {
					reqs[i] = p.Value()
				}
				i := 0
				return func() {
					payload.Findings(reqs[i%len(reqs)])
					i++
				}
			}, ""},
			{"validator", func() func() {
				v, e := validator.New(validator.WithRequiredStructEnabled()), p.Event()
				must(tags.Register(v))
				return func() { must(v.Struct(e)) }
			}, "knows the rules about single values alone"},
		}, goals[p.Name], 1})
	}
	return all
}

// pages returns the rows that read pages from the public service.
func pages() (all []row) {
	for _, n := range []int{25, 250, 2500} {
		page, goal := payload.Page(n), 0.0
		if n == 250 {
			goal = .35
		}
		all = append(all, row{fmt.Sprintf("read a page: %d events of the public service", n),
			append([]side{{ours, work(func() { event.DecodePage(page, diag.Google) }), ""}}, byAll[plain.Page](page)...), goal, 1})
	}
	return all
}

// others returns the remaining rows, for which there is no comparable library.
func others() []row {
	bare, broken := payload.Named("minimal"), payload.Named("broken")
	known := `"known":{"` + longToken + `":{"kind":"oauth_access","issued_to":"service_account","verified":true,"expired":false,"db_permission":true,` +
		`"scopes":["https://www.googleapis.com/auth/userinfo.email","https://www.googleapis.com/auth/firebase.database"]}},"dialect":"google"}`
	finds := len(payload.Findings(broken.Insert()))
	answering := func() func() {
		req := bare.Insert()
		return func() { event.Check(req) }
	}
	alone := func(name string, prepare func() func(), goal float64, each int) row {
		return row{name, []side{{ours, prepare, ""}}, goal, each}
	}
	return []row{
		alone("an EXDATE in Instances: of 10,000", exdates(10_000), 800, 10_000),
		alone("an instance as an event: of 250", instances(250), 0, 250),
		alone("a finding, decoding included: broken", work(func() { payload.Findings(broken.Insert()) }), 2500, finds),
		alone("a finding with its sentence, decoding included: broken", work(func() {
			for _, f := range payload.Findings(broken.Insert()) {
				f.Message()
			}
		}), 0, finds),
		alone("a decision about a database request: a token of 6 bytes", decision(`{"method":"GET","url":"/users/jack.json?print=pretty&auth=user-1","known":{"user-1":{"kind":"id_token"}}}`), 0, 1),
		alone("a decision about a database request: a token of 1 KB in the query", decision(`{"method":"GET","url":"/users/jack.json?access_token=`+longToken+`",`+known), 12_000, 1),
		alone("a decision about a database request: a token of 1 KB in the header", decision(`{"method":"GET","url":"/users/jack.json","headers":[["Authorization","Bearer `+longToken+`"]],`+known), 12_000, 1),
		alone("a line of check --ndjson: mixed, 519 bytes on average", mixedLines, 50_000, len(payload.Lines)),
		{"check and answer: minimal", append([]side{{ours, answering, ""}}, byAll[plain.Event]([]byte(bare.Body))...), .6, 1},
	}
}

// exdates returns work that expands a series with n excluded instances.
func exdates(n int) func() func() {
	return func() func() {
		e := payload.Named("minimal").Event()
		in, err := time.LoadLocation(e.Start.TimeZone)
		must(err)
		start := time.Date(2026, 3, 10, 9, 0, 0, 0, in)
		values := make([]string, n)
		for i := range values {
			values[i] = start.AddDate(0, 0, i).UTC().Format("20060102T150405Z")
		}
		e.Recurrence = []string{fmt.Sprintf("RRULE:FREQ=DAILY;COUNT=%d", n+10), "EXDATE:" + strings.Join(values, ",")}
		return func() {
			for _, err := range (event.Series{Event: e}).Instances(event.Window{}) {
				must(err)
			}
		}
	}
}

// instances returns work that lists n instances as events.
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

// longToken is as long as a real access token.
var longToken = "ya29." + strings.Repeat("a0AfH6SMBxZ9kJ3qLmWv7RtYcN5pDeUoG_hIbX1sK-2T", 23) // 1,017 bytes

// decision returns work that decides on the request in a line.
func decision(line string) func() func() {
	return func() func() {
		var req rtdbline.Request
		must(req.UnmarshalJSON([]byte(line)))
		return func() { rtdbline.Check(&req) }
	}
}

// mixedLines returns work that checks several lines in the batch form.
func mixedLines() func() {
	check, err := filter.Named("check")
	must(err)
	var answer []byte
	return func() {
		for _, line := range payload.Lines {
			answer = check.Handle(line, answer[:0])
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
