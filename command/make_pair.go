package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/visible"
)

// pairVerb is a verb of the command that is not in the batch form. Most pair verbs compare or combine two recurring events.
type pairVerb struct {
	name, flags, sentence string

	run func(c *console, f *makeFlags, files makeFiles, first, second event.Series) error
}

// pairVerbs lists the verbs that are only in the command, in the order of the help text.
var pairVerbs = []pairVerb{
	{"join", "--with FILE", "one series from two, the second of which continues where the first ends", joinSeries},
	{"equal", "--with FILE", "whether two series have the same instances; the exit status is 1 if they do not", equalSeries},
	{"diff", "--with FILE", "in English, the differences between two series in recurrence and start; the exit status is 1 if there are any", diffSeries},
	{"conflicts", "--with FILE [--from] [--to]", "the instances of both series that overlap", conflictingSeries},
	{"explain", "", "the recurrence in English", explainSeries},
}

// pairNames returns the names of the verbs that require a second series.
func pairNames() (names []string) {
	for _, v := range pairVerbs {
		if v.flags != "" {
			names = append(names, v.name)
		}
	}
	return names
}

// runPair runs a verb on the series in a file. If the verb requires a second series, the second series is in the --with file.
func (f *makeFlags) runPair(c *console, v *pairVerb, name string) error {
	if (f.with == "") == (v.flags != "") {
		return fmt.Errorf("%s takes %s", v.name, map[bool]string{true: "--with FILE, the other recurring event", false: "no --with"}[v.flags != ""])
	}
	taken := func(flag string) bool {
		return flag == "exceptions" || strings.Contains(v.flags, "--"+flag) || slices.Contains(ofOptions, flag)
	}
	if err := f.unused("with "+v.name, slices.DeleteFunc(ofVerbs(), taken)...); err != nil {
		return err
	}
	files, err := f.read(c, []string{name})
	if err != nil {
		return err
	}
	first, err := f.series(c, files, files.event)
	if err != nil {
		return err
	}
	var second event.Series
	if f.with != "" {
		if second, err = f.series(c, files, files.other); err != nil {
			return err
		}
	}
	if err := v.run(c, f, files, first, second); err != nil && !errors.Is(err, errFound) {
		return failure{fmt.Errorf("%s: %w", name, err)}
	} else if err != nil {
		return err
	}
	return nil
}

// series returns the series in a file. The events in the --exceptions file belong to the first series, according to their
// recurringEventId.
func (f *makeFlags) series(c *console, files makeFiles, doc document) (event.Series, error) {
	e, err := c.event(doc)
	if err != nil {
		return event.Series{}, failure{err}
	}
	exceptions, err := readExceptions(c, files.exceptions, e.ID)
	if err != nil {
		return event.Series{}, failure{err}
	}
	return event.Series{Event: e, Exceptions: exceptions.events, Options: f.options()}, nil
}

func joinSeries(c *console, _ *makeFlags, _ makeFiles, first, second event.Series) error {
	joined, err := first.Join(second)
	if err != nil {
		return err
	}
	request := &batch.Making{}
	request.Dialect = c.dialect
	c.writeMade(request, batch.Made(joined))
	return nil
}

func equalSeries(c *console, _ *makeFlags, _ makeFiles, first, second event.Series) error {
	equal, certain, err := first.Equal(second)
	switch {
	case err != nil:
		return err
	case !equal:
		fmt.Fprintln(c.out, "different")
		return errFound
	case certain:
		fmt.Fprintln(c.out, "equal")
	default:
		fmt.Fprintln(c.out, "equal as far as compared")
	}
	return nil
}

func diffSeries(c *console, _ *makeFlags, _ makeFiles, first, second event.Series) error {
	text, err := first.Difference(second)
	if err != nil || text == "" {
		return err
	}
	fmt.Fprintln(c.out, text)
	return errFound
}

func conflictingSeries(c *console, f *makeFlags, files makeFiles, first, second event.Series) error {
	with, err := f.arguments(files)
	if err != nil {
		return err
	}
	var w event.Window
	if with.From != nil {
		if w.From, err = with.From.Instant(nil); err != nil {
			return err
		}
	}
	if with.To != nil {
		if w.To, err = with.To.Instant(nil); err != nil {
			return err
		}
	}
	n := 0
	for pair, err := range (event.Calendar{first, second}).Conflicts(w) {
		if err != nil {
			return err
		}
		if n == defaultInstances {
			fmt.Fprintln(c.out, "more follow")
			break
		}
		n++
		fmt.Fprintf(c.out, "%s to %s, %s to %s\n", pair[0].Start, pair[0].End, pair[1].Start, pair[1].End)
	}
	fmt.Fprintln(c.out, visible.Count(n, "conflict"))
	return nil
}

func explainSeries(c *console, _ *makeFlags, _ makeFiles, first, _ event.Series) error {
	text, err := first.Explain()
	if err == nil {
		fmt.Fprintln(c.out, text)
	}
	return err
}
