package refusal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
)

// Refusal is the public service's answer to a request that it does not carry out. An empty member is unknown.
type Refusal struct {
	Status   int    `json:"status,omitempty"`
	Reason   string `json:"reason,omitempty"` // such as "timeRangeEmpty"
	Message  string `json:"message,omitempty"`
	Location string `json:"location,omitempty"` // a parameter or a header
}

// Explanation explains a refusal by its causes and its reason.
type Explanation struct {
	Refusal

	// Known reports whether the fault is known: there are causes, or the reason itself is the fault. A reason can have a
	// meaning even if the fault is unknown.
	Known bool `json:"known"`

	// Causes are the findings that explain the refusal, the most likely first.
	Causes diag.Findings `json:"causes"`

	// About describes the reason, or is nil if the reason is unknown.
	About *Reason `json:"about,omitempty"`
}

// Explain explains the refusal of a request by its findings, which must have the names of the public service.
func (r Refusal) Explain(found diag.Findings) Explanation {
	e := Explanation{Refusal: r, Causes: diag.Findings{}, About: lookup(r.Reason, r.Status)}
	for _, f := range found {
		if r.match(f) > 0 {
			e.Causes = append(e.Causes, f)
		}
	}
	slices.SortStableFunc(e.Causes, func(a, b diag.Finding) int { return r.match(b) - r.match(a) })
	e.Known = len(e.Causes) > 0 || e.About != nil && !e.About.IsInRequest
	return e
}

// The degrees to which a finding explains a refusal.
const (
	no = iota
	possible
	byReason
	byLocation
	byMessage
)

// match returns the degree to which a finding explains the refusal.
func (r Refusal) match(f diag.Finding) int {
	rule := cmp.Or(f.Cause, f.Rule)
	if rule == nil {
		return no
	}
	known := Recorded(f)
	isRejection := f.Kind == diag.Reject
	switch {
	case r.Message != "" && (known.Message == r.Message || strings.Contains(rule.Seen, `"`+r.Message+`"`)):
		return byMessage
	case isRejection && f.Path == diag.Pointer("?"+r.Location):
		return byLocation
	case isRecorded(r.Message): // of other findings
		return no
	case known.Reason == r.Reason && !isGeneral(r.Reason):
		return byReason
	case !isRejection:
		return no
	case known.Reason == r.Reason, r.isUntold() && known.Status == r.Status:
		return possible
	}
	return no
}

// isRecorded reports whether the service was seen to use a message for a rule.
func isRecorded(message string) bool {
	return message != "" && slices.ContainsFunc(recordings, func(known recording) bool { return known.message == message })
}

// isGeneral reports whether many rules share a reason.
func isGeneral(reason string) bool {
	return slices.Contains([]string{"invalid", "badRequest", "required"}, reason)
}

// isUntold reports whether the reason tells no more than the status.
func (r Refusal) isUntold() bool { return r.Reason == "badRequest" || lookup(r.Reason, 0) == nil }
