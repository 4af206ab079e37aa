package refusal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
)

// Refusal is the public service's response to a refused request. Empty fields are unknown.
type Refusal struct {
	Status   int    `json:"status,omitempty"`
	Reason   string `json:"reason,omitempty"` // the reason, such as "timeRangeEmpty"
	Message  string `json:"message,omitempty"`
	Location string `json:"location,omitempty"` // the name of a parameter or header
}

// Explanation is a refusal with its causes and the meaning of its reason.
type Explanation struct {
	Refusal

	// Known reports whether the cause of the refusal is known, either from findings or because the reason itself states
	// the cause. A reason can have a known meaning even if the cause is unknown.
	Known bool `json:"known"`

	// Causes lists the findings that explain the refusal, with the most likely cause first.
	Causes diag.Findings `json:"causes"`

	// About describes the reason. About is nil if the reason is unknown.
	About *Reason `json:"about,omitempty"`
}

// Explain explains the refusal of a request, given the findings about the request, which must use the public service's names.
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

// The degrees to which a finding can explain a refusal, in increasing order.
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
	case isRecorded(r.Message): // the message belongs to other findings
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

// isRecorded reports whether the service has been observed to use the message for a rule.
func isRecorded(message string) bool {
	return message != "" && slices.ContainsFunc(recordings, func(known recording) bool { return known.message == message })
}

// isGeneral reports whether many rules share the reason.
func isGeneral(reason string) bool {
	return slices.Contains([]string{"invalid", "badRequest", "required"}, reason)
}

// isUntold reports whether the reason provides no more information than the status.
func (r Refusal) isUntold() bool { return r.Reason == "badRequest" || lookup(r.Reason, 0) == nil }
