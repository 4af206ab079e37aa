package batch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/ndjson"
)

// Verb is a question about a series, or a change of it.
type Verb struct {
	Name     string
	Args     []string // the names of the arguments that it needs
	Optional []string // the names of the others that it takes
	Sentence string   // for help

	ask string // the question of an [Expansion]; a list if there is neither this nor a change

	// change returns the series after a change: one or, for a split, two.
	change func(s event.Series, with *With) (changed []event.Series, err error)
}

// Verbs are all verbs, in the order of the help.
var Verbs = []Verb{
	{Name: "list", Optional: []string{"from", "to", "window", "limit"}, Sentence: "the instances"},
	{Name: "next", Args: []string{"at"}, Sentence: "the first instance after a time", ask: askNext},
	{Name: "before", Args: []string{"at"}, Sentence: "the last instance before a time", ask: askBefore},
	{Name: "contains", Args: []string{"at"}, Optional: []string{"window"}, Sentence: "whether an instance starts at a time", ask: askContains},
	{Name: "count", Optional: []string{"at", "from", "to", "limit"}, Sentence: "how many instances there are, before a time if it is given", ask: askCount},
	{Name: "last", Optional: []string{"from", "to"}, Sentence: "the last instance", ask: askBefore},
	{Name: "split", Args: []string{"at"}, Sentence: "two series: the instances before one, and that one with all later ones", change: split},
	{Name: "truncate", Args: []string{"at"}, Sentence: "the series without the instances from a time on", change: truncate},
	{Name: "move", Args: []string{"to"}, Optional: []string{"zone"}, Sentence: "the series with another start; every instance moves by as much as the clock shows", change: move},
	{Name: "rezone", Args: []string{"zone"}, Sentence: "the series in another zone, with the same instants", change: func(s event.Series, with *With) ([]event.Series, error) {
		return one(s.Rezone(with.Zone))
	}},
	{Name: "reclock", Args: []string{"zone"}, Sentence: "the series in another zone, with the same times of the clock", change: func(s event.Series, with *With) ([]event.Series, error) {
		return one(s.Reclock(with.Zone))
	}},
	{Name: "all-day", Sentence: "the series as an all-day one", change: func(s event.Series, _ *With) ([]event.Series, error) { return one(s.AllDay()) }},
	{Name: "timed", Args: []string{"clock", "zone"}, Optional: []string{"length"}, Sentence: "an all-day series as one with times, an hour long or as long as length says", change: timed},
	{Name: "exclude", Args: []string{"at"}, Sentence: "the series without some instances, which its lines exclude", change: func(s event.Series, with *With) ([]event.Series, error) {
		return one(s.Exclude(with.At...))
	}},
	{Name: "add", Args: []string{"at"}, Sentence: "the series with further instances", change: func(s event.Series, with *With) ([]event.Series, error) {
		return one(s.Add(with.At...))
	}},
	{Name: "cancel", Args: []string{"at"}, Sentence: "the series with an instance cancelled, by an exception", change: each(event.Series.Cancel)},
	{Name: "restore", Args: []string{"at"}, Sentence: "the series with an instance that is no longer cancelled", change: each(event.Series.Restore)},
	{Name: "reset", Args: []string{"at"}, Sentence: "the series without the exception of an instance", change: each(event.Series.Reset)},
	{Name: "singles", Optional: []string{"from", "to", "window", "limit"}, Sentence: "the instances as single events", ask: askSingles},
}

// FindVerb returns the verb with a name. The error names the nearest one.
func FindVerb(name string) (*Verb, error) {
	i := slices.IndexFunc(Verbs, func(v Verb) bool { return v.Name == name })
	if i >= 0 {
		return &Verbs[i], nil
	}
	var names []string
	for _, v := range Verbs {
		names = append(names, v.Name)
	}
	near, ok := form.Nearest(name, names)
	if !ok {
		near = form.MostSimilar(name, names)
	}
	return nil, fmt.Errorf("%s is not a verb; did you mean %s?", engine.Quote(name), near)
}

