package fuzz

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/operation"
)

// way is one way of breaking a rule, around an event that is otherwise drawn freely.
type way struct {
	name string

	// on are the occasions that the way is for, of those that its rule has; 0 means all that
	// have an event as body.
	on diag.When

	// types are the event types of the event; none means any that goes with what the way makes
	// of it.
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
	event  *event.Event // as it was drawn, before anything was done to it; nil where there is none
	stored members      // what is stored before a change, or what an operation without body is about; else nil
	body   members      // the event that is sent, returned or, of a patch, to be made

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
func (w *way) draw(t *rapid.T, rule *diag.Rule, ops []operation.ID) Payload {
	kind := w.kind
	if kind == "" {
		kind = rule.Kind
	}
	s, path := w.broken(t, rapid.SampledFrom(ops).Draw(t, "operation"))
	s.vary(t)
	req := s.request(w.whole)
	s.surround(t, req)
	return Payload{
		Verdict: Verdict{Accepted: kind != diag.Reject, Rule: rule.ID, Kind: kind, Path: path, Way: w.name},
		Event:   req,
	}
}

// broken draws a request and breaks it, and returns where the finding is. Where the way does
// not name event types, it is about an event of any type or, if it turns out that other rules
// of that type speak of what the way does, of type default.
func (w *way) broken(t *rapid.T, op operation.ID) (*scene, diag.Pointer) {
	s := w.scene(t, op, w.drawType(t, occasion(op)))
	path := w.violate(t, s)
	if len(w.types) == 0 && !s.goesWithType() {
		s = w.scene(t, op, "")
		path = w.violate(t, s)
	}
	return s, path
}

// drawType draws the type of the event that a request is about: one of those that the way names
// or else any. The first takes the fewest draws, so that rapid shrinks to it, and is not drawn
// more often than others for that.
func (w *way) drawType(t *rapid.T, on diag.When) string {
	types := w.types
	if len(types) == 0 {
		types = typesOn(on)
	}
	if len(types) == 1 {
		return types[0]
	}
	one, another := draw.Maybe(t, "one other event type"), draw.Maybe(t, "another event type")
	if !one && !another {
		return types[0]
	}
	return rapid.SampledFrom(types[1:]).Draw(t, "event type")
}

// scene draws the valid request, about an event of the type.
func (w *way) scene(t *rapid.T, op operation.ID, eventType string) *scene {
	s := &scene{op: op, on: occasion(op), params: operation.Params{}}
	if !s.on.Has(withBody | withStored) {
		return s
	}
	s.event = &event.Event{EventType: eventType}
	drawInsert(t, s.event)
	e := s.event.Clone()
	if s.on.Has(diag.Instances) && len(e.Recurrence) == 0 {
		drawSeries(t, e, drawForm(t, e.EventType))
	}
	if w.prepare != nil {
		w.prepare(t, e)
	}
	switch {
	case s.on.Has(diag.Insert):
		s.body = treeOf(e)
	case s.on.Has(diag.Import):
		e.ID, e.ICalUID = "", draw.Name().Draw(t, "iCalUID")+"@example.com"
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
	e.Created, e.Updated = timestamp().Draw(t, "created"), timestamp().Draw(t, "updated")
	e.AttendeesOmitted = false // or a change would be of one response alone
	e.Creator = &event.Person{Email: "owner@example.com", Self: true}
	e.Organizer = &event.Person{Email: "owner@example.com", Self: true}
}

// request puts together what the way says of the request. Its parameters are those that the body
// asks for, but for those that are set already.
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
	req.Body = bodyText(body)
	if s.text != nil {
		text := s.text(string(req.Body))
		req.Body, req.BodyText = nil, &text
	}
	return req
}

// surround draws, around the request, what the way leaves open, by the functions that draw it
// for valid ones.
func (s *scene) surround(t *rapid.T, req *event.Request) {
	if s.on.Has(diag.Modify|diag.Delete) && req.Existing != nil {
		drawCondition(t, req)
	}
	if s.on.Has(diag.Response) {
		drawParams(t, req)
	} else {
		drawAround(t, req, s.made)
	}
	if s.caller == nil && req.Caller != nil && !s.keeps("source") {
		req.Caller.Creator = nil // for nobody else's change of it has an effect
	}
	maps.DeleteFunc(req.Params, func(_ string, values []string) bool { return len(values) == 0 })
	if len(req.Params) == 0 {
		req.Params = nil
	}
}

// made returns what a calendar has to fit of the event that the request makes, or is about.
func (s *scene) made() *event.Event {
	tree := s.body
	if tree == nil {
		tree = s.stored
	}
	read := func(path diag.Pointer) string {
		text, _ := at(tree, path).(string)
		return text
	}
	label, building := read("/eventLabelId"), read("/workingLocationProperties/officeLocation/buildingId")
	return &event.Event{
		ID: read("/id"), ColorID: read("/colorId"), EventLabelID: &label,
		WorkingLocationProperties: &event.WorkingLocation{OfficeLocation: &event.OfficeLocation{BuildingID: building}},
	}
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
	if err := e.UnmarshalJSON(draw.EncodeJSON(tree)); err != nil {
		panic(fmt.Sprintf("fuzz: the stored event is none: %v", err))
	}
	return e
}

// ways are all ways of breaking the rules of the calendar, by rule.
var ways = sync.OnceValue(func() map[string][]way {
	return joined(
		identityWays(),
		valueWays(),
		partWays(),
		typeWays(),
		conferenceWays(),
		jsonWays(),
		changeWays(),
		requestWays(),
		timeWays(),
		recurrenceWays(),
	)
})

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
var docs = sync.OnceValue(func() map[string]*diag.Rule {
	index := map[string]*diag.Rule{}
	for doc := range event.Catalogue().All() {
		index[doc.ID] = doc
	}
	return index
})

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
func (w *way) operations(rule *diag.Rule) []operation.ID {
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
func chances(rule *diag.Rule, ops []operation.ID) []chance {
	var list []chance
	for i := range ways()[rule.ID] {
		w := &ways()[rule.ID][i]
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
// ways (just over a limit, far over it, in every place that it reaches), each drawn as often as
// the others, on the operations given or, where none is, on all on which the rule can be broken.
//
// Around what is wrong the request is like those of [Request]. It has query parameters, a caller,
// a calendar, a series and a condition, all of which are drawn as for a valid one, save what is
// itself wrong or would hide it. The event is of any type with which what is wrong does not break
// another rule; what is stored may be an instance of a series, cancelled or locked on the same
// terms, and a changed event is always known. The rules of the realtime database, which have no
// operations, are broken by requests to it, and rtdb.key-file by the text of a key file.
//
// Violating panics where it does not know the rule, or the rule cannot be broken on any of
// the operations, or there is no such operation. [Rules] and [RTDBRules] list those that can,
// but for rtdb.key-file, which is about no request.
func Violating(rule string, ops ...operation.ID) *rapid.Generator[Payload] {
	for _, op := range ops {
		occasion(op) // panics where there is none
	}
	ways, ofRTDB := rtdbWays()[rule]
	doc := docs()[rule]
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
		i := draw.Evenly(len(list)).Draw(t, "way")
		return list[i].draw(t, doc, list[i].ops)
	})
}
