package main

import (
	"cmp"
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

// row is one kind of work, done by calrules and other libraries.
type row struct {
	name  string
	sides []side  // calrules first
	goal  float64 // the maximum ratio to the second side or, if there is only one, of instructions; 0 for no goal
	each  int     // the number of items that the work handles
}

// side is a library that does the work of a row.
type side struct {
	name    string
	prepare func() (work func()) // prepare itself is not counted
}

const ours = "calrules"

// The names of standard decoders.
const (
	v1 = "encoding/json"
	v2 = "encoding/json/v2"
)

// decoders are the decoding functions by name. Files with build tags add more.
var decoders = map[string]func(body []byte, into any) error{v1: json.Unmarshal}

// decodedBy returns a side that decodes a body into a new value.
func decodedBy[T any](decoder string, body []byte) side {
	return side{decoder, func() func() {
		decode := decoders[decoder]
		return func() { must(decode(body, new(T))) }
	}}
}

// byAll returns a side for each decoder, starting with v1.
func byAll[T any](body []byte) (sides []side) {
	sides = append(sides, decodedBy[T](v1, body))
	for _, name := range peers {
		sides = append(sides, decodedBy[T](name, body))
	}
	return sides
}

// peers are the decoders other than v1, in the order of the columns.
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

// findGoals contains the goals for finding that differ from the usual goal.
var findGoals = map[string]float64{"minimal": .4, "recurring": .5, "typical": .3, "3 unknown members": .8, "40 unknown members": 1.2, "1,000 unknown members": 1.5, "broken": .9,
	"10 attachments as Drive returns them": .6, "50 EXDATE in a line": .6, "50 EXDATE on 50 lines": .8, "20 guests who accepted": .6, "bad zone": 1}

// finding returns the row in which calrules decodes a body and finds its faults, while all other libraries only decode it.
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

// answered returns the row that checks an answer from the public service.
func answered() row {
	return row{"decode and find: an answer of the public service", append([]side{{ours, func() func() {
		req := &event.Request{Op: operation.Response, Body: []byte(payload.Answer), Dialect: diag.Google}
		return func() { payload.Findings(req) }
	}}}, byAll[plain.Event]([]byte(payload.Answer))...), .35, 1}
}

// decoding returns the row that decodes a body. The second side only checks that the body is JSON.
func decoding(p payload.Payload) row {
	body := []byte(p.Body)
	sides := []side{
		{ours, work(func() { event.Decode(body, diag.Documents) })},
		{"gjson.ValidBytes", work(func() { gjson.ValidBytes(body) })},
	}
	return row{"decode: " + p.Name, append(sides, byAll[plain.Event](body)...), 1.8, 1}
}

// texts returns the rows that decode long strings.
func texts() (all []row) {
	const n = 10_000 // bytes
	for _, t := range []struct {
		name, unit string
		goal       float64
	}{{"ASCII", "x", 3}, {"UTF-8", "é", 2}, {"CJK", "日本語のテキスト", 2}, {"escapes", `\n`, 1.7}, {"HTML", `\u003cp\u003eWhat was said`, 2}} {
		body := []byte(`{"description":"` + strings.Repeat(t.unit, n/len(t.unit)) + `"}`)
		all = append(all, row{"decode a byte of text: " + t.name, []side{
			{ours, work(func() { event.Decode(body, diag.Documents) })}, decodedBy[plain.Event]("sonic", body),
		}, t.goal, n})
	}
	return all
}

// changes returns the rows that make and check changes to an event with 200 guests.
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
		{"check a patch of two members: 200 guests", []side{
			{ours, func() func() {
				req := p.Patch(twoMembers)
				return func() { payload.Findings(req) }
			}},
			decodedBy[plain.Event](v2, []byte(twoMembers)),
		}, 4, 1},
	}
}

const twoMembers = `{"summary":"Quarterly planning, moved","location":"Room 5"}`

// others returns the remaining rows.
func others() (all []row) {
	valueGoals := map[string]float64{"minimal": .15, "200 attendees": 1.0 / 15, "30 properties in UTF-8": .4, "50 EXDATE in a line": .5}
	for _, p := range append(slices.Clone(payload.Usual[:4]), payload.Named("30 properties in UTF-8"), payload.Named("50 EXDATE in a line")) {
		goal := cmp.Or(valueGoals[p.Name], 1.0/8)
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
	for _, n := range []int{25, 250, 2500} {
		page := payload.Page(n)
		all = append(all, row{fmt.Sprintf("read a page: %d events of the public service", n),
			append([]side{{ours, work(func() { event.DecodePage(page, diag.Google) })}}, byAll[plain.Page](page)...), .35, 1})
	}
	bare, broken := payload.Named("minimal"), payload.Named("broken")
	known := `"known":{"` + longToken + `":{"kind":"oauth_access","issued_to":"service_account","verified":true,"expired":false,"db_permission":true,` +
		`"scopes":["https://www.googleapis.com/auth/userinfo.email","https://www.googleapis.com/auth/firebase.database"]}},"dialect":"google"}`
	finds := len(payload.Findings(broken.Insert()))
	return append(all,
		row{"an EXDATE: of 10,000", []side{{ours, exdates(10_000)}}, 700, 10_000},
		row{"an instance as an event: of 250", []side{{ours, instances(250)}}, 1200, 250},
		row{"a finding: broken, decoding included", []side{{ours, work(func() { payload.Findings(broken.Insert()) })}}, 2500, finds},
		row{"a finding with its sentence: broken, decoding included", []side{{ours, work(func() {
			for _, f := range payload.Findings(broken.Insert()) {
				f.Message()
			}
		})}}, 4000, finds},
		row{"a decision about a database request", []side{{ours, decision(`{"method":"GET","url":"/users/jack.json?print=pretty&auth=user-1","known":{"user-1":{"kind":"id_token"}}}`)}}, 8000, 1},
		row{"a decision about a database request: a token of 1 KB in the query", []side{{ours, decision(`{"method":"GET","url":"/users/jack.json?access_token=` + longToken + `",` + known)}}, 12_000, 1},
		row{"a decision about a database request: a token of 1 KB in the header", []side{{ours, decision(`{"method":"GET","url":"/users/jack.json","headers":[["Authorization","Bearer ` + longToken + `"]],` + known)}}, 12_000, 1},
		row{"a line of check --ndjson: mixed", []side{{ours, mixedLines}}, 50_000, len(payload.Lines)},
		row{"check and answer: minimal", append([]side{{ours, func() func() {
			req := bare.Insert()
			return func() { event.Check(req) }
		}}}, byAll[plain.Event]([]byte(bare.Body))...), .6, 1},
	)
}

// exdates returns work that expands a series with n excluded instances.
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

// decision returns work that decides about the request in a line.
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
