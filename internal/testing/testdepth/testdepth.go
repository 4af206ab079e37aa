// Package testdepth determines the number of values that the tests of this module draw.
//
// By default, tests draw a few, so that `go test ./...` takes seconds. With
//
//	CALRULES_TEST_DRAWS=full go test ./...
//
// the same tests draw many more, as .ci/run does. No test is left out by
// default: it only tries fewer values.
package testdepth

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// variable is the environment variable that asks for all draws.
const variable = "CALRULES_TEST_DRAWS"

// Full reports whether the environment asks for all draws.
func Full() bool { return os.Getenv(variable) == "full" }

// Draws returns the number of values that a test draws: many if the environment asks for all draws, and
// few otherwise.
func Draws(few, many int) int {
	if Full() {
		return many
	}
	return few
}

// Main is for the TestMain of a package with many properties. By default, each property of
// pgregory.net/rapid is checked with few values; its flag and all draws take precedence.
func Main(m *testing.M, few int) {
	flag.Parse()
	explicit := Full()
	flag.Visit(func(f *flag.Flag) { explicit = explicit || f.Name == "rapid.checks" })
	if !explicit {
		if err := flag.Set("rapid.checks", strconv.Itoa(few)); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
