package main

import (
	"errors"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/limits"
)

// newRoot makes the command with all that it can do. A further command is one more line here
// and a file of its own.
func newRoot(c *console) *cobra.Command {
	root := &cobra.Command{
		Use:   "calrules",
		Short: "Check calendar events against the rules of a calendar service",
		Long: `calrules checks calendar events against the rules that a calendar service holds
them to. It opens no connection and reads no clock.

The exit status is 0 where nothing is refused, 1 where a finding rejects or
events differ, and 2 where the command could not run.`,
		Example: `  calrules check event.json
  calrules expand --from 2026-03-01 series.json
  calrules explain reminders.minutes`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(
		newCheck(c),
		newExpand(c),
		newMerge(c),
		newDiff(c),
		newRTDB(c),
		newRules(c),
		newExplain(c),
		newLimits(c),
		newOperations(c),
		newFuzz(c),
	)
	askForShell(root)
	return root
}

// askForShell makes a wrong invocation of cobra's own completion command an error, and not a
// page of help that a shell would run.
func askForShell(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err)
	}
	completion.RunE = func(*cobra.Command, []string) error {
		return errors.New("completion is for one of bash, zsh, fish and powershell")
	}
}

// version tells the release of the module and that of the table of time zones.
func version() string {
	module := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		module = info.Main.Version
	}
	return module + ", IANA Time Zone Database " + limits.ZoneRelease
}
