package diag

import (
	"fmt"
	"strings"
)

// Report collects the findings of one run. The zero value collects all findings up to
// [DefaultMax], each as its rule says. A Report is for one goroutine.
type Report struct {
	Grading Grading // how rules are graded; the zero value changes nothing
	Max     int     // the most findings to keep; 0 means [DefaultMax]

	// Suppress, if not nil, reports whether to drop a finding because it only restates
	// another one: for example, a value reported as missing that is there with a wrong type.
	Suppress func(rule *Rule, path Pointer) bool

	Findings  Findings // the first Max, and always the first that rejects, which may take the place of the last
	Truncated bool     // there were more than Max
	Refused   bool     // a finding rejected
}

// DefaultMax is how many findings a [Report] keeps unless told otherwise. It bounds what
// a hostile payload costs; of what lies beyond it only the first finding that rejects is kept.
const DefaultMax = 1000

// Add grades a finding of rule and keeps it, unless the grading drops it.
func (r *Report) Add(rule *Rule, kind Kind, path Pointer, message string) {
	kind = r.Grading.Grade(rule, kind)
	if kind == "" {
		return
	}
	finding := Finding{Rule: rule, Kind: kind, Path: path, Message: message}
	first := kind == Reject && !r.Refused
	r.Refused = r.Refused || first
	switch {
	case !r.full():
		if r.Findings == nil {
			const usual = 8 // what has one fault has often some
			r.Findings = make(Findings, 0, usual)
		}
		r.Findings = append(r.Findings, finding)
	case first: // or nobody could tell why
		r.Findings[len(r.Findings)-1] = finding
		fallthrough
	default:
		r.Truncated = true
	}
}

func (r *Report) full() bool {
	limit := r.Max
	if limit <= 0 {
		limit = DefaultMax
	}
	return len(r.Findings) >= limit
}

// For returns a reporter that speaks for rule, about paths below base.
func (r *Report) For(rule *Rule, base Pointer) Reporter {
	return Reporter{report: r, rule: rule, base: base}
}

// Reporter is what a check reports to. It knows the rule that it speaks for, so no
// check can report under another's id.
type Reporter struct {
	report *Report
	rule   *Rule
	base   Pointer
}

// Rule returns the rule that the reporter reports under.
func (r Reporter) Rule() *Rule { return r.rule }

// Report makes a finding of the rule's own kind. The message is a sentence that says
// what was seen, the limit and what to do.
func (r Reporter) Report(path Pointer, format string, args ...any) {
	r.As(r.rule.Kind, path, format, args...)
}

// As makes a finding of another kind than the rule's, where the rule's statement names
// a case that is less grave.
func (r Reporter) As(kind Kind, path Pointer, format string, args ...any) {
	if place := r.base + path; r.wants(place) {
		r.report.Add(r.rule, kind, place, fmt.Sprintf(format, args...))
	}
}

// Say is [Reporter.Report] of a message in parts, which are put together as they are. It is
// for what is found often: to format takes an allocation for every text.
func (r Reporter) Say(path Pointer, parts ...string) {
	if place := r.base + path; r.wants(place) {
		r.report.Add(r.rule, r.rule.Kind, place, strings.Join(parts, ""))
	}
}

// wants reports whether a finding at the place has to be made.
func (r Reporter) wants(place Pointer) bool {
	switch {
	case r.report.Suppress != nil && r.report.Suppress(r.rule, place):
		return false
	case r.report.full() && r.report.Refused:
		r.report.Truncated = true // nothing can change any more: do not format
		return false
	default:
		return true
	}
}
