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
		Short: "Show in what two events differ",
		Long: `Show in what the events in two files differ: a line for each place, with the value in A and
the value in B, which are shortened where they are long. A member that is absent, null or its
type's zero value is one and the same, unless absence has a meaning of its own. One of the
files may be - for standard input.

The exit status is 0 where the events say the same, 1 where they differ and 2 where one of
them could not be read.`,
		Example: "  calrules diff stored.json returned.json",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("diff takes two files, with an event each")
			}
			a, b, err := c.readEvents(args[0], args[1], maxSize)
			if err != nil {
				return err
			}
			return diff(c.out, a, b)
		},
	}
	addMaxSize(command, &maxSize)
	return command
}

// readEvents reads the events in two files. An error that is no wrong invocation has been told
// of.
func (c *console) readEvents(first, second string, limit size) (a, b *event.Event, err error) {
	one, other, err := c.readTwo(first, second, limit)
	if err != nil {
		return nil, nil, err
	}
	a, errA := one.event()
	b, errB := other.event()
	for _, err := range []error{errA, errB} {
		if err != nil {
			c.complain(err)
		}
	}
	if errA != nil || errB != nil {
		return nil, nil, errFailed
	}
	return a, b, nil
}

// diff writes the places in which two events differ.
func diff(out io.Writer, a, b *event.Event) error {
	places := event.Diff(a, b)
	if len(places) == 0 {
		return nil
	}
	before, after := tree(a), tree(b)
	for _, place := range places {
		fmt.Fprintf(out, "%s: %s -> %s\n", visible(string(place)), shortValue(before, place), shortValue(after, place))
	}
	return errDifferent
}

// tree returns an event as encoding/json reads any value, with numbers as they are written.
func tree(e *event.Event) (value any) {
	d := json.NewDecoder(bytes.NewReader(e.AppendJSON(nil)))
	d.UseNumber()
	d.Decode(&value) // what an event is written as can be read
	return value
}

// valueWidth is how much of a value a line of a difference shows.
const valueWidth = 60

// shortValue returns the value at a place as it is shown on a line.
func shortValue(root any, place diag.Pointer) string {
	value, ok := valueAt(root, place)
	if !ok {
		return "(absent)"
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.Encode(value) // it was read from JSON
	line := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	if short := firstCells(line, valueWidth); len(short) < len(line) {
		return visible(string(short)) + ellipsis
	}
	return visible(string(line))
}

// valueAt returns the value at a place; ok is false where there is none.
func valueAt(value any, place diag.Pointer) (_ any, ok bool) {
	for token := range place.Tokens() {
		switch container := value.(type) {
		case map[string]any:
			value, ok = container[token]
		case []any:
			i, err := strconv.Atoi(token)
			if ok = err == nil && i < len(container); ok {
				value = container[i]
			}
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
	}
	return value, true
}
