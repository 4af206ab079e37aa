package diag

import (
	"cmp"
	"slices"
)

// Kind is the consequence of a finding for the request.
type Kind string

// The kinds of findings.
const (
	Reject      Kind = "reject"      // the request is refused
	Ignore      Kind = "ignore"      // the value has no effect
	Advise      Kind = "advise"      // the request is accepted, with advice to the sender
	Unspecified Kind = "unspecified" // the documents do not specify the behavior, so the caller decides
)

func (k Kind) exists() bool { return slices.Contains([]Kind{Reject, Ignore, Advise, Unspecified}, k) }

// Description is the subject of a rule without findings: a result that the library computes.
type Description string

// The descriptions.
const (
	Default Description = "default" // the value of an absent member
	Effect  Description = "effect"  // the required form of the stored or returned event
	Decide  Description = "decide"  // the result of a decision function
)

// Basis is the source of a rule.
type Basis string

// The bases of rules. A [Grading] can select rules by basis.
const (
	Stated   Basis = "stated"   // the service's documents state the rule
	RFC      Basis = "rfc"      // an RFC that the documents name states the rule
	Inferred Basis = "inferred" // the rule follows from the documents
	Observed Basis = "observed" // users report that the public service follows the rule
)

// Scope is the subject of a rule.
type Scope string

// The scopes of rules.
const (
	OfEvent   Scope = "event"   // the event itself, regardless of its origin
	OfChange  Scope = "change"  // the difference between the stored event and the new event
	OfRequest Scope = "request" // the rest of the request: operation, parameters, caller, encoding
)

func (s Scope) exists() bool { return s == OfEvent || s == OfChange || s == OfRequest }

// Rule is a single rule: its meaning, source, occasions, examples, and the function that checks it. A rule is declared once, in
// the package that owns it, and never modified, so rules can be compared by address.
type Rule struct {
	ID string // "package.kebab-words"; never renamed or reused

	// Only one of the following fields is set: the kind of the rule's findings before a [Grading], or the subject that the rule
	// describes.
	Kind      Kind
	Describes Description

	When    When // the operations and inputs to which the rule applies
	Basis   Basis
	Scope   Scope
	Reads   []string // the paths of the members that the rule reads, as in "attendees[].email"
	Summary string   // the requirement, as a sentence in the present tense
	Section string   // the document and section that state the rule
	Why     string   // why the rule exists, for the rule's page; may be empty

	// Seen describes, for an [Observed] rule, the observed behavior of the public service. Reported lists the sources:
	// issues and pull requests of public trackers, as "owner/repository#number", and the URLs of other pages.
	Seen     string
	Reported []string

	// Status and Reason are the HTTP status and the reason that the public service returns for a request that breaks the rule, if
	// the reason is known. A status of 0 means 400. See [Rule.Refusal].
	Status int
	Reason string

	// Says lists the sentences for the rule's findings. The sentence "patch-hint" is the advice for a patch that breaks the rule
	// only together with the stored event; "patch-hint-start" and "patch-hint-end" are the advice if the patch contains only the
	// start or only the end.
	Says Sentences

	// OnlyIn is [Google] for a rule about a behavior that only the public service shows, and nil for all other rules. In other
	// dialects, the rule reports nothing. For cases that hold only in the documents, see [Difference].
	OnlyIn *Dialect

	// The following fields determine which redundant findings are dropped after all rules have been checked.

	// YieldsToValue reports whether the rule is about changing a value. A finding about changing a value is redundant if another
	// rule rejects the value itself.
	YieldsToValue bool

	// AboutAll reports whether the rule compares the members that it reads. A finding about a comparison concerns all compared
	// members, and does not imply that the value at the finding's path is wrong on its own.
	AboutAll bool

	// Supersedes lists the ids of rules whose findings are dropped when this rule reports the same change.
	Supersedes []string

	// AssumesValid lists the places whose validity a finding assumes, such as "?supportsAttachments" for a rule that requires that
	// parameter. If the value at an assumed place is rejected, the finding is redundant.
	AssumesValid []Pointer

	// Good is a request that complies with the rule. Bad is a request that breaks this rule and that no other rule
	// rejects. For a rule with a [Description], Good is a request to which the rule applies and Bad is a similar
	// request to which it does not apply. Both requests have answers, and neither answer fits the other request. An [Example]
	// has the method; other data can become an Example when somebody reads it. See [Rule.Examples].
	Good, Bad interface{ Example() Example }

	// Check checks the rule. For a rule added with event.Checker.WithRules, Check is a func(event.View, diag.Reporter); for other
	// rules, the package of the rule determines the type. Check is nil for a rule that is implemented elsewhere: in
	// decoding, as a member's constraint, or in the function that computes the answer.
	Check any
}

