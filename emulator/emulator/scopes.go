package emulator

import (
	"net/http"
	"slices"
	"strings"

	"github.com/calrules/calrules/operation"
)

// scopes are those that allow the operations on a resource, after the last slash. The documents show the ones of
// events.insert only; these are those of the public service. To stop one's own channel needs none.
type scopes struct {
	write []string
	read  []string // beside those that allow to write
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
	if !ok || c.token.Scopes == nil || c.Operation.Scopes != nil {
		return nil
	}
	needed := slices.Clone(of.write)
	if reads(c.Operation) {
		needed = append(needed, of.read...)
	}
	for _, scope := range c.token.Scopes {
		base, suffix, ok := cutLast(scope, "/auth/")
		if ok && base != "" && !strings.ContainsAny(scope, " \t\r\n") && slices.Contains(needed, suffix) {
			return nil
		}
	}
	return refused(http.StatusForbidden, "insufficientPermissions", "The access token has none of the scopes that allow %s: %s.", c.Operation.ID, strings.Join(needed, ", "))
}

// reads reports whether an operation changes nothing that is listed. To watch a list is to read it.
func reads(op *operation.Operation) bool {
	return op.Method == http.MethodGet || op.Watch() != "" || op.ID == "freebusy.query"
}

// cutLast is [strings.Cut] at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
