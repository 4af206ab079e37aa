package command

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
)

func newSplit(c *console) *cobra.Command {
	var exceptions string
	var maxSize size
	command := &cobra.Command{
		Use:   "split [flags] FILE START",
		Short: "Divide a recurring event at an instance",
		Long: `Divide a recurring event at an instance, to change this and following instances.
FILE contains the event; - is standard input. START is the original start of the
instance: a date for an all-day event, otherwise an RFC 3339 time with an offset.

split writes an object with the bodies of the requests:

  patch   for events.patch of the event: the recurrence that is left. Absent if
          the instance is the first; then change or delete the event instead.
  insert  for events.insert: the new series, with the instance and all later ones
  moved   the exceptions that replace these instances, with the ids of the stored
          ones. Once the new series is stored, send each with events.update and the
          id of the instance that starts at its originalStartTime; if the exception
          is cancelled, delete that instance. Then delete the stored exceptions.

If the two series cannot have exactly the instances of the whole, split writes only
the reason.

--exceptions names a file with the changed, moved and cancelled instances, as for
calrules expand.`,
		Example: `  calrules split event.json 2026-03-10T09:00:00-04:00
  calrules split --exceptions exceptions.json all-day.json 2026-03-10`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("split requires a FILE and a START")
			}
			return split(c, args[0], args[1], exceptions, maxSize)
		},
	}
	command.Flags().SortFlags = false
	command.Flags().StringVar(&exceptions, "exceptions", "", "`file` with the changed, moved and cancelled instances")
	addMaxSize(command, &maxSize)
	return command
}

// split writes the bodies of the requests that split the series in a file.
func split(c *console, name, start, exceptionsName string, maxSize size) error {
	series, doc, err := c.readEvent(name, maxSize)
	if err != nil {
		return failure{err}
	}
	exceptions, err := readExceptions(c, exceptionsName, maxSize, series.ID)
	if err != nil {
		return failure{err}
	}
	halves := batch.Expand(&batch.Expansion{
		Start: series.Start, End: series.End, Recurrence: series.Recurrence, Exceptions: exceptions.events, Split: start,
	})
	if halves.Findings != nil {
		c.reportRejected(doc, exceptions, halves.Findings)
		return errFound
	}
	if halves.Error != "" {
		if place, ok := exceptions.place("/" + halves.Error); ok {
			return failure{fmt.Errorf("%s: %s", exceptions.name, place)}
		}
		return failure{fmt.Errorf("%s: %s", doc.name, halves.Error)}
	}
	requests, err := event.Series{Event: series, Exceptions: exceptionsOf(series, exceptions.events)}.Split(halves.After.Start)
	if err != nil {
		return failure{fmt.Errorf("%s: %w", doc.name, err)}
	}
	writeJSON(c.out, c.bodies(requests))
	return nil
}

// exceptionsOf returns copies of exceptions that belong to a series, whatever their recurringEventId.
func exceptionsOf(series *event.Event, list []*event.Event) (own []*event.Event) {
	for _, e := range list {
		e = new(*e)
		e.RecurringEventID = series.ID
		own = append(own, e)
	}
	return own
}

// bodies returns the object that split writes.
func (c *console) bodies(requests event.SplitRequests) any {
	body := func(e *event.Event) json.RawMessage { return e.AppendIn(c.dialect, nil) }
	object := struct {
		Patch  json.RawMessage   `json:"patch,omitempty"`
		Insert json.RawMessage   `json:"insert"`
		Moved  []json.RawMessage `json:"moved"`
	}{Insert: body(requests.Insert), Moved: []json.RawMessage{}}
	if requests.Patch != nil {
		object.Patch = body(requests.Patch)
	}
	for _, e := range requests.Moved {
		object.Moved = append(object.Moved, body(e))
	}
	return object
}
