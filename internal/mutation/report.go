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
	source          *source
	out             io.Writer
	accepted, wrong int
	unneeded        map[place]string // the reasons that no survivor has needed so far
}

func newReport(s *source, out io.Writer) *report {
	return &report{source: s, out: out, unneeded: maps.Clone(s.reasons)}
}

// add counts a mutant that survives. It writes a line if there is no reason for that.
func (r *report) add(m mutant, fate string) {
	at := place{filepath.Base(m.at.Filename), m.at.Line}
	if m.accept != "" {
		r.accepted++
		delete(r.unneeded, at)
		return
	}
	r.wrong++
	fmt.Fprintf(r.out, "%s:%d:%d: %s: %s: %s\n", r.path(at), at.line, m.at.Column, m.change, fate, r.source.lines[at])
}

// end writes which reasons are not needed, and the score as a row of a table. It returns an error if a person must look
// at any line of the report.
func (r *report) end() error {
	for _, at := range slices.SortedFunc(maps.Keys(r.unneeded), comparePlaces) {
		fmt.Fprintf(r.out, "%s:%d: the reason is not needed: the tests kill all mutants of the next line\n", r.path(at), at.line-1)
	}
	all := len(r.source.mutants)
	killed := all - r.accepted - r.wrong
	fmt.Fprintf(r.out, "| package | mutants | killed | accepted | survived | impossible | score |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	fmt.Fprintf(r.out, "| %s | %d | %d | %d | %d | %d | %.1f%% |\n", r.source.target.name(), all, killed, r.accepted, r.wrong, r.source.skipped, percent(killed, all))
	if r.wrong > 0 || len(r.unneeded) > 0 {
		return errors.New("add tests, or reasons; remove reasons that are not needed")
	}
	return nil
}

func (r *report) path(at place) string { return path.Join(r.source.target.folder, at.file) }

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}
