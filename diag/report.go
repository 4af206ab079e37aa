package diag

import (
	"cmp"
	"slices"
	"strings"
)

// Collector collects the findings about a request. The zero value keeps up to [DefaultMax] findings and does not grade
// them. A nil Collector drops all findings. A Collector is not safe for concurrent use.
type Collector struct {
	Grading Grading // what findings mean; the zero value changes nothing
	Max     int     // the maximum number of findings; 0 means [DefaultMax]
	Dialect Dialect // of the messages
	IsGo    bool    // the request is a Go value, which has the documents' names in each dialect
	Texts   Texts   // sentences of the caller; may be nil

	// Suppress, if not nil, reports whether to drop a finding because it only restates another finding: for example, a
	// value that is reported as missing but has a wrong type.
	Suppress func(rule *Rule, path Pointer) bool

	Findings  Findings // the first Max findings; the last may be replaced with the first that rejects
	Truncated bool     // there were more than Max findings
	Refused   bool     // a finding rejects
}

// DefaultMax is the default of [Collector.Max]. It bounds the cost of a hostile payload.
const DefaultMax = 1000

// Add grades a finding and keeps it unless it is off.
func (r *Collector) Add(finding Finding) {
	if r == nil {
		return
	}
	finding.Kind = r.Grading.Grade(finding.Rule, finding.Kind)
	if finding.Kind == "" {
		return
	}
	first := finding.Kind == Reject && !r.Refused
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

// Join adds the findings of a part of the request, whose paths begin at base.
func (r *Collector) Join(base Pointer, found Findings) {
	for _, finding := range found {
		finding.Path = base + finding.Path
		finding.texts = r.Texts
		if r.wants(finding.Rule, finding.Path) {
			r.Add(finding)
		}
	}
}

// wants reports whether to report a finding of the rule at the place.
func (r *Collector) wants(rule *Rule, place Pointer) bool {
	switch {
	case r == nil || rule == nil:
		return false // the zero Reporter
	case !rule.HoldsIn(r.Dialect):
		return false
	case r.Truncated && r.Refused:
		return false // nothing can change any more
	case r.Suppress != nil && r.Suppress(rule, place):
		return false
	case r.full() && r.Refused:
		r.Truncated = true // the finding would be dropped: do not format it
		return false
	default:
		return true
	}
}

func (r *Collector) full() bool {
	return len(r.Findings) >= cmp.Or(max(r.Max, 0), DefaultMax)
}

// For returns a reporter for rule. Its paths are relative to base.
func (r *Collector) For(rule *Rule, base Pointer) Reporter {
	return Reporter{report: r, rule: rule, base: base}
}

// Reporter reports the findings of one rule, so that a check cannot report under the id of another rule. [Collector.For]
// makes one; the zero value drops all findings.
type Reporter struct {
	report *Collector
	rule   *Rule
	base   Pointer
	offset int      // 1 plus the offset of the findings, or 0
	unlike *variant // nil for findings as the rule declares them
}

// variant is how findings differ from what their rule declares. Few do, so a [Reporter] stays small: every check gets one.
type variant struct {
	kind  Kind  // "" for the rule's
	basis Basis // the same
	says  Sentences
}

// variant returns a copy of r.unlike.
func (r Reporter) variant() *variant {
	if r.unlike == nil {
		return new(variant)
	}
	return new(*r.unlike)
}

// Rule returns the rule of the findings.
func (r Reporter) Rule() *Rule { return r.rule }

// Dialect returns the dialect of the names in the report.
func (r Reporter) Dialect() Dialect {
	if r.report == nil {
		return Documents
	}
	return r.report.Dialect
}

// IsGo reports whether the findings are about a Go value.
func (r Reporter) IsGo() bool { return r.report != nil && r.report.IsGo }

// WithKind returns a reporter whose findings have another kind, for rules that describe a less severe case.
func (r Reporter) WithKind(kind Kind) Reporter {
	r.unlike = r.variant()
	r.unlike.kind = kind
	return r
}

// WithBasis returns a reporter whose findings have another basis, for a case that is known from elsewhere than the rest of the
// rule.
func (r Reporter) WithBasis(basis Basis) Reporter {
	r.unlike = r.variant()
	r.unlike.basis = basis
	return r
}

// At returns a reporter whose findings have the offset.
func (r Reporter) At(offset int) Reporter {
	r.offset = offset + 1
	return r
}

// WithSentences returns a reporter whose findings can say further sentences. It is for programs that report a rule of another
// package, whose sentences do not fit. A rule declares its own sentences in [Rule.Says].
func (r Reporter) WithSentences(further Sentences) Reporter {
	r.unlike = r.variant()
	r.unlike.says = further
	return r
}

// Report reports a finding that says the rule's sentence with the key.
func (r Reporter) Report(path Pointer, key string, args ...Arg) {
	if place := r.at(path); r.report.wants(r.rule, place) {
		finding := Finding{
			Rule: r.rule, Kind: r.rule.KindIn(r.report.Dialect), Basis: r.rule.Basis,
			Path: place, Key: key, Args: owned(args), Dialect: r.report.Dialect, Offset: r.offset - 1, texts: r.report.Texts,
		}
		if v := r.unlike; v != nil {
			finding.Kind, finding.Basis, finding.says = cmp.Or(v.kind, finding.Kind), cmp.Or(v.basis, finding.Basis), v.says
		}
		r.report.Add(finding)
	}
}

// owned returns a copy of arguments that keeps no request alive. All text from the request is in one string.
func owned(args []Arg) []Arg {
	length := 0
	for i := range args {
		length += len(args[i].sent())
	}
	own := slices.Clone(args)
	var all strings.Builder // never grows
	all.Grow(length)
	for i := range own {
		if sent := own[i].sent(); sent != "" {
			start := all.Len()
			all.WriteString(sent)
			own[i].text = all.String()[start:]
		}
	}
	return own
}

// at returns the place of a path below the base.
func (r Reporter) at(path Pointer) Pointer {
	if r.base == "" {
		return path // as usual
	}
	return r.base + path
}
