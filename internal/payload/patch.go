package payload

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/occasion"
)

// Patch draws merge patches (RFC 7396) that a client may send for a stored event, of which nothing is
// known if it is nil.
func Patch(stored *event.Event) draw.Generator[json.RawMessage] {
	if stored == nil {
		stored = new(event.Event)
	}
	p := newPatching(stored)
	return func(t *draw.T) json.RawMessage { return p.drawPatch(t).text() }
}

// patching draws patches of a stored event.
type patching struct {
	*event.Event
	members func() map[string]json.RawMessage // the members of the event as JSON
}

func newPatching(stored *event.Event) *patching {
	return &patching{stored, sync.OnceValue(func() map[string]json.RawMessage {
		return rawMembers(text(stored.AppendJSON))
	})}
}

// drawPatch draws a patch: any of the changes that fit the event, mostly a few.
func (p *patching) drawPatch(t *draw.T) *patchObject {
	patch, touches := new(patchObject), draw.Seldom
	if draw.Seldom(t, "many changes") {
		touches = draw.Maybe
	}
	for i := range patchChanges() {
		if c := &patchChanges()[i]; touches(t, c.label()) {
			p.draw(t, c, patch)
		}
	}
	if c, ok := typeChanges()[p.EventType]; ok && draw.Maybe(t, "properties of the type") {
		p.draw(t, &c, patch)
	}
	return patch
}

// patchChange is one way to patch an event: members that change together.
type patchChange struct {
	names []string
	draw  func(t *draw.T, p *patching, patch *patchObject)
}

// label names the change among the draws.
func (c *patchChange) label() string {
	if len(c.names) == 0 {
		return "another member"
	}
	return c.names[0]
}

// draw adds a change to the patch. If the members must not change, it adds their stored values, and draws a
// change all the same, because shrinking prefers what takes fewer draws.
func (p *patching) draw(t *draw.T, c *patchChange, patch *patchObject) {
	if !p.frozen(c) {
		c.draw(t, p, patch)
		return
	}
	c.draw(t, p, new(patchObject))
	for _, name := range c.names {
		if value, ok := p.members()[name]; ok {
			patch.set(name, value)
		}
	}
}

// frozen reports whether a member of the change must keep its stored value.
func (p *patching) frozen(c *patchChange) bool {
	return slices.ContainsFunc(c.names, func(name string) bool {
		return p.Locked && slices.Contains(lockedMembers(), name) ||
			p.EventType == constraint.TypeFromMail && !slices.Contains(fromMailMembers(), name) ||
			name == "conferenceData" && !canChange(p.ConferenceData)
	})
}

// patchChanges are the ways to patch an event of any type, the simple ones first.
var patchChanges = sync.OnceValue(func() (all []patchChange) {
	special := []patchChange{
		{names: []string{"location"}, draw: patchLocation},
		{names: []string{"eventLabelId"}, draw: patchLabel},
		{names: []string{"start", "end", "recurrence"}, draw: patchTimes},
		{names: []string{"attendees"}, draw: patchAttendees},
		{names: []string{"extendedProperties"}, draw: patchProperties},
		{names: []string{"reminders"}, draw: patchReminders},
		mergeOf("source"),
		{names: []string{"attachments"}, draw: patchAttachments},
		{names: []string{"conferenceData"}, draw: patchConference},
		{names: []string{"iCalUID"}, draw: patchICalUID},
		{names: []string{"gadget"}, draw: patchGadget},
		{names: nil, draw: patchUnknown},
		{names: nil, draw: patchUnchanged},
	}
	for _, m := range changesIn("") {
		if !slices.ContainsFunc(special, func(c patchChange) bool { return slices.Contains(c.names, m.name) }) {
			all = append(all, setOrClear(m))
		}
	}
	return append(all, special...)
})

// typeChanges are the ways to patch the properties that belong to an event type.
var typeChanges = sync.OnceValue(func() map[string]patchChange {
	return map[string]patchChange{
		constraint.TypeWorkingLocation: {names: []string{"workingLocationProperties"}, draw: patchWorkingLocation},
		constraint.TypeOutOfOffice:     mergeOf("outOfOfficeProperties"),
		constraint.TypeFocusTime:       mergeOf("focusTimeProperties"),
	}
})

