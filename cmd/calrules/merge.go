package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// mergeFlags are the flags of the command merge.
type mergeFlags struct {
	op      *choice
	params  []string
	maxSize size
}

// The operations that merge a change into a stored event, as the flag --op has them.
const (
	mergePatch  = "patch"
	mergeUpdate = "update"
)

func newMerge(c *console) *cobra.Command {
	flags := &mergeFlags{op: newChoice(mergePatch, mergeUpdate)}
	command := &cobra.Command{
		Use:   "merge [flags] STORED CHANGE",
		Short: "Show what a change makes of a stored event",
		Long: `Show the event that the service would store after a patch or an update: on standard output
as JSON, with what the rules say of the change on standard error, as check does. Where the
change is refused there is no event.

STORED and CHANGE are files; one of them may be - for standard input.`,
		Example: `  calrules merge stored.json change.json
  calrules merge --op update stored.json next.json >merged.json`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("merge takes two files: the stored event and the change")
			}
			return merge(c, flags, args[0], args[1])
		},
	}
	flags.add(command)
	return command
}

func (f *mergeFlags) add(command *cobra.Command) {
	command.Flags().SortFlags = false
	f.op.add(command, "op", "a patch changes what it names, an update replaces the event")
	op := string(operation.EventsPatch) // both operations have the same parameters
	addParams(command, &op, &f.params)
	addMaxSize(command, &f.maxSize)
}

func merge(c *console, flags *mergeFlags, storedArg, changeArg string) error {
	params, err := readParams(flags.params)
	if err != nil {
		return err
	}
	stored, change, err := c.readTwo(storedArg, changeArg, flags.maxSize)
	if err != nil {
		return err
	}
	req := event.Request{Op: operation.ID("events." + flags.op.value), Params: params, Body: change.text}
	if req.Existing, err = stored.event(); err != nil {
		c.complain(err)
		return errFailed
	}
	result := newChecker(diag.Grading{}, change.text).Check(&req)
	report := textReport{out: c.err, look: c.look(c.err, colorAuto)}
	report.file(checked{change, result})
	if !result.Accepted {
		return errRefused
	}
	return writeJSON(c.out, result.Event)
}

// readTwo reads the files that two arguments name. An error that is no wrong invocation has
// been told of.
func (c *console) readTwo(first, second string, limit size) (a, b document, err error) {
	if first == stdinArg && second == stdinArg {
		return a, b, errors.New("standard input cannot be both files")
	}
	a, err = c.read(first, limit)
	if err == nil {
		b, err = c.read(second, limit)
	}
	if err != nil {
		c.complain(err)
		return a, b, errFailed
	}
	return a, b, nil
}
