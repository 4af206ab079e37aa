package fuzz

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// way is one way of breaking a rule, around an event that is otherwise drawn freely.
type way struct {
	name string

	// on are the occasions that the way is for, of those that its rule has; 0 means all that
	// have an event as body.
	on diag.When

	// types are the event types of the event; none means the default one, written out or not.
	types []string

	// prepare gives the valid event what the way needs; nil where it needs nothing. Of a
	// change, it is what is stored.
	prepare func(t *rapid.T, e *event.Event)

	// whole are top-level members that a patch sends even where they do not change: without
	// them a rule about two members would be broken beside the stored event only.
	whole []string

	// kind is what the finding means where that is not what the rule says.
	kind diag.Kind

	// violate breaks the rule, and returns where the finding is.
	violate func(t *rapid.T, s *scene) diag.Pointer
}

// withBody are the occasions on which the body is an event.
const withBody = diag.Write | diag.Response

// scene is a valid request that a [way] breaks, in parts.
type scene struct {
	op     operation.ID
	on     diag.When
	stored members // what is stored before a change, or what an operation without body is about; else nil
	body   members // the event that is sent, returned or, of a patch, to be made

	// What stands around the body. The caller's and the calendar's facts are nil, unless set:
	// what is not known refuses nothing. A parameter with an empty list is not sent, whatever
	// the body asks for.
	params   operation.Params
	ifMatch  string
	caller   *operation.Caller
	calendar *operation.Calendar
	series   *event.Event

	// text, where it is not nil, rewrites the bytes of the body: to what no tree can hold.
	text func(body string) string
}

// draw draws a request that breaks the rule in this way, on one of the operations.
func (w *way) draw(t *rapid.T, rule *diag.Doc, ops []operation.ID) Payload {
	s := w.scene(t, rapid.SampledFrom(ops).Draw(t, "operation"))
	kind := w.kind
	if kind == "" {
		kind = rule.Kind
	}
	path := w.violate(t, s)
	return Payload{
		Verdict: Verdict{Accepted: kind != diag.Reject, Rule: rule.ID, Kind: kind, Path: path, Way: w.name},
		Event:   s.request(w.whole),
	}
}

// scene draws the valid request.
func (w *way) scene(t *rapid.T, op operation.ID) *scene {
	s := &scene{op: op, on: occasion(op), params: drawRequired(t, op)}
	if !s.on.Has(withBody | withStored) {
		return s
	}
	e := w.event(t, s.on)
	switch {
	case s.on.Has(diag.Insert):
		s.body = treeOf(e)
	case s.on.Has(diag.Import):
		e.ID, e.ICalUID = "", opaque().Draw(t, "iCalUID")+"@example.com"
		s.body = treeOf(e)
	case s.on.Has(diag.Response):
		drawSettled(t, e)
		s.body = treeOf(e)
	default:
		drawSettled(t, e)
		s.stored = treeOf(e)
		if s.on.Has(diag.Modify) {
			s.body = cloned(s.stored).(members)
		}
	}
	return s
}

// withStored are the occasions on which there is a stored event.
const withStored = diag.Modify | diag.Move | diag.Delete | diag.Get | diag.List | diag.Instances

// event draws the valid event: one that recurs, where its instances are asked for.
func (w *way) event(t *rapid.T, on diag.When) *event.Event {
	types := w.types
	if len(types) == 0 {
		types = []string{"", typeDefault}
	}
	e := &event.Event{EventType: rapid.SampledFrom(types).Draw(t, "event type")}
	drawInsert(t, e)
	if on.Has(diag.Instances) && len(e.Recurrence) == 0 {
		drawSeries(t, e, maybe(t, "all-day"))
	}
	if w.prepare != nil {
		w.prepare(t, e)
	}
	return e
}

// drawRequired draws the parameters without which an operation is refused.
func drawRequired(t *rapid.T, op operation.ID) operation.Params {
	params := operation.Params{}
	if row, ok := operation.Lookup(op); ok {
		for _, p := range row.Params {
			if p.Required {
				params[p.Name] = []string{paramValue(p).Draw(t, p.Name)}
			}
		}
	}
	return params
}

// drawSettled adds what the service writes to an event that was inserted.
func drawSettled(t *rapid.T, e *event.Event) {
	id, uid := e.ID, e.ICalUID
	drawIdentity(t, e)
	if id != "" {
		e.ID = id
	}
	if e.ICalUID = uid; uid == "" {
		e.ICalUID = e.ID + "@calendar.example.com"
	}
	if e.EventType == "" {
		e.EventType = typeDefault
	}
	if e.Status == "" || e.Status == cancelled {
		e.Status = confirmed
	}
	e.HTMLLink = "https://calendar.example.com/event?eid=" + e.ID
	e.Created, e.Updated = timestamp.Draw(t, "created"), timestamp.Draw(t, "updated")
	e.AttendeesOmitted = false // or a change would be of one response alone
	e.Creator = &event.Person{Email: "owner@example.com", Self: true}
	e.Organizer = &event.Person{Email: "owner@example.com", Self: true}
}

