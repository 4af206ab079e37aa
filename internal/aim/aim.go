// Package aim sends valid and invalid requests to a server, and compares its behavior with the rules.
//
// A story is the sequence of requests for one verdict: requests that create the stored event, the request itself, and requests
// that delete the created resources. A [between.Watcher], which sees each exchange, provides the verdict of the rules. The
// watcher judges requests by the event that the server reports as stored, and ignores everything that a server cannot know.
package aim

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// Options selects the server and the requests to send.
type Options struct {
	Base     string // the base URL of the operations
	Calendar string // the id of the calendar
	Second   string // the id of a calendar into which events are moved, or ""
	Dialect  diag.Dialect
	Checker  event.Checker
	Header   http.Header // the header fields to send with each request
	Client   http.RoundTripper

	Operations []operation.ID // nil means [Usual]
	Rules      []string       // nil means all rules
	Seed       uint64
	Count      int           // the number of stories
	Every      time.Duration // the minimum time between two requests
	Timeout    time.Duration // the maximum wait for an answer
	First      bool          // stop at the first disagreement, without looking for a smaller example
	Story      string        // the name of the only story to run, as in a disagreement; or ""
	Nonce      string        // part of each new id, which must not exist on the server: letters from a to v, and digits

	Progress func() // called after each story
}

// Usual returns the default operations, which only read data or write events in the calendar. All other operations affect more
// than the calendar, or delete existing data.
func Usual() (all []operation.ID) {
	for op := range operation.All() {
		if isUsual(op) {
			all = append(all, op.ID)
		}
	}
	return all
}

func isUsual(op *operation.Operation) bool {
	e := op.Effect
	reads := !e.Writes() && e.Reads != operation.OneAccessRule
	return reads || e.Creates|e.Changes|e.Deletes == operation.OneEvent && op.ID != operation.EventsMove
}

// Fault is a kind of disagreement.
type Fault string

// The kinds of disagreement.
const (
	Missed  Fault = "missed"  // the server accepts a request that the rules refuse, or keeps a value that they ignore
	Refused Fault = "refused" // the server refuses a request that the rules accept
	Answer  Fault = "answer"  // the server's answer is not a valid representation
	Lost    Fault = "lost"    // an answer or a later read does not show an effect of a write
	Failed  Fault = "failed"  // the server answers with a status of 500 or higher
)

// Disagreement is a story in which the server does not follow the rules.
type Disagreement struct {
	Rule    string       `json:"rule"` // "" if the request breaks no rule
	Fault   Fault        `json:"fault"`
	Op      operation.ID `json:"op"`
	Story   string       `json:"story"`            // for [Options.Story]
	Place   string       `json:"place,omitempty"`  // the path of the lost member
	Status  int          `json:"status"`           // the status of the answer
	Message string       `json:"message"`          // the message from the rules
	Server  string       `json:"server,omitempty"` // the message from the server
	Count   int          `json:"count"`            // the number of stories with this rule, fault and operation
	Curl    []string     `json:"curl"`             // the requests of the smallest story found, as shell commands

	Of *diag.Rule `json:"-"` // nil if Rule is ""
}

// Score counts the stories about a rule.
type Score struct {
	Rule     string `json:"rule"` // "" for requests that break no rule
	Tried    int    `json:"tried"`
	Agreed   int    `json:"agreed"`
	NotTried string `json:"notTried,omitempty"` // the reason why no request could be tried
}

// Report summarizes the outcomes of all stories.
type Report struct {
	Requests      int            `json:"requests"` // the number of requests sent
	Stories       int            `json:"stories"`  // the number of stories with a verdict
	Disagreements []Disagreement `json:"disagreements"`
	Scores        []Score        `json:"rules"`
	Unclear       []string       `json:"unclear"`          // the distinct reasons why the server gave no verdict
	Left          []string       `json:"left"`             // the URLs of resources that could not be deleted
	Tidied        []string       `json:"tidied,omitempty"` // the ids of events that [Tidy] deleted or tried to delete
	Stopped       string         `json:"stopped,omitempty"`
}

// run is the state of a call to [Run].
type run struct {
	Options
	grading diag.Grading
	watcher *between.Watcher
	ctx     context.Context
	report  Report
	secrets secrets
	scores  map[string]*Score
	counts  map[string]int // the number of disagreements, by rule, fault and operation
	unclear map[string]bool

	differing []*outcome // the first outcome with each disagreement

	lacks       map[operation.ID]bool // reads that the server does not offer
	token, next string                // the sync tokens from before the last write, and from the list after it
	before      map[string]bool       // the ids of the events that were in the calendar before the run; nil if unknown
	made        map[string]bool       // the ids of the events that the run created
	ids         int
	last        time.Time // the time of the last request
	failed      int       // requests in a row without an answer
}

