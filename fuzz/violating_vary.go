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
func (s *scene) goesWithType() bool {
	if s.body == nil || s.on.Has(diag.Import|diag.Response) {
		return true // an import makes a default event of any, and the rules are about requests
	}
	eventType := s.event.EventType
	if !s.keeps("eventType") || s.stored == nil && s.body["eventType"] != any(eventType) && eventType != "" {
		return false // it is the type that is wrong
	}
	creates := s.on.Has(diag.Insert)
	switch eventType {
	case typeFocusTime, typeOutOfOffice:
		return !s.has("attendees") && !s.has("conferenceData") && !(creates && s.isAllDay())
	case typeWorkingLocation:
		return !s.has("location") && s.has("workingLocationProperties")
	case typeBirthday:
		return s.keeps("birthdayProperties") && !(creates && !s.isAsDrawn("start", "end", "recurrence", "birthdayProperties"))
	case typeFromMail:
		return s.changesOnly(changedFromMail)
	default:
		return true
	}
}

// changedFromMail are the members that change of an event from a message.
var changedFromMail = []string{"colorId", "eventLabelId", "reminders", "visibility", "transparency", "status", "attendees", "extendedProperties"}

// lockedMembers are those that a locked event keeps.
var lockedMembers = []string{"summary", "description", "location", "start", "end", "recurrence"}

// has reports whether the body has a member that holds something.
func (s *scene) has(name string) bool {
	switch value := s.body[name].(type) {
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
func (s *scene) isAllDay() bool {
	return at(s.body, "/start/date") != nil || at(s.body, "/end/date") != nil
}

// isAsDrawn reports whether the members are as they were before anything was done to the event.
func (s *scene) isAsDrawn(names ...string) bool {
	drawn := treeOf(s.event)
	return !slices.ContainsFunc(names, func(name string) bool { return !reflect.DeepEqual(drawn[name], s.body[name]) })
}

// keeps reports whether the request leaves all of the members as they are stored; where nothing
// is stored or sent, it does.
func (s *scene) keeps(names ...string) bool {
	if s.stored == nil || s.body == nil {
		return true
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !reflect.DeepEqual(s.stored[name], s.body[name]) })
}

// changesOnly reports whether the request changes no other members.
func (s *scene) changesOnly(names []string) bool {
	all := maps.Clone(s.stored)
	maps.Copy(all, s.body)
	for name := range all {
		if !slices.Contains(names, name) && !s.keeps(name) {
			return false
		}
	}
	return true
}

// lacks reports whether neither the body nor what is stored has any of the members.
func (s *scene) lacks(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		_, isSent := s.body[name]
		_, isStored := s.stored[name]
		return isSent || isStored
	})
}

// vary draws states of the event that change nothing about how the request is broken: what is
// stored, or returned by a server, may be an instance of a series, cancelled or locked and have a member
// that the documents do not list; what is sent as a whole may write out what it lacks.
func (s *scene) vary(t *rapid.T) {
	if s.stored != nil || s.on.Has(diag.Response) {
		s.varyState(t)
	}
	if s.on.Has(diag.Create|diag.Update) && draw.Seldom(t, "written-out zeros") {
		s.writeOut(t)
	}
}

// varyState draws the states of an event that a server has.
func (s *scene) varyState(t *rapid.T) {
	isInstance := []string{"recurrence", "recurringEventId", "originalStartTime"}
	if s.lacks(isInstance...) && !s.on.Has(diag.Instances) && draw.Seldom(t, "instance") {
		e := &event.Event{EventType: s.event.EventType}
		drawMovedInstance(t, e)
		for name, value := range treeOf(e) {
			if slices.Contains(isInstance, name) {
				s.set(diag.Pointer("").Member(name), value)
			}
		}
	}
	if s.stored != nil && s.keeps("status") && draw.Seldom(t, "cancelled") && draw.Maybe(t, "with its details") {
		s.set("/status", cancelled)
	}
	if s.stored != nil && s.keeps("locked") && s.keeps(lockedMembers...) && draw.Seldom(t, "locked") {
		s.set("/locked", true)
	}
	if s.lacks(laterMember) && draw.Seldom(t, "more members") && draw.Maybe(t, "one that is not listed") && draw.Maybe(t, "of a later version") {
		s.set(diag.Pointer("").Member(laterMember), members{"n": []any{1}})
	}
}

// laterMember is what a later version of the service might add.
const laterMember = "etagVersion"

// writeOut adds members that say no more than their absence.
func (s *scene) writeOut(t *rapid.T) {
	for _, z := range rapid.SliceOfDistinct(rapid.SampledFrom(writable()), rapid.ID[zero]).Draw(t, "written-out zeros") {
		if z.in == "" && s.lacks(z.name) {
			s.body[z.name] = json.RawMessage(z.value)
		}
	}
}
