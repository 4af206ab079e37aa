package command

import (
	"github.com/spf13/cobra"

	"github.com/calrules/calrules/recurrence"
)

// optionFlags control the expansion of a recurrence, in all commands that work on series.
type optionFlags struct {
	gap, months, weekdays              *choice
	countStart, onlyMatches, wallClock bool
}

// ofOptions lists the names of the optionFlags.
var ofOptions = []string{"gap", "months", "weekdays", "count-start", "only-matches", "wall-clock"}

// add adds the option flags to a command.
func (f *optionFlags) add(command *cobra.Command) {
	f.gap, f.months, f.weekdays = newChoice("omit", "shift"), newChoice("start", "all"), newChoice("start", "all")
	f.gap.add(command, "gap", "what to do with instances at a local time that does not exist")
	f.months.add(command, "months", "the months of BYMONTHDAY in a yearly rule without BYMONTH")
	f.weekdays.add(command, "weekdays", "the weekdays of BYWEEKNO in a yearly rule without BYDAY")
	set := command.Flags()
	set.BoolVar(&f.countStart, "count-start", false, "let COUNT count a start that does not match the rule")
	set.BoolVar(&f.onlyMatches, "only-matches", false, "omit a start that does not match the rule")
	set.BoolVar(&f.wallClock, "wall-clock", false, "let instances end at the same local time")
}

// options returns the options selected by the flags.
func (f *optionFlags) options() recurrence.Options {
	return recurrence.Options{
		Shift: f.gap.value == "shift", AllMonths: f.months.value == "all", AllWeekdays: f.weekdays.value == "all",
		CountStart: f.countStart, OnlyMatches: f.onlyMatches, WallClock: f.wallClock,
	}
}
