package batch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/intent"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/ndjson"
)

// A Verb is a question about a series, a change to a series, or an intent. The answer to an intent is a list of requests to the
// service.
type Verb struct {
	Name     string
	Args     []string // the names of the required arguments
	Optional []string // the names of the optional arguments
	Many     string   // the name of the argument that can have several values
	Sentence string   // a description for the help text
	Alone    bool     // whether the verb does not apply to an event

	ask string // the question for an [Expansion]; if ask, change and intent are all unset, the verb lists instances

	// change returns the changed series or, for a split, the two halves.
	change func(s event.Series, with *With) (changed []event.Series, err error)

	// intent returns the requests for an event or a series. If there is no event, s.Event is nil.
	intent func(of intent.Maker, s event.Series, m *Making) ([]event.Request, error)
}

// IsIntent reports whether the answer to the verb consists of requests to the service.
func (v *Verb) IsIntent() bool { return v.intent != nil }

// Verbs lists all verbs in the order in which the help text shows them.
var Verbs = []Verb{
	{Name: "list", Optional: []string{"from", "to", "window", "limit"}, Sentence: "the instances"},
	{Name: "next", Args: []string{"at"}, Sentence: "the first instance after a time", ask: askNext},
	{Name: "before", Args: []string{"at"}, Sentence: "the last instance before a time", ask: askBefore},
	{Name: "contains", Args: []string{"at"}, Optional: []string{"window"}, Sentence: "whether an instance starts at a time", ask: askContains},
	{Name: "count", Optional: []string{"at", "from", "to", "limit"}, Sentence: "the number of instances, or of those before a time", ask: askCount},
	{Name: "last", Optional: []string{"from", "to"}, Sentence: "the last instance", ask: askBefore},
	{Name: "split", Args: []string{"at"}, Sentence: "two series: the instances before a given instance, and that instance with all later ones", change: split},
	{Name: "truncate", Args: []string{"at"}, Sentence: "the series without the instances at or after a time", change: truncate},
	{Name: "move", Args: []string{"to"}, Optional: []string{"zone"}, Sentence: "the series with another start; every instance moves by the same difference in local time", change: move},
	{Name: "rezone", Args: []string{"zone"}, Sentence: "the series in another zone, with the same instants", change: func(s event.Series, with *With) ([]event.Series, error) {
		return one(s.Rezone(with.Zone))
	}},
	{Name: "reclock", Args: []string{"zone"}, Sentence: "the series in another zone, at the same local times", change: func(s event.Series, with *With) ([]event.Series, error) {
		return one(s.Reclock(with.Zone))
	}},
	{Name: "all-day", Sentence: "the series as an all-day series", change: func(s event.Series, _ *With) ([]event.Series, error) { return one(s.AllDay()) }},
	{Name: "timed", Args: []string{"clock", "zone"}, Optional: []string{"length"}, Sentence: "an all-day series as a timed series, with a length of one hour by default", change: timed},
	{Name: "exclude", Args: []string{"at"}, Many: "at", Sentence: "the series without some instances, excluded by recurrence lines", change: func(s event.Series, with *With) ([]event.Series, error) {
		return one(s.Exclude(with.At...))
	}},
	{Name: "add", Args: []string{"at"}, Many: "at", Sentence: "the series with additional instances", change: func(s event.Series, with *With) ([]event.Series, error) {
		return one(s.Add(with.At...))
	}},
	{Name: "cancel", Args: []string{"at"}, Sentence: "the series with an instance cancelled by an exception", change: each(event.Series.Cancel)},
	{Name: "restore", Args: []string{"at"}, Sentence: "the series with an instance that is no longer cancelled", change: each(event.Series.Restore)},
	{Name: "reset", Args: []string{"at"}, Sentence: "the series without the exception for an instance", change: each(event.Series.Reset)},
	{Name: "singles", Optional: []string{"from", "to", "window", "limit"}, Sentence: "the instances as single events", ask: askSingles},

	{Name: "respond", Args: []string{"status"}, Optional: []string{"email", "comment"}, Sentence: "respond to an invitation with accepted, declined or tentative", intent: respond},
	{Name: "add-guest", Args: []string{"email"}, Many: "email", Sentence: "invite guests", intent: addGuest},
	{Name: "remove-guest", Args: []string{"email"}, Many: "email", Sentence: "remove guests", intent: func(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
		return of.RemoveGuests(s.Event, m.With.Email...)
	}},
	{Name: "reschedule", Args: []string{"to"}, Optional: []string{"zone"}, Sentence: "move an event, an instance or a whole series to another start", intent: func(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
		return of.Reschedule(s, m.With.to())
	}},
	{Name: "cancel-instance", Args: []string{"at"}, Sentence: "cancel one instance of a series", intent: func(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
		return of.CancelInstance(s, m.With.At[0])
	}},
	{Name: "restore-instance", Args: []string{"at"}, Sentence: "bring back a cancelled instance", intent: func(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
		return of.RestoreInstance(s, m.With.At[0])
	}},
	{Name: "change-following", Args: []string{"at", "change"}, Sentence: "change an instance and all later ones, as a patch would", intent: changeFollowing},
	{Name: "move-following", Args: []string{"at", "to"}, Optional: []string{"zone"}, Sentence: "move an instance and all later ones, the instance to another start", intent: func(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
		return of.MoveFollowing(s, m.With.At[0], m.With.to())
	}},
	{Name: "end-following", Args: []string{"at"}, Sentence: "end a series before a time", intent: func(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
		return of.EndFollowing(s, m.With.At[0])
	}},
	{Name: "request-conference", Optional: []string{"type"}, Sentence: "ask for a new conference", intent: func(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
		return of.RequestConference(s.Event, m.Dialect.Name(m.With.Type))
	}},
	{Name: "copy-conference", Args: []string{"other"}, Sentence: "use the conference of another event", intent: copyConference},
	{Name: "set-private", Args: []string{"key", "value"}, Sentence: "set a private extended property", intent: func(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
		return of.SetPrivate(s.Event, m.With.Key, m.With.Value)
	}},
	{Name: "clear-private", Args: []string{"key"}, Sentence: "remove a private extended property", intent: func(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
		return of.ClearPrivate(s.Event, m.With.Key)
	}},
	{Name: "make-id", Sentence: "insert an event with an id derived from its iCalUID", intent: func(of intent.Maker, s event.Series, _ *Making) ([]event.Request, error) {
		return of.InsertWithID(s.Event)
	}},
	{Name: "insert-or-import", Optional: []string{"email"}, Sentence: "insert an event, or import it if its organizer is not email", intent: insertOrImport},
	{Name: "free-busy", Alone: true, Args: []string{"from", "to", "calendar"}, Many: "calendar", Sentence: "query the busy times of calendars, in ranges that the service accepts", intent: freeBusy},
	{Name: "set-color", Args: []string{"color"}, Sentence: "set the color of an event by name, such as tomato", intent: func(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
		return of.SetColor(s.Event, m.With.Color)
	}},
}

