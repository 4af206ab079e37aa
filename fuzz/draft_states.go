package fuzz

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
)

// typesOn are the event types that an event may have, from which an operation begins: a client
// creates none from a message, and moves default ones alone.
func typesOn(on diag.When) []string {
	switch {
	case on.Has(diag.Move):
		return typesOfClients[:1]
	case on.Has(diag.Create):
		return typesToCreate
	default:
		return typesStored
	}
}

var typesToCreate = append([]string{""}, typesOfClients...)
var typesStored = append(slices.Clone(typesOfClients), typeFromMail)

// goesWithType reports whether no other rule about the event type speaks of the request, as it
// was broken.
func (d *draft) goesWithType() bool {
	if d.body == nil || d.on.Has(diag.Import|diag.Response) {
		return true // an import makes a default event of any, and the rules are about requests
	}
	eventType := d.event.EventType
	if !d.keeps("eventType") || d.stored == nil && d.body["eventType"] != any(eventType) && eventType != "" {
		return false // it is the type that is wrong
	}
	creates := d.on.Has(diag.Insert)
	switch eventType {
	case typeFocusTime, typeOutOfOffice:
		return !d.has("attendees") && !d.has("conferenceData") && !(creates && d.isAllDay())
	case typeWorkingLocation:
		return !d.has("location") && d.has("workingLocationProperties")
	case typeBirthday:
		return d.keeps("birthdayProperties") && !(creates && !d.isAsDrawn("start", "end", "recurrence", "birthdayProperties"))
	case typeFromMail:
		return d.changesOnly(changedFromMail)
	default:
		return true
	}
}

// changedFromMail are the members that change of an event from a message.
var changedFromMail = []string{"colorId", "eventLabelId", "reminders", "visibility", "transparency", "status", "attendees", "extendedProperties"}

// lockedMembers are those that a locked event keeps.
var lockedMembers = []string{"summary", "description", "location", "start", "end", "recurrence"}

// has reports whether the body has a member that holds something.
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

// isAllDay reports whether the start or the end has a date.
func (d *draft) isAllDay() bool {
	return at(d.body, "/start/date") != nil || at(d.body, "/end/date") != nil
}

// isAsDrawn reports whether the members are as they were before anything was done to the event.
func (d *draft) isAsDrawn(names ...string) bool {
	drawn := encodeTree(d.event)
	return !slices.ContainsFunc(names, func(name string) bool { return !reflect.DeepEqual(drawn[name], d.body[name]) })
}

// keeps reports whether the request leaves all of the members as they are stored; where nothing
// is stored or sent, it does.
func (d *draft) keeps(names ...string) bool {
	if d.stored == nil || d.body == nil {
		return true
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !reflect.DeepEqual(d.stored[name], d.body[name]) })
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

// lacks reports whether neither the body nor what is stored has any of the members.
func (d *draft) lacks(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		_, isSent := d.body[name]
		_, isStored := d.stored[name]
		return isSent || isStored
	})
}

// vary draws states of the event that change nothing about how the request is broken: what is
// stored, or returned by a server, may be an instance of a series, cancelled or locked and have a member
// that the documents do not list; what is sent as a whole may write out what it lacks.
func (d *draft) drawStates(t *rapid.T) {
	if d.stored != nil || d.on.Has(diag.Response) {
		d.drawState(t)
	}
	if d.on.Has(diag.Create|diag.Update) && draw.Seldom(t, "written-out zeros") {
		d.writeOut(t)
	}
}

// varyState draws the states of an event that a server has.
func (d *draft) drawState(t *rapid.T) {
	isInstance := []string{"recurrence", "recurringEventId", "originalStartTime"}
	if d.lacks(isInstance...) && !d.on.Has(diag.Instances) && draw.Seldom(t, "instance") {
		e := &event.Event{EventType: d.event.EventType}
		drawMovedInstance(t, e)
		for name, value := range encodeTree(e) {
			if slices.Contains(isInstance, name) {
				d.set(diag.Pointer("").Member(name), value)
			}
		}
	}
	if d.stored != nil && d.keeps("status") && draw.Seldom(t, "cancelled") && draw.Maybe(t, "with its details") {
		d.set("/status", cancelled)
	}
	if d.stored != nil && d.keeps("locked") && d.keeps(lockedMembers...) && draw.Seldom(t, "locked") {
		d.set("/locked", true)
	}
	if d.lacks(laterMember) && draw.Seldom(t, "more members") && draw.Maybe(t, "one that is not listed") && draw.Maybe(t, "of a later version") {
		d.set(diag.Pointer("").Member(laterMember), members{"n": []any{1}})
	}
}

// laterMember is what a later version of the service might add.
const laterMember = "etagVersion"

// writeOut adds members that say no more than their absence.
func (d *draft) writeOut(t *rapid.T) {
	for _, z := range rapid.SliceOfDistinct(rapid.SampledFrom(writable()), rapid.ID[zero]).Draw(t, "written-out zeros") {
		if z.in == "" && d.lacks(z.name) {
			d.body[z.name] = json.RawMessage(z.value)
		}
	}
}
