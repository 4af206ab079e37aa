package resource

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/object"
)

var watchChannel = diag.Rule{
	ID: "watch.channel", Kind: diag.Reject, When: watches,
	Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "A channel must have an id of at most 64 characters from A-Z a-z 0-9 - _ + / =, the type web_hook or webhook, and an https " +
		"address; a token must have at most 256 characters, and an expiration must be in Unix milliseconds.",
	Section:  sectionObserved,
	Seen:     "The push notifications guide states these limits.",
	Reported: []string{"https://developers.google.com/workspace/calendar/api/guides/push"},
	Why:      "The id of a channel must be unique within a project; only the server can check that.",
	OnlyIn:   new(diag.Google),
	Good:     request{"events.watch", `{"id":"c-1","type":"web_hook","address":"https://example.com/notifications"}`},
	Bad:      request{"events.watch", `{"id":"c-1","type":"web_hook","address":"http://example.com/notifications"}`},
	Says: slices.Concat(constraint.SaysRequired(nil), constraint.ChannelType.Says(), constraint.ChannelIDLength.Says(),
		constraint.ChannelAddress.Says(), diag.Sentences{
			{Key: "id-characters", Text: "The id is {value}; only A-Z, a-z, 0-9 and -_+/= are allowed. Use a UUID."},
			{Key: "expiration", Text: "The expiration is {value}; it must be the Unix time in milliseconds, in digits."},
		}),
	Check: of(checkChannel),
}

func checkChannel(in *input, c *Channel, r engine.Reporter) {
	for _, t := range []struct {
		text
		must *constraint.Constraint
	}{
		{text{"id", c.ID, &c.extra}, constraint.ChannelIDLength},
		{text{"type", c.Type, &c.extra}, constraint.ChannelType},
		{text{"address", c.Address, &c.extra}, constraint.ChannelAddress},
	} {
		in.require(r, "", t.text, in.on)
		allow(r, "", t.text, t.must)
	}
	if !constraint.ChannelIDCharacters.Has(c.ID) {
		r.Report("/id", "id-characters", diag.Value("value", c.ID))
	}
	allow(r, "", text{"token", c.Token, &c.extra}, constraint.ChannelToken)
	if v := c.Expiration; v != nil && !isMilliseconds(v) {
		r.Report("/expiration", "expiration", diag.Value("value", unquoted(v)))
	}
}

// isMilliseconds reports whether a JSON value is a non-negative int64, either as a number or as a string of digits.
func isMilliseconds(value json.RawMessage) bool {
	if jsonscan.Of(value).IsString() {
		_, err := strconv.ParseUint(unquoted(value), 10, 63)
		return err == nil
	}
	n, ok := object.ParseInt(value)
	return ok && n >= 0
}

// unquoted returns the value of a JSON string, or any other JSON value as written.
func unquoted(value json.RawMessage) string {
	if jsonscan.Of(value).IsString() {
		return string(jsonscan.Unquote(value))
	}
	return string(value)
}
