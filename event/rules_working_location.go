package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

var workingLocationForm = diag.Rule{
	ID: "working-location.form", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:   []string{"eventType", "visibility", "transparency", "start", "end"},
	Summary: "An event of type workingLocation must be public and transparent, and must cover exactly one day if it is all-day.",
	Section: sectionObserved,
	Seen: `400 malformedWorkingLocationEvent: "A working location event must have a visibility setting of public.", and the same for the ` +
		"transparency, and for an all-day event longer than a day.",
	Reported:      []string{"https://github.com/GAM-team/GAM/releases/tag/v7.05.04"},
	Reason:        "malformedWorkingLocationEvent",
	YieldsToValue: true,
	Why:           "A patch or an update is judged by the event that results from it. A timed working location may span several days.",
	Good:          insertWorkingLocation(`{"type":"homeOffice"}`),
	Bad:           sample.Timed{`"eventType":"workingLocation","transparency":"transparent","workingLocationProperties":{"type":"homeOffice"}`},
	Says: diag.Sentences{
		{Key: "visibility", Text: `The event of type workingLocation must have the visibility public. Send "visibility": "public".`, Fix: diag.Proposal{Value: `"public"`}},
		{Key: "transparency", Text: `The event of type workingLocation must have the transparency transparent. Send "transparency": "transparent".`},
		{Key: "days", Text: "The all-day event of type workingLocation covers {n|day|days}; it must cover exactly one. Send one event for each day."},
	},
	Check: check(checkWorkingLocationForm),
}

func checkWorkingLocationForm(in *input, r engine.Reporter) {
	e := in.next
	if e.EventType != constraint.TypeWorkingLocation {
		return
	}
	counts := func(member object.Set) bool {
		return in.changes(member|ofEventType) && (!in.isPartial() || in.present.Has(member))
	}
	if e.Visibility != "public" && counts(ofVisibility) {
		r.Report("/visibility", "visibility")
	}
	if e.Transparency != "transparent" && counts(ofTransparency) {
		r.Report("/transparency", "transparency")
	}
	if days, ok := in.days(); ok && days != 1 && in.changes(ofStart|ofEnd|ofEventType) {
		r.Report("/end", "days", diag.Number("n", days))
	}
}

// insertWorkingLocation is an insert of a working location with the given properties.
type insertWorkingLocation string

func (properties insertWorkingLocation) Example() diag.Example {
	return sample.Timed{`"eventType":"workingLocation","visibility":"public","transparency":"transparent","workingLocationProperties":` + string(properties)}.Example()
}

var workingLocationType = diag.Rule{
	ID: "working-location.type", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"workingLocationProperties.type"},
	Summary: "New workingLocationProperties must have the type " + constraint.WorkingLocationType.String() + ".",
	Section: sectionParts,
	Says:    slices.Concat(constraint.WorkingLocationType.Says(), constraint.SaysRequired(constraint.WorkingLocationType)),
	Good:    insertWorkingLocation(`{"type":"homeOffice"}`),
	Bad:     insertWorkingLocation(`{"homeOffice":{}}`),
}

var workingLocationOtherFields = diag.Rule{
	ID: "working-location.other-fields", Kind: diag.Ignore, When: diag.Write, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:   []string{"workingLocationProperties.type", "workingLocationProperties.homeOffice", "workingLocationProperties.customLocation", "workingLocationProperties.officeLocation"},
	Summary: "The details of a working location belong in the member with the name of its type.",
	Section: sectionParts,
	Why:     "Details in other members are ignored. The member with the name of the type may be missing.",
	Good:    insertWorkingLocation(`{"type":"officeLocation","officeLocation":{"label":"HQ"}}`),
	Bad:     insertWorkingLocation(`{"type":"officeLocation","customLocation":{"label":"HQ"}}`),
	Says:    diag.Sentences{{Key: "ignored", Text: "The type is {type}, so {member} has no effect. Leave it out, or send the type {member}."}},
	Check:   check(checkWorkingLocationOtherFields),
}

func checkWorkingLocationOtherFields(in *input, r engine.Reporter) {
	if in.sent.WorkingLocationProperties == nil {
		return
	}
	w, old := in.asked().WorkingLocationProperties, in.stored.WorkingLocationProperties.orZero()
	if w == nil || !constraint.WorkingLocationType.Has(w.Type) {
		return
	}
	sent, isNewType := in.sent.WorkingLocationProperties, w.Type != old.Type
	ignored := func(name string, wasSent, isStored bool) {
		if wasSent && w.Type != name && (isNewType || !isStored) {
			r.Report(diag.Pointer("/workingLocationProperties").Member(name), "ignored", diag.Name("type", w.Type), diag.Name("member", name))
		}
	}
	home := len(sent.HomeOffice) > 0 && string(sent.HomeOffice) != "null"
	ignored("homeOffice", home, object.SameJSON(w.HomeOffice, old.HomeOffice))
	ignored("customLocation", sent.CustomLocation != nil, tables().customLocation.Equal(w.CustomLocation, old.CustomLocation))
	ignored("officeLocation", sent.OfficeLocation != nil, tables().officeLocation.Equal(w.OfficeLocation, old.OfficeLocation))
}

func (w *WorkingLocation) orZero() WorkingLocation {
	if w == nil {
		return WorkingLocation{}
	}
	return *w
}

var workingLocationEventType = diag.Rule{
	ID: "working-location.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"workingLocationProperties", "eventType"},
	Summary: "An event with workingLocationProperties should have the eventType workingLocation.",
	Section: sectionParts,
	Good:    insertWorkingLocation(`{"type":"homeOffice"}`),
	Bad:     sample.Timed{`"workingLocationProperties":{"type":"homeOffice"}`},
	Says:    goesWithSays,
	Check:   goesWith("workingLocationProperties", constraint.TypeWorkingLocation, func(e *Event) bool { return e.WorkingLocationProperties != nil }),
}

var workingLocationBuilding = diag.Rule{
	ID: "working-location.building", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"workingLocationProperties.type", "workingLocationProperties.officeLocation.buildingId"},
	Summary: "The buildingId of an office should be the id of one of the organization's buildings.",
	Section: sectionParts,
	Why:     "The rule is checked only if the caller supplies the ids of the buildings.",
	Good: sample.With(insertWorkingLocation(`{"type":"officeLocation","officeLocation":{"buildingId":"hq-1"}}`),
		`"calendar":{"buildings":["hq-1"]}`),
	Bad: sample.With(insertWorkingLocation(`{"type":"officeLocation","officeLocation":{"buildingId":"hq-9"}}`),
		`"calendar":{"buildings":["hq-1"]}`),
	Says:  diag.Sentences{{Key: "unknown", Text: "The buildingId {value} is not one of the organization's buildings. Choose one from the organization's resources database."}},
	Check: check(checkWorkingLocationBuilding),
}

func checkWorkingLocationBuilding(in *input, r engine.Reporter) {
	w := in.next.WorkingLocationProperties
	if w == nil || w.Type != "officeLocation" || w.OfficeLocation == nil || in.req.Calendar == nil {
		return
	}
	if id := w.OfficeLocation.BuildingID; id != "" && !mayContain(in.req.Calendar.Buildings, id) {
		r.Report("/workingLocationProperties/officeLocation/buildingId", "unknown", diag.Value("value", id))
	}
}