// An ArgumentKind is the kind of an argument's value.
type ArgumentKind string

// The argument kinds.
const (
	TimeArgument   ArgumentKind = "time" // a date or a time
	ZoneArgument   ArgumentKind = "zone"
	ClockArgument  ArgumentKind = "clock"  // a time of day
	NumberArgument ArgumentKind = "number" // a nonnegative integer
	WordArgument   ArgumentKind = "word"   // one of a list of words
	TextArgument   ArgumentKind = "text"
	JSONArgument   ArgumentKind = "json" // a JSON object
)

// An Argument is a possible argument of verbs.
type Argument struct {
	Name  string
	Kind  ArgumentKind
	Words []string // the possible words
	Usage string   // a description for the help text; the placeholder for the value is in backquotes
}

// Arguments lists all arguments in the order in which the help text shows them.
var Arguments = []Argument{
	{Name: "at", Kind: TimeArgument, Usage: "the original start of an instance, or another `time`"},
	{Name: "to", Kind: TimeArgument, Usage: "the new start, or the end of the window, as a `time`"},
	{Name: "from", Kind: TimeArgument, Usage: "the start of the window, as a `time`"},
	{Name: "zone", Kind: ZoneArgument, Usage: "an IANA time `zone`"},
	{Name: "clock", Kind: ClockArgument, Usage: "a `time` of day, such as 09:00"},
	{Name: "length", Kind: TextArgument, Usage: "a `duration`, such as PT1H30M"},
	{Name: "email", Kind: TextArgument, Usage: "an email `address`"},
	{Name: "status", Kind: WordArgument, Words: constraint.ResponseStatus.Values(), Usage: "a response to an invitation, such as `accepted`"},
	{Name: "comment", Kind: TextArgument, Usage: "a comment on the response, as `text`"},
	{Name: "type", Kind: TextArgument, Usage: "a `type` of conference"},
	{Name: "key", Kind: TextArgument, Usage: "the `name` of a private extended property"},
	{Name: "value", Kind: TextArgument, Usage: "the value of a private extended property, as `text`"},
	{Name: "color", Kind: TextArgument, Usage: "the `name` of a color, such as tomato"},
	{Name: "calendar", Kind: TextArgument, Usage: "the `id` of a calendar"},
	{Name: "window", Kind: WordArgument, Words: []string{overlap}, Usage: "also instances that are in progress"},
	{Name: "limit", Kind: NumberArgument, Usage: "maximum number of instances"},
	{Name: "change", Kind: JSONArgument, Usage: "a patch"},
	{Name: "other", Kind: JSONArgument, Usage: "the other event"},
}

