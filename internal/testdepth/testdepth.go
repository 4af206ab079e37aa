// Package testdepth says how many values the tests of this module draw.
//
// By default, tests draw a few, so that `go test ./...` takes seconds. With
//
//	CALRULES_TEST_DRAWS=full go test ./...
//
// the same tests draw many more, as continuous integration does. No test is left out by
// default: it only tries fewer values.
package testdepth

import "os"

// variable is the environment variable that asks for all draws.
const variable = "CALRULES_TEST_DRAWS"

// Full reports whether the environment asks for all draws.
func Full() bool { return os.Getenv(variable) == "full" }

// Draws returns how many values a test draws: many where the environment asks for all draws, and
// few otherwise.
func Draws(few, many int) int {
	if Full() {
		return many
	}
	return few
}
