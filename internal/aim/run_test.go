package aim

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/operation"
)

// By default a run writes events in one calendar, and nothing else.
func TestUsual(t *testing.T) {
	want := []operation.ID{
		"calendarList.get", "calendarList.list", "calendars.get", "colors.get", "events.delete", "events.get", "events.import", "events.insert", "events.instances",
		"events.list", "events.patch", "events.quickAdd", "events.update", "freebusy.query", "settings.get", "settings.list",
	}
	if diff := cmp.Diff(want, Usual()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Events are moved only into a second calendar.
func TestRunMoves(t *testing.T) {
	for second, want := range map[string]bool{"": false, "second": true} {
		_, err := Run(t.Context(), Options{Base: "http://calendar.test", Rules: []string{ruleid.MoveType}, Second: second, Client: answering(refusing)})
		if (err == nil) != want {
			t.Errorf("with the second calendar %q: %v", second, err)
		}
	}
}

// newRun returns a run that keeps scores, against a server.
func newRun(t *testing.T, server answering, ops ...operation.ID) *run {
	t.Helper()
	r := runWith(t, server)
	r.Operations, r.scores, r.counts, r.unclear = ops, map[string]*Score{}, map[string]int{}, map[string]bool{}
	return r
}

// sourceOf returns a source of requests that break a rule, or of valid requests.
func sourceOf(t *testing.T, r *run, rule string) *source {
	t.Helper()
	mix := gen.Mix{Dialect: r.Dialect, Operations: r.Operations, OverHTTP: true}
	if rule != "" {
		mix.Rules, mix.InvalidShare = []string{rule}, 1
	}
	payload, err := mix.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return r.source(rule, payload)
}

func refusing(*http.Request) (int, string) { return 400, `{"error":{"message":"No."}}` }

func lacking(*http.Request) (int, string) { return 501, "{}" }

// A run takes turns: one life in five stories, and else a valid request and the next rule.
func TestTryAll(t *testing.T) {
	const lives, first, second = operation.EventsInsert, ruleid.JSONSyntax, ruleid.ParamUnknown
	for name, test := range map[string]struct {
		op      operation.ID
		isValid bool // whether there are valid requests
		rules   []string
		count   int
		want    []int // the requests that are drawn: valid ones, and those of each rule
		tried   int   // the lives and the valid requests with a verdict
	}{
		"all":                {lives, true, []string{first, second}, 19, []int{8, 4, 3}, 12},
		"one life":           {lives, true, []string{first, second}, 5, []int{2, 1, 1}, 3},
		"no lives":           {"freebusy.query", true, []string{first, second}, 20, []int{10, 5, 5}, 10},
		"rules":              {lives, false, []string{first, second}, 20, []int{0, 10, 10}, 0},
		"valid requests":     {"freebusy.query", true, nil, 20, []int{20}, 20},
		"one rule":           {lives, false, []string{first}, 3, []int{0, 3}, 0},
		"nothing to do":      {lives, false, nil, 3, []int{0}, 0},
		"no stories at all ": {lives, true, []string{first}, 0, []int{0, 0}, 0},
	} {
		bodies := ""
		r := newRun(t, func(r *http.Request) (int, string) {
			body, _ := io.ReadAll(r.Body)
			bodies += string(body)
			return refusing(r)
		}, test.op)
		r.Count = test.count
		progress := 0
		r.Progress = func() { progress++ }
		valid := sourceOf(t, r, "")
		rules := []*source{}
		for _, rule := range test.rules {
			rules = append(rules, sourceOf(t, r, rule))
		}
		if given := valid; test.isValid {
			r.tryAll(given, slices.Clone(rules))
		} else {
			r.tryAll(nil, slices.Clone(rules))
		}
		got := []int{valid.drawn}
		for _, s := range rules {
			got = append(got, s.drawn)
		}
		if diff := cmp.Diff(test.want, got); diff != "" || r.score("").Tried != test.tried {
			t.Errorf("%s: %d tried, drawn (-want +got):\n%s", name, r.score("").Tried, diff)
		}
		if want := test.count; progress != want && len(got) > 1 {
			t.Errorf("%s: progress %d times, want %d", name, progress, want)
		}
		if name == "all" && !strings.Contains(bodies, "FREQ=WEEKLY;COUNT=7") { // the third life is of a series, in its first variant
			t.Errorf("%s: no third life in %s", name, bodies)
		}
	}
}

// The run gives up on a rule that no payload can try, but never on valid requests.
func TestTryOne(t *testing.T) {
	for name, test := range map[string]struct {
		server        answering
		rule          string
		misses, tried int
		stopped       string
		drawn, after  int // the payloads that are drawn, and the misses afterwards
		notTried      string
	}{
		"tried":           {refusing, ruleid.JSONSyntax, 3, 0, "", 1, 0, ""},
		"not tried":       {lacking, ruleid.JSONSyntax, 0, 0, "", 8, 8, "the server does not implement freebusy.query"},
		"tried before":    {lacking, ruleid.JSONSyntax, 0, 1, "", 8, 8, "the run ended before this rule was tried; send more requests"},
		"the last chance": {lacking, ruleid.JSONSyntax, 7, 0, "", 1, 8, "the server does not implement freebusy.query"},
		"given up":        {refusing, ruleid.JSONSyntax, 8, 0, "", 0, 8, "the run ended before this rule was tried; send more requests"},
		"valid":           {refusing, "", 8, 0, "", 1, 0, ""},
		"stopped":         {refusing, ruleid.JSONSyntax, 0, 0, "enough", 0, 0, "the run ended before this rule was tried; send more requests"},
	} {
		r := newRun(t, test.server, "freebusy.query")
		s := sourceOf(t, r, test.rule)
		s.misses, r.report.Stopped, r.score(test.rule).Tried = test.misses, test.stopped, test.tried
		r.tryOne(s)
		if got := r.score(test.rule).NotTried; s.drawn != test.drawn || s.misses != test.after || got != test.notTried {
			t.Errorf("%s: %d drawn, %d misses, not tried because %q", name, s.drawn, s.misses, got)
		}
	}
	r := newRun(t, refusing, "freebusy.query")
	r.Count = 2
	dry, other := sourceOf(t, r, ruleid.JSONSyntax), sourceOf(t, r, ruleid.ParamUnknown)
	dry.misses = mostMisses
	if r.tryAll(nil, []*source{dry, other}); other.drawn != 2 {
		t.Errorf("beside a rule that cannot be tried, another is tried %d times", other.drawn)
	}
}

// A story counts unless it has no verdict. A server without the calendar ends the run.
func TestJudge(t *testing.T) {
	insert, patch := &story{op: operation.EventsInsert}, &story{op: operation.EventsPatch}
	for name, test := range map[string]struct {
		o                     outcome
		isInterrupted         bool
		stories, agreed, odds int // odds are disagreements
		unclear, stops        bool
	}{
		"agreed":       {outcome{story: patch}, false, 1, 1, 0, false, false},
		"a fault":      {outcome{story: patch, fault: Refused, status: 404}, false, 1, 0, 1, false, false},
		"unclear":      {outcome{story: patch, unclear: "odd"}, false, 0, 0, 0, true, false},
		"interrupted":  {outcome{story: patch, unclear: "odd"}, true, 0, 0, 0, false, false},
		"just in time": {outcome{story: patch}, true, 1, 1, 0, false, false},
		"no calendar":  {outcome{story: insert, fault: Refused, status: 404}, false, 0, 0, 0, false, true},
		"refused":      {outcome{story: insert, fault: Refused, status: 400}, false, 1, 0, 1, false, false},
		"another":      {outcome{story: insert, fault: Answer, status: 404}, false, 1, 0, 1, false, false},
	} {
		r := newRun(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		if r.ctx = ctx; test.isInterrupted {
			cancel()
		}
		score := &Score{}
		r.judge(score, &test.o)
		if score.Tried != test.stories || r.report.Stories != test.stories || score.Agreed != test.agreed || len(r.differing) != test.odds {
			t.Errorf("%s: %+v, %d stories, %d disagreements", name, score, r.report.Stories, len(r.differing))
		}
		if (len(r.report.Unclear) > 0) != test.unclear || (r.report.Stopped != "") != test.stops {
			t.Errorf("%s: unclear %q, stopped: %s", name, r.report.Unclear, r.report.Stopped)
		}
		cancel()
	}
}

// Each reason is reported once, and only twenty.
func TestUnclearly(t *testing.T) {
	r := newRun(t, nil)
	for i := range 30 {
		r.unclearly(fmt.Sprint("reason ", i/2))
	}
	if n := len(r.report.Unclear); n != 15 {
		t.Errorf("%d reasons: %q", n, r.report.Unclear)
	}
	for i := range 10 {
		r.unclearly(fmt.Sprint("reason ", 15+i))
	}
	if got := r.report.Unclear; len(got) != 21 || got[19] != "reason 19" || got[20] != "other reasons, which are not shown" {
		t.Errorf("%d reasons: %q", len(got), got)
	}
}
