// Command mutation tests the tests of a package. The command changes one operator in the package at a time, and at least
// one test must fail.
//
//	mutation [-accepted FILE] [-kinds KINDS] [-one-in N] [-run REGEXP] [-with PACKAGES] [-short] PACKAGE|FILES...
//	mutation -accepted FILE -stale
//
// All mutants are compiled into one test binary, and an environment variable selects the active mutant. First, each test, and
// each subtest of an expensive test, runs alone, to find the mutants that it reaches. Then, for each mutant, the tests that
// reach the mutant run, cheapest first. The changed files are passed to the go command as an overlay, so the command does not
// modify the source tree. The report ends with a table of scores for each file and for the package.
//
// By default, mutants change operators. With -kinds all, they also change constants, omit copies and calls with unused results,
// swap names in lists and operands of comparisons, and fix conditions: each condition is always true in one mutant, and always
// false in another. The names of the additional kinds of mutants are constants, copies, drops, ranks and fixed.
//
// With -one-in, the command tries one in N mutants, chosen by a hash of the declaration, the line and the change. Unrelated
// changes to the code do not affect the choice.
//
// With -run, the command considers only tests whose names match the regular expression. A name is prefixed with the package
// directory, as in event.TestLife. With -run, an expensive test runs as a whole.
//
// With -kinds conditions, there are no mutants. Instead, all tests run once, and the report lists each condition that was never
// true or never false. A condition is a comparison, a boolean that selects a branch, or an operand of a logical operator.
//
// The file given by -accepted lists mutants that may survive, with the reason for each. An entry names a package directory, a
// declaration in that package, and all or part of a line of code, but no line number. The comment at the top of accepted.txt
// describes the format.
//
// The exit status is 1 if any other mutant survives, or if an entry for the package matches no line of code or no surviving
// mutant. With -stale, the command tries no mutants, and only lists the entries that match no line.
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
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
	only := flags.String("run", "", "a regular expression for the tests that count; each runs with all its subtests")
	short := flags.Bool("short", false, "run the tests with -short alone")
	kinds := flags.String("kinds", "operators", "the kinds of mutants, separated by commas, or all")
	oneIn := flags.Uint("one-in", 1, "try one in that many mutants, chosen by a hash")
	file := flags.String("accepted", "", "the file of the mutants that may survive")
	stale := flags.Bool("stale", false, "only write the entries of that file that match no line of the code")
	if err := flags.Parse(args); err != nil {
		return err
	}
	k, err := parseKinds(*kinds)
	if err != nil {
		return err
	}
	entries, err := readEntries(*file)
	if err != nil {
		return err
	}
	if *stale {
		return checkStale(*file, entries, stderr)
	}
	target, err := parseTarget(flags.Args())
	if err != nil {
		return err
	}
	entries = ofPackage(entries, target.folder)
	if err := checkStale(*file, entries, stderr); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	s, err := prepare(target, k, work)
	if err != nil {
		return err
	}
	s.sample(max(1, uint32(*oneIn)))
	counts, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	suite, err := build(append([]string{target.folder}, split(*with)...), counts, s.overlay, work)
	if err != nil {
		return err
	}
	suite.log, suite.short = stderr, *short
	if *only != "" {
		suite.dear = math.MaxInt64
	}
	r := newReport(s, entries, stdout)
	if k == conditions {
		suite.cover(s.mutants, r.add)
		return r.end()
	}
	if err := suite.trace(); err != nil {
		return err
	}
	suite.try(s.mutants, r.add)
	return r.end()
}

func readEntries(file string) ([]accepted, error) {
	if file == "" {
		return nil, nil
	}
	return readAccepted(file)
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

// A target is a package or some of the files in a package.
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

// local returns a directory name in the form that the go command requires, such as "./event". The go command would interpret
// "event" as a package in the standard library.
func local(folder string) string { return "./" + filepath.ToSlash(filepath.Clean(folder)) }

func (t target) name() string {
	if t.files == nil {
		return t.folder[2:]
	}
	return t.folder[2:] + ": " + strings.Join(slices.Sorted(maps.Keys(t.files)), ", ")
}
