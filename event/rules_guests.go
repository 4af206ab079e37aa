package event

import (
	"cmp"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

// guestRules are about what a write does to the stored attendees.
var guestRules = []*diag.Rule{&attendeeRemoved, &attendeeAnswerLost, &attendeeOmittedIgnored, &attendeeMany, &attendeeResponseDefault}

// sampleGuests are the stored attendees of the examples.
const sampleGuests = `"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},{"email":"bob@example.com","responseStatus":"needsAction"}]`

var attendeeRemoved = diag.Rule{
	ID: "attendee.removed", Kind: diag.Advise, When: diag.Modify, Basis: diag.Inferred, Scope: diag.OfChange,
	Reads:   []string{"attendees", "attendees[].email", "attendees[].resource", "attendeesOmitted"},
	Summary: "A request that sends attendees sends the stored guests too, or none at all.",
	Section: sectionOperations + ", 1 and 2",
	Why: "An array replaces the stored one, so the guests that it lacks are removed, and told so. A list without any of them was " +
		"most likely meant to add somebody. An empty array, null, and a list with one of the stored guests are removals that were " +
		"meant. The organizer, the owner of the calendar and rooms do not count.",
	Good: sample.Patch(`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},{"email":"eve@example.com"}]`, sampleGuests),
	Bad:  sample.Patch(`"attendees":[{"email":"eve@example.com"}]`, sampleGuests),
	Says: diag.Sentences{
		{Key: "replaced", Text: "The attendees that are sent replace the stored ones and lack {n|guest|guests}: {who}. Send the stored attendees too, or an empty array to remove them."},
		{Key: "left-out", Text: "The update has no attendees, so it removes {n|guest|guests}: {who}. Send the stored attendees, or an empty array to remove them."},
	},
	Check: check(checkRemoved),
}

func checkRemoved(in *input, r engine.Reporter) {
	if in.stored.AttendeesOmitted || in.sent.AttendeesOmitted {
		return // some attendees are unknown
	}
	namesSomebody := func(a Attendee) bool { return a.Email != "" || a.ID != "" }
	key := "replaced"
	switch {
	case in.on == diag.Update && !mentions(in, ofAttendees):
		key = "left-out"
	case !slices.ContainsFunc(in.sent.Attendees, namesSomebody):
		return
	}
	var removed []string
	for i := range in.stored.Attendees {
		switch a := &in.stored.Attendees[i]; {
		case a.Self || a.Organizer || a.Resource || isAddressed(a, organizerEmail(in.stored)):
		case in.sentFor(a) >= 0:
			return
		default:
			removed = append(removed, cmp.Or(a.Email, a.ID))
		}
	}
	if len(removed) > 0 {
		r.Report("/attendees", key, diag.Number("n", len(removed)), diag.Plain("who", shortList(removed)))
	}
}

// mentions reports whether the body has one of the members, null included even where it says nothing.
func mentions(in *input, members object.Set) bool {
	return in.present.Has(members) || in.decoded && in.offsets.Present().Has(members)
}

// shortList returns the first of several values for a message.
func shortList(values []string) string {
	const most = 3
	if len(values) <= most {
		return strings.Join(values, ", ")
	}
	return strings.Join(values[:most], ", ") + ", …"
}

var attendeeAnswerLost = diag.Rule{
	ID: "attendee.answer-lost", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Reads:    []string{"attendees[].responseStatus"},
	Summary:  "A stored attendee who has answered is sent again with the responseStatus.",
	Section:  sectionObserved,
	Seen:     "A guest who is sent without responseStatus becomes needsAction, and the earlier answer is lost.",
	Reported: []string{"nspady/google-calendar-mcp#148", "openonion/connectonion#1558"},
	Why:      "The array replaces the stored one, each attendee as it is sent.",
	Good:     sample.Patch(sampleGuests, sampleGuests),
	Bad:      sample.Patch(`"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`, sampleGuests),
	Says:     diag.Sentences{{Key: "lost", Text: "The attendee has answered {was}, and is sent without a responseStatus, so the answer is lost. Send the stored responseStatus."}},
	Check:    check(checkAnswerLost),
}

func checkAnswerLost(in *input, r engine.Reporter) {
	in.eachKnownAttendee(func(i int, was, is *Attendee) {
		hasAnswered := was.ResponseStatus != constraint.NeedsAction && constraint.ResponseStatus.Has(was.ResponseStatus)
		leavesOut := is.ResponseStatus == "" && (is.extra.Null("responseStatus") || !is.extra.WasSent("responseStatus"))
		if hasAnswered && leavesOut {
			r.Report(attendeePath(i, "/responseStatus"), "lost", diag.Name("was", was.ResponseStatus))
		}
	})
}

var attendeeOmittedIgnored = diag.Rule{
	ID: "attendee.omitted-ignored", Kind: diag.Ignore, When: diag.Update, Basis: diag.Inferred, Scope: diag.OfChange,
	Reads:   []string{"attendeesOmitted", "attendees"},
	Summary: "With attendeesOmitted true, a request sends only the participant's response.",
	Section: sectionEvent + ", attendeesOmitted",
	Why:     "Only that response is taken from the body: an attendee who is added or changed beside it has no effect.",
	Good: sample.Update(`"attendeesOmitted":true,"attendees":[{"email":"ada@example.com","responseStatus":"declined"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"declined"},{"email":"bob@example.com"}]`),
	Bad: sample.Update(`"attendeesOmitted":true,"attendees":[{"email":"ada@example.com","responseStatus":"declined"},{"email":"eve@example.com"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"declined"},{"email":"bob@example.com"}]`),
	Says: diag.Sentences{
		{Key: "added", Text: "The request has attendeesOmitted true, so this attendee is not added. Leave attendeesOmitted out, and send all attendees."},
		{Key: "changed", Text: "The request has attendeesOmitted true, so only the participant's response counts, and this attendee stays as it is stored. Leave it out."},
	},
	Check: check(checkOmittedIgnored),
}

func checkOmittedIgnored(in *input, r engine.Reporter) {
	if in.existing != knownEvent || !in.takesOneResponse() {
		return
	}
	var participant *Attendee
	if i := in.answering(); i >= 0 {
		participant = &in.stored.Attendees[i]
	}
	for i := range in.sent.Attendees {
		a, was := &in.sent.Attendees[i], in.storedFor(i)
		switch {
		case a.extra.Element(): // it is no object, which decoding reports
		case participant != nil && isAddressed(a, participant.Email):
		case was == nil:
			r.Report(attendeePath(i, ""), "added")
		case was != participant && !attendeeTable.SaysNothingNew(a, was):
			r.Report(attendeePath(i, ""), "changed")
		}
	}
}

var attendeeMany = diag.Rule{
	ID: "attendee.many", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"attendees"},
	Summary:  "An event has at most 200 attendees.",
	Section:  sectionObserved,
	Seen:     "The reference says that with more than 200 guests the service does not pass on their answers.",
	Reported: []string{"https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest"},
	Good:     sample.With(sample.Timed(`"attendees":[{"email":"all@example.com"}]`), sample.SendUpdates),
	Bad:      sample.With(sample.Timed(`"attendees":[`+manyGuests(constraint.AttendeesMany+1)+`]`), sample.SendUpdates),
	Says:     diag.Sentences{{Key: "many", Text: "The event has {n} attendees; with more than {limit}, the public service does not pass on their answers. Invite a group."}},
	Check:    check(checkMany),
}

