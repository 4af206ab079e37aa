package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/sample"
)

var focusTimeAutoDecline = diag.Rule{
	ID: "focus-time.auto-decline", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"focusTimeProperties.autoDeclineMode"},
	Summary: "The autoDeclineMode of focus time must be " + constraint.AutoDeclineMode.String() + ".",
	Section: sectionParts,
	Says:    constraint.AutoDeclineMode.Says(),
	Good:    sample.Timed{`"eventType":"focusTime","focusTimeProperties":{"autoDeclineMode":"declineNone"}`},
	Bad:     sample.Timed{`"eventType":"focusTime","focusTimeProperties":{"autoDeclineMode":"declineAll"}`},
}

var focusTimeChatStatus = diag.Rule{
	ID: "focus-time.chat-status", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"focusTimeProperties.chatStatus"},
	Summary: "The chatStatus of focus time must be " + constraint.ChatStatus.String() + ".",
	Section: sectionParts,
	Says:    constraint.ChatStatus.Says(),
	Good:    sample.Timed{`"eventType":"focusTime","focusTimeProperties":{"chatStatus":"doNotDisturb"}`},
	Bad:     sample.Timed{`"eventType":"focusTime","focusTimeProperties":{"chatStatus":"away"}`},
}

var focusTimeEventType = diag.Rule{
	ID: "focus-time.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"focusTimeProperties", "eventType"},
	Summary: "An event with focusTimeProperties should have the eventType focusTime.",
	Section: sectionEvent + ", focusTimeProperties",
	Good:    sample.Timed{`"eventType":"focusTime","focusTimeProperties":{"chatStatus":"available"}`},
	Bad:     sample.Timed{`"focusTimeProperties":{"chatStatus":"available"}`},
	Says:    goesWithSays,
	Check:   goesWith("focusTimeProperties", constraint.TypeFocusTime, func(e *Event) bool { return e.FocusTimeProperties != nil }),
}
