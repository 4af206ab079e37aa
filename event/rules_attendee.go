package event

import (
	"fmt"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
)

// attendeeRules are about the list of attendees and its entries.
var attendeeRules = []*diag.Rule{
	&attendeeEmailRequired,
	&attendeeEmailAddress,
	&attendeeDuplicate,
	&attendeeResponseEnum,
	&attendeeResponseNew,
	&attendeeGuests,
	&attendeeAsyncOperation,
	&attendeeDefaults,
	&attendeeServiceAccount,
	&attendeeMax,
}

func length(s string) int { return utf8.RuneCountInString(s) }

// count gives a number of things for a message: "1 attendee", "2 attendees".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// attendeeAt returns the place of a member of the attendee i.
func attendeeAt(i int, member diag.Pointer) diag.Pointer {
	return diag.Pointer("/attendees").Index(i) + member
}

// attendeeAt returns the place in the body of a member of an attendee of new. An update that
// takes one response has all attendees of the stored event, and one of them in its body.
func (in *input) attendeeAt(i int, member diag.Pointer) diag.Pointer {
	if in.takesOneResponse() {
		i = max(0, in.sentAt(in.result.Attendees[i].Email))
	}
	return attendeeAt(i, member)
}

// listedAttendees returns the attendees that the body lists, as they would be stored.
func (in *input) listedAttendees() []Attendee {
	if in.takesOneResponse() {
		return in.merged.Attendees
	}
	return in.result.Attendees
}

var attendeeEmailRequired = diag.Rule{
	ID: "attendee.email.required", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees"},
	Summary: "An attendee who is added has an email.",
	Section: sectionAttendees + ", email",
	Why:     "A profile id or a name does not say whom to invite.",
	Good:    diag.Example{Request: sample.Timed(`"attendees":[{"email":"ada@example.com"}]`)},
	Bad:     diag.Example{Request: sample.Timed(`"attendees":[{"displayName":"Ada"}]`)},
}

var attendeeEmailAddress = diag.Rule{
	ID: "attendee.email.address", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees"},
	Summary: "The email of an attendee is an addr-spec of RFC 5322.",
	Section: sectionAttendees + ", email; RFC 5322 section 3.4.1",
	Why:     "It is the bare address: no name, no angle brackets, no comment and no blanks around it.",
	Good:    diag.Example{Request: sample.Timed(`"attendees":[{"email":"ada.lovelace+cal@example.com"}]`)},
	Bad:     diag.Example{Request: sample.Timed(`"attendees":[{"email":"Ada <ada@example.com>"}]`)},
}

var attendeeDuplicate = diag.Rule{
	ID: "attendee.duplicate", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"attendees"},
	Summary: "No address stands twice among the attendees.",
	Section: sectionAttendees + ", email",
	Why:     "The domain of an address is compared without regard to case, what stands before it exactly.",
	Good:    diag.Example{Request: sample.Timed(`"attendees":[{"email":"ada@example.com"},{"email":"Ada@example.com"}]`)},
	Bad:     diag.Example{Request: sample.Timed(`"attendees":[{"email":"ada@example.com"},{"email":"ada@EXAMPLE.com"}]`)},
	Check:   check(checkAttendeeDuplicate),
}

func checkAttendeeDuplicate(in *input, r diag.Reporter) {
	attendees := in.listedAttendees()
	findDuplicates(attendees, func(first, again int) {
		r.Report(attendeeAt(again, "/email"), "The address %s stands already at /attendees/%d. Leave one of the entries out.",
			diag.Quote(attendees[again].Email), first)
	})
}

var attendeeResponseEnum = diag.Rule{
	ID: "attendee.response.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees"},
	Summary: "The responseStatus is needsAction, declined, tentative or accepted.",
	Section: sectionAttendees + ", responseStatus",
	Good:    diag.Example{Request: sample.Timed(`"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"}]`)},
	Bad:     diag.Example{Request: sample.Timed(`"attendees":[{"email":"ada@example.com","responseStatus":"NEEDS-ACTION"}]`)},
}

var attendeeResponseNew = diag.Rule{
	ID: "attendee.response.new", Kind: diag.Advise, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The attendees of a new event have the responseStatus needsAction.",
	Section: sectionAttendees + ", responseStatus",
	Why:     "It is what the documents recommend: nobody has answered an invitation that has not gone out.",
	Good:    diag.Example{Request: sample.Timed(`"attendees":[{"email":"ada@example.com"}]`)},
	Bad:     diag.Example{Request: sample.Timed(`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`)},
	Check:   check(checkAttendeeResponseNew),
}

