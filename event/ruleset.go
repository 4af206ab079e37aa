package event

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
)

// Up to 56 rules apply on an occasion, but a small event can break only about a dozen of them. Sets of rules
// select those, so that the others are not called.

// ruleSet is a set of the rules of an occasion, by their indexes. A test checks that no occasion has more than fit.
type ruleSet uint64

const maxRules = 64

// selection selects rules by members.
type selection struct {
	all    ruleSet
	always ruleSet     // the rules without members
	some   object.Set  // the members with rules
	of     [64]ruleSet // the rules about a member, by its index
}

func (s *selection) add(i int, members object.Set) {
	rule := ruleSet(1) << i
	s.all |= rule
	if members == 0 {
		s.always |= rule
	}
	s.some |= members
	for ; members != 0; members &= members - 1 {
		s.of[bits.TrailingZeros64(uint64(members))] |= rule
	}
}

// among returns the rules about the members, and those without members.
func (s *selection) among(members object.Set) ruleSet {
	if members == object.All {
		return s.all
	}
	set := s.always
	for members &= s.some; members != 0; members &= members - 1 {
		set |= s.of[bits.TrailingZeros64(uint64(members))]
	}
	return set
}

// occasionRules has the rules of this package for one occasion.
type occasionRules struct {
	rules []boundRule // in order
	reads selection   // by the members that change
	about selection   // by the members that are present
	plain selection   // the rules in [plainRules], by the members that are plain
}

// occasions are the occasions by their bits. Most programs need one or two of them, so each is set when it is first used.
var occasions [64]struct {
	once  sync.Once
	rules occasionRules
}

// occasionOf returns the rules for the occasion with the index of its bit.
func occasionOf(on int) *occasionRules {
	o := &occasions[on]
	o.once.Do(func() { o.rules.bind(on) })
	return &o.rules
}

func (o *occasionRules) bind(on int) {
	o.rules = rulesOn(on, rules)
	for i, r := range o.rules {
		o.reads.add(i, r.reads)
		o.about.add(i, r.about)
		for _, p := range plainRules {
			if slices.Contains(p.rules, r.Rule) {
				o.plain.add(i, p.members)
			}
		}
	}
}

// bitOf returns the index of an occasion.
func bitOf(on diag.When) int { return bits.TrailingZeros64(uint64(on)) }

// toCheck returns the rules that may report something about the input.
func (o *occasionRules) toCheck(in *input) ruleSet {
	set := o.about.among(in.present) &^ o.plain.among(in.plain)
	if !in.isNew() {
		set &= o.reads.among(in.rewritten)
	}
	return set
}

// check checks the rules.
func (o *occasionRules) check(in *input, report *diag.Report) {
	for set := o.toCheck(in); set != 0; set &= set - 1 {
		rule := &o.rules[bits.TrailingZeros64(uint64(set))]
		rule.check(in, report.For(rule.Rule, ""))
	}
}
