package gen

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/script"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/operation"
)

// draft is a valid request in parts, which steps break.
type draft struct {
	script.State
	op     operation.ID
	on     diag.When
	event  *event.Event // as first drawn, or nil
	saved  *event.Event // what stored was made of, or nil after a change of it
	stored members      // the event that the request changes or is about, or nil
	body   members      // the event that is sent, returned or, for a patch, to be made; or nil

	// The rest of the request. Facts about the caller and the calendar are nil unless a step
	// sets them: an unknown fact refuses nothing. A parameter with an empty list is not sent,
	// whatever the body needs.
	params   operation.Params
	ifMatch  string
	caller   *operation.Caller
	calendar *operation.Calendar
	series   *event.Event

	// text, if not nil, rewrites the bytes of the body into what no tree can represent.
	text func(body string) string

	// What words may depend on: where the series begins, and what an earlier word drew.
	begins *begin
	param  operation.Param
	part   byPart
	tail   string
}

// begin returns where the series of the body begins, as it was before the first step that asks.
func (d *draft) begin() *begin {
	if d.begins == nil {
		d.begins = beginOf(d.body)
	}
	return d.begins
}

// withStored are the occasions on which there is a stored event.
const withStored = diag.Modify | occasion.Move | occasion.Delete | occasion.Get | occasion.List | occasion.Instances

// draft draws a valid request about an event of the type, and breaks it.
func (v *variant) draft(t *draw.T, op operation.ID, eventType string) *draft {
	d := v.valid(t, op, eventType)
	for _, step := range v.steps {
		step(d)
	}
	return d
}

func (v *variant) valid(t *draw.T, op operation.ID, eventType string) *draft {
	d := &draft{State: script.State{T: t}, op: op, on: OccasionOf(op), params: operation.Params{}}
	if !d.on.Has(WithBody | withStored) {
		return d
	}
	d.event = &event.Event{EventType: eventType}
	drawInsert(t, d.event)
	e := d.event.Clone()
	if d.on.Has(occasion.Instances) && len(e.Recurrence) == 0 {
		drawSeries(t, e, drawForm(t, e.EventType))
	}
	for _, step := range v.prepare {
		step(t, e)
	}
	switch {
	case d.on.Has(occasion.Insert):
		d.body = encodeTree(e)
	case d.on.Has(occasion.Import):
		e.ID, e.ICalUID = "", draw.Name.Draw(t, "iCalUID")+"@example.com"
		d.body = encodeTree(e)
	case d.on.Has(diag.Response):
		drawSettled(t, e)
		d.body = encodeTree(e)
	default:
		drawSettled(t, e)
		d.saved, d.stored = e, encodeTree(e)
		if d.on.Has(diag.Modify) {
			d.body = cloned(d.stored).(members)
		}
	}
	return d
}

// drawSettled adds what the service writes to an event that was inserted.
func drawSettled(t *draw.T, e *event.Event) {
	id, uid := e.ID, e.ICalUID
	drawIdentity(t, e)
	if id != "" {
		e.ID = id
	}
	if e.ICalUID = uid; uid == "" {
		e.ICalUID = e.ID + uidSuffix
	}
	if e.EventType == "" {
		e.EventType = constraint.TypeDefault
	}
	if e.Status == "" || e.Status == constraint.StatusCancelled {
		e.Status = constraint.StatusConfirmed
	}
	e.HTMLLink = "https://calendar.example.com/event?eid=" + e.ID
	e.Created, e.Updated = timestamp.Draw(t, "created"), timestamp.Draw(t, "updated")
	e.AttendeesOmitted = false // otherwise a change would be of one response only
	e.Creator = &event.Person{Email: "owner@example.com", Self: true}
	e.Organizer = &event.Person{Email: "owner@example.com", Self: true}
}

