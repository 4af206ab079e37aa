package resource

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
)

var channelStop = diag.Rule{
	ID: "channels.stop.body", Kind: diag.Reject, When: diag.ChannelsStop, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "A request to stop a channel must have the id and the resourceId of the channel.",
	Section:  sectionObserved,
	Reason:   "required",
	Seen:     "The push notifications guide requires both.",
	Reported: []string{"https://developers.google.com/workspace/calendar/api/guides/push"},
	OnlyIn:   new(diag.Google),
	Good:     request{"channels.stop", `{"id":"c-1","resourceId":"r-1"}`},
	Bad:      request{"channels.stop", `{"id":"c-1"}`},
	Says:     constraint.SaysRequired(nil),
	Check:    of(checkStop),
}

func checkStop(in *input, c *Channel, r engine.Reporter) {
	in.require(r, "", text{"id", c.ID, &c.extra}, in.on)
	in.require(r, "", text{"resourceId", c.ResourceID, &c.extra}, in.on)
}
