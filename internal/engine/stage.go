// Package engine runs rules, and drops, grades and orders their findings.
package engine

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
)

// Run checks, in order, every rule that applies on the given occasion. Run skips rules without a check; every other
// check must be a func(In, Reporter). Reported paths are relative to base.
func Run[In any](rules []*diag.Rule, on diag.When, in In, report *Collector, base diag.Pointer) {
	for _, r := range rules {
		if r != nil && r.Check != nil && r.When.Has(on) {
			r.Check.(func(In, Reporter))(in, report.For(r, base))
		}
	}
}

// Stage is the processing stage after the rules: it drops redundant findings, sorts the rest, and truncates the list. The
// rules declare which findings are redundant: see [diag.Rule.YieldsToValue], [diag.Rule.AssumesValid] and
// [diag.Rule.Supersedes]. The zero value knows no rules, so it considers no finding redundant.
type Stage struct {
	ranks  map[*diag.Rule]int
	wholes []diag.Pointer
}

// NewStage returns a stage. Findings at the same place are in the order of their rules: first the findings of the equal rules,
// which keep their order, and then the findings of the ordered rules. The custom rules of an embedder are in neither list:
// their findings come last, and make no other finding redundant. The wholes are the members that can only be changed as a
// whole; a finding about a part of such a member concerns the change of the whole member.
func NewStage(equal, ordered []*diag.Rule, wholes ...diag.Pointer) *Stage {
	s := &Stage{ranks: make(map[*diag.Rule]int, len(equal)+len(ordered)), wholes: wholes}
	all := slices.DeleteFunc(slices.Concat(equal, ordered), func(r *diag.Rule) bool { return r == nil })
	for i, r := range all {
		s.ranks[r] = max(0, i-len(equal)+1)
	}
	return s
}

// Settle drops the redundant findings of r and sorts the rest. Settle keeps at most the given number of findings, including a
// rejection if there is one; 0 keeps all. Before sorting, Settle passes the findings to place, which sets their offsets and
// may change their paths; place may be nil. Settle stores the remaining findings in new memory.
func (s *Stage) Settle(r *Collector, most int, place func(diag.Findings)) {
	if r == nil {
		return
	}
	found := r.Findings
	if r.Findings = nil; len(found) == 0 {
		return
	}
	found = s.withoutRedundant(found)
	if place != nil {
		place(found)
	}
	kept := s.inOrder(found)
	if most > 0 && len(kept) > most {
		kept, r.Truncated = firsts(kept, most), true
	}
	r.Findings = kept
}

// withoutRedundant returns the findings that are not redundant, in new memory if any finding may be redundant.
func (s *Stage) withoutRedundant(found diag.Findings) diag.Findings {
	if len(found) == 1 || !mayHaveRedundant(found) {
		return found // the usual case
	}
	kept, all := make(diag.Findings, 0, len(found)), s.redundancyOf(found)
	for i := range found {
		if !all.isRedundant(&found[i]) {
			kept = append(kept, found[i])
		}
	}
	return kept
}

// mayHaveRedundant reports whether, judging by their rules, any of the findings may be redundant.
func mayHaveRedundant(found diag.Findings) bool {
	for i := range found {
		if r := found[i].Rule; r != nil && (r.YieldsToValue || r.AssumesValid != nil || r.Supersedes != nil) {
			return true
		}
	}
	return false
}

// redundancy identifies the redundant findings of a report in linear time, by considering findings with the same key only once,
// and comparing a finding only with findings about the same change.
type redundancy struct {
	*Stage
	at, within map[diag.Pointer][]*diag.Finding // findings by path, and by the whole that contains the path; one for each key
	superseded map[string]bool                  // the ids of the rules that other findings supersede
	redundant  map[key]bool
}

// key identifies equivalent findings, which are either all redundant or all not redundant.
type key struct {
	rule, cause *diag.Rule
	kind        diag.Kind
	path        diag.Pointer
}

func keyOf(f *diag.Finding) key { return key{f.Rule, f.Cause, f.Kind, f.Path} }

// ruleOf returns the rule of a finding, or &noRule if the finding has no rule.
func ruleOf(f *diag.Finding) *diag.Rule { return cmp.Or(f.Rule, &noRule) }

var noRule diag.Rule // never modified

// redundancyOf returns an index of the findings that can make other findings redundant.
func (s *Stage) redundancyOf(found diag.Findings) *redundancy {
	r := &redundancy{s, map[diag.Pointer][]*diag.Finding{}, map[diag.Pointer][]*diag.Finding{}, map[string]bool{}, map[key]bool{}}
	seen := map[key]bool{}
	for i := range found {
		f := &found[i]
		if _, isRanked := s.ranks[f.Rule]; !isRanked || seen[keyOf(f)] || f.Kind != diag.Reject && len(f.Rule.Supersedes) == 0 {
			continue
		}
		seen[keyOf(f)] = true
		r.at[f.Path] = append(r.at[f.Path], f)
		for _, id := range f.Rule.Supersedes {
			r.superseded[id] = true
		}
		for _, whole := range s.wholes {
			if s.concerns(f.Path, whole) {
				r.within[whole] = append(r.within[whole], f)
			}
		}
	}
	return r
}