// FlagOf returns the name of the command-line flag for an argument.
func FlagOf(name string) string {
	switch name {
	case "window":
		return "overlap"
	case "other":
		return "with"
	}
	return name
}

// FindVerb returns the verb with the given name. If the name is unknown, the error suggests the nearest name among all verbs
// and others, or lists all names if no name is near.
func FindVerb(name string, others ...string) (*Verb, error) {
	i := slices.IndexFunc(Verbs, func(v Verb) bool { return v.Name == name })
	if i >= 0 {
		return &Verbs[i], nil
	}
	var names []string
	for _, v := range Verbs {
		names = append(names, v.Name)
	}
	names = append(names, others...)
	if near, ok := form.Nearest(name, names); ok {
		return nil, fmt.Errorf("%s is not a verb; did you mean %s?", engine.Quote(name), near)
	}
	return nil, fmt.Errorf("%s is not a verb; the verbs are %s", engine.Quote(name), strings.Join(names, ", "))
}

// With contains the arguments of a verb.
type With struct {
	At       []*event.Time // the original starts of instances, or other times
	To       *event.Time   // the end of a window, or a new start
	From     *event.Time
	Zone     string
	Clock    time.Duration // a time of day
	Length   *time.Duration
	Window   string
	Limit    int64
	Email    []string
	Status   string // a responseStatus
	Comment  string
	Type     string // the type of a conference
	Key      string // the name of a private extended property
	Value    string
	Color    string
	Calendar []string // the ids of calendars
	Change   []byte   // a patch
	Other    []byte   // another event

	given []string // the names of the arguments that are present
}

