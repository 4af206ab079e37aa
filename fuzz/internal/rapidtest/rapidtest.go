// Package rapidtest helps to test generators. The package runs failing properties, and returns the values to which rapid
// shrinks the failing values, or rapid's output.
package rapidtest

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Least returns the smallest value that rapid finds for which the property fails. The result may depend on the seed. The test
// fails if rapid tries more than most values. The limit is a number rather than a time, so it does not depend on the machine.
func Least[V any](t *testing.T, seed string, g *rapid.Generator[V], most int, fails func(V) bool) (least V) {
	t.Helper()
	setFlags(t, "rapid.seed", seed, "rapid.checks", "5000", "rapid.shrinktime", "1h")
	found, tried := false, 0
	rapid.Check(&quiet{TB: t}, func(t *rapid.T) {
		if found {
			tried++ // counts even the attempts in which rapid cannot draw a value
		}
		if v := g.Draw(t, "value"); tried <= most && fails(v) {
			least, found = v, true // rapid reports the last failing value
			t.FailNow()
		}
	})
	if !found {
		t.Fatal("rapid found no value for which the property fails")
	}
	if t.Logf("shrinking tries %d values", tried); tried > most {
		t.Errorf("shrinking tries %d values, more than %d", tried, most)
	}
	return least
}

// Printed returns rapid's output about a drawn value when a property fails.
func Printed[V any](t *testing.T, g *rapid.Generator[V]) (printed string) {
	t.Helper()
	setFlags(t, "rapid.seed", "1", "rapid.shrinktime", "0s")
	log := &quiet{TB: t}
	rapid.Check(log, func(t *rapid.T) {
		g.Draw(t, "value")
		t.FailNow()
	})
	for _, message := range log.messages {
		if _, drawn, ok := strings.Cut(message, "draw value: "); ok {
			printed = drawn
		}
	}
	return printed
}

// setFlags sets rapid's flags until the test ends, and keeps rapid from writing a file about the intended failure.
func setFlags(t *testing.T, namesAndValues ...string) {
	t.Helper()
	namesAndValues = append(namesAndValues, "rapid.nofailfile", "true")
	for i := 0; i < len(namesAndValues); i += 2 {
		name := namesAndValues[i]
		before := flag.Lookup(name).Value.String()
		if err := flag.Set(name, namesAndValues[i+1]); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = flag.Set(name, before) })
	}
}

// quiet is a test that may fail, and records messages instead of printing them.
type quiet struct {
	testing.TB
	messages []string
}

func (q *quiet) Logf(format string, args ...any) {
	q.messages = append(q.messages, fmt.Sprintf(format, args...))
}
func (q *quiet) Errorf(format string, args ...any) { q.Logf(format, args...) }
func (q *quiet) Fatalf(format string, args ...any) { q.Logf(format, args...) }
func (q *quiet) FailNow()                          {}
func (q *quiet) Failed() bool                      { return false }