// Run sends the requests, and returns the report. Run stops early, with the reason in the report, if the context ends,
// or if the server does not answer or refuses the credentials. Run returns an error if an option is invalid.
func Run(ctx context.Context, o Options) (*Report, error) {
	grading := o.Checker.Grading // only for the report; verdicts use only certain findings
	o.Checker.Grading = diag.Grading{}
	watcher, err := between.New(between.Options{Checker: o.Checker, Base: o.Base, Documents: o.Dialect == diag.Documents, MaxEvents: 100})
	if err != nil {
		return nil, err
	}
	if o.Operations == nil {
		o.Operations = Usual()
		if o.Second != "" {
			o.Operations = append(o.Operations, operation.EventsMove)
		}
	}
	r := &run{Options: o, grading: grading, watcher: watcher, ctx: ctx, secrets: secretsOf(o.Header), scores: map[string]*Score{}, counts: map[string]int{}, unclear: map[string]bool{}, lacks: map[operation.ID]bool{}, made: map[string]bool{}}
	valid, rules, err := r.sources()
	if err != nil {
		return nil, err
	}
	r.look()
	if o.Story != "" {
		if err := r.tryStory(o.Story); err != nil {
			return nil, err
		}
	} else {
		r.tryAll(valid, rules)
	}
	for _, o := range r.differing {
		r.disagree(o)
	}
	r.finish()
	r.hide()
	return &r.report, nil
}

// source draws valid payloads, or payloads that break a rule.
type source struct {
	rule    string
	payload *draw.Mix[gen.Payload]
	drawn   int
	misses  int // payloads in a row that could not be tried
}

// sources returns a source of valid requests, which is nil if the caller selects rules, and a source for each rule that
// a request can break.
func (r *run) sources() (valid *source, rules []*source, err error) {
	named := r.Rules
	if named == nil {
		payload, err := gen.Mix{Dialect: r.Dialect, Operations: r.Operations, OverHTTP: true}.Compile()
		if err != nil {
			return nil, nil, err
		}
		valid, named = r.source("", payload), gen.Rules(r.Dialect, r.Operations...)
	}
	for _, rule := range named {
		payload, err := gen.Mix{Dialect: r.Dialect, Operations: r.Operations, Rules: []string{rule}, InvalidShare: 1, OverHTTP: true}.Compile()
		switch {
		case err == nil:
			rules = append(rules, r.source(rule, payload))
		case r.Rules != nil:
			return nil, nil, err
		default:
			r.score(rule).NotTried = "no HTTP request can break the rule"
		}
	}
	return valid, rules, nil
}

// source returns a new source of payloads for a rule, and adds a score for the rule.
func (r *run) source(rule string, payload *draw.Mix[gen.Payload]) *source {
	r.score(rule).NotTried = "the run ended before this rule was tried; send more requests"
	return &source{rule: rule, payload: payload}
}

// mostMisses is the number of useless payloads in a row after which the run gives up on a rule.
const mostMisses = 8

// tryAll runs the stories, alternating between a valid request and a request that breaks the next rule.
func (r *run) tryAll(valid *source, rules []*source) {
	for told, next := 0, 0; told < r.Count && !r.isDone(); told++ {
		if valid != nil && told%livesEvery == 0 && slices.Contains(r.Operations, operation.EventsInsert) {
			r.judge(r.score(""), r.live(told/livesEvery))
			r.progress()
			continue
		}
		s := valid
		rules = slices.DeleteFunc(rules, func(s *source) bool { return s.misses >= mostMisses })
		if len(rules) > 0 && (valid == nil || told%2 == 1) {
			s = rules[next%len(rules)]
			next++
		}
		if s == nil {
			return
		}
		r.tryOne(s)
		r.progress()
	}
}

// isDone reports whether the run is complete or has stopped.
func (r *run) isDone() bool { return r.report.Stopped != "" || r.First && len(r.differing) > 0 }

// livesEvery is the number of stories per life.
const livesEvery = 5

func (r *run) progress() {
	if r.Progress != nil {
		r.Progress()
	}
}

// tryOne draws payloads from a source until a payload can be tried.
func (r *run) tryOne(s *source) {
	score := r.score(s.rule)
	if s.rule == "" {
		s.misses = 0 // a source of valid requests never runs dry
	}
	for s.misses < mostMisses && r.report.Stopped == "" {
		o := r.tell(s.story(r, s.drawn))
		s.drawn++
		if o.notTried != "" {
			s.misses++
			if score.Tried == 0 {
				score.NotTried = o.notTried
			}
			continue
		}
		s.misses = 0
		r.judge(score, o)
		return
	}
}

