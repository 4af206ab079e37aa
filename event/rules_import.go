package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/sample"
)

var importType = diag.Rule{
	ID: "import.type", Kind: diag.Ignore, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"eventType", "workingLocationProperties", "outOfOfficeProperties", "focusTimeProperties", "birthdayProperties"},
	Summary: "An import can create only events of type default.",
	Section: sectionOperations + ", 6",
	Why: "An imported event of another type becomes a default event and loses the properties of its type before the other rules are " +
		"checked. Importing events of other types is deprecated.",
	Good: sample.Import{`"eventType":"default"`},
	Bad: sample.Answered(sample.Import{`"eventType":"outOfOffice"`, `"outOfOfficeProperties":{"declineMessage":"Away"}`},
		`{"event":{"eventType":"default","outOfOfficeProperties":null}}`),
	Says:  diag.Sentences{{Key: "becomes-default", Text: "The import turns the event of type {type} into a default event, without the properties of its type. Import only default events."}},
	Check: check(checkImportType),
}

func checkImportType(in *input, r engine.Reporter) {
	if changesType(in.sent) {
		r.Report("/eventType", "becomes-default", diag.Name("type", in.sent.EventType))
	}
}

var importPrivateCopy = diag.Rule{
	ID: "import.private-copy", Describes: diag.Effect, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"organizer"},
	Summary: "An import adds a private copy of an existing event.",
	Section: sectionOperations + ", 6",
	Why:     "The copy has the organizer of the original, which no other operation can set.",
	Good: sample.Answered(sample.Import{`"organizer":{"email":"chair@example.org"}`},
		`{"event":{"iCalUID":"uid-1@example.org","organizer":{"email":"chair@example.org"}}}`),
	Bad: sample.Answered(sample.Timed{`"iCalUID":"uid-1@example.org"`, `"organizer":{"email":"chair@example.org"}`},
		`{"event":{"iCalUID":"uid-1@example.org","organizer":null}}`),
}

var importParty = diag.Rule{
	ID: "import.party", Kind: diag.Advise, When: diag.Import, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"organizer.email", "attendees[].email"},
	Summary:  "The owner of the calendar should be the organizer or an attendee of an imported event.",
	Section:  sectionObserved,
	Seen:     "400 with the reason participantIsNeitherOrganizerNorAttendee.",
	Reported: []string{"kewisch/gdata-provider#1049"},
	Reason:   "participantIsNeitherOrganizerNorAttendee",
	Why:      "The rule is checked only if the email of the caller is known, and it treats the caller as the owner of the calendar.",
	Good:     sample.With(sample.Import{`"attendees":[{"email":"ada@example.com"}]`}, `"caller":{"email":"ada@example.com"}`),
	Bad:      sample.With(sample.Import{`"attendees":[{"email":"bob@example.com"}]`}, `"caller":{"email":"ada@example.com"}`),
	Says:     diag.Sentences{{Key: "stranger", Text: "The caller, {value}, is neither the organizer nor an attendee of the event. Import the event into the calendar of a participant."}},
	Check:    check(checkImportParty),
}

func checkImportParty(in *input, r engine.Reporter) {
	if in.req.Caller == nil || in.req.Caller.Email == "" {
		return
	}
	email, e := in.req.Caller.Email, in.next
	if e.extra.WasSent("organizer") || e.extra.WasSent("attendees") {
		return // the members have the wrong type
	}
	if !form.SameAddress(organizerEmail(e), email) && findAttendee(e.Attendees, email) == nil {
		r.Report("", "stranger", diag.Value("value", email))
	}
}