// setOrClear is a change that sets a member to a value or clears it.
func setOrClear(m memberChange) patchChange {
	return patchChange{names: []string{m.name}, draw: func(t *draw.T, _ *patching, patch *patchObject) {
		patch.set(m.name, clearedOr(t, m.name, m.value))
	}}
}

// clearedOr draws null or a value.
func clearedOr(t *draw.T, name string, value draw.Generator[json.RawMessage]) json.RawMessage {
	if draw.Seldom(t, "clear "+name) {
		return jsonNull
	}
	return value.Draw(t, name)
}

// memberChange is a member of an object that a patch merges, with its values.
type memberChange struct {
	name  string
	value draw.Generator[json.RawMessage]
}

// changesIn returns the members of an object that a patch can set to any value that their declarations allow. The
// object is given by its pattern, which is empty for the event.
func changesIn(object string) (all []memberChange) {
	for _, f := range fields() {
		if outer(f.pattern) != object || !f.Writable.Has(occasion.Patch) || f.fixed {
			continue
		}
		if value := f.values(); value != nil {
			all = append(all, memberChange{strings.TrimPrefix(f.pattern, object+"/"), value})
		}
	}
	return all
}

// values draws values of the member as JSON. It is nil for arrays and objects.
func (f *field) values() draw.Generator[json.RawMessage] {
	isURL := slices.ContainsFunc(f.Constraints, func(c event.Constraint) bool { return c.Constraint == constraint.HTTPScheme })
	switch {
	case isURL:
		return urlJSON
	case f.Type == "string":
		return valueOf(f.Path)
	case f.Type == "boolean":
		return booleanJSON
	case f.Type == "integer":
		low := int64(0)
		for _, c := range f.Constraints {
			low, _ = c.Range()
		}
		return intJSON(low)
	}
	return nil
}

// mergeOf is a change that merges an object member by member, or clears it.
func mergeOf(name string) patchChange {
	changes := changesIn("/" + name)
	return patchChange{names: []string{name}, draw: func(t *draw.T, _ *patching, patch *patchObject) {
		if draw.Seldom(t, "clear "+name) {
			patch.set(name, jsonNull)
			return
		}
		var inner patchObject
		inner.drawMembers(t, changes)
		patch.set(name, inner.text())
	}}
}

// drawMembers draws changes of some of the members.
func (o *patchObject) drawMembers(t *draw.T, changes []memberChange) {
	for _, c := range changes {
		switch threeWays.Draw(t, c.name) {
		case 1:
			o.set(c.name, jsonNull)
		case 2:
			o.set(c.name, c.value.Draw(t, c.name))
		}
	}
}

var threeWays = draw.IntRange(0, 2)

var conferenceChanges = sync.OnceValue(func() []memberChange {
	return []memberChange{{"notes", valueOf("conferenceData.notes")}}
})
var solutionChanges = sync.OnceValue(func() []memberChange {
	return []memberChange{{"name", valueOf("conferenceData.conferenceSolution.name")}, {"iconUri", urlJSON}}
})

// patchLocation draws a location; the properties of a working location contain its own.
func patchLocation(t *draw.T, p *patching, patch *patchObject) {
	if p.EventType == constraint.TypeWorkingLocation {
		patch.set("location", jsonNull)
		return
	}
	patch.set("location", clearedOr(t, "location", valueOf("location")))
}

// patchLabel draws a label, or removes the label with null or an empty text.
func patchLabel(t *draw.T, p *patching, patch *patchObject) {
	if draw.Seldom(t, "empty label") {
		patch.set("eventLabelId", jsonText(""))
		return
	}
	patch.set("eventLabelId", clearedOr(t, "eventLabelId", nameJSON))
}

// patchICalUID draws an iCalUID, except for an instance, which has that of its series.
func patchICalUID(t *draw.T, p *patching, patch *patchObject) {
	if p.RecurringEventID == "" {
		patch.set("iCalUID", clearedOr(t, "iCalUID", valueOf("iCalUID")))
	}
}

// patchAttendees draws a list of old and new attendees, or clears it. For an event type without
// attendees, the list is empty.
func patchAttendees(t *draw.T, p *patching, patch *patchObject) {
	if draw.Seldom(t, "clear attendees") {
		patch.set("attendees", jsonNull)
		return
	}
	var attendees []event.Attendee
	if hasGuests(p.EventType) {
		attendees = append(p.staying(t), drawAttendees(t)...)
	}
	patch.set("attendees", soleValue(written(t, &event.Event{Attendees: attendees}, ofAttendees())))
}

