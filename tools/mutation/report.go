package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
)

// A report counts the mutants that survive.
type report struct {
	source   *source
	out      io.Writer
	counts   map[string]*count // of each file
	unneeded map[place]string  // the reasons that no survivor has needed so far
}

// A count says what became of mutants.
type count struct{ mutants, accepted, survived, skipped int }

func newReport(s *source, out io.Writer) *report {
	r := &report{source: s, out: out, counts: map[string]*count{}, unneeded: maps.Clone(s.reasons)}
	for file, skipped := range s.skipped {
		r.counts[file] = &count{skipped: skipped}
	}
	for _, m := range s.mutants {
		r.count(m).mutants++
	}
	return r
}

func (r *report) count(m mutant) *count { return r.counts[filepath.Base(m.at.Filename)] }

// add counts a mutant that survives. It writes a line if there is no reason for that.
func (r *report) add(m mutant, fate string) {
	at := place{filepath.Base(m.at.Filename), m.at.Line}
	if m.accept != "" {
		r.count(m).accepted++
		delete(r.unneeded, at)
		return
	}
	r.count(m).survived++
	fmt.Fprintf(r.out, "%s:%d:%d: %s: %s: %s\n", r.path(at.file), at.line, m.at.Column, m.change, fate, r.source.lines[at])
}

// end writes which reasons are not needed, and the scores of the files and of all of them as rows of a table. It returns
// an error if a person must look at any line of the report.
func (r *report) end() error {
	for _, at := range slices.SortedFunc(maps.Keys(r.unneeded), comparePlaces) {
		fmt.Fprintf(r.out, "%s:%d: the reason is not needed: the tests kill all mutants of the next line\n", r.path(at.file), at.line-1)
	}
	fmt.Fprintf(r.out, "| package | mutants | killed | accepted | survived | impossible | score |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	var all count
	for _, file := range slices.Sorted(maps.Keys(r.counts)) {
		c := *r.counts[file]
		all.add(c)
		if c != (count{}) {
			fmt.Fprintln(r.out, c.row(r.path(file)))
		}
	}
	fmt.Fprintln(r.out, all.row(r.source.target.name()))
	if all.survived > 0 || len(r.unneeded) > 0 {
		return errors.New("add tests, or reasons; remove reasons that are not needed")
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

func (r *report) path(file string) string { return path.Join(r.source.target.folder, file) }

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}