func checkAttendeeResponseNew(in *input, r diag.Reporter) {
	for i := range in.result.Attendees {
		status := in.result.Attendees[i].ResponseStatus
		if status != "" && status != "needsAction" && limits.ResponseStatus.Has(status) {
			r.Report(attendeeAt(i, "/responseStatus"), "The responseStatus of a new attendee is %s; needsAction is recommended for new events.", status)
		}
	}
}

var attendeeGuests = diag.Rule{
	ID: "attendee.guests", Kind: diag.Reject, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"attendees"},
	Summary: "The additionalGuests of an attendee are a non-negative integer; 0 when absent.",
	Section: sectionAttendees + ", additionalGuests",
	Good:    diag.Example{Request: sample.Timed(`"attendees":[{"email":"ada@example.com","additionalGuests":0}]`)},
	Bad:     diag.Example{Request: sample.Timed(`"attendees":[{"email":"ada@example.com","additionalGuests":-1}]`)},
}

var attendeeAsyncOperation = diag.Rule{
	ID: "attendee.async-operation", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The asyncOperation of an attendee, if present, is inProgress.",
	Section: sectionAttendees + ", asyncOperation",
	Why:     "In a request the member is read-only and has no effect, whatever it holds.",
	Good:    diag.Example{Request: sample.Response(`"attendees":[{"email":"all@example.com","asyncOperation":"inProgress"}]`)},
	Bad:     diag.Example{Request: sample.Response(`"attendees":[{"email":"all@example.com","asyncOperation":"done"}]`)},
}

var attendeeDefaults = diag.Rule{
	ID: "attendee.defaults", Kind: diag.Default, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The members organizer, self, resource and optional of an attendee are false when absent.",
	Section: sectionAttendees,
	Why:     "The method WithDefaults writes the defaults out.",
	Good: diag.Example{
		Request: sample.Timed(`"attendees":[{"email":"room@example.com","resource":true}]`),
		Answer:  `{"event":{"attendees":[{"email":"room@example.com","resource":true}]}}`,
	},
	Bad: diag.Example{
		Request: sample.Timed(`"attendees":[{"email":"ada@example.com","optional":false}]`),
		Answer:  `{"event":{"attendees":[{"email":"ada@example.com","optional":false}]}}`,
	},
}

var attendeeServiceAccount = diag.Rule{
	ID: "attendee.service-account", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"attendees"},
	Summary: "A service account that populates the attendees has domain-wide delegation of authority.",
	Section: "calendar.md, Authentication",
	Why:     "Checked only where the caller says who calls. To populate is to add: those who are there may be changed and taken off.",
	Good: diag.Example{Request: sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"}]`),
		`"caller":{"serviceAccount":true,"domainWideDelegation":true}`)},
	Bad: diag.Example{Request: sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"}]`),
		`"caller":{"serviceAccount":true,"domainWideDelegation":false}`)},
	Check: check(checkServiceAccount),
}

func checkServiceAccount(in *input, r diag.Reporter) {
	caller := in.req.Caller
	if caller == nil || !isTrue(caller.ServiceAccount) || caller.DomainWideDelegation {
		return
	}
	added := 0
	for i := range in.result.Attendees {
		if in.was(i) == nil {
			added++
		}
	}
	if added > 0 {
		r.Report("/attendees", "A service account adds %s without domain-wide delegation of authority. Delegate authority to it, or leave the attendees out.", count(added, "attendee"))
	}
}

func isTrue(b *bool) bool { return b != nil && *b }

var attendeeMax = diag.Rule{
	ID: "attendee.max", Kind: diag.Effect, When: diag.Insert | diag.Get | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "If there are more attendees than maxAttendees, only the participant is returned and attendeesOmitted is true.",
	Section: sectionInsert + ", maxAttendees",
	Why:     "The participant is the attendee that self marks or, on insert, whoever calls.",
	Good: diag.Example{
		Request: sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`),
			`"params":{"maxAttendees":"1"},"caller":{"email":"bob@example.com"}`),
		Answer: `{"event":{"attendees":[{"email":"bob@example.com","organizer":true}],"attendeesOmitted":true}}`,
	},
	Bad: diag.Example{
		Request: sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`),
			`"params":{"maxAttendees":"2"}`),
		Answer: `{"event":{"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]}}`,
	},
}