// isRedundant reports whether a finding adds nothing to another finding that is not itself redundant.
func (r *redundancy) isRedundant(f *diag.Finding) bool {
	if rule := ruleOf(f); !rule.YieldsToValue && rule.AssumesValid == nil && !r.superseded[rule.ID] {
		return false // the usual case
	}
	own := keyOf(f)
	if is, isKnown := r.redundant[own]; isKnown {
		return is
	}
	r.redundant[own] = false // provisionally, to prevent endless recursion between rules that supersede each other
	for other := range r.candidates(f) {
		if (r.dependsOnRejected(f, other) || r.isSuperseded(f, other)) && !r.isRedundant(other) {
			r.redundant[own] = true
			return true
		}
	}
	return false
}

// candidates yields the findings that, judging by their paths, could make f redundant.
func (r *redundancy) candidates(f *diag.Finding) iter.Seq[*diag.Finding] {
	lists := [][]*diag.Finding{r.at[f.Path], r.within[f.Path]}
	for _, place := range ruleOf(f).AssumesValid {
		lists = append(lists, r.at[place])
	}
	if said := cmp.Or(f.Cause, ruleOf(f)); said.AboutAll {
		for _, path := range said.Reads {
			lists = append(lists, r.at[memberOf(path)])
		}
	}
	return func(yield func(*diag.Finding) bool) {
		for _, list := range lists {
			for _, other := range list {
				if !yield(other) {
					return
				}
			}
		}
	}
}

// dependsOnRejected reports whether other rejects a value that f assumes to be valid: a member on which the rule of f depends,
// or the value whose change f reports.
func (s *Stage) dependsOnRejected(f, other *diag.Finding) bool {
	rule := ruleOf(f)
	if other.Kind != diag.Reject || other.Rule == rule {
		return false
	}
	isAboutValue := !other.Rule.YieldsToValue && !other.Rule.AboutAll
	isOfValue := rule.YieldsToValue && f.Path != "" // a whole request is not a value
	return slices.Contains(rule.AssumesValid, other.Path) || isOfValue && isAboutValue && s.concerns(other.Path, f.Path)
}

// isSuperseded reports whether the rule of other supersedes the rule of f, and both findings are about the same change.
// Only a rejection can supersede a rejection.
func (s *Stage) isSuperseded(f, other *diag.Finding) bool {
	said := cmp.Or(f.Cause, ruleOf(f))
	if !slices.Contains(other.Rule.Supersedes, ruleOf(f).ID) || f.Kind == diag.Reject && other.Kind != diag.Reject {
		return false
	}
	return s.concerns(other.Path, f.Path) || said.AboutAll // candidates yields only findings about members that the rule reads
}

// concerns reports whether a finding at path is about a change of member.
func (s *Stage) concerns(path, member diag.Pointer) bool {
	rest, isWithin := strings.CutPrefix(string(path), string(member))
	return isWithin && (rest == "" || rest[0] == '/' && slices.Contains(s.wholes, member))
}

// memberOf returns the top-level member of the body that contains a path from [diag.Rule.Reads].
func memberOf(path string) diag.Pointer {
	name, _, _ := strings.Cut(path, ".")
	return diag.Pointer("").Member(strings.TrimSuffix(name, "[]"))
}

// inOrder returns a copy of the findings in document order. A finding about a missing member is placed at its object, after
// the findings about the object itself. Findings with the same place are sorted by rank, and findings with the same rank
// remain in the order in which they were reported.
func (s *Stage) inOrder(found diag.Findings) diag.Findings {
	var memory [16]uint64 // usually enough
	const indexBits = 20
	places := memory[:0] // the offsets, each with the index of its finding
	for i := range found {
		places = append(places, uint64(found[i].Offset+1)<<indexBits|uint64(i))
	}
	slices.Sort(places)
	ordered := make(diag.Findings, len(found))
	for k, place := range places {
		ordered[k] = found[place&(1<<indexBits-1)]
	}
	for start, end := 0, 0; start < len(ordered); start = end {
		for end = start + 1; end < len(ordered) && ordered[end].Offset == ordered[start].Offset; end++ {
		}
		if end > start+1 {
			slices.SortStableFunc(ordered[start:end], s.compare)
		}
	}
	return ordered
}

// compare compares two findings with the same offset.
func (s *Stage) compare(f, g diag.Finding) int {
	depth := func(p diag.Pointer) int { return strings.Count(string(p), "/") }
	return cmp.Or(depth(f.Path)-depth(g.Path), s.rankOf(f.Rule)-s.rankOf(g.Rule))
}

func (s *Stage) rankOf(r *diag.Rule) int {
	if rank, isRanked := s.ranks[r]; isRanked {
		return rank
	}
	return len(s.ranks)
}

// firsts returns the first n findings. If the first n findings contain no rejection, the first rejection replaces the last of
// them, so a refused request always has a reason.
func firsts(fs diag.Findings, n int) diag.Findings {
	kept, rest := fs[:n], fs[n:]
	if rejecting := rest.OfKind(diag.Reject); len(rejecting) > 0 && !kept.Rejected() {
		kept[n-1] = rejecting[0]
	}
	return kept
}