func checkMany(in *input, r engine.Reporter) {
	if n := len(in.next.Attendees); n > constraint.AttendeesMany {
		r.Report("/attendees", "many", diag.Number("n", n), diag.Number("limit", constraint.AttendeesMany))
	}
}

// manyGuests returns n attendees with different addresses.
func manyGuests(n int) string {
	guests := make([]string, n)
	for i := range guests {
		guests[i] = `{"email":"` + string([]rune{'a' + rune(i/26), 'a' + rune(i%26)}) + `@b.c"}`
	}
	return strings.Join(guests, ",")
}

var attendeeResponseDefault = diag.Rule{
	ID: "attendee.response.default", Describes: diag.Effect, When: diag.Write | diag.Get | diag.List | diag.Instances, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"attendees[].responseStatus"},
	Summary:  "In the dialect of the public service, an attendee without a responseStatus has needsAction in what is stored and answered.",
	Section:  sectionObserved,
	Seen:     "A guest who is sent without responseStatus has needsAction in the answer.",
	Reported: []string{"nspady/google-calendar-mcp#148", "openonion/connectonion#1558"},
	Good: sample.Answered(sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"}]`), sample.SendUpdates, `"dialect":"google"`),
		`{"event":{"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"}]}}`),
	Bad: sample.Answered(sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com","responseStatus":"tentative"}]`), sample.SendUpdates, `"dialect":"google"`),
		`{"event":{"attendees":[{"email":"ada@example.com","responseStatus":"tentative"}]}}`),
	OnlyIn: new(diag.Google),
}

// answeredWithDefaults returns attendees, each with a responseStatus. It returns the list itself if nothing changes.
func answeredWithDefaults(attendees []Attendee) []Attendee {
	kept := attendees
	for i := range attendees {
		if attendees[i].ResponseStatus != "" || attendees[i].extra.Element() {
			continue
		}
		if isSameList(kept, attendees) {
			kept = append([]Attendee(nil), attendees...)
		}
		kept[i].ResponseStatus = constraint.NeedsAction
	}
	return kept
}
