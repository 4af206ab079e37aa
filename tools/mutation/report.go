package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A report counts the surviving mutants.
type report struct {
	source  *source
	entries []accepted // for the package
	needed  []bool     // for each entry, whether it covers a surviving mutant
	out     io.Writer
	counts  map[string]*count // by file
}

// A count counts mutants by outcome.
type count struct{ mutants, accepted, survived, skipped int }

func newReport(s *source, entries []accepted, out io.Writer) *report {
	r := &report{source: s, entries: entries, needed: make([]bool, len(entries)), out: out, counts: map[string]*count{}}
	for file, skipped := range s.skipped {
		r.counts[file] = &count{skipped: skipped}
	}
	for _, m := range s.mutants {
		r.count(m).mutants++
	}
	return r
}

func (r *report) count(m mutant) *count { return r.counts[filepath.Base(m.at.Filename)] }

// add counts a surviving mutant. If no entry covers the mutant, add writes a line about it.
func (r *report) add(m mutant, fate string) {
	line, isAccepted := r.source.code[m.place()], false
	for i, a := range r.entries {
		if a.covers(line, m.at.Column) {
			r.needed[i], isAccepted = true, true
		}
	}
	if isAccepted {
		r.count(m).accepted++
		return
	}
	r.count(m).survived++
	fmt.Fprintf(r.out, "%s:%d:%d: %s: %s: %s: %s\n", r.path(m.place().file), m.at.Line, m.at.Column, m.change, fate,
		line.declaration, strings.TrimSpace(line.text))
}

// unneeded returns the entries whose mutants were all killed. An entry without mutants is included only if all files and all
// kinds of mutants were tried, because the entry may be for other files or kinds.
func (r *report) unneeded() []accepted {
	var list []accepted
	for i, a := range r.entries {
		isTried := r.source.isWhole || slices.ContainsFunc(r.source.mutants, func(m mutant) bool {
			return a.covers(r.source.code[m.place()], m.at.Column)
		})
		if isTried && !r.needed[i] {
			list = append(list, a)
		}
	}
	return list
}

// end writes the unneeded entries, and a table with a score for each file and for all files, and returns an error if anything
// in the report needs attention.
func (r *report) end() error {
	unneeded := r.unneeded()
	for _, a := range unneeded {
		fmt.Fprintf(r.out, "%v: accepted, but no such mutant survives\n", a)
	}
	fmt.Fprintln(r.out, r.source.header())
	var all count
	for _, file := range slices.Sorted(maps.Keys(r.counts)) {
		c := *r.counts[file]
		all.add(c)
		if c != (count{}) {
			fmt.Fprintln(r.out, c.row(r.path(file)))
		}
	}
	fmt.Fprintln(r.out, all.row(r.source.target.name()))
	if all.survived > 0 || len(unneeded) > 0 {
		return errors.New("add tests, or accept what is left with a reason; remove entries that are not needed")
	}
	return nil
}

func (c *count) add(other count) {
	c.mutants += other.mutants
	c.accepted += other.accepted
	c.survived += other.survived
	c.skipped += other.skipped
}

func (c *count) row(name string) string {
	killed := c.mutants - c.accepted - c.survived
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %.1f%% |", name, c.mutants, killed, c.accepted, c.survived, c.skipped, percent(killed, c.mutants))
}

// header returns the header of the table of scores.
func (s *source) header() string {
	what := "mutants | killed | accepted | survived | impossible | score"
	if s.ofConditions {
		what = "outcomes | seen | accepted | unseen | impossible | share"
	}
	return "| package | " + what + " |\n" + strings.Repeat("| --- ", 7) + "|"
}

func (r *report) path(file string) string { return path.Join(r.source.target.folder, file) }

func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}