// request puts the parts together. A patch sends the members in whole even if they do not change.
func (d *draft) request(whole []string) *event.Request {
	req := &event.Request{
		Op: d.op, Params: d.params, IfMatch: d.ifMatch,
		Caller: d.caller, Calendar: d.calendar, Series: d.series,
	}
	if req.Existing = d.saved; req.Existing == nil && d.stored != nil {
		req.Existing = decodeEvent(d.stored)
	}
	if d.body == nil {
		return req
	}
	body := d.body
	if d.on.Has(occasion.Patch) {
		body = patchOf(d.stored, d.body, func(name string) bool { return slices.Contains(whole, name) })
	}
	if d.on.Has(diag.Write) {
		needParams(d.params, func(name string) bool {
			value, ok := body[name]
			if written, isText := value.(json.RawMessage); isText {
				value = decodeJSON(written)
			}
			if name == "eventLabelId" && (value == "" || value == nil && !d.on.Has(occasion.Patch)) {
				return false // neither sends a label; null in a patch removes one
			}
			return ok
		})
	}
	req.Body = bodyText(body)
	if d.text != nil {
		req.Body = []byte(d.text(string(req.Body)))
	}
	return req
}

// surround draws what the steps leaves open around the body, as for a valid request.
func (d *draft) surround(t *draw.T, req *event.Request) {
	if d.on.Has(diag.Modify|occasion.Delete) && req.Existing != nil {
		drawCondition(t, req)
	}
	if d.on.Has(diag.Response) {
		drawParams(t, req)
	} else {
		drawAround(t, req, d.made)
	}
	if d.caller == nil && req.Caller != nil && !d.keeps("source") {
		req.Caller.Creator = new(true) // because only the creator's change of it has an effect
	}
	maps.DeleteFunc(req.Params, func(_ string, values []string) bool { return len(values) == 0 })
	if len(req.Params) == 0 {
		req.Params = nil
	}
}

// made returns the members of the event that a calendar must know.
func (d *draft) made() *event.Event {
	tree := d.body
	if tree == nil {
		tree = d.stored
	}
	read := func(path diag.Pointer) string {
		text, _ := At(tree, path).(string)
		return text
	}
	label, building := read("/eventLabelId"), read("/workingLocationProperties/officeLocation/buildingId")
	return &event.Event{
		ID: read("/id"), ColorID: read("/colorId"), EventLabelID: &label,
		WorkingLocationProperties: &event.WorkingLocation{OfficeLocation: &event.OfficeLocation{BuildingID: building}},
	}
}

// decodeEvent reads a tree as a stored event.
func decodeEvent(tree members) *event.Event {
	e := new(event.Event)
	if err := e.UnmarshalJSON(encodeJSON(tree)); err != nil {
		panic(fmt.Sprintf("fuzz: the stored event is not an event: %v", err))
	}
	return e
}

// set puts a value into the stored event and into the body.
func (d *draft) set(path diag.Pointer, value any) {
	if d.stored != nil {
		d.saved = nil
		put(d.stored, path, cloned(value))
	}
	if d.body != nil {
		put(d.body, path, cloned(value))
	}
}

// forget removes a member from the stored event, if there is one.
func (d *draft) forget(path diag.Pointer) {
	if d.stored != nil {
		d.saved = nil
		remove(d.stored, path)
	}
}

// setBody puts a value into the body.
func (d *draft) setBody(path diag.Pointer, value any) { put(d.body, path, value) }

// unsetBody removes a member from the body.
func (d *draft) unsetBody(path diag.Pointer) { remove(d.body, path) }

// unset removes a member from the stored event and from the body.
func (d *draft) unset(path diag.Pointer) {
	d.forget(path)
	remove(d.body, path)
}

// fitsType reports whether the broken request breaks no other rule about its event type.
func (d *draft) fitsType() bool {
	if d.body == nil || d.on.Has(occasion.Import|diag.Response) {
		return true // an import makes any event a default one, and the rules are about requests
	}
	eventType := d.event.EventType
	if !d.keeps("eventType") || d.stored == nil && d.body["eventType"] != any(eventType) && eventType != "" {
		return false // the type itself is wrong
	}
	creates := d.on.Has(occasion.Insert)
	isAllDay := At(d.body, "/start/date") != nil || At(d.body, "/end/date") != nil
	switch eventType {
	case constraint.TypeFocusTime, constraint.TypeOutOfOffice:
		isPlain := !d.has("attendees") && !d.has("conferenceData") && (eventType == constraint.TypeFocusTime || !d.has("description"))
		return isPlain && !isAllDay
	case constraint.TypeWorkingLocation:
		isSeen := d.keeps("visibility", "transparency") && (!creates || d.isAsDrawn("visibility", "transparency"))
		return !d.has("location") && d.has("workingLocationProperties") && isSeen && !isAllDay
	case constraint.TypeBirthday:
		if creates {
			return d.isAsDrawn("start", "end", "recurrence", "birthdayProperties") && At(d.body, "/extendedProperties/private") == nil
		}
		return d.keeps("birthdayProperties", "start", "recurrence") && At(d.body, "/extendedProperties/private") == nil
	case constraint.TypeFromMail:
		return d.changesOnly(fromMailMembers())
	default:
		return true
	}
}

