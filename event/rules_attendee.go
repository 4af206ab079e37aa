package event

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

var attendeeEmailRequired = diag.Rule{
	ID: "attendee.email.required", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees[].email"},
	Summary: "A new attendee must have an email.",
	Section: sectionAttendees + ", email",
	Reason:  "required",
	Why:     "An invitation cannot be sent to a profile id or a name.",
	Says:    constraint.SaysRequired(constraint.AddrSpec),
	Good:    sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com"}]`}, sample.SendUpdates),
	Bad:     sample.With(sample.Timed{`"attendees":[{"displayName":"Ada"}]`}, sample.SendUpdates),
}

var attendeeEmailAddress = diag.Rule{
	ID: "attendee.email.address", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees[].email"},
	Summary: "The email of an attendee must be a valid RFC 5322 addr-spec.",
	Section: sectionAttendees + ", email; RFC 5322 section 3.4.1",
	Why:     "An addr-spec is the bare address, without a display name, angle brackets, comments or surrounding spaces.",
	Says:    constraint.AddrSpec.Says(),
	Good:    sample.With(sample.Timed{`"attendees":[{"email":"ada.lovelace+cal@example.com"}]`}, sample.SendUpdates),
	Bad:     sample.With(sample.Timed{`"attendees":[{"email":"Ada <ada@example.com>"}]`}, sample.SendUpdates),
}

// attendeePath returns the path of a member of attendee i.
func attendeePath(i int, member diag.Pointer) diag.Pointer {
	var memory [64]byte
	path := strconv.AppendInt(append(memory[:0], "/attendees/"...), int64(i), 10)
	return diag.Pointer(append(path, member...))
}

var attendeeDuplicate = diag.Rule{
	ID: "attendee.duplicate", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"attendees[].email"},
	Summary: "No two attendees should have the same address.",
	Section: sectionAttendees + ", email",
	Why:     "The domain of an address is case-insensitive; the part before the @ is compared exactly.",
	Good:    sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com"},{"email":"Ada@example.com"}]`}, sample.SendUpdates),
	Bad:     sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com"},{"email":"ada@EXAMPLE.com"}]`}, sample.SendUpdates),
	Says:    diag.Sentences{{Key: "again", Text: "The address {value} already appears at /attendees/{first}. Remove one of the two entries."}},
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

// memoryFor returns an empty map for the attendees' addresses, which is the run's reusable map unless the map would grow large.
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
	Summary: "The responseStatus must be " + constraint.ResponseStatus.String() + ".",
	Section: sectionAttendees + ", responseStatus",
	Says:    constraint.ResponseStatus.Says(),
	Good:    sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"}]`}, sample.SendUpdates),
	Bad:     sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com","responseStatus":"NEEDS-ACTION"}]`}, sample.SendUpdates),
}

var attendeeResponseNew = diag.Rule{
	ID: "attendee.response.new", Kind: diag.Advise, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees[].responseStatus"},
	Summary: "The attendees of a new event should have the responseStatus needsAction.",
	Section: sectionAttendees + ", responseStatus",
	Why: "The documents recommend needsAction for new events. The rule does not apply to the caller, the organizer or the owner of " +
		"the calendar, who have nobody to reply to.",
	Good:  sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com"}]`}, sample.SendUpdates),
	Bad:   sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`}, sample.SendUpdates),
	Says:  diag.Sentences{{Key: "answered", Text: "The responseStatus of a new attendee is {status}, but needsAction is recommended for new events.", Fix: diag.Proposal{Value: `"needsAction"`}}},
	Check: check(checkAttendeeResponseNew),
}

func checkAttendeeResponseNew(in *input, r engine.Reporter) {
	attendees := in.next.Attendees
	for i := range attendees {
		status := attendees[i].ResponseStatus
		if status == "" || status == constraint.NeedsAction || !constraint.ResponseStatus.Has(status) {
			continue
		}
		if !isHost(in, &in.sent.Attendees[i]) { // the event's creator knows whether she will attend
			r.Report(attendeePath(i, "/responseStatus"), "answered", diag.Name("status", status))
		}
	}
}

var attendeeGuests = diag.Rule{
	ID: "attendee.guests", Kind: diag.Reject, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"attendees[].additionalGuests"},
	Summary: "The additionalGuests of an attendee must be a non-negative integer. The default is 0.",
	Section: sectionAttendees + ", additionalGuests",
	Says:    constraint.AdditionalGuests.Says(),
	Good:    sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com","additionalGuests":0}]`}, sample.SendUpdates),
	Bad:     sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com","additionalGuests":-1}]`}, sample.SendUpdates),
}

