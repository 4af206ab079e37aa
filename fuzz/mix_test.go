package fuzz_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/operation"
)

// TestMix holds what is drawn to the options.
func TestMix(t *testing.T) {
	const draws = 400
	for _, test := range []struct {
		name string
		opts fuzz.MixOptions
		ok   func(p fuzz.Payload) bool
	}{
		{"valid", fuzz.MixOptions{}, func(p fuzz.Payload) bool { return p.Accepted && p.Rule == "" && p.Event != nil }},
		{"broken", fuzz.MixOptions{InvalidShare: 1}, func(p fuzz.Payload) bool { return p.Rule != "" && p.Way != "" && p.Accepted == (p.Kind != diag.Reject) }},
		{"rules", fuzz.MixOptions{InvalidShare: 1, Rules: []string{"time.order"}}, func(p fuzz.Payload) bool { return p.Rule == "time.order" }},
		{"operations", fuzz.MixOptions{InvalidShare: 0.5, Operations: []operation.ID{operation.EventsPatch}},
			func(p fuzz.Payload) bool { return p.Event.Op == operation.EventsPatch }},
		{"realtime database", fuzz.MixOptions{InvalidShare: 0.5, RTDB: true}, func(p fuzz.Payload) bool { return p.RTDB != nil && p.Event == nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			mix, err := fuzz.NewMix(test.opts)
			if err != nil {
				t.Fatal(err)
			}
			broken := 0
			for i, p := range mix.All(1) {
				if i == draws {
					break
				}
				if p.Rule != "" {
					broken++
				}
				if !test.ok(p) {
					t.Errorf("payload %d is %v", i, p)
				}
			}
			if share := float64(broken) / draws; math.Abs(share-test.opts.InvalidShare) > 0.1 {
				t.Errorf("the share of broken requests is %.2f, want %.2f", share, test.opts.InvalidShare)
			}
		})
	}
}

func TestMixThatCannotBeHad(t *testing.T) {
	for name, opts := range map[string]fuzz.MixOptions{
		"share below 0":           {InvalidShare: -0.1},
		"share above 1":           {InvalidShare: 1.1},
		"share that is none":      {InvalidShare: math.NaN()},
		"unknown operation":       {Operations: []operation.ID{"events.fly"}},
		"unknown rule":            {Rules: []string{"no.such-rule"}},
		"rule of no operation":    {Rules: []string{"time.order"}, Operations: []operation.ID{"calendars.clear"}},
		"rule of the other":       {Rules: []string{"time.order"}, RTDB: true},
		"both services":           {RTDB: true, Operations: []operation.ID{operation.EventsInsert}},
		"rule that has no breach": {Rules: []string{"event.id.generate"}},
	} {
		if mix, err := fuzz.NewMix(opts); err == nil || mix != nil {
			t.Errorf("%s: there is a mix, and the error is %v", name, err)
		}
	}
}

// TestSameSeedSamePayloads, and other payloads for other seeds and numbers.
func TestSameSeedSamePayloads(t *testing.T) {
	draw := func(seed uint64) []string {
		var lines []string
		for i, p := range fuzz.Payloads(seed) {
			if i == 100 {
				break
			}
			lines = append(lines, p.String())
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

// TestSeeds: there are seeds of every kind, and no target is slowed down by a long one.
func TestSeeds(t *testing.T) {
	var seeds collector
	fuzz.Seeds(&seeds)
	valid, malformed := 0, 0
	for _, body := range seeds {
		if len(body) > 4<<10 {
			t.Errorf("a seed of %d bytes", len(body))
		}
		switch findings := event.Findings(&event.Request{Op: operation.EventsInsert, Body: body}); {
		case raises(findings, "json.syntax"):
			malformed++
		case len(findings.Kind(diag.Reject)) == 0:
			valid++
		}
	}
	if len(seeds) < 300 || valid < 10 || malformed < 5 {
		t.Errorf("%d seeds, %d valid as an insert and %d malformed", len(seeds), valid, malformed)
	}
}

// TestSeedsAreBodies: what has no body makes no seed, and the empty text is one where it is a
// body that is sent.
func TestSeedsAreBodies(t *testing.T) {
	var moves, inserts collector
	fuzz.Seeds(&moves, operation.EventsMove, operation.CalendarsClear)
	fuzz.Seeds(&inserts, operation.EventsInsert)
	if len(moves) > 0 {
		t.Errorf("of operations without a body there are the seeds %q", moves)
	}
	if len(inserts) < 100 {
		t.Errorf("of inserts there are %d seeds", len(inserts))
	}
}

// collector keeps seeds.
type collector [][]byte

func (c *collector) Add(args ...any) { *c = append(*c, args[0].([]byte)) }