// staying draws which stored attendees remain. It omits what only the service writes or can
// read.
func (p *patching) staying(t *draw.T) (staying []event.Attendee) {
	for i := range p.Attendees {
		a := &p.Attendees[i]
		if i == mostDrawn {
			break // the first few are enough
		}
		if form.IsAddrSpec(a.Email) && draw.Maybe(t, "attendee stays") {
			staying = append(staying, p.drawAnswer(t, a))
		}
	}
	return staying
}

// drawAnswer draws a stored attendee again: the same, or with another answer.
func (p *patching) drawAnswer(t *draw.T, a *event.Attendee) event.Attendee {
	if draw.Maybe(t, "another answer") {
		return drawAttendee(t, a.Email)
	}
	same := event.Attendee{Email: a.Email, DisplayName: a.DisplayName, Resource: a.Resource, Optional: a.Optional, Comment: a.Comment}
	if constraint.ResponseStatus.Has(a.ResponseStatus) {
		same.ResponseStatus = a.ResponseStatus
	}
	return same
}

// patchProperties merges the maps of extended properties by key.
func patchProperties(t *draw.T, p *patching, patch *patchObject) {
	if draw.Seldom(t, "clear extendedProperties") {
		patch.set("extendedProperties", jsonNull)
		return
	}
	var private, shared map[string]string
	if x := p.ExtendedProperties; x != nil {
		private, shared = x.Private, x.Shared
	}
	var inner patchObject
	if p.EventType != constraint.TypeBirthday || len(private) > 0 { // birthdays have no private ones
		inner.mergeMap(t, "private", private, p.EventType != constraint.TypeBirthday)
	}
	inner.mergeMap(t, "shared", shared, true)
	patch.set("extendedProperties", inner.text())
}

// mergeMap draws a merge of a stored map: it clears keys, sets them and, if the map may grow,
// adds some.
func (o *patchObject) mergeMap(t *draw.T, name string, stored map[string]string, grows bool) {
	switch draw.Int(t, name, 0, 4) {
	case 0:
		return
	case 1:
		o.set(name, jsonNull)
		return
	}
	var inner patchObject
	for _, key := range sortedKeys(stored) {
		switch threeWays.Draw(t, "key") {
		case 1:
			inner.set(key, jsonNull)
		case 2:
			inner.set(key, freeJSON.Draw(t, "value"))
		}
	}
	if grows {
		added := properties.Draw(t, "added")
		for _, key := range sortedKeys(added) {
			if _, known := stored[key]; !known {
				inner.set(key, jsonText(added[key]))
			}
		}
	}
	o.set(name, inner.text())
}

// patchReminders draws reminders that never combine overrides with useDefault true.
func patchReminders(t *draw.T, p *patching, patch *patchObject) {
	var inner patchObject
	switch draw.Int(t, "reminders", 0, 4) {
	case 0:
		inner.set("useDefault", jsonTrue)
		inner.set("overrides", jsonNull)
	case 1:
		if !p.hasNoDefaults() || draw.Maybe(t, "useDefault") {
			inner.set("useDefault", jsonFalse)
		}
		if draw.Maybe(t, "overrides") {
			r := &event.Reminders{Overrides: drawOverrides(t)}
			inner.set("overrides", soleMember(soleValue(&event.Event{Reminders: r})))
		}
	case 2:
		inner.set("overrides", jsonNull)
	case 3:
		inner.set("useDefault", jsonNull)
	case 4:
		patch.set("reminders", jsonNull)
		return
	}
	patch.set("reminders", inner.text())
}

// hasNoDefaults reports whether the stored event has useDefault false, so that overrides need
// not come with it.
func (p *patching) hasNoDefaults() bool {
	return p.Reminders != nil && p.Reminders.UseDefault != nil && !*p.Reminders.UseDefault
}

// patchAttachments draws a list of old and new attachments.
func patchAttachments(t *draw.T, p *patching, patch *patchObject) {
	if draw.Seldom(t, "clear attachments") {
		patch.set("attachments", jsonNull)
		return
	}
	attachments := draw.List(t, "attachments", constraint.AttachmentsMax, anyAttachment)
	for i := range p.Attachments {
		a := &p.Attachments[i]
		if len(attachments) < constraint.AttachmentsMax && a.FileURL != "" && draw.Maybe(t, "attachment stays") {
			attachments = append(attachments, event.Attachment{FileURL: a.FileURL, Title: a.Title, MIMEType: a.MIMEType, FileID: a.FileID})
		}
	}
	patch.set("attachments", soleValue(&event.Event{Attachments: attachments}))
}

