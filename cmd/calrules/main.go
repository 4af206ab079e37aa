// Command calrules checks calendar events against the rules that a calendar service holds
// them to. It opens no connection and reads no clock.
//
//	calrules check event.json          # findings as a compiler writes them
//	calrules check --ndjson <requests  # a filter: one request a line in, one answer a line out
//	calrules expand series.json        # when a recurring event takes place
//	calrules merge stored.json change  # what a patch makes of an event
//	calrules rtdb --ndjson <requests   # as whom requests to a realtime database act
//	calrules explain reminders.minutes # what a rule says, and why
//
// The exit status is 0 where nothing is refused, 1 where a finding rejects or events differ,
// and 2 where the command could not run.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

func main() {
	os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}, os.Getenv))
}

// The exit statuses.
const (
	exitClean  = 0
	exitFound  = 1
	exitFailed = 2
)

// A command returns one of these errors once it has said all there is to say. Any other error
// is a wrong invocation, and run tells of it.
var (
	errRefused   = errors.New("a finding rejects")
	errDifferent = errors.New("the events differ")
	errFailed    = errors.New("could not run")
)

// streams are the standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run runs the command with the arguments that follow its name, and returns the exit status.
func run(args []string, std streams, getenv func(string) string) int {
	c := newConsole(std, getenv)
	root := newRoot(c)
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(c.out)
	root.SetErr(std.err)
	command, err := root.ExecuteC()
	if unwritten := c.out.Flush(); unwritten != nil {
		return c.outputFailed(unwritten, err)
	}
	if isUsage(err) {
		fmt.Fprintf(std.err, "calrules: %v\nRun '%s --help' for usage.\n", err, command.CommandPath())
	}
	return exitStatus(err)
}

// outputFailed returns the exit status of a command that returned err, or would have, had its
// output been written.
func (c *console) outputFailed(unwritten, err error) int {
	switch {
	case !isBrokenPipe(unwritten):
		fmt.Fprintln(c.err, "calrules:", unwritten)
		return exitFailed
	case errors.Is(err, unwritten):
		return exitClean
	default:
		return exitStatus(err)
	}
}

func isUsage(err error) bool {
	return err != nil && !hasFound(err) && !errors.Is(err, errFailed)
}

// hasFound reports whether the command could do its work, and found something.
func hasFound(err error) bool { return errors.Is(err, errRefused) || errors.Is(err, errDifferent) }

func exitStatus(err error) int {
	switch {
	case err == nil:
		return exitClean
	case hasFound(err):
		return exitFound
	default:
		return exitFailed
	}
}

// isBrokenPipe reports whether whoever read the output has had enough of it, which is no
// failure. Mostly the signal SIGPIPE ends the process before the error is seen.
func isBrokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
