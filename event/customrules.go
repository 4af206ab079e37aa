package event

import (
	"errors"
	"fmt"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
)

// View is the input of a caller's rule: the request and its effect. The values are read-only. The [diag.Rule.Check] of
// a caller's rule is a func(View, diag.Reporter).
type View struct {
	Request *Request // the operation, its parameters, and facts about its context
	Stored  *Event   // the stored event; nil if absent or unknown
	Sent    *Event   // the body; nil if the operation has no body

	// Next is the event to store, or the representation to check; nil if the operation writes no event. For a patch to an unknown
	// event, Next contains only the members of the patch.
	Next *Event
}

// WithRules returns a copy of c that also checks the given rules, such as a company's own. The added rules are checked
// and graded like the rules in [Catalogue], and their findings about a place follow the findings of those rules. An
// added rule with the scope [diag.OfEvent] that reads members is not checked if a request changes none of those
// members. WithRules returns an error, with a line for each problem, if a rule is invalid, has the id of another rule, has a
// check of the wrong type, or reads a member that does not exist. Package event/ruletest tests the examples of added rules.
//
// In [diag.Rule.Says], a rule declares the sentences that its check reports by key; see [diag.Reporter.Report]. A rule with the
// sentence "patch-hint" is about several values. If a patch breaks the rule only in combination with the stored event, the
// finding's rule is patch.whole, its cause is the broken rule, and its message includes the hint.
func (c *Checker) WithRules(rules ...*diag.Rule) (*Checker, error) {
	catalogue, err := c.Catalogue().With(rules...)
	errs := []error{err}
	for _, r := range rules {
		if r != nil {
			errs = append(errs, validateOwn(r))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	with := *c.orZero()
	with.catalogue = catalogue
	with.own = &byOccasion{rules: slices.DeleteFunc(catalogue.Rules(), func(r *diag.Rule) bool { return !isOwn(r) })}
	return &with, nil
}

// Catalogue returns all rules that c checks: the rules of the function [Catalogue], followed by the rules added by
// [Checker.WithRules].
func (c *Checker) Catalogue() *diag.Catalogue {
	if own := c.orZero().catalogue; own != nil {
		return own
	}
	return Catalogue()
}

// isOwn reports whether r was added by [Checker.WithRules].
func isOwn(r *diag.Rule) bool {
	_, own := r.Check.(func(View, diag.Reporter))
	return own
}

// validateOwn returns an error, with a line for each problem, if a caller's rule cannot be checked.
func validateOwn(r *diag.Rule) error {
	var errs []error
	if check, _ := r.Check.(func(View, diag.Reporter)); check == nil {
		errs = append(errs, fmt.Errorf("the check of %q is not a func(event.View, diag.Reporter)", r.ID))
	}
	for _, path := range r.Reads {
		if !slices.ContainsFunc(Fields(), func(f Field) bool { return f.Path == path }) {
			errs = append(errs, fmt.Errorf("%s reads %s, which is not the path of a member; see Fields", r.ID, engine.Quote(path)))
		}
	}
	return errors.Join(errs...)
}

// bind returns a rule's check as an executable function.
func bind(r *diag.Rule) check {
	if own, ok := r.Check.(func(View, diag.Reporter)); ok {
		return func(in *input, report engine.Reporter) { own(in.view(), report) }
	}
	return r.Check.(check)
}

// view returns the input for the rules of [Checker.WithRules].
func (in *input) view() View {
	v := View{Request: in.req}
	if in.existing == knownEvent {
		v.Stored = in.stored
	}
	if (diag.Write | diag.Response).Has(in.on) {
		v.Sent, v.Next = in.sent, in.next
	}
	return v
}
