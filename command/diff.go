package command

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/visible"
)

func newDiff(c *console) *cobra.Command {
	var maxSize size
	format := newFormat(listFormats)
	command := &cobra.Command{
		Use:   "diff [flags] A B",
		Short: "Show the differences between two events",
		Long: `Show the differences between the events in two files: one line per place, with the
values in A and B. Long values are shortened. Absent, null and the zero value of the
type are equal, unless absence has its own meaning. One of the files may be - for
standard input.

The exit status is 0 if the events are equal, 1 if they differ, and 2 if one of
them cannot be read.`,
		Example: "  calrules diff stored.json returned.json",
		Args:    requireTwo,
		RunE: func(_ *cobra.Command, args []string) error {
			a, b, err := c.readEvents(args, maxSize)
			if err != nil {
				return err
			}
			c.untold = format.value != formatText
			return diff(c, a, b, format)
		},
	}
	format.add(command, "output format; json writes an array, ndjson an object per line")
	addMaxSize(command, &maxSize)
	return command
}

// differenceJSON is a difference as JSON. If a member is absent from one of the events, the difference has no value for that
// event.
type differenceJSON struct {
	Path    diag.Pointer    `json:"path"`
	Old     json.RawMessage `json:"old,omitempty"`
	New     json.RawMessage `json:"new,omitempty"`
	Dialect diag.Dialect    `json:"dialect"` // the dialect of the path and the values
}

// diff writes the differences between two events.
func diff(c *console, a, b *event.Event, format *format) error {
	var list []differenceJSON
	for _, d := range a.Diff(b, c.dialect) {
		list = append(list, differenceJSON{d.Path, d.Old, d.New, c.dialect})
	}
	if format.value != formatText {
		writeList(format, c.out, list)
	} else {
		for _, d := range list {
			fmt.Fprintf(c.out, "%s: %s -> %s\n", visible.Text(string(d.Path)), shortValue(d.Old), shortValue(d.New))
		}
	}
	if len(list) > 0 {
		return errFound
	}
	return nil
}

// valueWidth is the maximum width of a displayed value.
const valueWidth = 60

// shortValue returns a value as compact JSON, shortened for display.
func shortValue(value json.RawMessage) string {
	if value == nil {
		return "(absent)"
	}
	var line bytes.Buffer
	json.Compact(&line, value) // cannot fail: it is JSON
	return cut(line.Bytes())
}

// cut shortens text for display.
func cut(text []byte) string {
	if short, _ := firstCells(text, valueWidth); len(short) < len(text) {
		return visible.Text(string(short)) + ellipsis
	}
	return visible.Text(string(text))
}
