package diag

import (
	"fmt"
	"strings"
)

// Kind says what a rule does, or what a finding means for the request it is about.
// The zero value is no kind.
type Kind string

// The first four kinds are raised as findings; the last three belong to rules that
// shape an answer and are never raised.
const (
	Reject      Kind = "reject"      // the request is refused
	Ignore      Kind = "ignore"      // sent, but without effect
	Advise      Kind = "advise"      // accepted; the sender may want to know
	Unspecified Kind = "unspecified" // the documents are silent; the caller decides

	Default Kind = "default" // the value that an absent member has
	Effect  Kind = "effect"  // what the stored or returned event must be
	Decide  Kind = "decide"  // the answer of a decision function
)

// Basis says where a rule comes from.
type Basis string

// Every rule has one of these bases. Findings are filtered and graded by them.
const (
	Stated   Basis = "stated"   // the service's documents say so
	RFC      Basis = "rfc"      // an RFC that the documents name says so
	Inferred Basis = "inferred" // it follows from the documents
	Observed Basis = "observed" // the public service does so, as its users report
)

// When is a set of occasions on which a rule can speak. The zero value is never.
type When uint32

// Each bit is one operation on events, the check of a representation, or one of
// the groups of operations that carry no event.
const (
	Insert When = 1 << iota
	Import
	Update
	Patch
	Move
	QuickAdd
	Delete
	Get
	List
	Instances
	Response // checking a representation that a server returned
	CalendarsClear
	CalendarsDelete
	CalendarsInsert
	CalendarsTransfer
	ChannelsStop
	Other // every other operation of the catalogue
	Token // a realtime-database credential
	Key   // a service account's key file
	HTTP  // a realtime-database request

	Create = Insert | Import
	Modify = Update | Patch
	Write  = Create | Modify
	All    = HTTP<<1 - 1
)

// whenNames lists the names that [When.String] uses, wide sets first.
var whenNames = []struct {
	set  When
	name string
}{
	{All, "all"},
	{Write, "write"},
	{Create, "create"},
	{Modify, "modify"},
	{Insert, "insert"},
	{Import, "import"},
	{Update, "update"},
	{Patch, "patch"},
	{Move, "move"},
	{QuickAdd, "quickAdd"},
	{Delete, "delete"},
	{Get, "get"},
	{List, "list"},
	{Instances, "instances"},
	{Response, "response"},
	{CalendarsClear, "calendars.clear"},
	{CalendarsDelete, "calendars.delete"},
	{CalendarsInsert, "calendars.insert"},
	{CalendarsTransfer, "calendars.transferOwnership"},
	{ChannelsStop, "channels.stop"},
	{Other, "other"},
	{Token, "token"},
	{Key, "key"},
	{HTTP, "request"},
}

// Has reports whether w and op share an occasion.
func (w When) Has(op When) bool { return w&op != 0 }

// String names the set in as few words as it can, such as "create,response".
func (w When) String() string {
	var names []string
	for _, n := range whenNames {
		if w&n.set == n.set && n.set != 0 {
			names = append(names, n.name)
			w &^= n.set
		}
	}
	return strings.Join(names, ",")
}

// MarshalText writes the set as [When.String] does.
func (w When) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Example is one request that shows a rule at work, with what it is answered.
type Example struct {
	// Request is a line of the batch form that `calrules check --ndjson` reads, or,
	// for the rules of the realtime database, `calrules rtdb --ndjson`.
	Request string

	// Answer, where it is not empty, is JSON that the answer must contain: objects
	// member by member, everything else whole. Rules that raise no finding, of kind
	// [Default], [Effect] or [Decide], show with it what they do.
	Answer string
}

// Doc is the catalogue's entry for one rule. Docs are made once, by the package that
// owns the rule, and are never written to afterwards: their addresses may be compared.
type Doc struct {
	ID      string // "package.kebab-words"; never renamed, never used again
	Kind    Kind   // what the rule does unless it is graded otherwise
	When    When   // the occasions on which it can speak
	Basis   Basis
	Summary string // what must hold, in the present tense
	Section string // where it is written: a document and its section
	Why     string // what goes wrong without it, for the rule's own page; may be empty

	// Accept is a request that does not raise the rule. Refuse is one that raises
	// this rule and no other rejection; for a rule that raises nothing it is a
	// request on which the rule has no bearing, or the contrary one.
	Accept, Refuse Example
}

