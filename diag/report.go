package diag

import (
	"cmp"
	"fmt"
	"strings"
)

// Report collects the findings about a request. The zero value keeps up to [DefaultMax] findings
// and does not grade them. A Report is not safe for concurrent use.
type Report struct {
	Grading Grading // what findings mean; the zero value changes nothing
	Max     int     // the maximum number of findings; 0 means [DefaultMax]

	// Suppress, if not nil, reports whether to drop a finding because it only restates
	// another one: for example, a value reported as missing that is there with a wrong type.
	Suppress func(rule *Rule, path Pointer) bool

	Findings  Findings // the first Max findings; the last may be replaced with the first that rejects
	Truncated bool     // there were more than Max findings
	Refused   bool     // a finding rejects
}

// DefaultMax is the default of [Report.Max]. It bounds the cost of a hostile payload.
const DefaultMax = 1000

// Add grades a finding of rule and keeps it unless it is off. The finding has no offset.
func (r *Report) Add(rule *Rule, kind Kind, path Pointer, message string) {
	r.AddAt(rule, kind, path, -1, message)
}

// AddAt is like [Report.Add] for a finding with an offset.
func (r *Report) AddAt(rule *Rule, kind Kind, path Pointer, offset int, message string) {
	kind = r.Grading.Grade(rule, kind)
	if kind == "" {
		return
	}
	finding := Finding{Rule: rule, Kind: kind, Path: path, Offset: offset, Message: message}
	first := kind == Reject && !r.Refused
	r.Refused = r.Refused || first
	switch {
	case !r.full():
		if r.Findings == nil {
			const usual = 8 // a request with one problem often has several
			r.Findings = make(Findings, 0, usual)
		}
		r.Findings = append(r.Findings, finding)
	case first: // keep a reason for the rejection
		r.Findings[len(r.Findings)-1] = finding
		fallthrough
	default:
		r.Truncated = true
	}
}

func (r *Report) full() bool {
	return len(r.Findings) >= cmp.Or(max(r.Max, 0), DefaultMax)
}

// For returns a reporter for rule. Its paths are relative to base.
func (r *Report) For(rule *Rule, base Pointer) Reporter {
	return Reporter{report: r, rule: rule, base: base}
}

// Reporter reports the findings of one rule, so that a check cannot report under the id of
// another rule.
type Reporter struct {
	report *Report
	rule   *Rule
	base   Pointer
}

// Rule returns the rule of the findings.
func (r Reporter) Rule() *Rule { return r.rule }

// Report reports a finding of the kind of the rule. The message is a sentence that says what was
// seen, the limit and what to do.
func (r Reporter) Report(path Pointer, format string, args ...any) {
	r.As(r.rule.Kind, path, format, args...)
}

// As is like [Reporter.Report] with another kind, for rules that describe a less severe case.
func (r Reporter) As(kind Kind, path Pointer, format string, args ...any) {
	if place := r.base + path; r.wants(place) {
		r.report.Add(r.rule, kind, place, fmt.Sprintf(format, args...))
	}
}

// Say is like [Reporter.Report] with a message that is the concatenation of parts. It is for
// frequent findings, because formatting allocates for every operand.
func (r Reporter) Say(path Pointer, parts ...string) {
	if place := r.base + path; r.wants(place) {
		r.report.Add(r.rule, r.rule.Kind, place, strings.Join(parts, ""))
	}
}

// wants reports whether to report a finding at the place.
func (r Reporter) wants(place Pointer) bool {
	switch {
	case r.report.Suppress != nil && r.report.Suppress(r.rule, place):
		return false
	case r.report.full() && r.report.Refused:
		r.report.Truncated = true // the finding would be dropped: do not format it
		return false
	default:
		return true
	}
}