// With are the arguments of a verb.
type With struct {
	At       []*event.Time // original starts of instances, or times
	To       *event.Time   // the end of a window, or a new start
	From     *event.Time
	Zone     string
	Clock    time.Duration // a time of day
	Length   time.Duration
	Window   string
	Limit    int64
	hasClock bool
}

var withForm = ndjson.NewObject("with",
	ndjson.Of("at", func(w *With) *[]*event.Time { return &w.At }, readMoments),
	ndjson.Of("to", func(w *With) **event.Time { return &w.To }, readMoment),
	ndjson.Of("from", func(w *With) **event.Time { return &w.From }, readMoment),
	ndjson.Of("zone", func(w *With) *string { return &w.Zone }, ndjson.NotEmpty),
	ndjson.Func("clock", readInto((*With).SetClock)),
	ndjson.Func("length", readInto((*With).SetLength)),
	ndjson.Of("window", func(w *With) *string { return &w.Window }, ndjson.Word(overlap)),
	ndjson.Of("limit", func(w *With) *int64 { return &w.Limit }, ndjson.Natural),
).Closed(map[string]string{
	"start": "to", "originalStartTime": "at", "instance": "at", "date": "at", "dateTime": "at", "until": "to", "time": "clock", "timeZone": "zone",
	"duration": "length", "overlap": "window",
})

// readMoment reads a date or a time: a text, or an object as in an event.
func readMoment(value []byte) (*event.Time, error) {
	if value[0] == '{' {
		t := new(event.Time)
		return t, t.UnmarshalJSON(value)
	}
	text, err := ndjson.NotEmpty(value)
	return Moment(text), err
}

// Moment returns a date or a time of a text, which it does not check.
func Moment(text string) *event.Time {
	if len(text) == len(time.DateOnly) {
		return &event.Time{Date: text}
	}
	return &event.Time{DateTime: text}
}

// readMoments reads one date or time, or an array of them.
func readMoments(value []byte) ([]*event.Time, error) {
	if value[0] == '[' {
		return ndjson.List(readMoment)(value)
	}
	t, err := readMoment(value)
	return []*event.Time{t}, err
}

// SetClock sets the time of day to that of a text, such as 09:00 or 09:00:30.
func (w *With) SetClock(text string) error {
	w.hasClock = true
	for _, layout := range []string{"15:04", time.TimeOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			w.Clock = t.Sub(t.Truncate(24 * time.Hour))
			return nil
		}
	}
	return fmt.Errorf("clock is %s; it must be a time of day such as 09:00", engine.Quote(text))
}

// SetLength sets the length to that of a text, such as PT1H30M (RFC 5545) or 1h30m.
func (w *With) SetLength(text string) (err error) {
	w.Length, err = time.ParseDuration(strings.ToLower(strings.TrimPrefix(text, "PT")))
	if err != nil || w.Length < 0 {
		return fmt.Errorf("length is %s; it must be a duration such as PT1H30M", engine.Quote(text))
	}
	return nil
}

// readInto returns the reader of a text that a method of the arguments takes.
func readInto(set func(*With, string) error) func(*With, []byte) error {
	return func(w *With, value []byte) error {
		text, err := ndjson.NotEmpty(value)
		if err != nil {
			return err
		}
		return set(w, text)
	}
}

// check returns an error if an argument is missing, or is not one of the verb.
func (v *Verb) check(with *With) error {
	given := map[string]bool{
		"at": len(with.At) > 0, "to": with.To != nil, "from": with.From != nil, "zone": with.Zone != "", "clock": with.hasClock,
		"length": with.Length != 0, "window": with.Window != "", "limit": with.Limit != 0,
	}
	for _, name := range withForm.Names() {
		needs := slices.Contains(v.Args, name)
		switch {
		case needs && !given[name]:
			return fmt.Errorf("with.%s is missing; %s needs %s", name, v.Name, strings.Join(v.Args, " and "))
		case given[name] && !needs && !slices.Contains(v.Optional, name):
			takes := "takes no arguments"
			if all := slices.Concat(v.Args, v.Optional); len(all) > 0 {
				takes = "takes " + strings.Join(all, ", ")
			}
			return fmt.Errorf("with.%s is not an argument of %s, which %s", name, v.Name, takes)
		}
	}
	if len(with.At) > 1 && v.Name != "exclude" && v.Name != "add" {
		return fmt.Errorf("with.at has %d times; %s takes one", len(with.At), v.Name)
	}
	return nil
}

