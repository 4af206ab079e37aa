package fuzz_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/operation"
)

// TestMix compares what is drawn with the description.
func TestMix(t *testing.T) {
	t.Parallel()
	const draws = 400
	for _, test := range []struct {
		name string
		mix  fuzz.Mix
		ok   func(p fuzz.Payload) bool
	}{
		{"valid", fuzz.Mix{}, func(p fuzz.Payload) bool { return p.Accepted && p.Rule == "" && p.Event != nil }},
		{"broken", fuzz.Mix{InvalidShare: 1}, func(p fuzz.Payload) bool {
			return p.Rule != "" && p.Accepted == (p.Kind != diag.Reject)
		}},
		{"rules", fuzz.Mix{InvalidShare: 1, Rules: []string{"time.order"}}, func(p fuzz.Payload) bool { return p.Rule == "time.order" }},
		{"operations", fuzz.Mix{InvalidShare: 0.5, Operations: []operation.ID{operation.EventsPatch}},
			func(p fuzz.Payload) bool { return p.Event.Op == operation.EventsPatch }},
	} {
		t.Run(test.name, func(t *testing.T) {
			payload, err := test.mix.Payloads(1)
			if err != nil {
				t.Fatal(err)
			}
			broken := 0
			for i := range draws {
				p := payload(i)
				if p.Rule != "" {
					broken++
				}
				if !test.ok(p) {
					t.Errorf("payload %d is %v", i, p)
				}
			}
			if share := float64(broken) / draws; math.Abs(share-test.mix.InvalidShare) > 0.1 {
				t.Errorf("the share of broken requests is %.2f, want %.2f", share, test.mix.InvalidShare)
			}
		})
	}
}

func TestMixErrors(t *testing.T) {
	for name, mix := range map[string]fuzz.Mix{
		"share below 0":           {InvalidShare: -0.1},
		"share above 1":           {InvalidShare: 1.1},
		"share that is NaN":       {InvalidShare: math.NaN()},
		"unknown operation":       {Operations: []operation.ID{"events.fly"}},
		"unknown rule":            {Rules: []string{"no.such-rule"}},
		"rule of no operation":    {Rules: []string{"time.order"}, Operations: []operation.ID{"calendars.clear"}},
		"rule of the database":    {Rules: []string{"rtdb.bearer"}},
		"rule that has no breach": {Rules: []string{"event.id.generate"}},
		"short bodies":            {MaxBytes: gen.MinMaxBytes - 1},
		"less than no body":       {MaxBytes: -1},
		"rule about the caller":   {Rules: []string{"scope.insert"}, OverHTTP: true},
		"rule of another dialect": {Rules: []string{"scope.operation"}},
		"representation":          {Operations: []operation.ID{operation.Response}, OverHTTP: true},
	} {
		if payload, err := mix.Payloads(1); err == nil || payload != nil {
			t.Errorf("%s: there are payloads, and the error is %v", name, err)
		}
		if payloads, err := mix.Generator(); err == nil || payloads != nil {
			t.Errorf("%s: there is a generator, and the error is %v", name, err)
		}
	}
}

// TestSameSeedSamePayloads checks that a seed always gives the same payloads, and that other seeds and numbers give others.
func TestSameSeedSamePayloads(t *testing.T) {
	draw := func(seed uint64) []string {
		payload := must(fuzz.Mix{InvalidShare: 0.5}.Payloads(seed))
		var lines []string
		for i := range 100 {
			lines = append(lines, payload(i).String())
		}
		return lines
	}
	first := draw(1)
	if diff := cmp.Diff(first, draw(1)); diff != "" {
		t.Errorf("the second time other payloads are drawn:\n%s", diff)
	}
	if slices.Equal(first, draw(2)) {
		t.Error("another seed draws the same payloads")
	}
	if distinct := len(slices.Compact(slices.Sorted(slices.Values(first)))); distinct < 90 {
		t.Errorf("of 100 payloads only %d differ", distinct)
	}
}

// TestMinMaxBytes breaks every rule in the shortest body that a mix allows.
func TestMinMaxBytes(t *testing.T) {
	t.Parallel()
	for _, rule := range fuzz.Rules(diag.Documents) {
		draw := must(fuzz.Mix{InvalidShare: 1, MaxBytes: gen.MinMaxBytes, Rules: []string{rule}}.Payloads(1))
		if p := draw(0); p.Rule != rule || len(p.Event.Body) > gen.MinMaxBytes {
			t.Errorf("a body of %d bytes breaks %q, want %s", len(p.Event.Body), p.Rule, rule)
		}
	}
}

