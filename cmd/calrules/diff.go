package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

func newDiff(c *console) *cobra.Command {
	var maxSize size
	command := &cobra.Command{
		Use:   "diff [flags] A B",
		Short: "Show the differences between two events",
		Long: `Show the differences between the events in two files: a line for each place, with
the value in A and the value in B. Long values are cut. A member that is
absent, null or the zero value of its type counts as the same, unless absence
has a meaning of its own. One of the files may be - for standard input.

The exit status is 0 if the events are equal, 1 if they differ, and 2 if one of
them cannot be read.`,
		Example: "  calrules diff stored.json returned.json",
		Args:    requireTwo,
		RunE: func(_ *cobra.Command, args []string) error {
			a, _, errA := c.readEvent(args[0], maxSize)
			b, _, errB := c.readEvent(args[1], maxSize)
			if err := errors.Join(errA, errB); err != nil {
				return failure{err}
			}
			return diff(c.out, a, b)
		},
	}
	addMaxSize(command, &maxSize)
	return command
}

// diff writes the differences between two events.
func diff(out io.Writer, a, b *event.Event) error {
	places := event.Diff(a, b)
	if len(places) == 0 {
		return nil
	}
	before, after := asJSON(a), asJSON(b)
	for _, place := range places {
		fmt.Fprintf(out, "%s: %s -> %s\n", visible(string(place)), shortValue(before, place), shortValue(after, place))
	}
	return errFound
}

// asJSON returns an event as encoding/json decodes it, with exact numbers.
func asJSON(e *event.Event) (value any) {
	d := json.NewDecoder(bytes.NewReader(e.AppendJSON(nil)))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		panic(err)
	}
	return value
}

// valueWidth is the maximum width of a value.
const valueWidth = 60

// shortValue returns the value at a place for display.
func shortValue(root any, place diag.Pointer) string {
	value, ok := valueAt(root, place)
	if !ok {
		return "(absent)"
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.Encode(value) // cannot fail: the value was decoded from JSON
	line := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	if short, _ := firstCells(line, valueWidth); len(short) < len(line) {
		return visible(string(short)) + ellipsis
	}
	return visible(string(line))
}

// valueAt returns the value at a place, if there is one.
func valueAt(value any, place diag.Pointer) (_ any, ok bool) {
	for token := range place.Tokens() {
		ok = false
		switch container := value.(type) {
		case map[string]any:
			value, ok = container[token]
		case []any:
			if i, err := strconv.Atoi(token); err == nil && i < len(container) {
				value, ok = container[i], true
			}
		}
		if !ok {
			return nil, false
		}
	}
	return value, true
}