// request puts the request together. Its parameters are those that the body asks for, but for
// those that are set already.
func (s *scene) request(whole []string) *event.Request {
	req := &event.Request{
		Op: s.op, Params: s.params, IfMatch: s.ifMatch,
		Caller: s.caller, Calendar: s.calendar, Series: s.series,
	}
	if s.stored != nil {
		req.Existing = eventOf(s.stored)
	}
	if s.body == nil {
		return req
	}
	body := s.body
	if s.on.Has(diag.Patch) {
		body = patchOf(s.stored, s.body, func(name string) bool { return slices.Contains(whole, name) })
	}
	if s.on.Has(diag.Write) {
		askFor(s.params, body)
	}
	maps.DeleteFunc(s.params, func(_ string, values []string) bool { return len(values) == 0 })
	req.Body = bodyText(body)
	if s.text != nil {
		text := s.text(string(req.Body))
		req.Body, req.BodyText = nil, &text
	}
	return req
}

// askFor adds the parameters without which what a body holds would have no effect.
func askFor(params operation.Params, body members) {
	add := func(name, value string) {
		if params[name] == nil {
			params[name] = []string{value}
		}
	}
	if _, ok := body["conferenceData"]; ok {
		add("conferenceDataVersion", "1")
	}
	if _, ok := body["attachments"]; ok {
		add("supportsAttachments", "true")
	}
	if label, ok := body["eventLabelId"]; ok && label != "" {
		add("eventLabelVersion", "1")
	} else if _, ok := body["colorId"]; ok {
		add("eventLabelVersion", "0")
	}
}

// eventOf reads a tree as a stored event.
func eventOf(tree members) *event.Event {
	e := new(event.Event)
	if err := e.UnmarshalJSON(textOf(tree)); err != nil {
		panic(fmt.Sprintf("fuzz: the stored event is none: %v", err))
	}
	return e
}

// ways are all ways of breaking the rules of the calendar, by rule.
var ways = joined(
	identityWays,
	valueWays,
	partWays,
	typeWays,
	conferenceWays,
	jsonWays,
	changeWays,
	requestWays,
	timeWays,
	recurrenceWays,
)

func joined(tables ...map[string][]way) map[string][]way {
	all := map[string][]way{}
	for _, table := range tables {
		for id := range table {
			if all[id] != nil {
				panic(fmt.Sprintf("fuzz: %s has ways in two tables", id))
			}
		}
		maps.Copy(all, table)
	}
	return all
}

// docs are the rules of the calendar by id.
var docs = func() map[string]*diag.Doc {
	index := map[string]*diag.Doc{}
	for _, doc := range event.Catalogue() {
		index[doc.ID] = doc
	}
	return index
}()

// occasion returns the one occasion on which an operation, or the check of a response, is.
func occasion(op operation.ID) diag.When {
	if op == operation.Response {
		return diag.Response
	}
	row, ok := operation.Lookup(op)
	if !ok {
		panic(fmt.Sprintf("fuzz: there is no operation %q", op))
	}
	return row.When
}

// operationsOn lists the operations, and the check of a response, that are on the occasions.
func operationsOn(when diag.When) []operation.ID {
	var ids []operation.ID
	for op := range operation.All() {
		if when.Has(op.When) {
			ids = append(ids, op.ID)
		}
	}
	if when.Has(diag.Response) {
		ids = append(ids, operation.Response)
	}
	return ids
}

// operations lists where a rule can be broken in this way.
func (w *way) operations(rule *diag.Doc) []operation.ID {
	on := w.on
	if on == 0 {
		on = withBody
	}
	return operationsOn(on & rule.When)
}

// chance is a way with the operations on which it is wanted.
type chance struct {
	*way
	ops []operation.ID
}

// chances lists the ways of breaking a rule on some operations; no operations means all.
func chances(rule *diag.Doc, ops []operation.ID) []chance {
	var list []chance
	for i := range ways[rule.ID] {
		w := &ways[rule.ID][i]
		wanted := w.operations(rule)
		if len(ops) > 0 {
			wanted = slices.DeleteFunc(wanted, func(op operation.ID) bool { return !slices.Contains(ops, op) })
		}
		if len(wanted) > 0 {
			list = append(list, chance{w, wanted})
		}
	}
	return list
}

// Violating draws requests that break one rule: a rule that rejects, and no other that does;
// or one that ignores or advises, and then none that rejects. Each rule is broken in several
// ways (just over a limit, far over it, in every place that it reaches), around a request
// that is otherwise drawn like those of [Request], on the operations given or, where none is,
// on all on which the rule can be broken. The rules of the realtime database, which have no
// operations, are broken by requests to it, and rtdb.key-file by the text of a key file.
//
// Violating panics where it does not know the rule, or the rule cannot be broken on any of
// the operations, or there is no such operation. [Rules] and [RTDBRules] list those that can,
// but for rtdb.key-file, which is about no request.
func Violating(rule string, ops ...operation.ID) *rapid.Generator[Payload] {
	for _, op := range ops {
		occasion(op) // panics where there is none
	}
	ways, ofRTDB := rtdbWays[rule]
	doc := docs[rule]
	switch {
	case (ofRTDB || rule == ruleKeyFile) && len(ops) > 0:
		panic(fmt.Sprintf("fuzz: %q is a rule of the realtime database, which has none of the operations %v", rule, ops))
	case ofRTDB:
		return violatingRTDB(rule, ways)
	case rule == ruleKeyFile:
		return brokenKeyFile()
	case doc == nil:
		panic(fmt.Sprintf("fuzz: there is no rule %q", rule))
	}
	list := chances(doc, ops)
	if len(list) == 0 {
		panic(fmt.Sprintf("fuzz: nothing breaks %q on %v", rule, ops))
	}
	return rapid.Custom(func(t *rapid.T) Payload {
		i := rapid.IntRange(0, len(list)-1).Draw(t, "way")
		return list[i].draw(t, doc, list[i].ops)
	})
}