// Rule is one rule over inputs of type I: its documentation and its check. The check
// may be nil where the rule is kept by something else: the decoder, or the function
// that makes the answer.
type Rule[I any] struct {
	*Doc
	Check func(I, Reporter)
}

// Docs returns the documentation of rules, in their order.
func Docs[I any](rules []Rule[I]) []*Doc {
	docs := make([]*Doc, len(rules))
	for i, r := range rules {
		docs[i] = r.Doc
	}
	return docs
}

// Run puts every rule that can speak on the occasion to the input, in order. Paths
// that the rules report are taken to be below base.
func Run[I any](rules []Rule[I], on When, in I, report *Report, base Pointer) {
	for i := range rules {
		r := &rules[i]
		if r.Check != nil && r.When.Has(on) {
			r.Check(in, Reporter{report: report, doc: r.Doc, base: base})
		}
	}
}

// Report collects the findings of one run. The zero value collects all findings up to
// [DefaultMax], each as its rule says. A Report is for one goroutine.
type Report struct {
	Grading Grading // how rules are graded; the zero value changes nothing
	Max     int     // the most findings to keep; 0 means [DefaultMax]

	// Follows, where it is not nil, reports whether a finding would only follow from another
	// fault, such as a missing value from one that could not be read. It is not made then.
	Follows func(doc *Doc, path Pointer) bool

	Findings  Findings // the first Max, and always the first that rejects, which may take the place of the last
	Truncated bool     // there were more than Max
	Refused   bool     // a finding rejected
}

// DefaultMax is how many findings a [Report] keeps unless told otherwise. It bounds what
// a hostile payload costs; of what lies beyond it only the first finding that rejects is kept.
const DefaultMax = 1000

// Add grades a finding of doc and keeps it, unless the grading drops it.
func (r *Report) Add(doc *Doc, kind Kind, path Pointer, message string) {
	kind = r.Grading.Grade(doc, kind)
	if kind == "" {
		return
	}
	finding := Finding{Rule: doc, Kind: kind, Path: path, Message: message}
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

// For returns a reporter that speaks for doc, about paths below base.
func (r *Report) For(doc *Doc, base Pointer) Reporter {
	return Reporter{report: r, doc: doc, base: base}
}

// Reporter is what a check reports to. It knows the rule that it speaks for, so no
// check can report under another's id.
type Reporter struct {
	report *Report
	doc    *Doc
	base   Pointer
}

// Doc returns the rule that the reporter speaks for.
func (r Reporter) Doc() *Doc { return r.doc }

// Report makes a finding of the rule's own kind. The message is a sentence that says
// what was seen, the limit and what to do.
func (r Reporter) Report(path Pointer, format string, args ...any) {
	r.As(r.doc.Kind, path, format, args...)
}

// As makes a finding of another kind than the rule's, where the rule's statement names
// a case that is less grave.
func (r Reporter) As(kind Kind, path Pointer, format string, args ...any) {
	if place := r.base + path; r.wants(place) {
		r.report.Add(r.doc, kind, place, fmt.Sprintf(format, args...))
	}
}

// Say is [Reporter.Report] of a message in parts, which are put together as they are. It is
// for what is found often: to format takes an allocation for every text.
func (r Reporter) Say(path Pointer, parts ...string) {
	if place := r.base + path; r.wants(place) {
		r.report.Add(r.doc, r.doc.Kind, place, strings.Join(parts, ""))
	}
}

// wants reports whether a finding at the place has to be made.
func (r Reporter) wants(place Pointer) bool {
	switch {
	case r.report.Follows != nil && r.report.Follows(r.doc, place):
		return false
	case r.report.full() && r.report.Refused:
		r.report.Truncated = true // nothing can change any more: do not format
		return false
	default:
		return true
	}
}
