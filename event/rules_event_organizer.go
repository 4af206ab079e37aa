package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

var organizerReadOnly = diag.Rule{
	ID: "event.organizer.read-only", Kind: diag.Ignore, When: diag.Insert | diag.Update | diag.Patch, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:   []string{"organizer", "organizer.id", "organizer.email", "organizer.displayName"},
	Summary: "A client can write the organizer only in an import.",
	Section: sectionEvent + ", organizer",
	Why:     "In other requests, a value that differs from the stored one has no effect. A move changes the organizer.",
	Good:    sample.Timed{`"summary":"Standup"`},
	Bad:     sample.Answered(sample.Timed{`"organizer":{"email":"chair@example.com"}`}, `{"event":{"organizer":null}}`),
	Says:    diag.Sentences{{Key: "ignored", Text: "The organizer is written only by an import and changed only by a move, so the value in this request has no effect. Leave it out."}},
	Check:   check(checkOrganizerReadOnly),
}

func checkOrganizerReadOnly(in *input, r engine.Reporter) {
	if in.existing == unknownEvent {
		return
	}
	o, was := in.sent.Organizer, in.stored.Organizer
	isCleared := o == nil && was != nil && in.sent.extra.Null("organizer")
	if isCleared || o != nil && personDiffers(o, was.orZero()) {
		r.Report("/organizer", "ignored")
	}
}

// personDiffers reports whether the sent person has a value or null that differs from the stored person's value.
func personDiffers(sent *Person, stored Person) bool {
	differs := func(name, is, was string) bool {
		return is != was && (wasSent(is, &sent.extra, name) || sent.extra.Null(name))
	}
	return differs("email", sent.Email, stored.Email) || differs("id", sent.ID, stored.ID) ||
		differs("displayName", sent.DisplayName, stored.DisplayName)
}

var organizerAttendeeFlag = diag.Rule{
	ID: "event.organizer.attendee-flag", Describes: diag.Effect, When: diag.Response | diag.Create, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"organizer.email", "attendees[].email", "attendees[].organizer"},
	Summary: "If the organizer is also an attendee, the attendee has organizer true.",
	Section: sectionEvent + ", organizer",
	Why: "Representations and imported events state who the organizer is. The documents do not say who organizes an inserted event; the " +
		"library assumes the caller, if the caller is known.",
	Good: sample.Answered(sample.Timed{`"attendees":[{"email":"ada@example.com"}]`},
		`{"event":{"attendees":[{"email":"ada@example.com","organizer":true}]}}`, `"caller":{"email":"ada@example.com"}`),
	Bad: sample.Answered(sample.Timed{`"attendees":[{"email":"bob@example.com"}]`},
		`{"event":{"attendees":[{"email":"bob@example.com","organizer":null}]}}`, `"caller":{"email":"ada@example.com"}`),
}

var organizerEmailAddress = diag.Rule{
	ID: "event.organizer.email", Kind: diag.Reject, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"organizer.email"},
	Summary: "The email of the organizer of an imported event must be a valid RFC 5322 addr-spec.",
	Section: sectionPersons,
	Says:    constraint.AddrSpec.Says(),
	Good:    sample.Import{`"organizer":{"email":"chair@example.org"}`},
	Bad:     sample.Import{`"organizer":{"email":"<chair@example.org>"}`},
}