// TestOverHTTP checks that a server that sees only what is sent, and what it stores, finds what is
// wrong, and that no body is longer than the limit.
func TestOverHTTP(t *testing.T) {
	const most = gen.MinMaxBytes
	payloads, err := fuzz.Mix{InvalidShare: 0.9, OverHTTP: true, MaxBytes: most}.Generator()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := payloads.Draw(t, "payload")
		if r := p.Event; r.Caller != nil || r.Calendar != nil || r.Series != nil || r.Op == operation.Response || len(p.Event.Body) > most {
			t.Fatalf("a server cannot see all of it, or it is long: %v", p)
		}
		if p.Rule != "" {
			checkViolates(t, p)
		} else {
			checkAccepted(t, p.Event)
		}
	})
}

// TestOverHTTPKnowsTheEvent checks that a server has the event that an accepted request is about: without it, a
// correct server finds none.
func TestOverHTTPKnowsTheEvent(t *testing.T) {
	about := []operation.ID{operation.EventsGet, operation.EventsPatch, operation.EventsUpdate}
	mix := fuzz.Mix{Operations: about, InvalidShare: 0.2}
	isUnknown := func(p fuzz.Payload) bool { return p.Accepted && p.Event.Existing == nil }
	if len(firstOf(t, mix, isUnknown)) == 0 {
		t.Error("no request is about an unknown event")
	}
	mix.OverHTTP = true
	if found := firstOf(t, mix, isUnknown); len(found) > 0 {
		t.Errorf("a server does not know the event of %v", found[0])
	}
}

// firstOf returns those of the first payloads of a mix for which ok is true.
func firstOf(t *testing.T, mix fuzz.Mix, ok func(fuzz.Payload) bool) (found []fuzz.Payload) {
	t.Helper()
	payload, err := mix.Payloads(1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if p := payload(i); ok(p) {
			found = append(found, p)
		}
	}
	return found
}

// TestSeeds checks that there are seeds of every kind, and no long ones.
func TestSeeds(t *testing.T) {
	t.Parallel()
	var seeds collector
	fuzz.Seeds(&seeds)
	valid, malformed := 0, 0
	for _, body := range seeds {
		if len(body) > 4<<10 {
			t.Errorf("a seed of %d bytes", len(body))
		}
		switch findings := must(event.Find(&event.Request{Op: operation.EventsInsert, Body: body})); {
		case raises(findings, "json.syntax"):
			malformed++
		case len(findings.OfKind(diag.Reject)) == 0:
			valid++
		}
	}
	if len(seeds) < 300 || valid < 10 || malformed < 5 {
		t.Errorf("%d seeds, %d valid as an insert and %d malformed", len(seeds), valid, malformed)
	}
}

// TestSeedsAreBodies checks that there are no seeds for operations without a body.
func TestSeedsAreBodies(t *testing.T) {
	t.Parallel()
	var moves, inserts collector
	fuzz.Seeds(&moves, operation.EventsMove, "calendars.get")
	fuzz.Seeds(&inserts, operation.EventsInsert)
	if len(moves) > 0 {
		t.Errorf("seeds for operations without a body: %q", moves)
	}
	if len(inserts) < 100 {
		t.Errorf("there are %d seeds for inserts", len(inserts))
	}
}

// collector keeps seeds.
type collector [][]byte

func (c *collector) Add(args ...any) { *c = append(*c, args[0].([]byte)) }

// A mix says which rules it cannot break, and why.
func TestUntried(t *testing.T) {
	for _, test := range []struct {
		mix  fuzz.Mix
		rule string
		want string // in the reason; empty for a rule that is tried
	}{
		{fuzz.Mix{}, "reminders.minutes", ""},
		{fuzz.Mix{OverHTTP: true}, "reminders.minutes", ""},
		{fuzz.Mix{}, "scope.insert", ""},
		{fuzz.Mix{OverHTTP: true}, "scope.insert", "facts about the caller"},
		{fuzz.Mix{}, "param.value", "does not hold in the dialect documents"},
		{fuzz.Mix{Operations: []operation.ID{operation.EventsMove}}, "reminders.minutes", "on other operations"},
	} {
		test.mix.Rules = []string{test.rule}
		reason := test.mix.Untried()[test.rule]
		if (reason == "") != (test.want == "") || !strings.Contains(reason, test.want) {
			t.Errorf("%+v: the reason is %q, want %q", test.mix, reason, test.want)
		}
		if _, err := test.mix.Payloads(1); (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), reason) {
			t.Errorf("%+v: the error is %v", test.mix, err)
		}
	}
}

// A payload in another dialect is the same request, with the verdict there.
func TestPayloadIn(t *testing.T) {
	for _, in := range []diag.Dialect{diag.Documents, diag.Google} {
		payload, err := fuzz.Mix{Dialect: in, InvalidShare: .5}.Payloads(1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			p := payload(i).In(diag.Google - in)
			findings, err := event.Find(p.Event)
			if err != nil || findings.Rejected() == p.Accepted || p.Event.Dialect != diag.Google-in {
				t.Errorf("%v: %v, %v", p, findings, err)
			}
			if p.Rule != "" && !slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Is(p.Rule) && f.Kind == p.Kind && f.Path == p.Path }) {
				t.Errorf("%v: no such finding in %v", p, findings)
			}
		}
	}
}