// story returns the story with the given number from the source.
func (s *source) story(r *run, number int) *story {
	told := newStory(r, s.payload.Payload(r.Seed, number))
	told.name = fmt.Sprintf("%s:%d", s.rule, number)
	return told
}

// lifeName is the name of the source that generates lives.
const lifeName = "life"

// tryStory runs the story with the given name. A name consists of a rule id, "life" or "", followed by a colon and a number.
func (r *run) tryStory(name string) error {
	rule, digits, _ := strings.Cut(name, ":")
	number, err := strconv.Atoi(digits)
	if err != nil || number < 0 {
		return fmt.Errorf("the story is %q; it must be a story from a report, such as time.order:3", name)
	}
	if rule == lifeName {
		r.judge(r.score(""), r.live(number))
		return nil
	}
	mix := gen.Mix{Dialect: r.Dialect, Operations: r.Operations, OverHTTP: true}
	if rule != "" {
		mix.Rules, mix.InvalidShare = []string{rule}, 1
	}
	payload, err := mix.Compile()
	if err != nil {
		return err
	}
	s := r.source(rule, payload)
	if o := r.tell(s.story(r, number)); o.notTried == "" {
		r.judge(r.score(rule), o)
	} else {
		r.score(rule).NotTried = o.notTried
	}
	return nil
}

// judge counts a story unless the server gave no verdict, or the disagreement is about a rule that is off.
func (r *run) judge(score *Score, o *outcome) {
	switch {
	case o.unclear != "" && r.ctx.Err() != nil:
		return // the run ended during the story
	case o.unclear != "":
		r.unclearly(o.unclear)
		return
	case o.story.op == operation.EventsInsert && o.status == http.StatusNotFound && o.fault == Refused:
		r.report.Stopped = "the server responds to an insert with 404; check the URL and the calendar id"
		return
	}
	if of := event.Catalogue().Lookup(o.rule); o.fault != "" && of != nil && r.grading.Grade(of, of.Kind) == "" {
		return // the rule is off
	}
	r.report.Stories++
	score.Tried, score.NotTried = score.Tried+1, ""
	if o.fault == "" {
		score.Agreed++
		return
	}
	if r.counts[o.key()]++; r.counts[o.key()] == 1 {
		r.differing = append(r.differing, o)
	}
}

// key returns a string that is equal for outcomes with the same disagreement.
func (o *outcome) key() string {
	return strings.Join([]string{o.rule, string(o.fault), string(o.story.op), o.place}, "\x00")
}

// disagree adds a disagreement to the report, with a smaller example if possible.
func (r *run) disagree(o *outcome) {
	name := o.story.name
	if !r.First {
		o = r.shrink(o)
	}
	r.report.Disagreements = append(r.report.Disagreements, Disagreement{
		Rule: o.rule, Fault: o.fault, Op: o.story.op, Story: name, Place: o.place, Status: o.status, Message: o.message, Server: o.server, Count: r.counts[o.key()],
		Curl: o.curl(r), Of: event.Catalogue().Lookup(o.rule),
	})
}

func (r *run) score(rule string) *Score {
	if r.scores[rule] == nil {
		r.scores[rule] = &Score{Rule: rule}
	}
	return r.scores[rule]
}

// mostUnclear is the maximum number of reported reasons, because a server may state a different reason for each request.
const mostUnclear = 20

// unclearly records the reason why the server's verdict is missing.
func (r *run) unclearly(reason string) {
	if len(r.report.Unclear) == mostUnclear {
		reason = "other reasons, which are not shown"
	}
	if !r.unclear[reason] && len(r.report.Unclear) <= mostUnclear {
		r.unclear[reason] = true
		r.report.Unclear = append(r.report.Unclear, reason)
	}
}

func (r *run) finish() {
	for _, score := range r.scores {
		r.report.Scores = append(r.report.Scores, *score)
	}
	slices.SortFunc(r.report.Scores, func(a, b Score) int { return strings.Compare(a.Rule, b.Rule) })
	slices.SortStableFunc(r.report.Disagreements, func(a, b Disagreement) int { return strings.Compare(a.Rule, b.Rule) })
}

// newID returns an id that does not exist on the server.
func (r *run) newID() string {
	r.ids++
	return fmt.Sprintf("%s%05d", r.prefix(), r.ids)
}

// prefix returns the common prefix of all ids in the run.
func (r *run) prefix() string { return "aim" + r.Nonce }