var attendeeAsyncOperation = diag.Rule{
	ID: "attendee.async-operation", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees[].asyncOperation"},
	Summary: "The asyncOperation of an attendee, if present, must be inProgress.",
	Section: sectionAttendees + ", asyncOperation",
	Why:     "The member is read-only, so a value in a request has no effect.",
	Says:    constraint.AsyncOperation.Says(),
	Good:    sample.Response{`"attendees":[{"email":"all@example.com","asyncOperation":"inProgress"}]`},
	Bad:     sample.Response{`"attendees":[{"email":"all@example.com","asyncOperation":"done"}]`},
}

var attendeeDefaults = diag.Rule{
	ID: "attendee.defaults", Describes: diag.Default, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"attendees[].organizer", "attendees[].self", "attendees[].resource", "attendees[].optional"},
	Summary: "The members organizer, self, resource and optional of an attendee default to false.",
	Section: sectionAttendees,
	Good: sample.Answered(sample.Timed{`"attendees":[{"email":"room@example.com"}]`},
		`{"event":{"attendees":[{"email":"room@example.com","organizer":null,"self":null,"resource":null,"optional":null}]}}`, sample.SendUpdates),
	Bad: sample.Answered(sample.Timed{`"attendees":[{"email":"room@example.com","resource":true,"optional":true}]`},
		`{"event":{"attendees":[{"email":"room@example.com","organizer":null,"self":null,"resource":true,"optional":true}]}}`, sample.SendUpdates),
}

var attendeeServiceAccount = diag.Rule{
	ID: "attendee.service-account", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest,
	Reads:   []string{"attendees", "attendees[].email", "attendees[].id"},
	Summary: "A service account that populates the attendees must have domain-wide delegation of authority.",
	Section: "calendar.md, Authentication",
	Status:  403, Reason: "forbiddenForServiceAccounts",
	Why: "The rule is checked only if the caller is known. Here, \"populate\" means \"add to\"; any service account may change and remove attendees.",
	Good: sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com"}]`},
		sample.SendUpdates, `"caller":{"serviceAccount":true,"domainWideDelegation":true}`),
	Bad: sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com"}]`},
		sample.SendUpdates, `"caller":{"serviceAccount":true,"domainWideDelegation":false}`),
	Says:  diag.Sentences{{Key: "adds", Text: "A service account adds {n|attendee|attendees} without domain-wide delegation of authority. Delegate authority to the account, or leave the attendees out."}},
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

var attendeeMax = diag.Rule{
	ID: "attendee.max", Describes: diag.Effect, Basis: diag.Stated, Scope: diag.OfEvent,
	When:    diag.Insert | diag.Modify | diag.Get | diag.List | diag.Instances | diag.Response,
	Reads:   []string{"attendees", "attendees[].self", "attendeesOmitted"},
	Summary: "If an event has more attendees than maxAttendees, only the participant is returned and attendeesOmitted is true.",
	Section: sectionInsert + ", maxAttendees",
	Why: "The participant is the attendee with self true or, if there is none, the caller or organizer whose calendar has the event. An " +
		"import does not have the parameter. The documents do not show the parameter for updates and patches, so there it has this " +
		"effect only in the dialect of the public service.",
	Good: sample.Answered(sample.Timed{`"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`},
		`{"event":{"attendees":[{"email":"bob@example.com","organizer":true}],"attendeesOmitted":true}}`,
		`"params":{"maxAttendees":"1"},"caller":{"email":"bob@example.com"}`),
	Bad: sample.Answered(sample.Timed{`"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`},
		`{"event":{"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}],"attendeesOmitted":null}}`,
		`"params":{"maxAttendees":"2"},"caller":{"email":"bob@example.com"}`),
}

// sampleGuests is the attendees member of the stored event in the examples.
const sampleGuests = `"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},{"email":"bob@example.com","responseStatus":"needsAction"}]`

var attendeeRemoved = diag.Rule{
	ID: "attendee.removed", Kind: diag.Advise, When: diag.Modify, Basis: diag.Inferred, Scope: diag.OfChange,
	Reads:   []string{"attendees", "attendees[].email", "attendees[].resource", "attendeesOmitted"},
	Summary: "A request that sends attendees should include the stored guests, or should send no attendees.",
	Section: sectionOperations + ", 1 and 2",
	Why: "The array in the request replaces the stored array, so guests who are not in it are removed and notified. A list without " +
		"any stored guest was most likely intended to add somebody. An empty array, null, and a list with some of the stored " +
		"guests are treated as intended removals. The organizer, the owner of the calendar and rooms do not count.",
	Good: sample.Patch{`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},{"email":"eve@example.com"}]`, sampleGuests},
	Bad:  sample.Patch{`"attendees":[{"email":"eve@example.com"}]`, sampleGuests},
	Says: diag.Sentences{
		{Key: "replaced", Text: "The attendees in the request replace the stored ones and leave out {n|guest|guests}: {who}. Send the stored attendees too, or an empty array to remove them."},
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
		case in.isSent(i):
			return
		default:
			removed = append(removed, cmp.Or(a.Email, a.ID))
		}
	}
	if len(removed) > 0 {
		r.Report("/attendees", key, diag.Number("n", len(removed)), diag.Plain("who", shortList(removed)))
	}
}

