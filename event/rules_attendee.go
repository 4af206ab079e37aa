package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

// attendeeRules are about the list of attendees and its entries.
var attendeeRules = []*diag.Rule{
	&attendeeEmailRequired, &attendeeEmailAddress, &attendeeDuplicate, &attendeeResponseEnum, &attendeeResponseNew,
	&attendeeGuests, &attendeeAsyncOperation, &attendeeDefaults, &attendeeServiceAccount, &attendeeMax,
}

// attendeePath returns the path of a member of attendee i.
func attendeePath(i int, member diag.Pointer) diag.Pointer {
	return diag.Pointer("/attendees").Index(i) + member
}

var attendeeEmailRequired = diag.Rule{
	ID: "attendee.email.required", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees[].email"},
	Summary: "An attendee who is added has an email.",
	Section: sectionAttendees + ", email",
	Reason:  "required",
	Why:     "A profile id or a name does not say where to send the invitation.",
	Says:    constraint.SaysRequired(constraint.AddrSpec),
	Good:    sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"}]`), sample.SendUpdates),
	Bad:     sample.With(sample.Timed(`"attendees":[{"displayName":"Ada"}]`), sample.SendUpdates),
}

var attendeeEmailAddress = diag.Rule{
	ID: "attendee.email.address", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees[].email"},
	Summary: "The email of an attendee is a valid RFC 5322 addr-spec.",
	Section: sectionAttendees + ", email; RFC 5322 section 3.4.1",
	Why:     "An addr-spec is the bare address, without a display name, angle brackets, comments or surrounding spaces.",
	Says:    constraint.AddrSpec.Says(),
	Good:    sample.With(sample.Timed(`"attendees":[{"email":"ada.lovelace+cal@example.com"}]`), sample.SendUpdates),
	Bad:     sample.With(sample.Timed(`"attendees":[{"email":"Ada <ada@example.com>"}]`), sample.SendUpdates),
}

var attendeeDuplicate = diag.Rule{
	ID: "attendee.duplicate", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"attendees[].email"},
	Summary: "No two attendees have the same address.",
	Section: sectionAttendees + ", email",
	Why:     "The domain of an address is case-insensitive; the part before the @ is compared exactly.",
	Good:    sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"},{"email":"Ada@example.com"}]`), sample.SendUpdates),
	Bad:     sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"},{"email":"ada@EXAMPLE.com"}]`), sample.SendUpdates),
	Says:    diag.Sentences{{Key: "again", Text: "The address {value} is already at /attendees/{first}. Remove one of the two entries."}},
	Check:   check(checkAttendeeDuplicate),
}

func checkAttendeeDuplicate(in *input, r engine.Reporter) {
	attendees := in.next.Attendees
	if in.takesOneResponse() {
		attendees = in.sent.Attendees
	}
	findDuplicates(attendees, memoryFor(in, attendees), func(first, again int) {
		r.Report(attendeePath(again, "/email"), "again", diag.Value("value", attendees[again].Email), diag.Number("first", first))
	})
}

// memoryFor returns an empty map for the addresses of the attendees: the map that the run keeps, unless it would grow
// large.
func memoryFor(in *input, attendees []Attendee) map[string]int {
	const usual = 256
	if len(attendees) > usual {
		return make(map[string]int, len(attendees))
	}
	if in.firsts == nil {
		in.firsts = map[string]int{}
	}
	return in.firsts
}

var attendeeResponseEnum = diag.Rule{
	ID: "attendee.response.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees[].responseStatus"},
	Summary: "The responseStatus is " + constraint.ResponseStatus.Value + ".",
	Section: sectionAttendees + ", responseStatus",
	Says:    constraint.ResponseStatus.Says(),
	Good:    sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"}]`), sample.SendUpdates),
	Bad:     sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com","responseStatus":"NEEDS-ACTION"}]`), sample.SendUpdates),
}

var attendeeResponseNew = diag.Rule{
	ID: "attendee.response.new", Kind: diag.Advise, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees[].responseStatus"},
	Summary: "The attendees of a new event have the responseStatus needsAction.",
	Section: sectionAttendees + ", responseStatus",
	Why:     "The documents recommend it for new events.",
	Good:    sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"}]`), sample.SendUpdates),
	Bad:     sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`), sample.SendUpdates),
	Says:    diag.Sentences{{Key: "answered", Text: "The responseStatus of a new attendee is {status}; needsAction is recommended for new events."}},
	Check:   check(checkAttendeeResponseNew),
}

func checkAttendeeResponseNew(in *input, r engine.Reporter) {
	attendees := in.next.Attendees
	for i := range attendees {
		status := attendees[i].ResponseStatus
		if status != "" && status != constraint.NeedsAction && constraint.ResponseStatus.Has(status) {
			r.Report(attendeePath(i, "/responseStatus"), "answered", diag.Name("status", status))
		}
	}
}

var attendeeGuests = diag.Rule{
	ID: "attendee.guests", Kind: diag.Reject, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"attendees[].additionalGuests"},
	Summary: "The additionalGuests of an attendee is a non-negative integer. The default is 0.",
	Section: sectionAttendees + ", additionalGuests",
	Says:    constraint.AdditionalGuests.Says(),
	Good:    sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com","additionalGuests":0}]`), sample.SendUpdates),
	Bad:     sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com","additionalGuests":-1}]`), sample.SendUpdates),
}

