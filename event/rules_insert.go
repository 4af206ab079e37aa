package event

import (
	"maps"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

var sendUpdatesAbsent = diag.Rule{
	ID: "insert.param.send-updates.absent", Kind: diag.Advise, When: diag.Insert | diag.Modify | diag.Delete | diag.Move, Basis: diag.Observed, Scope: diag.OfRequest,
	Reads:    []string{"attendees", "attendees[].email", "attendees[].self", "attendees[].organizer", "organizer.email", "privateCopy"},
	Summary:  "A request that writes an event with guests should have the parameter sendUpdates.",
	Section:  sectionObserved,
	Seen:     "Some users report that guests got no email without sendUpdates; others report that guests did get one.",
	Reported: []string{"insanum/gcalcli#601", "openonion/connectonion#1547", "timbal-ai/timbal#175"},
	Why: "Without sendUpdates, the guests might not be notified. Guests are the attendees other than the caller, the organizer and the " +
		"owner of the calendar. The deprecated sendNotifications also decides who is notified. A change that guests cannot see does not " +
		"notify them: reminders, the color, the label and private extended properties belong to this calendar's copy, and so does an " +
		"entire private copy.",
	Good:  sample.With(sample.Timed{`"attendees":[{"email":"ada@example.com"}]`}, sample.SendUpdates),
	Bad:   sample.Timed{`"attendees":[{"email":"ada@example.com"}]`},
	Says:  diag.Sentences{{Key: "absent", Text: "The event has guests, but sendUpdates is absent, so they might not be notified. Send all, externalOnly or none.", Fix: diag.Proposal{At: "?sendUpdates", Value: `"all"`}}},
	Check: check(checkSendUpdatesAbsent),
}

func checkSendUpdatesAbsent(in *input, r engine.Reporter) {
	if len(in.next.Attendees) == 0 || saysWhomToNotify(in) || !slices.ContainsFunc(in.next.Attendees, func(a Attendee) bool { return isGuest(in, a) }) {
		return
	}
	if !in.next.PrivateCopy && (!diag.Modify.Has(in.on) || in.existing == knownEvent && guestsSeeChange(in)) {
		r.Report("?sendUpdates", "absent")
	}
}

// guestsSeeChange reports whether the request changes more than the copy of the event on this calendar.
func guestsSeeChange(in *input) bool {
	seen := in.changedInEffect() & tables().mainData &^ (ofColorID | ofEventLabelID)
	if maps.Equal(in.stored.sharedProperties(), in.next.sharedProperties()) {
		seen &^= ofExtendedProperties
	}
	return seen != 0
}

// saysWhomToNotify reports whether the request contains a notification parameter, even if the value is malformed.
func saysWhomToNotify(in *input) bool {
	if in.options.SendUpdates != "" {
		return true
	}
	_, updates := in.req.Params.Value("sendUpdates")
	_, notifications := in.req.Params.Value("sendNotifications")
	return updates || notifications
}

// isGuest reports whether the attendee has an address or id, and is not known to be the host.
func isGuest(in *input, a Attendee) bool { return !isHost(in, &a) && (a.Email != "" || a.ID != "") }

// isHost reports whether the attendee is known to be the caller, the organizer or the calendar's owner.
func isHost(in *input, a *Attendee) bool {
	return a.Self || a.Organizer || isCaller(in, a.Email) || isAddressed(a, organizerEmail(in.next))
}