// in gives local times without an offset the zone of the series.
func (w *With) in(s *event.Event) {
	for _, t := range append(slices.Clone(w.At), w.To, w.From) {
		if t != nil && t.DateTime != "" && t.TimeZone == "" && s.Start != nil && s.Start.DateTime != "" {
			t.TimeZone = s.Start.TimeZone
		}
	}
}

// verb answers the verb of a request.
func (r *Expanded) verb(q *query, req *Expansion) error {
	v, err := FindVerb(req.Verb)
	if err != nil {
		return err
	}
	with := req.With
	if with == nil {
		with = new(With)
	}
	if err := req.checkVerb(v, with); err != nil {
		return err
	}
	with.in(q.series.Event)
	if v.change != nil {
		changed, err := v.change(q.series, with)
		if err == nil {
			r.set(changed, v)
		}
		return err
	}
	asked := *req
	asked.Window, asked.Limit = with.Window, with.Limit
	q.ask = v.ask
	if err := q.readTimes(&asked, with.From, with.To, firstOf(with.At)); err != nil {
		return err
	}
	if err = r.run(q); err != nil {
		r.Next = q.next(err)
	}
	return err
}

func firstOf(list []*event.Time) *event.Time {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// checkVerb returns an error for members that do not go with a verb, and for wrong arguments.
func (r *Expansion) checkVerb(v *Verb, with *With) error {
	for _, m := range r.questionMembers() {
		if m.given {
			return fmt.Errorf("%s does not go with verb, whose arguments are in with; leave one of them out", m.name)
		}
	}
	if r.Split != "" {
		return errors.New("split does not go with verb, of which it is one; leave one of them out")
	}
	if err := v.check(with); err != nil {
		return err
	}
	if v.change != nil {
		return r.checkOptions(v.Name)
	}
	return nil
}

// set sets the series that a change returns.
func (r *Expanded) set(changed []event.Series, v *Verb) {
	if v.Name == "split" {
		r.setHalves(changed)
	} else {
		r.Series = &Half{Series: changed[0]}
	}
}

// setHalves sets the series that a split returns.
func (r *Expanded) setHalves(halves []event.Series) {
	if halves[0].Event != nil {
		r.Before = &Half{Series: halves[0]}
	}
	r.After = &Half{Series: halves[1]}
}

// one returns a series as a list.
func one(s event.Series, err error) ([]event.Series, error) { return []event.Series{s}, err }

// each returns the change of one instance.
func each(change func(event.Series, *event.Time) (event.Series, error)) func(event.Series, *With) ([]event.Series, error) {
	return func(s event.Series, with *With) ([]event.Series, error) { return one(change(s, with.At[0])) }
}

func split(s event.Series, with *With) ([]event.Series, error) {
	requests, err := s.Split(with.At[0])
	return []event.Series{requests.Before, requests.After}, err
}

func truncate(s event.Series, with *With) ([]event.Series, error) {
	requests, err := s.Truncate(with.At[0])
	if err == nil && requests.Series.Event == nil {
		err = errors.New("no instance is before that time; delete the series")
	}
	return one(requests.Series, err)
}

func move(s event.Series, with *With) ([]event.Series, error) {
	to := *with.To
	if with.Zone != "" {
		to.TimeZone = with.Zone
	}
	requests, err := s.Move(&to)
	return one(requests.Series, err)
}

func timed(s event.Series, with *With) ([]event.Series, error) {
	length := with.Length
	if length == 0 {
		length = time.Hour
	}
	return one(s.Timed(with.Clock, with.Zone, length))
}
