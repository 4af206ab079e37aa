package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
	"github.com/calrules/calrules/status"
)

var eventTypeEnum = diag.Rule{
	ID: "event.type.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"eventType"},
	Summary: "The eventType must be " + constraint.EventType.String() + ". The default is default.",
	Section: sectionEvent + ", eventType",
	Says:    constraint.EventType.Says(),
	Good:    sample.Timed{`"eventType":"default"`},
	Bad:     sample.Timed{`"eventType":"meeting"`},
}

var eventTypeFromMail = diag.Rule{
	ID: "event.type.from-mail", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"eventType"},
	Summary: "A client cannot create an event of type fromMail.",
	Section: sectionEvent + ", eventType",
	Why:     "The documents say that clients cannot create events of this type.",
	Says:    constraint.NewEventType.Says(),
	Good:    sample.Timed{`"eventType":"default"`},
	Bad:     sample.Timed{`"eventType":"fromMail"`},
}

// eventType returns t, or default if t is absent.
func eventType(t string) string {
	if t == "" {
		return constraint.TypeDefault
	}
	return t
}

var typeUpdateAbsent = diag.Rule{
	ID: "event.type.update-absent", Kind: diag.Advise, When: diag.Update, Basis: diag.Observed, Scope: diag.OfChange, Reads: []string{"eventType"},
	Summary:  "An update of an event with a type other than default should send the eventType.",
	Section:  sectionObserved,
	Seen:     `400: "Event type cannot be changed."`,
	Reported: []string{"gemini-cli-extensions/workspace#319"},
	Why:      "The public service treats an absent type as a change to default. The library keeps the stored type.",
	Good:     sample.Update{`"eventType":"focusTime"`, `"eventType":"focusTime"`},
	Bad:      sample.Update{`"summary":"Deep work"`, `"eventType":"focusTime"`},
	Says:     diag.Sentences{{Key: "absent", Text: "The update has no eventType, which the public service treats as a change from {type} to default. Send \"eventType\": \"{type}\".", Fix: diag.Proposal{Add: true, Arg: "type", Certain: true}}},
	Check:    check(checkTypeUpdateAbsent),
}

func checkTypeUpdateAbsent(in *input, r engine.Reporter) {
	if t := eventType(in.stored.EventType); in.existing == knownEvent && t != constraint.TypeDefault && !in.present.Has(ofEventType) {
		r.Report("/eventType", "absent", diag.Name("type", t))
	}
}

var eventTypeImmutable = diag.Rule{
	ID: "event.type.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"eventType"},
	Summary: "The eventType cannot change after creation.",
	Section: sectionEvent + ", eventType",
	Why: "An absent type means default. An update without a type leaves it unchanged; a null in a patch changes the type to default. " +
		"The type of a deleted event is unknown if it is absent.",
	Good: sample.Patch{`"eventType":"default"`},
	Bad:  sample.Patch{`"eventType":"outOfOffice"`},
	Says: diag.Sentences{
		{Key: "changed", Text: "The request changes the immutable eventType from {limit} to {value}."},
		{Key: "leave-out", Text: "Leave it out."},
		{Key: "send-stored", Text: "Send {limit}."},
	},
	YieldsToValue: true,
	Check:         check(checkEventTypeImmutable),
}

func checkEventTypeImmutable(in *input, r engine.Reporter) {
	was, is := in.dialect.Name(eventType(in.stored.EventType)), in.dialect.Name(eventType(in.sent.EventType))
	isUnknown := in.existing != knownEvent || in.stored.EventType == "" && in.stored.StatusMeaning() == status.Deleted
	if isUnknown || !in.present.Has(ofEventType) || was == is {
		return
	}
	advice := "leave-out"
	if in.on == diag.Update { // an update without the type may break typeUpdateAbsent
		advice = "send-stored"
	}
	r.Report("/eventType", "changed", diag.Value("value", is), diag.Value("limit", was), wording.Also(advice))
}
