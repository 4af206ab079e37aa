package engine

import (
	"cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/wording"
)

// Collector collects the findings about a request. The zero value keeps up to [Most] findings and does not grade
// them. A nil Collector drops all findings. A Collector is not safe for concurrent use.
type Collector struct {
	Grading diag.Grading // what findings mean; the zero value changes nothing
	Max     int          // the maximum number of findings; 0 means [Most]
	Dialect diag.Dialect // of the messages
	IsGo    bool         // the request is a Go value, which has the documents' names in each dialect
	Texts   diag.Texts   // sentences of the caller; may be nil

	// Suppress, if not nil, reports whether to drop a finding because it only restates another finding: for example, a
	// value that is reported as missing but has a wrong type.
	Suppress func(rule *diag.Rule, path diag.Pointer) bool

	Findings  diag.Findings // the first Max findings; the last may be replaced with the first that rejects
	Truncated bool          // there were more than Max findings
	Refused   bool          // a finding rejects

	memory wording.Memory
}

// Most is the default of [Collector.Max]. It bounds the cost of a hostile payload.
const Most = 1000

// Part returns a collector of the findings about a part of a request. It keeps one finding more than a collector of the
// whole, which thus knows that there are more.
func Part(in diag.Dialect) Collector { return Collector{Max: Most + 1, Dialect: in} }

// Add grades a finding, in place, and keeps a copy of it unless it is off. A finding that was graded before stays certain if
// it was.
func (r *Collector) Add(finding *diag.Finding) {
	if r == nil || finding == nil {
		return
	}
	if finding.Certain == "" {
		finding.Certain = finding.Kind
	}
	finding.Kind = r.Grading.Grade(finding.Rule, finding.Kind)
	if finding.Kind == "" {
		return
	}
	first := finding.Kind == diag.Reject && !r.Refused
	r.Refused = r.Refused || first
	switch {
	case !r.full():
		if r.Findings == nil {
			const usual = 8 // a request with one problem often has several
			r.Findings = make(diag.Findings, 0, usual)
		}
		r.Findings = append(r.Findings, *finding)
	case first: // keep a reason for the rejection
		r.Findings[len(r.Findings)-1] = *finding
		fallthrough
	default:
		r.Truncated = true
	}
}

// Join adds the findings of a part of the request, whose paths begin at base.
func (r *Collector) Join(base diag.Pointer, found diag.Findings) {
	for _, finding := range found {
		finding.Path = base + finding.Path
		finding.Texts = r.Texts
		if r.wants(finding.Rule, finding.Path) {
			r.Add(&finding)
		}
	}
}

// wants reports whether to report a finding of the rule at the place.
func (r *Collector) wants(rule *diag.Rule, place diag.Pointer) bool {
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
	return len(r.Findings) >= cmp.Or(max(r.Max, 0), Most)
}

// For returns a reporter for rule. Its paths are relative to base.
func (r *Collector) For(rule *diag.Rule, base diag.Pointer) Reporter {
	return Reporter{report: r, rule: rule, base: base}
}

// Reporter reports the findings of one rule, so that a check cannot report under the id of another rule. [Collector.For]
// makes one; the zero value drops all findings.
type Reporter struct {
	report *Collector
	rule   *diag.Rule
	base   diag.Pointer
	offset int      // 1 plus the offset of the findings, or 0
	unlike *variant // nil for findings as the rule declares them
}

// variant holds the differences of findings from the declaration of their rule. Few findings have any, and every check gets a
// [Reporter], which this keeps small.
type variant struct {
	kind  diag.Kind  // "" for the rule's
	basis diag.Basis // the same
	says  diag.Sentences
}

// variant returns a copy of r.unlike.
func (r Reporter) variant() *variant {
	if r.unlike == nil {
		return new(variant)
	}
	return new(*r.unlike)
}

// Rule returns the rule of the findings.
func (r Reporter) Rule() *diag.Rule { return r.rule }

// Dialect returns the dialect of the names in the report.
func (r Reporter) Dialect() diag.Dialect {
	if r.report == nil {
		return diag.Documents
	}
	return r.report.Dialect
}

// IsGo reports whether the findings are about a Go value.
func (r Reporter) IsGo() bool { return r.report != nil && r.report.IsGo }

// WithKind returns a reporter whose findings have another kind, for rules that describe a less severe case.
func (r Reporter) WithKind(kind diag.Kind) Reporter {
	r.unlike = r.variant()
	r.unlike.kind = kind
	return r
}

// WithBasis returns a reporter whose findings have another basis, for a case with a different source from the rest of the
// rule.
func (r Reporter) WithBasis(basis diag.Basis) Reporter {
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
// package, whose sentences do not fit. A rule declares its own sentences in [diag.Rule.Says].
func (r Reporter) WithSentences(further diag.Sentences) Reporter {
	r.unlike = r.variant()
	r.unlike.says = further
	return r
}

// Report reports a finding with the rule's sentence of the given key.
func (r Reporter) Report(path diag.Pointer, key string, args ...diag.Arg) {
	if place := r.at(path); r.report.wants(r.rule, place) {
		finding := diag.Finding{
			Rule: r.rule, Kind: r.rule.KindOf(r.report.Dialect, key), Basis: r.rule.Basis,
			Path: place, Key: key, Args: r.report.memory.Keep(args), Dialect: r.report.Dialect, Offset: r.offset - 1, Texts: r.report.Texts,
		}
		if v := r.unlike; v != nil {
			finding.Kind, finding.Basis, finding.Says = cmp.Or(v.kind, finding.Kind), cmp.Or(v.basis, finding.Basis), v.says
		}
		r.report.Add(&finding)
	}
}

// at returns the place of a path below the base.
func (r Reporter) at(path diag.Pointer) diag.Pointer {
	if r.base == "" {
		return path // as usual
	}
	return r.base + path
}

// sayings is a rule for strings that are not findings.
var sayings = diag.Rule{Says: diag.Sentences{{Key: "value", Text: "{value}"}}}

// Quote quotes a value for a message. It shortens a long value and adds its length, so that messages stay readable.
func Quote(s string) string {
	return diag.Finding{Rule: &sayings, Key: "value", Args: []diag.Arg{diag.Value("value", s)}}.Message()
}

// Fill fills the places of a string with the names of a dialect. The string has the syntax of a [diag.Sentence].
func Fill(in diag.Dialect, text string) string {
	return diag.Finding{Key: "text", Says: diag.Sentences{{Key: "text", Text: text}}, Dialect: in}.Message()
}

// Common returns the sentences, and parts of sentences, that every rule can use.
func Common() (all diag.Sentences) {
	for _, s := range wording.Common {
		all = append(all, diag.Sentence{Key: s.Key, Text: s.Text})
	}
	return all
}
