package operation

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

var channelsStop = diag.Rule{
	ID: "channels.stop", Describes: diag.Effect, When: diag.ChannelsStop, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The operation channels.stop stops a watch; Acl, CalendarList, Events and Settings each have a watch operation.",
	Section: sectionNotifications,
	Why:     "The operation stops watching resources through a channel. The documents do not show how a request names the channel.",
	Good:    sample.Via(viaEffect, requestFor{"channels.stop"}, `{"deletes":["channel"]}`),
	Bad:     sample.Via(viaEffect, requestFor{"events.watch"}, `{"creates":["channel"]}`),
}
