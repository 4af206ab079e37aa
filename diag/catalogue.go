package diag

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Catalogue is a list of rules with lookup by id. The zero value and a nil pointer are empty. A Catalogue is immutable and
// safe for concurrent use.
type Catalogue struct {
	rules []*Rule
	byID  map[string]*Rule
}

// NewCatalogue returns a catalogue of the rules in the given lists, in order. NewCatalogue panics if two rules have the same
// id.
func NewCatalogue(lists ...[]*Rule) *Catalogue {
	c := &Catalogue{rules: slices.Concat(lists...)}
	c.byID = make(map[string]*Rule, len(c.rules))
	for _, r := range c.rules {
		if c.byID[r.ID] != nil {
			panic("diag: two rules have the id " + r.ID)
		}
		c.byID[r.ID] = r
	}
	return c
}

// With returns a catalogue of the rules in c, followed by the given rules. The error has a line for each problem. A rule must
// not be nil, and must have a unique id of the form "package.kebab-words", a kind that reports findings, an occasion, a known
// basis and scope, a summary and a section. The status of a rule, if any, must be an HTTP error status. Says must have
// sentences with non-empty texts and distinct keys of the form "kebab-words".
func (c *Catalogue) With(rules ...*Rule) (*Catalogue, error) {
	c = c.orZero()
	out := &Catalogue{rules: slices.Clone(c.rules), byID: maps.Clone(c.byID)}
	if out.byID == nil {
		out.byID = map[string]*Rule{}
	}
	var errs []error
	for _, r := range rules {
		err := r.validate()
		if r != nil && out.byID[r.ID] != nil {
			err = errors.Join(err, fmt.Errorf("there is another rule with the id %s", r.ID))
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out.rules, out.byID[r.ID] = append(out.rules, r), r
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return out, nil
}

// isID reports whether a string has the form of an id: at least two words, separated by dots.
func isID(text string) bool {
	words := 0
	for word := range strings.SplitSeq(text, ".") {
		if !isKebab(word) {
			return false
		}
		words++
	}
	return words > 1
}

// isKebab reports whether a word consists of groups of lower-case letters and digits, separated by hyphens.
func isKebab(word string) bool {
	for part := range strings.SplitSeq(word, "-") {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return true
}

// validate returns an error, with a line for each problem, if the rule's declaration is invalid.
func (r *Rule) validate() error {
	if r == nil {
		return errors.New("a rule is nil")
	}
	var errs problems
	errs.unless(isID(r.ID), "the id of a rule is %s; it must be of the form package.kebab-words", quoted(r.ID))
	errs.unless(r.Kind.exists() && r.Describes == "", "the kind of %s is %s; it must be reject, ignore, advise or unspecified", r.ID, quoted(string(r.Kind)))
	errs.unless(r.Basis.exists(), "the basis of %s is %s; it must be stated, rfc, inferred or observed", r.ID, quoted(string(r.Basis)))
	errs.unless(r.Scope.exists(), "the scope of %s is %s; it must be event, change or request", r.ID, quoted(string(r.Scope)))
	errs.unless(r.Status == 0 || 400 <= r.Status && r.Status <= 599, "the status of %s is %d; it must be 400 to 599, or 0 for 400", r.ID, r.Status)
	errs.unless(r.When != 0, "%s applies to no operation; set When", r.ID)
	errs.unless(r.Summary != "", "%s has no summary", r.ID)
	errs.unless(r.Section != "", "%s has no section", r.ID)
	errs.unless(len(r.Says) > 0, "%s has no sentences; declare the sentences of its findings in Says", r.ID)
	for i, s := range r.Says {
		_, isKnown := r.Says[:i].Text(s.Key)
		errs.unless(isKebab(s.Key), "the key of a sentence of %s is %s; it must be of the form kebab-words", r.ID, quoted(s.Key))
		errs.unless(!isKnown, "%s has two sentences with the key %s", r.ID, s.Key)
		errs.unless(s.Text != "", "the sentence %s of %s is empty", s.Key, r.ID)
	}
	return errors.Join(errs...)
}

// problems lists the errors in a declaration.
type problems []error

// unless adds an error unless the condition is true.
func (p *problems) unless(isTrue bool, format string, args ...any) {
	if !isTrue {
		*p = append(*p, fmt.Errorf(format, args...))
	}
}

// Lookup returns the rule with the given id, or nil if there is none.
func (c *Catalogue) Lookup(id string) *Rule { return c.orZero().byID[id] }

// All returns an iterator over the rules, in order.
func (c *Catalogue) All() iter.Seq[*Rule] { return slices.Values(c.orZero().rules) }

// Rules returns the rules in order, as a slice that the caller may modify.
func (c *Catalogue) Rules() []*Rule { return slices.Clone(c.orZero().rules) }

// orZero returns c, or an empty catalogue if c is nil.
func (c *Catalogue) orZero() *Catalogue {
	if c == nil {
		return new(Catalogue)
	}
	return c
}

// names reports whether a [Grading] key is a rule id, or a prefix of rule ids that ends before or after a dot.
func (c *Catalogue) names(key string) bool {
	c = c.orZero()
	prefix := strings.TrimSuffix(key, ".") + "."
	return c.byID[key] != nil || slices.ContainsFunc(c.rules, func(r *Rule) bool { return strings.HasPrefix(r.ID, prefix) })
}