var withForm = ndjson.NewObject("with",
	ndjson.Of("at", func(w *With) *[]*event.Time { return &w.At }, readMoments),
	ndjson.Of("to", func(w *With) **event.Time { return &w.To }, readMoment),
	ndjson.Of("from", func(w *With) **event.Time { return &w.From }, readMoment),
	ndjson.Of("zone", func(w *With) *string { return &w.Zone }, ndjson.NotEmpty),
	ndjson.Of("clock", func(w *With) *time.Duration { return &w.Clock }, readClock),
	ndjson.Of("length", func(w *With) **time.Duration { return &w.Length }, ndjson.Opt(readLength)),
	ndjson.Of("window", func(w *With) *string { return &w.Window }, ndjson.Word(overlap)),
	ndjson.Of("limit", func(w *With) *int64 { return &w.Limit }, ndjson.Natural),
	ndjson.Of("email", func(w *With) *[]string { return &w.Email }, readTexts),
	ndjson.Of("status", func(w *With) *string { return &w.Status }, ndjson.NotEmpty),
	ndjson.Of("comment", func(w *With) *string { return &w.Comment }, ndjson.NotEmpty),
	ndjson.Of("type", func(w *With) *string { return &w.Type }, ndjson.NotEmpty),
	ndjson.Of("key", func(w *With) *string { return &w.Key }, ndjson.NotEmpty),
	ndjson.Of("value", func(w *With) *string { return &w.Value }, ndjson.Text[string]),
	ndjson.Of("color", func(w *With) *string { return &w.Color }, ndjson.NotEmpty),
	ndjson.Of("calendar", func(w *With) *[]string { return &w.Calendar }, readTexts),
	ndjson.Raw("change", func(w *With) *[]byte { return &w.Change }),
	ndjson.Raw("other", func(w *With) *[]byte { return &w.Other }),
).Closed(
	"to: start until timeMax", "at: originalStartTime instance date dateTime", "clock: time", "zone: timeZone",
	"length: duration", "window: overlap", "email: attendee emails guest", "status: responseStatus response",
	"change: patch body", "color: colorId", "calendar: calendarId calendars items", "from: timeMin",
	"other: event source conferenceData",
)

// ReadWith decodes the arguments of a verb from a JSON object.
func ReadWith(value []byte) (*With, error) {
	w := new(With)
	if err := withForm.Read(value, w); err != nil {
		return w, err
	}
	return w, ndjson.Each(value, func(name string, _ []byte) error {
		w.given = append(w.given, name)
		return nil
	})
}

// readMoment reads a date or time, which is a string or an object as in an event.
func readMoment(value []byte) (*event.Time, error) {
	if value[0] == '{' {
		t := new(event.Time)
		return t, t.UnmarshalJSON(value)
	}
	text, err := ndjson.NotEmpty(value)
	return Moment(text), err
}

// Moment converts a string to a date or time. Moment does not check that the string is valid.
func Moment(text string) *event.Time {
	if len(text) == len(time.DateOnly) {
		return &event.Time{Date: text}
	}
	return &event.Time{DateTime: text}
}

// readMoments reads a date or time, or an array of dates and times.
func readMoments(value []byte) ([]*event.Time, error) {
	if value[0] == '[' {
		return ndjson.List(readMoment)(value)
	}
	t, err := readMoment(value)
	return []*event.Time{t}, err
}

// readTexts reads a string or an array of strings.
func readTexts(value []byte) ([]string, error) {
	if value[0] == '[' {
		return ndjson.List(ndjson.NotEmpty)(value)
	}
	text, err := ndjson.NotEmpty(value)
	return []string{text}, err
}

// readClock reads a time of day, such as 09:00 or 09:00:30.
func readClock(value []byte) (time.Duration, error) {
	text, err := ndjson.NotEmpty(value)
	if err != nil {
		return 0, err
	}
	for _, layout := range []string{"15:04", time.TimeOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Sub(t.Truncate(24 * time.Hour)), nil
		}
	}
	return 0, fmt.Errorf("clock is %s; it must be a time of day such as 09:00", engine.Quote(text))
}

