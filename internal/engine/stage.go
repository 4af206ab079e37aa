// Package engine runs rules, and drops, grades and orders their findings.
package engine

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
)

// Run checks every rule that applies on the occasion, in order. Rules without a check are skipped; all others must
// have a func(In, Reporter). Reported paths are relative to base.
func Run[In any](rules []*diag.Rule, on diag.When, in In, report *Collector, base diag.Pointer) {
	for _, r := range rules {
		if r != nil && r.Check != nil && r.When.Has(on) {
			r.Check.(func(In, Reporter))(in, report.For(r, base))
		}
	}
}

// Stage is the stage after the rules: it drops redundant findings, orders the others and keeps the first. The rules declare which findings are
// redundant: see [diag.Rule.YieldsToValue], [diag.Rule.AssumesValid] and [diag.Rule.Supersedes]. The zero value knows no rules, so it drops
// nothing.
type Stage struct {
	rank       map[*diag.Rule]int
	wholes     []diag.Pointer
	superseded map[string]bool // the ids of the rules that a ranked rule supersedes
}

// NewStage returns a stage. The rank orders the findings about one place by their rules. The rules of an embedder have
// no rank: their findings come last, and make no other finding redundant. The wholes are the members that change as a
// whole, so a finding about a part of such a member is about its change.
func NewStage(rank map[*diag.Rule]int, wholes ...diag.Pointer) *Stage {
	s := &Stage{rank: rank, wholes: wholes, superseded: map[string]bool{}}
	for r := range rank {
		for _, id := range r.Supersedes {
			s.superseded[id] = true
		}
	}
	return s
}

// Settle settles the findings of a report. It keeps the first findings, at most the given number, with a finding that rejects
// among them if there is any; 0 keeps all. Before it orders the findings that are not redundant, it passes them to place, which
// may be nil: place sets their offsets and may change their paths. Settle leaves the findings in new memory.
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

// withoutRedundant returns the findings that are not redundant: in new memory, unless it returns all.
func (s *Stage) withoutRedundant(found diag.Findings) diag.Findings {
	var kept diag.Findings // nil while all are kept
	var all *redundancy
	for i := range found {
		f := &found[i]
		if s.mayBeRedundant(ruleOf(f)) {
			if all == nil {
				all = s.redundancyOf(found)
			}
			if all.isRedundant(f) {
				if kept == nil {
					kept = append(make(diag.Findings, 0, len(found)), found[:i]...)
				}
				continue
			}
		}
		if kept != nil {
			kept = append(kept, *f)
		}
	}
	if kept == nil {
		return found
	}
	return kept
}

// mayBeRedundant reports whether another finding can make a finding of the rule redundant. That holds for few rules.
func (s *Stage) mayBeRedundant(r *diag.Rule) bool {
	return r.YieldsToValue || r.AssumesValid != nil || s.superseded[r.ID]
}

// redundancy identifies the redundant findings of a report. It looks at findings with the same key once, and compares a finding
// only with findings about the same change, so the work is linear in the number of findings.
type redundancy struct {
	*Stage
	at, within map[diag.Pointer][]*diag.Finding // by their paths, and by the whole that contains the path; one of several alike
	redundant  map[key]bool
}

// key identifies the change that a finding is about, to find the redundant ones.
type key struct {
	rule, cause *diag.Rule
	kind        diag.Kind
	path        diag.Pointer
}

func keyOf(f *diag.Finding) key { return key{f.Rule, f.Cause, f.Kind, f.Path} }

// ruleOf returns the rule of a finding, which may have none.
func ruleOf(f *diag.Finding) *diag.Rule { return cmp.Or(f.Rule, &noRule) }

var noRule diag.Rule // never modified

// redundancyOf sorts the findings that can make others redundant.
func (s *Stage) redundancyOf(found diag.Findings) *redundancy {
	r := &redundancy{s, map[diag.Pointer][]*diag.Finding{}, map[diag.Pointer][]*diag.Finding{}, map[key]bool{}}
	seen := map[key]bool{}
	for i := range found {
		f := &found[i]
		if _, isRanked := s.rank[f.Rule]; !isRanked || seen[keyOf(f)] || f.Kind != diag.Reject && len(f.Rule.Supersedes) == 0 {
			continue
		}
		seen[keyOf(f)] = true
		r.at[f.Path] = append(r.at[f.Path], f)
		for _, whole := range s.wholes {
			if s.concerns(f.Path, whole) {
				r.within[whole] = append(r.within[whole], f)
			}
		}
	}
	return r
}