// patchGadget merges a gadget. Gadgets are deprecated, so most patches clear it.
func patchGadget(t *draw.T, p *patching, patch *patchObject) {
	if draw.Maybe(t, "clear gadget") {
		patch.set("gadget", jsonNull)
		return
	}
	var inner patchObject
	inner.drawMembers(t, changesIn("/gadget"))
	var preferences map[string]string
	if p.Gadget != nil {
		preferences = p.Gadget.Preferences
	}
	inner.mergeMap(t, "preferences", preferences, true)
	patch.set("gadget", inner.text())
}

// patchWorkingLocation draws another place, or other details of the same place.
func patchWorkingLocation(t *draw.T, p *patching, patch *patchObject) {
	var inner patchObject
	place := textOf("workingLocationProperties.type").Draw(t, "place")
	inner.set("type", jsonText(place))
	switch details := threeWays.Draw(t, "details"); {
	case details == 0:
	case details == 1:
		inner.set(place, jsonNull)
	case place == "homeOffice":
		inner.set(place, homeOffice.Draw(t, place))
	default:
		var location patchObject
		location.drawMembers(t, changesIn("/workingLocationProperties/"+place))
		inner.set(place, location.text())
	}
	patch.set("workingLocationProperties", inner.text())
}

// patchUnknown clears undocumented members of the stored event.
func patchUnknown(t *draw.T, p *patching, patch *patchObject) {
	if p.EventType == constraint.TypeFromMail {
		return
	}
	for name := range p.Unknown() {
		if draw.Maybe(t, "clear an unknown member") {
			patch.set(name, jsonNull)
		}
	}
}

// patchUnchanged sends back a member that does not change.
func patchUnchanged(t *draw.T, p *patching, patch *patchObject) {
	name := draw.One(t, "sent back", unchangedMembers()...)
	if value, ok := p.members()[name]; ok {
		patch.set(name, value)
	}
}

// patchConference merges the conference: it changes the notes and names, or replaces the whole,
// so that nothing inconsistent remains of the stored one; or it clears the conference.
func patchConference(t *draw.T, p *patching, patch *patchObject) {
	if !hasGuests(p.EventType) {
		patch.set("conferenceData", jsonNull)
		return
	}
	stored := p.members()["conferenceData"]
	switch way := draw.Int(t, "conference", 0, 3); {
	case way == 0 && isWhole(p.ConferenceData):
		var inner, solution patchObject
		inner.drawMembers(t, conferenceChanges())
		if p.ConferenceData.Solution != nil {
			solution.drawMembers(t, solutionChanges())
			inner.set("conferenceSolution", solution.text())
		}
		patch.set("conferenceData", inner.text())
	case way == 1:
		patch.set("conferenceData", jsonNull)
	default:
		d := Conference.Draw(t, "conference")
		patch.set("conferenceData", patchTo(stored, soleValue(&event.Event{ConferenceData: d})))
	}
}

// patchTo returns a merge patch that turns the stored object into next. It clears what next
// lacks.
func patchTo(stored, next json.RawMessage) json.RawMessage {
	was, is := rawMembers(stored), rawMembers(next)
	if was == nil || is == nil {
		return next
	}
	var patch patchObject
	for _, name := range sortedKeys(was) {
		if _, stays := is[name]; !stays {
			patch.set(name, jsonNull)
		}
	}
	for _, name := range sortedKeys(is) {
		patch.set(name, patchTo(was[name], is[name]))
	}
	return patch.text()
}

// canChange reports whether a stored conference may change, as one of an unknown type may not.
func canChange(d *conference.Data) bool {
	if d == nil || d.Solution == nil {
		return true
	}
	return d.Solution.Key != nil && constraint.ConferenceType.Has(d.Solution.Key.Type)
}

// isWhole reports whether there is a conference, or a request for one, that may have notes.
func isWhole(d *conference.Data) bool {
	return d != nil && (d.CreateRequest != nil || d.Solution != nil && len(d.EntryPoints) > 0)
}
