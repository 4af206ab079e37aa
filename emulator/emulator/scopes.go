package emulator

import (
	"net/http"
	"slices"
	"strings"

	"github.com/calrules/calrules/operation"
)

// scopes allow the operations on a resource. They lack the scope base and "auth/". The documents show scopes of
// events.insert only; these come from the public service. A client needs no scope to stop its own channel.
type scopes struct {
	write []string
	read  []string // beside the scopes that allow to write
}

var scopesOf = map[string]scopes{
	"calendars": {[]string{"calendar", "calendar.app.created", "calendar.calendars"}, []string{"calendar.readonly", "calendar.calendars.readonly"}},
	"calendarList": {
		[]string{"calendar", "calendar.app.created", "calendar.calendarlist"}, []string{"calendar.readonly", "calendar.calendarlist.readonly"},
	},
	"acl":      {[]string{"calendar", "calendar.acls"}, []string{"calendar.readonly", "calendar.acls.readonly"}},
	"settings": {[]string{"calendar"}, []string{"calendar.readonly", "calendar.settings.readonly"}},
	"events": {
		[]string{"calendar", "calendar.app.created", "calendar.events", "calendar.events.owned"},
		[]string{"calendar.readonly", "calendar.events.freebusy", "calendar.events.owned.readonly", "calendar.events.public.readonly", "calendar.events.readonly"},
	},
	"freebusy": {[]string{"calendar"}, []string{"calendar.readonly", "calendar.events.freebusy", "calendar.freebusy"}},
	"colors": {[]string{"calendar"}, []string{
		"calendar.readonly", "calendar.app.created", "calendar.calendarlist", "calendar.calendarlist.readonly", "calendar.events.freebusy",
		"calendar.events.owned", "calendar.events.owned.readonly", "calendar.events.public.readonly",
	}},
}

// checkScope refuses an operation that none of the token's scopes allows. The library decides if the documents show the
// scopes.
func (c *call) checkScope() error {
	name, _, _ := strings.Cut(string(c.Operation.ID), ".")
	of, ok := scopesOf[name]
	if !ok || c.Request.Caller.Scopes == nil || c.Operation.Scopes != nil {
		return nil
	}
	needed := slices.Clone(of.write)
	if reads(c.Operation) {
		needed = append(needed, of.read...)
	}
	for i, name := range needed {
		needed[i] = "auth/" + name
	}
	if c.Request.Caller.HasScope(needed...) {
		return nil
	}
	return refused(http.StatusForbidden, "insufficientPermissions", "The access token has none of the scopes that allow %s: %s.", c.Operation.ID, strings.Join(needed, ", "))
}

// reads reports whether an operation changes nothing that is listed. To watch a list is to read it.
func reads(op *operation.Operation) bool {
	return op.Method == http.MethodGet || op.WatchEffect() != "" || op.ID == "freebusy.query"
}
