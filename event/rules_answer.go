package event

import (
	"slices"
	"sync"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

var answerAbsent = diag.Rule{
	ID: "answer.absent", Describes: diag.Effect, When: diag.Write | diag.Get | diag.List | diag.Instances, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads: []string{
		"summary", "description", "location", "recurrence", "attendees", "attachments", "transparency", "visibility", "guestsCanModify", "anyoneCanAddSelf",
	},
	Summary: "In the dialect of the public service, a response omits some defaults and any empty summary, description, location or list.",
	Section: sectionObserved,
	Seen: "The answer leaves out an empty location, description or list of attendees, transparency opaque, guestsCanModify false and " +
		"anyoneCanAddSelf false, even if they were sent.",
	Reported: []string{"https://github.com/handley-lab/mcp-handley-lab"},
	Why: "The omitted defaults are transparency opaque, visibility default, guestsCanModify false and anyoneCanAddSelf false. " +
		"The stored event keeps the client's spelling, and sending the response back changes nothing.",
	Good: sample.Answered(sample.Timed{`"location":""`, `"transparency":"opaque"`},
		`{"event":{"location":null,"transparency":null},"stored":{"location":"","transparency":"opaque"}}`, `"dialect":"google"`),
	Bad: sample.Answered(sample.Timed{`"location":"Room 4"`, `"transparency":"transparent"`},
		`{"event":{"location":"Room 4","transparency":"transparent"}}`, `"dialect":"google"`),
	OnlyIn: new(diag.Google),
}

var answerLimits = diag.Rule{
	ID: "answer.limits", Kind: diag.Advise, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The events in a response should respect the documented limits.",
	Section: sectionEvent,
	Why: "The cause of the finding is the rule that limits requests. The finding is only advice, because the client cannot change the " +
		"answer: the service may have stored the event before the limit existed.",
	Good: sample.Response{`"attendees":[{"email":"ada@example.com","self":true},{"email":"bob@example.com"}]`},
	Bad:  sample.Response{`"attendees":[{"email":"ada@example.com","self":true},{"email":"bob@example.com","self":true}]`},
	Says: diag.Sentences{
		{Key: "self", Text: "A second attendee has self true, but only one attendee represents the calendar."},
		{Key: "organizer", Text: "A second attendee has organizer true, but an event has only one organizer."},
		{Key: "flag", Text: "The attendee has the organizer's address, but the member organizer is not true."},
		{Key: "most", Text: "The response contains {n|attendee|attendees}; maxAttendees is {limit}."},
		{Key: "participant", Text: "The event has more attendees than maxAttendees, so only the participant may be returned, but the response contains {n} attendees."},
		{Key: "omitted", Text: "Attendees are left out because of maxAttendees, but attendeesOmitted is not true."},
	},
	Check: check(checkAnswerLimits),
}

var answerEffect = diag.Rule{
	ID: "answer.effect", Kind: diag.Reject, When: diag.Response, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "The response to an accepted request must agree with the effect of the request, if the stored event is known.",
	Section: sectionOperations,
	Why: "The answer must not lose, truncate or change a value that was accepted, and nothing else may change. Members that only the " +
		"service writes, and effects that the rules leave open, are not compared.",
	Good: diag.Example{Request: `{"op":"events.insert","body":{"summary":"Standup","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}},` +
		`"answer":{"id":"abc12def","summary":"Standup","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}}`},
	Bad: diag.Example{Request: `{"op":"events.insert","body":{"summary":"Standup","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}},` +
		`"answer":{"id":"abc12def","summary":"Stand","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}}`},
	Says: diag.Sentences{
		{Key: "lost", Text: "The response does not contain this value, but after the request the event has {want}."},
		{Key: "added", Text: "The response contains {value}, but after the request the event has no such value."},
		{Key: "changed", Text: "The response contains {value}, but after the request the event has {want}."},
		{Key: "unlisted", Text: "The response contains an event that the request did not ask for."},
	},
}

// checkAnswerLimits checks the limits that apply only to responses.
func checkAnswerLimits(in *input, r engine.Reporter) {
	e, at := in.next, diag.Pointer("/attendees")
	hasSelf, hasOrganizer := false, false
	for i := range e.Attendees {
		a := &e.Attendees[i]
		if a.Self && hasSelf {
			r.Report(at.Index(i).Member("self"), "self")
		}
		if a.Organizer && hasOrganizer {
			r.Report(at.Index(i).Member("organizer"), "organizer")
		}
		hasSelf, hasOrganizer = hasSelf || a.Self, hasOrganizer || a.Organizer
		if !a.Organizer && isAddressed(a, organizerEmail(e)) {
			r.Report(at.Index(i), "flag")
		}
	}
	n, most := len(e.Attendees), in.options.MaxAttendees
	switch {
	case most == 0:
	case n > most:
		r.Report(at, "most", diag.Number("n", n), diag.Number("limit", most))
	case n > 1 && e.AttendeesOmitted:
		r.Report(at, "participant", diag.Number("n", n))
	}
}

// checkLimits reports, under the rule [answerLimits], limits that a representation would exceed if a client sent it.
func (r *checkRun) checkLimits() {
	if r.in.on != diag.Response || r.in.next.Status == constraint.StatusCancelled { // only the identity of a cancelled event is guaranteed
		return
	}
	in, limits := &r.in, &r.limitReport
	*limits = engine.Part(in.dialect)
	limits.IsGo = r.report.IsGo
	tables().event.CheckConstraints(object.Checking{On: diag.Update, Report: limits}, in.next, nil, "", in.present)
	for _, rule := range limitsWithCheck() {
		if membersOf(rule).Has(in.present) {
			bind(rule)(in, limits.For(rule, ""))
		}
	}
	if data := in.next.ConferenceData; data != nil && !data.HasUnknownType() {
		asNew := conference.Change{On: diag.Insert, Dialect: in.dialect, IsGo: limits.IsGo, Next: data, Version: 1}
		limits.Join("/conferenceData", asNew.Check())
	}
	var found diag.Findings
	for _, f := range limits.Findings {
		if isLimit(f.Rule) {
			f.Rule, f.Cause, f.Kind, f.Certain, f.Basis = &answerLimits, f.Rule, answerLimits.Kind, answerLimits.Kind, answerLimits.Basis
			found = append(found, f)
		}
	}
	r.report.Join("", found)
}

// limitsWithCheck lists the limits that are not constraints of members.
var limitsWithCheck = sync.OnceValue(func() []*diag.Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r *diag.Rule) bool { return r.Check == nil || !isLimit(r) })
})

// isLimit reports whether a rule about requests states a limit of the resource. Such a rule applies to every write, regardless
// of the origin of the event.
func isLimit(r *diag.Rule) bool {
	return r.Kind == diag.Reject && r.Basis == diag.Stated && r.Scope == diag.OfEvent &&
		r.When&diag.Write == diag.Write && !r.When.Has(diag.Response) && !slices.Contains(ofClients, r.ID)
}

// ofClients lists rules that do not apply to responses, because these rules are about values that clients write or that callers
// know.
var ofClients = []string{
	ruleid.ConferenceTypeCreate, ruleid.EventColorKnown, ruleid.EventLabelKnown, ruleid.TimeOffset, ruleid.TimeZoneRecurring,
	ruleid.AttendeeEmailRequired,
}