// readLength reads a duration, such as PT1H30M (RFC 5545) or 1h30m (Go syntax).
func readLength(value []byte) (time.Duration, error) {
	text, err := ndjson.NotEmpty(value)
	if err != nil {
		return 0, err
	}
	length, err := time.ParseDuration(strings.ToLower(strings.TrimPrefix(text, "PT")))
	if err != nil || length < 0 {
		return 0, fmt.Errorf("length is %s; it must be a duration such as PT1H30M", engine.Quote(text))
	}
	return length, nil
}

// check returns an error if an argument is missing, does not belong to the verb, or has the wrong number of values.
func (v *Verb) check(with *With) error {
	for _, name := range withForm.Names() {
		needs, given := slices.Contains(v.Args, name), slices.Contains(with.given, name)
		switch {
		case needs && !given:
			return fmt.Errorf("with.%s is missing; %s needs %s", name, v.Name, strings.Join(v.Args, " and "))
		case given && !needs && !slices.Contains(v.Optional, name):
			takes := "takes no arguments"
			if all := slices.Concat(v.Args, v.Optional); len(all) > 0 {
				takes = "takes " + strings.Join(all, ", ")
			}
			return fmt.Errorf("with.%s is not an argument of %s, which %s", name, v.Name, takes)
		}
	}
	switch {
	case slices.Contains(with.given, "at") && len(with.At) != 1 && v.Many != "at":
		return fmt.Errorf("with.at has %d times; %s takes one", len(with.At), v.Name)
	case slices.Contains(with.given, "email") && len(with.Email) != 1 && v.Many != "email":
		return fmt.Errorf("with.email has %d addresses; %s takes one", len(with.Email), v.Name)
	}
	return nil
}

// in assigns the time zone of the series to times in the arguments that have no time zone.
func (w *With) in(s *event.Event) {
	for _, t := range append(slices.Clone(w.At), w.To, w.From) {
		if t != nil && t.DateTime != "" && t.TimeZone == "" && s != nil && s.Start != nil && s.Start.DateTime != "" {
			t.TimeZone = s.Start.TimeZone
		}
	}
}

// verb adds the answer to the verb of a request.
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
	if v.intent != nil {
		return fmt.Errorf("%s makes requests; send it to calrules make", v.Name)
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
	return r.run(q)
}

func firstOf(list []*event.Time) *event.Time {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// checkVerb returns an error if the request has members that cannot be combined with a verb, or if the arguments are wrong.
func (r *Expansion) checkVerb(v *Verb, with *With) error {
	for _, m := range r.questionMembers() {
		if m.given {
			return fmt.Errorf("%s does not go with verb, whose arguments are in with; leave one of them out", m.name)
		}
	}
	if r.Split != "" {
		return errors.New("split does not go with verb, of which it is one; leave one of them out")
	}
	return v.check(with)
}

// set adds to the answer the series that a change returned.
func (r *Expanded) set(changed []event.Series, v *Verb) {
	if v.Name == "split" {
		r.setHalves(changed)
	} else {
		r.Series = &Half{Series: changed[0]}
	}
}

// setHalves adds to the answer the halves that a split returned.
func (r *Expanded) setHalves(halves []event.Series) {
	if halves[0].Event != nil {
		r.Before = &Half{Series: halves[0]}
	}
	r.After = &Half{Series: halves[1]}
}

// one returns a list that contains a single series.
func one(s event.Series, err error) ([]event.Series, error) { return []event.Series{s}, err }

// each converts a change to one instance to the form of [Verb.change].
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
	requests, err := s.Move(with.to())
	return one(requests.Series, err)
}

// to returns the new start, in the time zone from the zone argument, if any.
func (w *With) to() *event.Time {
	to := new(*w.To)
	if w.Zone != "" {
		to.TimeZone = w.Zone
	}
	return to
}

func timed(s event.Series, with *With) ([]event.Series, error) {
	length := time.Hour
	if with.Length != nil {
		length = *with.Length
	}
	return one(s.Timed(with.Clock, with.Zone, length))
}
