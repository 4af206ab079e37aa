package operation

import (
	"slices"
	"strings"
)

// Caller is what is known of who sends a request. A fact that is absent is unknown, and
// nothing is refused for it. The zero value knows nothing.
type Caller struct {
	ServiceAccount *bool `json:"serviceAccount,omitzero"`

	// DomainWideDelegation tells that a service account acts with domain-wide delegation
	// of authority. It is granted expressly, so absent means that there is none.
	DomainWideDelegation bool `json:"domainWideDelegation,omitzero"`

	Email   string `json:"email,omitzero"`
	Creator *bool  `json:"creator,omitzero"` // the caller created the event

	// Scopes are those of the caller's access token, in full: the scope base, a slash and
	// a suffix such as "auth/calendar". Nil is unknown; empty is a token without scopes.
	Scopes []string `json:"scopes,omitzero"`

	// ScopeBase is the scope namespace address that the scopes have to have, without the
	// slash at its end. Where it is empty, any that is not empty will do. It is no member
	// of the batch form.
	ScopeBase string `json:"-"`
}

// Calendar is what the sender of a request knows of the calendar that it addresses. For the
// lists, nil is not checked, and empty means that none is known.
type Calendar struct {
	Primary   *bool    `json:"primary,omitzero"`   // nil is unknown
	Status    string   `json:"status,omitzero"`    // "active", "disabled" or "deleted"; empty is unknown
	Colors    []string `json:"colors,omitzero"`    // ids of the event section of the colors definition
	Labels    []string `json:"labels,omitzero"`    // ids of labelProperties.eventLabels
	Buildings []string `json:"buildings,omitzero"` // building ids of the organization's resources database
	IDs       []string `json:"ids,omitzero"`       // ids of the events in the calendar
}

// StatusActive is the [Calendar.Status] that a transfer of ownership asks for.
const StatusActive = "active"

// NewCalendar returns what is known of a calendar that calendars.insert has made: it is
// secondary, and its data owner is the authenticated user, by their address as far as it is
// known.
func NewCalendar(by Caller) (made Calendar, dataOwner string) {
	return Calendar{Primary: new(bool)}, by.Email
}

// hasScope reports whether the caller has one of the scopes with these suffixes.
func (c *Caller) hasScope(suffixes []string) bool {
	base := strings.TrimSuffix(c.ScopeBase, "/")
	return slices.ContainsFunc(c.Scopes, func(scope string) bool {
		return slices.ContainsFunc(suffixes, func(suffix string) bool {
			return isScope(scope, base, suffix)
		})
	})
}

// isScope reports whether scope is base, a slash and suffix; an empty base stands for any
// that is not empty. A scope with a blank in it is several scopes in one string, or none.
func isScope(scope, base, suffix string) bool {
	rest, hasSuffix := strings.CutSuffix(scope, suffix)
	rest, hasSlash := strings.CutSuffix(rest, "/")
	if !hasSuffix || !hasSlash || rest == "" || strings.ContainsAny(rest, " \t\r\n") {
		return false
	}
	return base == "" || rest == base
}

// isServiceAccount reports whether the caller is known to be a service account that acts
// for no user.
func (c *Caller) isServiceAccount() bool {
	return c.ServiceAccount != nil && *c.ServiceAccount && !c.DomainWideDelegation
}