// isRedundant reports whether a finding adds nothing to another finding that is not redundant itself.
func (r *redundancy) isRedundant(f *diag.Finding) bool {
	own := keyOf(f)
	if is, isKnown := r.redundant[own]; isKnown || !r.mayBeRedundant(ruleOf(f)) {
		return is
	}
	r.redundant[own] = false // until it is known, so that rules that supersede each other do not wait for each other
	for other := range r.candidates(f) {
		if (r.dependsOnRejected(f, other) || r.isSuperseded(f, other)) && !r.isRedundant(other) {
			r.redundant[own] = true
			return true
		}
	}
	return false
}

// candidates yields the findings that can make the finding redundant, by their places.
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

// dependsOnRejected reports whether other rejects what f takes for granted: a place that it needs, or the value to whose change
// it objects.
func (s *Stage) dependsOnRejected(f, other *diag.Finding) bool {
	rule := ruleOf(f)
	if other.Kind != diag.Reject || other.Rule == rule {
		return false
	}
	isAboutValue := !other.Rule.YieldsToValue && !other.Rule.AboutAll
	isOfValue := rule.YieldsToValue && f.Path != "" // the whole request is no value
	return slices.Contains(rule.AssumesValid, other.Path) || isOfValue && isAboutValue && s.concerns(other.Path, f.Path)
}

// isSuperseded reports whether the rule of other supersedes the rule of f, and both are about one change. Only a
// rejection supersedes a rejection.
func (s *Stage) isSuperseded(f, other *diag.Finding) bool {
	said := cmp.Or(f.Cause, ruleOf(f))
	if !slices.Contains(other.Rule.Supersedes, ruleOf(f).ID) || f.Kind == diag.Reject && other.Kind != diag.Reject {
		return false
	}
	return s.concerns(other.Path, f.Path) || said.AboutAll // other is about a member that the rule reads: see candidates
}

// concerns reports whether a finding at the path is about the change of the member.
func (s *Stage) concerns(path, member diag.Pointer) bool {
	rest, isWithin := strings.CutPrefix(string(path), string(member))
	return isWithin && (rest == "" || rest[0] == '/' && slices.Contains(s.wholes, member))
}

// memberOf returns the member of the body that contains a path of [diag.Rule.Reads].
func memberOf(path string) diag.Pointer {
	name, _, _ := strings.Cut(path, ".")
	return diag.Pointer("").Member(strings.TrimSuffix(name, "[]"))
}

// inOrder returns a copy of the findings in the order of the document. A finding about a missing member has the place of its
// object, after the findings about the object itself. Findings that are equal in this order stay in the order in which they
// were reported.
func (s *Stage) inOrder(found diag.Findings) diag.Findings {
	var memory [16]int // usually enough
	indexes := memory[:0]
	for i := range found {
		indexes = append(indexes, i)
	}
	depth := func(f *diag.Finding) int { return strings.Count(string(f.Path), "/") }
	slices.SortFunc(indexes, func(i, j int) int {
		a, b := &found[i], &found[j]
		if a.Offset != b.Offset { // as usual
			return a.Offset - b.Offset
		}
		return cmp.Or(depth(a)-depth(b), s.rankOf(a.Rule)-s.rankOf(b.Rule), i-j)
	})
	ordered := make(diag.Findings, len(found))
	for k, i := range indexes {
		ordered[k] = found[i]
	}
	return ordered
}

func (s *Stage) rankOf(r *diag.Rule) int {
	if rank, isRanked := s.rank[r]; isRanked {
		return rank
	}
	return len(s.rank)
}

// firsts returns the first n findings. If none of them rejects, the first finding that rejects replaces the last of
// them, so that a refused request has a reason.
func firsts(fs diag.Findings, n int) diag.Findings {
	kept, rest := fs[:n], fs[n:]
	if rejecting := rest.OfKind(diag.Reject); len(rejecting) > 0 && !kept.Rejected() {
		kept[n-1] = rejecting[0]
	}
	return kept
}