// mentions reports whether the body contains any of the given members, including nulls without effect.
func mentions(in *input, members object.Set) bool {
	return in.present.Has(members) || in.decoded && in.offsets.Present().Has(members)
}

// shortList returns the first few values as a list for a message.
func shortList(values []string) string {
	const most = 3
	if len(values) <= most {
		return strings.Join(values, ", ")
	}
	return strings.Join(values[:most], ", ") + ", …"
}

// eachKnownAttendee calls do for every attendee in the body that is also stored and that the request can change.
func (in *input) eachKnownAttendee(do func(i int, was, is *Attendee)) {
	var only *Attendee
	if in.takesOneResponse() {
		i := in.answering()
		if i < 0 {
			return
		}
		only = &in.stored.Attendees[i]
	}
	for i := range in.sent.Attendees {
		if was := in.storedFor(i); was != nil && (only == nil || was == only) {
			do(i, was, &in.sent.Attendees[i])
		}
	}
}

var attendeeAnswerLost = diag.Rule{
	ID: "attendee.answer-lost", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Reads:    []string{"attendees[].responseStatus"},
	Summary:  "A stored attendee who has responded should be sent again with the responseStatus.",
	Section:  sectionObserved,
	Seen:     "The responseStatus of a guest who is sent without one becomes needsAction, and the earlier response is lost.",
	Reported: []string{"nspady/google-calendar-mcp#148", "openonion/connectonion#1558"},
	Why:      "The array replaces the stored array, and each attendee is stored as sent.",
	Good:     sample.Patch{sampleGuests, sampleGuests},
	Bad:      sample.Patch{`"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`, sampleGuests},
	Says:     diag.Sentences{{Key: "lost", Text: "The attendee is sent without a responseStatus, so the stored response, {was}, is lost. Send the stored responseStatus.", Fix: diag.Proposal{Arg: "was", Add: true}}},
	Check:    check(checkAnswerLost),
}

func checkAnswerLost(in *input, r engine.Reporter) {
	in.eachKnownAttendee(func(i int, was, is *Attendee) {
		hasAnswered := was.ResponseStatus != constraint.NeedsAction && constraint.ResponseStatus.Has(was.ResponseStatus)
		if hasAnswered && is.lacksResponse() {
			r.Report(attendeePath(i, "/responseStatus"), "lost", diag.Name("was", was.ResponseStatus))
		}
	})
}

var attendeeOmittedIgnored = diag.Rule{
	ID: "attendee.omitted-ignored", Kind: diag.Ignore, When: diag.Update, Basis: diag.Inferred, Scope: diag.OfChange,
	Reads:   []string{"attendeesOmitted", "attendees"},
	Summary: "A request with attendeesOmitted true updates only the participant's response.",
	Section: sectionEvent + ", attendeesOmitted",
	Why:     "Only the participant's response is taken from the body: adding or changing another attendee has no effect.",
	Good: sample.Update{`"attendeesOmitted":true,"attendees":[{"email":"ada@example.com","responseStatus":"declined"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"declined"},{"email":"bob@example.com"}]`},
	Bad: sample.Update{`"attendeesOmitted":true,"attendees":[{"email":"ada@example.com","responseStatus":"declined"},{"email":"eve@example.com"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"declined"},{"email":"bob@example.com"}]`},
	Says: diag.Sentences{
		{Key: "added", Text: "Because attendeesOmitted is true, this attendee is not added. Leave attendeesOmitted out, and send all attendees.", Fix: diag.Proposal{None: true}},
		{Key: "changed", Text: "Because attendeesOmitted is true, only the participant's response changes, and this attendee is unchanged. Leave it out."},
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
		case a.extra.Element(): // not an object, which decoding reports
		case participant != nil && isAddressed(a, participant.Email):
		case was == nil:
			r.Report(attendeePath(i, ""), "added")
		case was != participant && !tables().attendee.SaysNothingNew(a, was):
			r.Report(attendeePath(i, ""), "changed")
		}
	}
}

