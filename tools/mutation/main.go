// The command mutation tests the tests of a package: it changes one operator of the package at a time, and some test
// must fail.
//
//	mutation [-with PACKAGES] [-short] PACKAGE|FILES...
//
// All mutants are compiled into one test binary, and an environment variable says which one to be. First, each test
// runs alone, and each subtest of a dear one, to learn which mutants it reaches; then, for each mutant, those tests run
// that reach it, the cheapest first. The changed files are an overlay of the go command, so the command does not write
// to the tree. The report ends with the scores of the files and of the package, as rows of a table.
//
// A comment above a line accepts that its mutants survive, and gives the reason:
//
//	//mutation:accept Both ways lead to the same result; one of them is faster.
//
// The exit status is 1 if another mutant survives, or if such a comment is no longer needed.
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("mutation", flag.ContinueOnError)
	flags.SetOutput(stderr)
	with := flags.String("with", "", "other packages whose tests count, separated by commas")
	short := flags.Bool("short", false, "run the tests with -short alone")
	if err := flags.Parse(args); err != nil {
		return err
	}
	target, err := parseTarget(flags.Args())
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	s, err := prepare(target, work)
	if err != nil {
		return err
	}
	suite, err := build(append([]string{target.folder}, split(*with)...), s.overlay, work)
	if err != nil {
		return err
	}
	suite.log, suite.short = stderr, *short
	if err := suite.trace(); err != nil {
		return err
	}
	r := newReport(s, stdout)
	suite.try(s.mutants, r.add)
	return r.end()
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

// A target is a package, or some of its files.
type target struct {
	folder string          // such as "./event"
	files  map[string]bool // the base names; nil means all
}

func parseTarget(args []string) (target, error) {
	switch {
	case len(args) == 0:
		return target{}, fmt.Errorf("name a package or files of one")
	case len(args) == 1 && filepath.Ext(args[0]) != ".go":
		return target{folder: local(args[0])}, nil
	}
	t := target{folder: local(filepath.Dir(args[0])), files: map[string]bool{}}
	for _, name := range args {
		if filepath.Ext(name) != ".go" || local(filepath.Dir(name)) != t.folder {
			return target{}, fmt.Errorf("%s is not a file of %s", name, t.folder)
		}
		t.files[filepath.Base(name)] = true
	}
	return t, nil
}

// local returns a folder in the form of the go command: "./event", not "event", which is a package of the standard
// library.
func local(folder string) string { return "./" + filepath.ToSlash(filepath.Clean(folder)) }

func (t target) name() string {
	if t.files == nil {
		return t.folder[2:]
	}
	return t.folder[2:] + ": " + strings.Join(slices.Sorted(maps.Keys(t.files)), ", ")
}
