package diag

import (
	"iter"
	"slices"
	"strings"
)

// Catalogue is a list of rules that can be looked up by id. The zero value is empty. A
// Catalogue does not change and is safe for concurrent use.
type Catalogue struct {
	rules []*Rule
	byID  map[string]*Rule
}

// NewCatalogue returns a catalogue of the rules in the lists, in their order. It panics if two
// rules have the same id: rules are declared in source code.
func NewCatalogue(lists ...[]*Rule) *Catalogue {
	c := &Catalogue{rules: slices.Concat(lists...), byID: map[string]*Rule{}}
	for _, r := range c.rules {
		if c.byID[r.ID] != nil {
			panic("diag: two rules have the id " + r.ID)
		}
		c.byID[r.ID] = r
	}
	return c
}

// Lookup returns the rule with the id, or nil if there is none.
func (c *Catalogue) Lookup(id string) *Rule { return c.byID[id] }

// All yields the rules in order.
func (c *Catalogue) All() iter.Seq[*Rule] { return slices.Values(c.rules) }

// Rules returns the rules in order, as a slice that the caller may modify.
func (c *Catalogue) Rules() []*Rule { return slices.Clone(c.rules) }

// names reports whether a key of a [Grading] is the id of a rule, or a prefix of ids that ends in a dot.
func (c *Catalogue) names(key string) bool {
	isPrefix := strings.HasSuffix(key, ".")
	return c.byID[key] != nil || isPrefix && slices.ContainsFunc(c.rules, func(r *Rule) bool { return strings.HasPrefix(r.ID, key) })
}
