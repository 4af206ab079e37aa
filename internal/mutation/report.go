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

// report writes the score as a row of a table, then what a person must look at. It returns an error if there is any.
func (s *source) report(out io.Writer, survivors map[int]string) error {
	unneeded := maps.Clone(s.reasons)
	accepted, wrong := 0, 0
	for _, m := range s.mutants {
		fate := survivors[m.number]
		if fate == "" {
			continue
		}
		at := place{filepath.Base(m.at.Filename), m.at.Line}
		if m.accept != "" {
			accepted++
			delete(unneeded, at)
			continue
		}
		wrong++
		fmt.Fprintf(out, "%s:%d:%d: %s: %s: %s\n", path.Join(s.target.folder, at.file), at.line, m.at.Column, m.change, fate, s.lines[at])
	}
	for _, at := range slices.SortedFunc(maps.Keys(unneeded), comparePlaces) {
		fmt.Fprintf(out, "%s:%d: the reason is not needed: the tests kill all mutants of the next line\n", path.Join(s.target.folder, at.file), at.line-1)
	}
	killed := len(s.mutants) - accepted - wrong
	fmt.Fprintf(out, "| package | mutants | killed | accepted | survived | impossible | score |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %d | %.1f%% |\n", s.target.name(), len(s.mutants), killed, accepted, wrong, s.skipped, percent(killed, len(s.mutants)))
	if wrong > 0 || len(unneeded) > 0 {
		return errors.New("add tests, or reasons; remove reasons that are not needed")
	}
	return nil
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}
