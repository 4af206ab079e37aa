package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/wording"
)

// Collector collects the findings about a request. The zero value keeps up to [Most] findings and does not grade
// them. A nil Collector drops all findings. A Collector is not safe for concurrent use.
type Collector struct {
	Grading diag.Grading // the grades of findings; the zero value changes nothing
	Max     int          // the maximum number of findings; 0 means [Most]
	Dialect diag.Dialect // the dialect of the messages
	IsGo    bool         // whether the request is a Go value, which has the documents' names in either dialect
	Texts   diag.Texts   // sentences of the caller; may be nil

	// Suppress, if not nil, reports whether to drop a finding because it only restates another finding. For example, a
	// value of the wrong type would also be reported as missing.
	Suppress func(rule *diag.Rule, path diag.Pointer) bool

	Findings  diag.Findings // the first Max findings; the first rejection may replace the last of these findings
	Truncated bool          // whether there were more than Max findings
	Refused   bool          // whether a finding rejects the request

	memory wording.Memory
}

// Most is the default for [Collector.Max], which limits the cost of a hostile payload.
const Most = 1000

// Part returns a collector for findings about a part of a request. The part's collector keeps one finding more than usual, so
// the collector for the whole request can detect dropped findings.
func Part(in diag.Dialect) Collector { return Collector{Max: Most + 1, Dialect: in} }

// Add grades a finding in place, and keeps a copy of the finding unless the finding is off. Add does not change the Certain
// field of the finding if it is already set.
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
		n := len(r.Findings)
		r.Findings = slices.Grow(r.Findings, 1)[:n+1]
		r.Findings[n] = *finding // append would copy it twice
	case first: // keep a finding that rejects
		r.Findings[len(r.Findings)-1] = *finding
		fallthrough
	default:
		r.Truncated = true
	}
}

// Join adds findings about a part of the request. The paths in the findings are relative to base.
func (r *Collector) Join(base diag.Pointer, found diag.Findings) {
	for _, finding := range found {
		finding.Path = base + finding.Path
		finding.Texts = r.Texts
		if r.wants(finding.Rule, finding.Path) {
			r.Add(&finding)
		}
	}
}

// wants reports whether the collector keeps findings of the rule at the given place.
func (r *Collector) wants(rule *diag.Rule, place diag.Pointer) bool {
	switch {
	case r == nil || rule == nil:
		return false // the zero Reporter
	case !rule.HoldsIn(r.Dialect):
		return false
	case r.Truncated && r.Refused:
		return false // the report can no longer change
	case r.Suppress != nil && r.Suppress(rule, place):
		return false
	case r.full() && r.Refused:
		r.Truncated = true // the finding would be dropped, so do not format it
		return false
	default:
		return true
	}
}

func (r *Collector) full() bool {
	return len(r.Findings) >= cmp.Or(max(r.Max, 0), Most)
}

// For returns a reporter for rule. The reported paths are relative to base.
func (r *Collector) For(rule *diag.Rule, base diag.Pointer) Reporter {
	return Reporter{report: r, rule: rule, base: base}
}

// Reporter reports the findings of a single rule; a check thus cannot report under the id of another rule. [Collector.For]
// returns a Reporter; the zero value drops all findings.
type Reporter struct {
	report *Collector
	rule   *diag.Rule
	base   diag.Pointer
	offset int      // 1 plus the offset of the findings, or 0
	unlike *variant // nil for findings as the rule declares them
}

// variant contains the properties in which findings differ from the declaration of their rule. Few findings differ, so a
// separate struct keeps each [Reporter] small.
type variant struct {
	kind  diag.Kind  // "" for the kind of the rule
	basis diag.Basis // "" for the basis of the rule
	says  diag.Sentences
}

func (r Reporter) variant() *variant {
	if r.unlike == nil {
		return new(variant)
	}
	return new(*r.unlike)
}

// Rule returns the rule whose findings r reports.
func (r Reporter) Rule() *diag.Rule { return r.rule }

// Dialect returns the dialect of the report.
func (r Reporter) Dialect() diag.Dialect {
	if r.report == nil {
		return diag.Documents
	}
	return r.report.Dialect
}

// IsGo reports whether the findings are about a Go value.
func (r Reporter) IsGo() bool { return r.report != nil && r.report.IsGo }

// WithKind returns a reporter for findings of the given kind, for rules that also cover a less severe case.
func (r Reporter) WithKind(kind diag.Kind) Reporter {
	r.unlike = r.variant()
	r.unlike.kind = kind
	return r
}

// WithBasis returns a reporter for findings with the given basis, for a case whose source differs from the source of the rule.
func (r Reporter) WithBasis(basis diag.Basis) Reporter {
	r.unlike = r.variant()
	r.unlike.basis = basis
	return r
}

// At returns a reporter for findings with the given offset.
func (r Reporter) At(offset int) Reporter {
	r.offset = offset + 1
	return r
}

// WithSentences returns a reporter whose findings can use additional sentences. WithSentences is for programs that report a
// rule of another package when the sentences in [diag.Rule.Says] do not fit.
func (r Reporter) WithSentences(further diag.Sentences) Reporter {
	r.unlike = r.variant()
	r.unlike.says = further
	return r
}

// Report reports a finding with the sentence for the given key.
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

// at returns the absolute path of a path that is relative to the base.
func (r Reporter) at(path diag.Pointer) diag.Pointer {
	if r.base == "" {
		return path // the usual case
	}
	return r.base + path
}

// sayings is a rule for strings that are not findings.
var sayings = diag.Rule{Says: diag.Sentences{{Key: "value", Text: "{value}"}}}

// Quote quotes a value for a message. Quote shortens a long value and adds its length, to keep messages readable.
func Quote(s string) string {
	return diag.Finding{Rule: &sayings, Key: "value", Args: []diag.Arg{diag.Value("value", s)}}.Message()
}

// Fill replaces the placeholders in text, which has the syntax of a [diag.Sentence], with the arguments, or with names in the
// given dialect.
func Fill(in diag.Dialect, text string, args ...diag.Arg) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return diag.Finding{Key: "text", Says: diag.Sentences{{Key: "text", Text: text}}, Args: args, Dialect: in}.Message()
}

// Common returns the sentences and sentence fragments that every rule can use.
func Common() (all diag.Sentences) {
	for _, s := range wording.Common {
		all = append(all, diag.Sentence{Key: s.Key, Text: s.Text})
	}
	return all
}
