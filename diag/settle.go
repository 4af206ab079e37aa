package diag

import (
	"cmp"
	"slices"
	"strings"
)

// Stage is the stage after the rules: it drops findings that say nothing new, orders the others and keeps the first.
// The rules declare what makes a finding pointless: see [Rule.Yields], [Rule.Needs] and [Rule.Supersedes].
type Stage struct {
	// Rank orders the findings about one place by their rules. The rules of an embedder have no rank: their findings
	// come last, and make no other finding pointless.
	Rank map[*Rule]int

	// Wholes are the members that change as a whole, so a finding about a part of such a member is about its change.
	Wholes []Pointer
}

// Settle settles the findings of a report. It keeps the first findings, at most the given number, with a finding that
// rejects among them if there is any; 0 keeps all. Before it orders the findings that say something new, it passes them
// to place, which may be nil: place sets their offsets and may change their paths. Settle leaves the findings in memory
// of their own.
func (s *Stage) Settle(r *Report, most int, place func(Findings)) {
	if r == nil {
		return
	}
	found := r.Findings
	if r.Findings = nil; len(found) == 0 {
		return
	}
	kept := make(Findings, 0, len(found))
	for i := range found {
		if len(found) == 1 || !s.isPointless(&found[i], found) {
			kept = append(kept, found[i])
		}
	}
	if place != nil {
		place(kept)
	}
	if len(kept) > 1 {
		found = append(found[:0], kept...)
		for k, i := range s.order(found) {
			kept[k] = found[i]
		}
	}
	if most > 0 && len(kept) > most {
		kept, r.Truncated = kept.firsts(most), true
	}
	r.Findings = kept
}

// isPointless reports whether a finding says nothing new beside another finding that is not pointless itself.
func (s *Stage) isPointless(f *Finding, found Findings) bool {
	for i := range found {
		other := &found[i]
		if _, isRanked := s.Rank[other.Rule]; isRanked && (s.lacksGround(f, other) || s.isSuperseded(f, other)) && !s.isPointless(other, found) {
			return true
		}
	}
	return false
}

// lacksGround reports whether other rejects what f takes for granted: a place that it needs, or the value to whose change
// it objects.
func (s *Stage) lacksGround(f, other *Finding) bool {
	rule := f.rule()
	if other.Kind != Reject || other.Rule == rule {
		return false
	}
	isAboutValue := !other.Rule.Yields && !other.Rule.Relates
	isOfValue := rule.Yields && f.Path != "" // the whole request is no value
	return slices.Contains(rule.Needs, other.Path) || isOfValue && isAboutValue && s.concerns(other.Path, f.Path)
}

// isSuperseded reports whether the rule of other supersedes the rule of f, and both are about one change. Only a
// rejection supersedes a rejection.
func (s *Stage) isSuperseded(f, other *Finding) bool {
	said := cmp.Or(f.Cause, f.rule())
	if !slices.Contains(other.Rule.Supersedes, f.rule().ID) || f.Kind == Reject && other.Kind != Reject {
		return false
	}
	return s.concerns(other.Path, f.Path) || said.Relates && said.reads(other.Path)
}

// concerns reports whether a finding at the path is about the change of the member.
func (s *Stage) concerns(path, member Pointer) bool {
	rest, isWithin := strings.CutPrefix(string(path), string(member))
	return isWithin && (rest == "" || rest[0] == '/' && slices.Contains(s.Wholes, member))
}

// reads reports whether the rule reads a member of the body, or something within it.
func (r *Rule) reads(member Pointer) bool {
	return slices.ContainsFunc(r.Reads, func(path string) bool {
		name, _, _ := strings.Cut(path, ".")
		return member == Pointer("").Member(strings.TrimSuffix(name, "[]"))
	})
}

// order returns the indexes of the findings in the order of the document. A finding about a missing member has the
// place of its object, after the findings about the object itself. Findings that are equal in this order stay in the
// order in which they were reported.
func (s *Stage) order(found Findings) []int {
	indexes := make([]int, len(found))
	for i := range indexes {
		indexes[i] = i
	}
	depth := func(f *Finding) int { return strings.Count(string(f.Path), "/") }
	slices.SortStableFunc(indexes, func(i, j int) int {
		a, b := &found[i], &found[j]
		if a.Offset != b.Offset { // as usual
			return a.Offset - b.Offset
		}
		return cmp.Or(depth(a)-depth(b), s.rank(a.Rule)-s.rank(b.Rule))
	})
	return indexes
}

func (s *Stage) rank(r *Rule) int {
	if rank, isRanked := s.Rank[r]; isRanked {
		return rank
	}
	return len(s.Rank)
}

// firsts returns the first n findings. If none of them rejects, the first finding that rejects replaces the last of
// them, so that a refused request has a reason.
func (fs Findings) firsts(n int) Findings {
	kept, rest := fs[:n], fs[n:]
	if rejecting := rest.Kind(Reject); len(rejecting) > 0 && !kept.Rejected() {
		kept[n-1] = rejecting[0]
	}
	return kept
}