var attendeeMany = diag.Rule{
	ID: "attendee.many", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"attendees"},
	Summary:  "An event should have at most 200 attendees.",
	Section:  sectionObserved,
	Seen:     "The reference says that the service does not propagate guests' responses if there are more than 200 guests.",
	Reported: []string{"https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest"},
	Good:     sample.With(sample.Timed{`"attendees":[{"email":"all@example.com"}]`}, sample.SendUpdates),
	Bad:      insertGuests(constraint.AttendeesMany + 1),
	Says:     diag.Sentences{{Key: "many", Text: "The event has {n} attendees; with more than {limit}, the public service does not propagate their responses. Invite a group."}},
	Check:    check(checkMany),
}

func checkMany(in *input, r engine.Reporter) {
	if n := len(in.next.Attendees); n > constraint.AttendeesMany {
		r.Report("/attendees", "many", diag.Number("n", n), diag.Number("limit", constraint.AttendeesMany))
	}
}

// insertGuests is an insert with n attendees with different addresses.
type insertGuests int

func (n insertGuests) Example() diag.Example {
	var guests []byte
	for i := range int(n) {
		guests = append(guests, `,{"email":"aa@b.c"}`...)
		guests[len(guests)-len(`aa@b.c"}`)] += byte(i / 26)
		guests[len(guests)-len(`a@b.c"}`)] += byte(i % 26)
	}
	return sample.With(sample.Timed{`"attendees":[` + string(guests[len(","):]) + `]`}, sample.SendUpdates).Example()
}

var attendeeResponseDefault = diag.Rule{
	ID: "attendee.response.default", Describes: diag.Effect, When: diag.Write | diag.Get | diag.List | diag.Instances, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"attendees[].responseStatus"},
	Summary:  "In the dialect of the public service, an attendee without a responseStatus has needsAction in the stored event and in the response.",
	Section:  sectionObserved,
	Seen:     "In the answer, a guest who was sent without a responseStatus has needsAction.",
	Reported: []string{"nspady/google-calendar-mcp#148", "openonion/connectonion#1558"},
	Good: sample.Answered(sample.Timed{`"attendees":[{"email":"ada@example.com"}]`},
		`{"event":{"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"}]}}`, sample.SendUpdates, `"dialect":"google"`),
	Bad: sample.Answered(sample.Timed{`"attendees":[{"email":"ada@example.com","responseStatus":"tentative"}]`},
		`{"event":{"attendees":[{"email":"ada@example.com","responseStatus":"tentative"}]}}`, sample.SendUpdates, `"dialect":"google"`),
	OnlyIn: new(diag.Google),
}

var attendeeResourceLate = diag.Rule{
	ID: "attendee.resource.late", Kind: diag.Ignore, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"attendees[].resource"},
	Summary: "The member resource of an attendee can be set only when the attendee is added.",
	Section: sectionAttendees + ", resource",
	Why:     "Later changes are ignored. Sending the attendee again without resource changes nothing.",
	Good:    sample.Patch{`"attendees":[{"email":"room@example.com","resource":true}]`, `"attendees":[{"email":"room@example.com","resource":true}]`},
	Bad:     sample.Patch{`"attendees":[{"email":"room@example.com","resource":true}]`, `"attendees":[{"email":"room@example.com"}]`},
	Says:    diag.Sentences{{Key: "ignored", Text: "The attendee was added with resource {resource}, and later changes are ignored. Leave resource out."}},
	Check:   check(checkResourceLate),
}

func checkResourceLate(in *input, r engine.Reporter) {
	in.eachKnownAttendee(func(i int, was, is *Attendee) {
		if isSent := is.Resource || is.extra.WasSent("resource"); isSent && was.Resource != is.Resource {
			r.Report(attendeePath(i, "/resource"), "ignored", diag.Plain("resource", strconv.FormatBool(was.Resource)))
		}
	})
}

var attendeeOmittedUpdate = diag.Rule{
	ID: "attendee.omitted-update", Describes: diag.Effect, When: diag.Update, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:   []string{"attendeesOmitted", "attendees", "attendees[].self", "attendees[].responseStatus", "attendees[].comment", "attendees[].additionalGuests"},
	Summary: "An update with attendeesOmitted true uses only the participant's own response from the body.",
	Section: sectionEvent + ", attendeesOmitted",
	Why: "The other stored attendees stay, so none is missing, and the stored attendeesOmitted stays too. The participant is the " +
		"attendee with self true or, if the body has none, the caller or organizer whose calendar has the event.",
	Good: sample.Answered(sample.Update{`"attendeesOmitted":true,"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"needsAction"},{"email":"bob@example.com"}]`},
		`{"event":{"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},{"email":"bob@example.com"}]}}`),
	Bad: sample.Answered(sample.Update{`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"needsAction"},{"email":"bob@example.com"}]`},
		`{"event":{"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]}}`),
}
