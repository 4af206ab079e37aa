package event

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
)

// About eighty rules apply to an insert, but a small event can break only about a dozen of them. Sets of rules
// select those, so that the others are not called.

// ruleSet is a set of the rules of an occasion, by their indexes.
type ruleSet [2]uint64

func (s *ruleSet) add(i int) { s[i/64] |= 1 << (i % 64) }

// addAll, keep and remove change the set as the other one says. They are written out because a loop takes longer.
func (s *ruleSet) addAll(other *ruleSet) { s[0], s[1] = s[0]|other[0], s[1]|other[1] }
func (s *ruleSet) keep(other *ruleSet)   { s[0], s[1] = s[0]&other[0], s[1]&other[1] }
func (s *ruleSet) remove(other *ruleSet) { s[0], s[1] = s[0]&^other[0], s[1]&^other[1] }

// selection selects rules by members.
type selection struct {
	all    ruleSet
	always ruleSet     // the rules without members
	some   object.Set  // the members with rules
	of     [64]ruleSet // the rules about a member, by its index
}

func (s *selection) add(i int, members object.Set) {
	s.all.add(i)
	if members == 0 {
		s.always.add(i)
	}
	s.some |= members
	for ; members != 0; members &= members - 1 {
		s.of[bits.TrailingZeros64(uint64(members))].add(i)
	}
}

// among returns the rules about the members, and those without members.
func (s *selection) among(members object.Set) ruleSet {
	if members == object.All {
		return s.all
	}
	set := s.always
	for members &= s.some; members != 0; members &= members - 1 {
		set.addAll(&s.of[bits.TrailingZeros64(uint64(members))])
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
var occasions [32]struct {
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
func bitOf(on diag.When) int { return bits.TrailingZeros32(uint32(on)) }

// toCheck returns the rules that may report something about the input.
func (o *occasionRules) toCheck(in *input) ruleSet {
	set, needless := o.about.among(in.present), o.plain.among(in.plain)
	//mutation:accept A rule about absent or plain members has nothing to report.
	if set.remove(&needless); !in.isNew() {
		reading := o.reads.among(in.rewritten)
		set.keep(&reading)
	}
	return set
}

// check checks the rules.
func (o *occasionRules) check(in *input, report *diag.Report) {
	for word, set := range o.toCheck(in) {
		for ; set != 0; set &= set - 1 {
			rule := &o.rules[64*word+bits.TrailingZeros64(set)]
			rule.check(in, report.For(rule.Rule, ""))
		}
	}
}
