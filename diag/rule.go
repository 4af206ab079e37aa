package diag

import (
	"cmp"
	"slices"
)

// Kind is the consequence of a finding for its request.
type Kind string

// The kinds of findings.
const (
	Reject      Kind = "reject"      // the request is refused
	Ignore      Kind = "ignore"      // the value has no effect
	Advise      Kind = "advise"      // the request is accepted, with advice to the sender
	Unspecified Kind = "unspecified" // the documents are silent, so the caller decides
)

func (k Kind) exists() bool { return slices.Contains([]Kind{Reject, Ignore, Advise, Unspecified}, k) }

// Description is the subject of a rule without findings: something that the library computes.
type Description string

// The descriptions.
const (
	Default Description = "default" // the value of an absent member
	Effect  Description = "effect"  // the required form of the stored or returned event
	Decide  Description = "decide"  // the answer of a decision function
)

// Basis is the source of a rule.
type Basis string

// The bases of rules. A [Grading] can select rules by basis.
const (
	Stated   Basis = "stated"   // the service's documents state it
	RFC      Basis = "rfc"      // an RFC that the documents name states it
	Inferred Basis = "inferred" // it follows from the documents
	Observed Basis = "observed" // the public service does so, according to its users
)

// Scope is the subject of a rule.
type Scope string

// The scopes of rules.
const (
	OfEvent   Scope = "event"   // the event itself, whatever its origin
	OfChange  Scope = "change"  // the difference between the stored event and the new one
	OfRequest Scope = "request" // the request around the event: operation, parameters, caller, text
)

func (s Scope) exists() bool { return s == OfEvent || s == OfChange || s == OfRequest }

// Rule is one rule: its meaning, its source, its occasions, examples of it, and the function that checks it. A rule is
// declared once, by the package that owns it, and is not modified afterwards, so rules may be compared by address.
type Rule struct {
	ID string // "package.kebab-words"; never renamed, never reused

	// A rule has one of the two: the kind of its findings before a [Grading], or the subject that it describes.
	Kind      Kind
	Describes Description

	When    When // the operations and inputs to which the rule applies
	Basis   Basis
	Scope   Scope
	Reads   []string // the paths of the members that the rule reads, as in "attendees[].email"
	Summary string   // the requirement, as a sentence in the present tense
	Section string   // the document and section that state it
	Why     string   // why the rule exists, for the rule's page; may be empty

	// Seen describes, for an [Observed] rule, the observed behavior of the public service. Reported lists the sources:
	// issues and pull requests of public trackers, as "owner/repository#number", and the URLs of other pages.
	Seen     string
	Reported []string

	// Status and Reason are the public service's answer to a request that breaks the rule, if the reason is known. A status of
	// 0 means 400. See [Rule.Refusal].
	Status int
	Reason string

	// Says are the sentences for findings of the rule. The sentence "patch-hint" is the advice for a patch that breaks the
	// rule only together with the stored event; "patch-hint-start" and "patch-hint-end" are the advice if the patch has
	// only the start or only the end.
	Says Sentences

	// OnlyIn is [Google] for a rule about something that only the public service shows, and nil for all others. In another dialect
	// the check of the rule reports nothing. For cases that hold only in the documents, see [Difference].
	OnlyIn *Dialect

	// The following fields give reasons to drop a pointless finding, in one stage after the rules.

	// YieldsToValue reports whether the rule objects to the change of a value. Its finding is redundant if another rule
	// rejects the value itself.
	YieldsToValue bool

	// AboutAll reports whether the rule compares the members that it reads: its finding is about all of them, and does not
	// imply that the value at its place is wrong by itself.
	AboutAll bool

	// Supersedes lists the ids of rules whose findings are dropped when this rule reports the same change.
	Supersedes []string

	// AssumesValid lists the places that a finding takes for granted, such as "?supportsAttachments" for a rule that
	// requires that parameter. If the value there is rejected, the finding is redundant.
	AssumesValid []Pointer

	// Good is a request that complies with the rule. Bad is a request that breaks this rule and that no other rule rejects.
	// For a rule that describes, Good shows the rule at work and Bad is the closest request to which it does not apply;
	// both have answers, and neither answer fits the other request.
	Good, Bad Example

	// Check checks the rule. A rule of event.Checker.WithRules has a func(event.View, diag.Reporter); other rules take the
	// input of their package. It is nil for a rule that is implemented elsewhere: by decoding, by the constraint of a
	// member, or by the function that computes the answer.
	Check any
}

// HoldsIn reports whether the rule holds in a dialect. A nil rule holds in none.
func (r *Rule) HoldsIn(d Dialect) bool {
	if r == nil || r.OnlyIn != nil && *r.OnlyIn != d {
		return false
	}
	return r.Kind == "" || r.KindIn(d) != ""
}

// KindIn returns the kind of the findings in a dialect, or "" for a nil rule and for a rule that reports nothing there.
// See [Rule.KindOf] for cases of the rule that differ.
func (r *Rule) KindIn(d Dialect) Kind { return r.KindOf(d, "") }

// KindOf returns the kind of the findings with the rule's sentence of the given key in a dialect. It is the kind of the
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

// Does returns the word for the rule in documents and tables: the kind of its findings, or its description.
func (r *Rule) Does() string {
	if r == nil {
		return ""
	}
	return cmp.Or(string(r.Kind), string(r.Describes))
}

// String returns the id.
func (r *Rule) String() string {
	if r == nil {
		return ""
	}
	return r.ID
}

// Equal reports whether two rules have the same id. It lets go-cmp compare findings: go-cmp never
// considers two functions equal, and the rule of a decoded finding has no other fields.
func (r *Rule) Equal(other *Rule) bool {
	if r == nil || other == nil {
		return r == other
	}
	return r.ID == other.ID
}

// Refusal returns the HTTP status and the reason, such as 409 and "duplicate", with which the public service refuses a
// request that breaks the rule, or 0 if they are not known. The documents do not show them. A server may answer other
// rejections with 400 and the reason "invalid".
func (r *Rule) Refusal() (status int, reason string) {
	if r == nil || r.Reason == "" {
		return 0, ""
	}
	return cmp.Or(r.Status, 400), r.Reason
}

// Refusal returns [Rule.Refusal] of the broken rule: of the cause, if the finding has one.
func (f Finding) Refusal() (status int, reason string) { return cmp.Or(f.Cause, f.Rule).Refusal() }

// Example is a request that shows a rule at work.
type Example struct {
	// Request is a line of input for `calrules check --ndjson`, `calrules expand --ndjson`
	// or `calrules rtdb --ndjson`, the text of a key file, or an object with a method and a
	// path.
	Request string

	// Answer, if not empty, is JSON that the answer must contain: objects member by member, arrays element by element,
	// everything else whole. A null member must be absent.
	Answer string

	// Via, if not empty, names the exported function or method that the answer is passed
	// through first, such as "Event.WithDefaults".
	Via string
}

// Reporter takes the findings of the check of a rule, always under the id of that rule.
type Reporter interface {
	// Report reports a finding with the rule's sentence of the given key.
	Report(path Pointer, key string, args ...Arg)
}
