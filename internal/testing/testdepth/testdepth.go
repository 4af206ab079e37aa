// Package testdepth determines the number of values that tests in this module draw.
//
// By default, tests draw few values, so `go test ./...` takes seconds. With
//
//	CALRULES_TEST_DRAWS=full go test ./...
//
// the same tests draw many more values, as in .ci/run. No test is skipped by default.
package testdepth

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// variable is the name of the environment variable that requests all draws.
const variable = "CALRULES_TEST_DRAWS"

// Full reports whether the environment requests all draws.
func Full() bool { return os.Getenv(variable) == "full" }

// Draws returns the number of values that a test should draw: many if the environment requests all draws, and few otherwise.
func Draws(few, many int) int {
	if Full() {
		return many
	}
	return few
}

// Main implements TestMain for a package with many properties. By default, pgregory.net/rapid checks each property with few
// values; rapid's flag and a request for all draws take precedence.
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