var attendeeAsyncOperation = diag.Rule{
	ID: "attendee.async-operation", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees[].asyncOperation"},
	Summary: "The asyncOperation of an attendee, if present, is inProgress.",
	Section: sectionAttendees + ", asyncOperation",
	Why:     "In a request the member is read-only, so its value has no effect.",
	Says:    constraint.AsyncOperation.Says(),
	Good:    sample.Response(`"attendees":[{"email":"all@example.com","asyncOperation":"inProgress"}]`),
	Bad:     sample.Response(`"attendees":[{"email":"all@example.com","asyncOperation":"done"}]`),
}

var attendeeDefaults = diag.Rule{
	ID: "attendee.defaults", Describes: diag.Default, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"attendees[].organizer", "attendees[].self", "attendees[].resource", "attendees[].optional"},
	Summary: "The default of the members organizer, self, resource and optional of an attendee is false.",
	Section: sectionAttendees,
	Good: sample.Answered(sample.With(sample.Timed(`"attendees":[{"email":"room@example.com"}]`), sample.SendUpdates),
		`{"event":{"attendees":[{"email":"room@example.com","organizer":null,"self":null,"resource":null,"optional":null}]}}`),
	Bad: sample.Answered(sample.With(sample.Timed(`"attendees":[{"email":"room@example.com","resource":true,"optional":true}]`), sample.SendUpdates),
		`{"event":{"attendees":[{"email":"room@example.com","organizer":null,"self":null,"resource":true,"optional":true}]}}`),
}

var attendeeServiceAccount = diag.Rule{
	ID: "attendee.service-account", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest,
	Reads:   []string{"attendees", "attendees[].email", "attendees[].id"},
	Summary: "A service account that populates the attendees has domain-wide delegation of authority.",
	Section: "calendar.md, Authentication",
	Status:  403, Reason: "forbiddenForServiceAccounts",
	Why: "The rule is only checked if the caller is known. To populate means to add: a service account may change " +
		"and remove attendees.",
	Good: sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"}]`),
		sample.SendUpdates, `"caller":{"serviceAccount":true,"domainWideDelegation":true}`),
	Bad: sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"}]`),
		sample.SendUpdates, `"caller":{"serviceAccount":true,"domainWideDelegation":false}`),
	Says:  diag.Sentences{{Key: "adds", Text: "A service account adds {n|attendee|attendees} without domain-wide delegation of authority. Delegate authority to it, or leave the attendees out."}},
	Check: check(checkServiceAccount),
}

func checkServiceAccount(in *input, r engine.Reporter) {
	caller := in.req.Caller
	if in.existing == unknownEvent || caller == nil || !isTrue(caller.ServiceAccount) || caller.DomainWideDelegation {
		return
	}
	added := 0
	for i := range in.next.Attendees {
		if in.was(i) == nil {
			added++
		}
	}
	if added > 0 {
		r.Report("/attendees", "adds", diag.Number("n", added))
	}
}

func isTrue(b *bool) bool { return b != nil && *b }

var attendeeMax = diag.Rule{
	ID: "attendee.max", Describes: diag.Effect, When: diag.Create | diag.Get | diag.List | diag.Instances | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"attendees", "attendees[].self", "attendeesOmitted"},
	Summary: "If an event has more attendees than maxAttendees, only the participant is returned and attendeesOmitted is true.",
	Section: sectionInsert + ", maxAttendees",
	Why: "The participant is the attendee with self true or, if there is none, the caller or the organizer on whose " +
		"calendar the event is.",
	Good: sample.Answered(sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`),
		`"params":{"maxAttendees":"1"},"caller":{"email":"bob@example.com"}`),
		`{"event":{"attendees":[{"email":"bob@example.com","organizer":true}],"attendeesOmitted":true}}`),
	Bad: sample.Answered(sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`),
		`"params":{"maxAttendees":"2"},"caller":{"email":"bob@example.com"}`),
		`{"event":{"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}],"attendeesOmitted":null}}`),
}
