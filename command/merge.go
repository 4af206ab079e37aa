package command

import (
	"cmp"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/operation"
)

func newMerge(c *console) *cobra.Command {
	op := newChoice(string(operation.EventsPatch), string(operation.EventsUpdate))
	op.short = eventsPrefix
	var query []string
	var maxSize size
	flags := newReportFlags()
	flags.quiet = true // standard error shows only the findings
	command := &cobra.Command{
		Use:   "merge [flags] STORED CHANGE",
		Short: "Show a stored event after a change",
		Long: `Show the event that the service would store after a patch or an update. merge
writes the event to standard output as JSON, and findings about the change to
standard error. If the change is rejected, it writes no event.

STORED and CHANGE are files; one of them may be - for standard input.`,
		Example: `  calrules merge stored.json change.json
  calrules merge --op update stored.json next.json >merged.json`,
		Args: requireTwo,
		RunE: func(_ *cobra.Command, args []string) error {
			params, err := readParams(query)
			if err = cmp.Or(err, flags.validate()); err != nil {
				return err
			}
			docs, err := c.readAll(maxSize, args...)
			if err != nil {
				return failure{err}
			}
			stored, err := c.event(docs[0])
			if err != nil {
				return failure{err}
			}
			change := docs[1]
			c.untold = flags.format.value != formatText
			req := event.Request{Op: operation.ID(op.value), Params: params, Body: change.text, Existing: stored, Dialect: c.dialect}
			return merge(c, &req, change, &flags)
		},
	}
	command.Flags().SortFlags = false
	op.add(command, "op", "operation: a patch changes the members in CHANGE, an update replaces the event")
	addParams(command, &op.value, &query)
	flags.format.add(command, "format of the findings")
	flags.color.add(command, "color", "when to use colors and show the line of the file")
	addMaxSize(command, &maxSize)
	return command
}

// merge applies a change and writes the resulting event.
func merge(c *console, req *event.Request, change document, flags *reportFlags) error {
	result, err := filter.Checker(c.graded(c.config.profile, c.config.rules), change.text).Check(req)
	if err != nil {
		return failure{err}
	}
	report := newReport(c, c.err, flags)
	report.file(wholeFile(change).with(result))
	report.end(tallyOf(result))
	if !result.Accepted {
		return errFound
	}
	writeJSON(c.out, json.RawMessage(result.Stored.AppendIn(c.dialect, nil)))
	return nil
}