// has reports whether the body has a member that is not empty.
func (d *draft) has(name string) bool {
	switch value := d.body[name].(type) {
	case nil:
		return false
	case string:
		return value != ""
	case []any:
		return len(value) > 0
	default:
		return true
	}
}

// isAsDrawn reports whether the members are as first drawn.
func (d *draft) isAsDrawn(names ...string) bool {
	drawn := encodeTree(d.event)
	return !slices.ContainsFunc(names, func(name string) bool { return !equalMember(name, drawn, d.body) })
}

// keeps reports whether the request leaves all of the members as they are stored. It is true if
// nothing is stored or sent.
func (d *draft) keeps(names ...string) bool {
	if d.stored == nil || d.body == nil {
		return true
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !equalMember(name, d.stored, d.body) })
}

// changesOnly reports whether the request changes no other members.
func (d *draft) changesOnly(names []string) bool {
	all := maps.Clone(d.stored)
	maps.Copy(all, d.body)
	for name := range all {
		if !slices.Contains(names, name) && !d.keeps(name) {
			return false
		}
	}
	return true
}

// lacks reports whether neither the body nor the stored event has any of the members.
func (d *draft) lacks(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		_, isSent := d.body[name]
		_, isStored := d.stored[name]
		return isSent || isStored
	})
}

// drawStates draws states of the event that do not affect how the request is broken. An event
// that is stored or returned may be an instance of a series, cancelled or locked, and have an
// undocumented member. A body that is not a patch may write out absent members.
func (d *draft) drawStates(t *draw.T) {
	if d.stored != nil || d.on.Has(diag.Response) {
		d.drawServerStates(t)
	}
	if d.on.Has(diag.Create|occasion.Update) && draw.Seldom(t, "written-out zeros") {
		for _, z := range draw.SliceOfNDistinct(draw.SampledFrom(writable()), 0, math.MaxInt, draw.Same[zero]).Draw(t, "written-out zeros") {
			if z.in == "" && d.lacks(z.name) {
				d.body[z.name] = json.RawMessage(z.value)
			}
		}
	}
}

// drawServerStates draws the states that only an event of a server has.
func (d *draft) drawServerStates(t *draw.T) {
	isInstance := []string{"recurrence", "recurringEventId", "originalStartTime"}
	if d.lacks(isInstance...) && !d.on.Has(occasion.Instances) && draw.Seldom(t, "instance") {
		e := &event.Event{EventType: d.event.EventType}
		drawMovedInstance(t, e)
		for name, value := range encodeTree(e) {
			if slices.Contains(isInstance, name) {
				d.set(diag.Pointer("").Member(name), value)
			}
		}
	}
	if d.stored != nil && d.keeps("status") && !d.on.Has(occasion.Delete) && draw.Seldom(t, "cancelled") && draw.Maybe(t, "with its details") {
		d.set("/status", constraint.StatusCancelled)
	}
	if d.stored != nil && d.keeps("locked") && d.keeps(lockedMembers()...) && draw.Seldom(t, "locked") {
		d.set("/locked", true)
	}
	const laterMember = "etagVersion" // which a later version of the service might add
	if d.lacks(laterMember) && draw.Seldom(t, "more members") && draw.Maybe(t, "an undocumented one") && draw.Maybe(t, "of a later version") {
		d.set(diag.Pointer("").Member(laterMember), members{"n": []any{1}})
	}
}