// HoldsIn reports whether the rule holds in the given dialect. A nil rule holds in no dialect.
func (r *Rule) HoldsIn(d Dialect) bool {
	if r == nil || r.OnlyIn != nil && *r.OnlyIn != d {
		return false
	}
	return r.Kind == "" || r.KindIn(d) != ""
}

// KindIn returns the kind of the rule's findings in the given dialect, or "" if r is nil or reports nothing in that dialect.
// Some sentences have a different kind; see [Rule.KindOf].
func (r *Rule) KindIn(d Dialect) Kind { return r.KindOf(d, "") }

// KindOf returns the kind of findings with the given sentence key in the given dialect. KindOf returns the kind of the
// rule unless there is a [Difference].
func (r *Rule) KindOf(d Dialect, key string) Kind {
	if r == nil {
		return ""
	}
	if d == Google {
		for _, k := range [...]string{key, ""} {
			if different := r.difference(k); different != nil {
				return different.Kind
			}
		}
	}
	return r.Kind
}

// Does returns the kind of the rule's findings, or the rule's description, as a word for documents and tables.
func (r *Rule) Does() string {
	if r == nil {
		return ""
	}
	return cmp.Or(string(r.Kind), string(r.Describes))
}

// String returns the rule's id.
func (r *Rule) String() string {
	if r == nil {
		return ""
	}
	return r.ID
}

// Equal reports whether two rules have the same id. Equal lets go-cmp compare findings: go-cmp never considers two
// functions equal, and the rule of a decoded finding has no other fields.
func (r *Rule) Equal(other *Rule) bool {
	if r == nil || other == nil {
		return r == other
	}
	return r.ID == other.ID
}

// Refusal returns the HTTP status and the reason, such as 409 and "duplicate", that the public service returns for a request
// that breaks the rule, or 0 and "" if the reason is not known. The documents do not show statuses or reasons. A server may
// refuse other requests with 400 and the reason "invalid".
func (r *Rule) Refusal() (status int, reason string) {
	if r == nil || r.Reason == "" {
		return 0, ""
	}
	return cmp.Or(r.Status, 400), r.Reason
}

// Refusal returns the [Rule.Refusal] of the broken rule, which is Cause if the finding has one.
func (f Finding) Refusal() (status int, reason string) { return cmp.Or(f.Cause, f.Rule).Refusal() }

// Examples returns the examples Good and Bad, or a zero Example for each that is nil.
func (r *Rule) Examples() (good, bad Example) {
	if r != nil && r.Good != nil {
		good = r.Good.Example()
	}
	if r != nil && r.Bad != nil {
		bad = r.Bad.Example()
	}
	return good, bad
}

// Example is a request that illustrates a rule.
type Example struct {
	// Request is an input line for `calrules check --ndjson`, `calrules expand --ndjson` or `calrules rtdb --ndjson`,
	// the contents of a key file, or an object with a method and a path.
	Request string

	// Answer, if not empty, is JSON that the answer must contain. Objects are compared member by member, arrays element
	// by element, and other values as a whole. A member that is null in Answer must be absent.
	Answer string

	// Via, if not empty, names an exported function or method to apply to the answer before the comparison, such as
	// "Event.WithDefaults".
	Via string
}

// Example returns e, for [Rule.Good] and [Rule.Bad].
func (e Example) Example() Example { return e }

// Reporter collects the findings of a rule's check, all under the id of that rule.
type Reporter interface {
	// Report reports a finding at the given place, with the rule's sentence for the given key.
	Report(path Pointer, key string, args ...Arg)
}
