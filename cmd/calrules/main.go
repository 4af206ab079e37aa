// Command calrules checks calendar events against the rules of a calendar service. The answers depend on neither the network
// nor the clock.
//
//	calrules check event.json               # report findings, one per line
//	calrules check --ndjson <requests       # answer a stream of requests
//	calrules expand series.json             # show the instances of a recurring event
//	calrules merge stored.json change.json  # show the event after a patch
//	calrules patch stored.json next.json    # make the smallest patch
//	calrules rtdb --ndjson <requests        # decide who realtime-database requests act as
//	calrules explain reminders.minutes      # explain a rule
//
// The exit status is 0 on success, 1 if a finding rejects or events differ, and 2 if the command cannot run. The code is in
// package command, which other programs can run with additional rules.
package main

import (
	"os"

	"github.com/calrules/calrules/command"
)

func main() { os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
