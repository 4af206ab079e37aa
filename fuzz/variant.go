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
type variant struct {
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
	mutate func(t *rapid.T, d *draft) diag.Pointer
}

// withBody are the occasions on which the body is an event.
const withBody = diag.Write | diag.Response

// scene is a valid request that a [way] breaks, in parts.
type draft struct {
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
func (w *variant) draw(t *rapid.T, rule *diag.Rule, ops []operation.ID) Payload {
	kind := w.kind
	if kind == "" {
		kind = rule.Kind
	}
	d, path := w.broken(t, rapid.SampledFrom(ops).Draw(t, "operation"))
	d.drawStates(t)
	req := d.request(w.whole)
	d.surround(t, req)
	return Payload{
		Verdict: Verdict{Accepted: kind != diag.Reject, Rule: rule.ID, Kind: kind, Path: path, Variant: w.name},
		Event:   req,
	}
}

// broken draws a request and breaks it, and returns where the finding is. Where the way does
// not name event types, it is about an event of any type or, if it turns out that other rules
// of that type speak of what the way does, of type default.
func (w *variant) broken(t *rapid.T, op operation.ID) (*draft, diag.Pointer) {
	d := w.draft(t, op, w.drawType(t, occasion(op)))
	path := w.mutate(t, d)
	if len(w.types) == 0 && !d.goesWithType() {
		d = w.draft(t, op, "")
		path = w.mutate(t, d)
	}
	return d, path
}

// drawType draws the type of the event that a request is about: one of those that the way names
// or else any. The first takes the fewest draws, so that rapid shrinks to it, and is not drawn
// more often than others for that.
func (w *variant) drawType(t *rapid.T, on diag.When) string {
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
func (w *variant) draft(t *rapid.T, op operation.ID, eventType string) *draft {
	d := &draft{op: op, on: occasion(op), params: operation.Params{}}
	if !d.on.Has(withBody | withStored) {
		return d
	}
	d.event = &event.Event{EventType: eventType}
	drawInsert(t, d.event)
	e := d.event.Clone()
	if d.on.Has(diag.Instances) && len(e.Recurrence) == 0 {
		drawSeries(t, e, drawForm(t, e.EventType))
	}
	if w.prepare != nil {
		w.prepare(t, e)
	}
	switch {
	case d.on.Has(diag.Insert):
		d.body = encodeTree(e)
	case d.on.Has(diag.Import):
		e.ID, e.ICalUID = "", draw.Name().Draw(t, "iCalUID")+"@example.com"
		d.body = encodeTree(e)
	case d.on.Has(diag.Response):
		drawSettled(t, e)
		d.body = encodeTree(e)
	default:
		drawSettled(t, e)
		d.stored = encodeTree(e)
		if d.on.Has(diag.Modify) {
			d.body = cloned(d.stored).(members)
		}
	}
	return d
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
func (d *draft) request(whole []string) *event.Request {
	req := &event.Request{
		Op: d.op, Params: d.params, IfMatch: d.ifMatch,
		Caller: d.caller, Calendar: d.calendar, Series: d.series,
	}
	if d.stored != nil {
		req.Existing = eventOf(d.stored)
	}
	if d.body == nil {
		return req
	}
	body := d.body
	if d.on.Has(diag.Patch) {
		body = patchOf(d.stored, d.body, func(name string) bool { return slices.Contains(whole, name) })
	}
	if d.on.Has(diag.Write) {
		askFor(d.params, body)
	}
	req.Body = bodyText(body)
	if d.text != nil {
		text := d.text(string(req.Body))
		req.Body, req.BodyText = nil, &text
	}
	return req
}

// surround draws, around the request, what the way leaves open, by the functions that draw it
// for valid ones.
func (d *draft) surround(t *rapid.T, req *event.Request) {
	if d.on.Has(diag.Modify|diag.Delete) && req.Existing != nil {
		drawCondition(t, req)
	}
	if d.on.Has(diag.Response) {
		drawParams(t, req)
	} else {
		drawAround(t, req, d.made)
	}
	if d.caller == nil && req.Caller != nil && !d.keeps("source") {
		req.Caller.Creator = nil // for nobody else's change of it has an effect
	}
	maps.DeleteFunc(req.Params, func(_ string, values []string) bool { return len(values) == 0 })
	if len(req.Params) == 0 {
		req.Params = nil
	}
}

// made returns what a calendar has to fit of the event that the request makes, or is about.
func (d *draft) made() *event.Event {
	tree := d.body
	if tree == nil {
		tree = d.stored
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
var allVariants = sync.OnceValue(func() map[string][]variant {
	return joined(
		identityVariants(),
		valueVariants(),
		partVariants(),
		typeVariants(),
		conferenceVariants(),
		jsonVariants(),
		changeVariants(),
		requestVariants(),
		timeVariants(),
		recurrenceVariants(),
	)
})

func joined(tables ...map[string][]variant) map[string][]variant {
	all := map[string][]variant{}
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
var rules = sync.OnceValue(func() map[string]*diag.Rule {
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
func (w *variant) operations(rule *diag.Rule) []operation.ID {
	on := w.on
	if on == 0 {
		on = withBody
	}
	return operationsOn(on & rule.When)
}

// chance is a way with the operations on which it is wanted.
type candidate struct {
	*variant
	ops []operation.ID
}

// chances lists the ways of breaking a rule on some operations; no operations means all.
func candidates(rule *diag.Rule, ops []operation.ID) []candidate {
	var list []candidate
	for i := range allVariants()[rule.ID] {
		w := &allVariants()[rule.ID][i]
		wanted := w.operations(rule)
		if len(ops) > 0 {
			wanted = slices.DeleteFunc(wanted, func(op operation.ID) bool { return !slices.Contains(ops, op) })
		}
		if len(wanted) > 0 {
			list = append(list, candidate{w, wanted})
		}
	}
	return list
}

// Violating draws requests that break one rule. If the rule rejects, no other rule rejects the
// request; if it ignores or advises, no rule rejects it. Each rule has several variants (just over
// a limit, far over it, in every place to which the rule applies), each drawn as often as the
// others, on the given operations or, without any, on every operation on which the rule can be
// broken.
//
// The rest of the request is like those of [Request]: its query parameters, caller, calendar,
// series and condition are drawn as for a valid one, unless they are what is wrong or would hide
// it. The event is of any type with which the request breaks no other rule. What is stored may be
// an instance of a series, cancelled or locked on the same terms, and is always known for a
// change.
//
// Violating panics if there is no such rule or operation, or if the rule cannot be broken on any
// of the operations. [Rules] lists the rules that can.
func Violating(rule string, ops ...operation.ID) *rapid.Generator[Payload] {
	for _, op := range ops {
		occasion(op) // panics if there is no such operation
	}
	doc := rules()[rule]
	if doc == nil {
		panic(fmt.Sprintf("fuzz: there is no rule %q", rule))
	}
	list := candidates(doc, ops)
	if len(list) == 0 {
		panic(fmt.Sprintf("fuzz: no variant breaks %q on %v", rule, ops))
	}
	return rapid.Custom(func(t *rapid.T) Payload {
		i := draw.Evenly(len(list)).Draw(t, "variant")
		return list[i].draw(t, doc, list[i].ops)
	})
}

// Rules lists the ids of the rules that [Violating] can break on one of the operations or,
// without operations, on any. They are sorted.
func Rules(ops ...operation.ID) []string {
	var ids []string
	for id, doc := range rules() {
		if len(candidates(doc, ops)) > 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
