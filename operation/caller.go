package operation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
)

// A Caller contains the known facts about the sender of a request. In the zero value, all facts are unknown. No rule rejects a
// request because a fact is unknown.
type Caller struct {
	ServiceAccount *bool `json:"serviceAccount,omitzero"`

	// DomainWideDelegation reports whether a service account acts with domain-wide delegation of authority. Because
	// delegation must be granted explicitly, it is assumed to be absent unless known.
	DomainWideDelegation bool `json:"domainWideDelegation,omitzero"`

	Email   string `json:"email,omitzero"`
	Creator *bool  `json:"creator,omitzero"` // whether the caller created the event

	// Scopes lists all scopes of the access token, each with the scope base, such as
	// "https://scope.example/auth/calendar". Nil means unknown; empty means none.
	Scopes []string `json:"scopes,omitzero"`

	// ScopeBase is the base URL that the scopes must have, without a trailing slash. If ScopeBase is empty, any nonempty base is
	// accepted. ScopeBase is not part of the JSON form, so a request cannot choose its own base.
	ScopeBase string `json:"-"`
}

// WithDialect returns the caller with the base of its scopes replaced by the scope base of the dialect. If the dialect has no
// known scope base, WithDialect returns c.
func (c *Caller) WithDialect(d diag.Dialect) *Caller {
	base := d.ScopeBase()
	if c == nil || base == "" {
		return c
	}
	in := *c
	in.Scopes = slices.Clone(c.Scopes)
	for i, scope := range in.Scopes {
		if _, suffix, found := strings.Cut(scope, "/auth/"); found && isScope(scope, "", "auth/"+suffix) {
			in.Scopes[i] = base + "/auth/" + suffix
		}
	}
	return &in
}

// A Calendar contains the known facts about the calendar that a request addresses.
type Calendar struct {
	Primary   *bool  `json:"primary,omitzero"`   // nil if unknown
	Status    string `json:"status,omitzero"`    // "active", "disabled" or "deleted"; empty if unknown
	TimeZone  string `json:"timeZone,omitzero"`  // the IANA name of the zone; empty if unknown
	Colors    IDs    `json:"colors,omitzero"`    // the ids in the event section of the colors definition
	Labels    IDs    `json:"labels,omitzero"`    // the ids in labelProperties.eventLabels
	Buildings IDs    `json:"buildings,omitzero"` // the building ids in the resources database of the organization
	IDs       IDs    `json:"ids,omitzero"`       // the ids of the events in the calendar
}

// IDs is a set of ids: an [IDList], or an [IDFunc] that looks up an id without listing a whole calendar. Nil means that the set
// is unknown.
type IDs interface {
	// Has reports whether the set contains the id.
	Has(id string) bool
}

// An IDList is a set of ids, represented as a list. A nil IDList is an empty set.
type IDList []string

// Has reports whether the list contains the id.
func (l IDList) Has(id string) bool { return slices.Contains(l, id) }

// An IDFunc is the set of ids for which the function returns true.
type IDFunc func(id string) bool

// Has returns f(id).
func (f IDFunc) Has(id string) bool { return f != nil && f(id) }

// statusActive is the required [Calendar.Status] of a calendar to be transferred.
const statusActive = "active"

// Validate returns an error if the status has an unknown value or the time zone is not in the IANA Time Zone Database. A
// nil Calendar is valid.
func (c *Calendar) Validate() error {
	switch {
	case c == nil:
		return nil
	case !slices.Contains([]string{"", statusActive, "disabled", "deleted"}, c.Status):
		return fmt.Errorf("calendar.status is %s; it must be active, disabled or deleted", engine.Quote(c.Status))
	case c.TimeZone != "" && !form.IsZone(c.TimeZone):
		return fmt.Errorf("calendar.timeZone is %s; it must be in the IANA Time Zone Database, such as Europe/Berlin", engine.Quote(c.TimeZone))
	}
	return nil
}

// NewCalendar returns the calendar that the operation creates for a caller, and the email address of its data owner, which is
// the caller's address if known. Only calendars.insert creates a calendar, which is always secondary; for other operations,
// NewCalendar returns nil.
func (op *Operation) NewCalendar(by Caller) (created *Calendar, dataOwner string) {
	if op.orZero().ID != "calendars.insert" {
		return nil, ""
	}
	return &Calendar{Primary: new(bool)}, by.Email
}

// isPrimary reports whether the calendar is known to be primary.
func (c *Calendar) isPrimary() bool { return c.Primary != nil && *c.Primary }

// HasScope reports whether the access token has at least one of the scopes. The scopes are specified without the scope
// base, as in [Operation.Scopes]. If the caller's scopes are unknown, HasScope returns false.
func (c *Caller) HasScope(scopes ...string) bool {
	if c == nil {
		return false
	}
	base := strings.TrimSuffix(c.ScopeBase, "/")
	return slices.ContainsFunc(c.Scopes, func(scope string) bool {
		return slices.ContainsFunc(scopes, func(suffix string) bool {
			return isScope(scope, base, suffix)
		})
	})
}

// isScope reports whether scope consists of base, a slash and suffix. An empty base matches any nonempty base. A string
// with white space is not a single scope.
func isScope(scope, base, suffix string) bool {
	rest, hasSuffix := strings.CutSuffix(scope, suffix)
	rest, hasSlash := strings.CutSuffix(rest, "/")
	if !hasSuffix || !hasSlash || rest == "" || strings.ContainsAny(rest, " \t\r\n") {
		return false
	}
	return base == "" || rest == base
}

// isServiceAccount reports whether the caller is known to be a service account that does not act on behalf of a user.
func (c *Caller) isServiceAccount() bool {
	return c.ServiceAccount != nil && *c.ServiceAccount && !c.DomainWideDelegation
}
