// Command calrules checks calendar events against the rules of a calendar service. Its answers depend on
// neither the network nor the clock.
//
//	calrules check event.json               # report findings, one per line
//	calrules check --ndjson <requests       # answer a stream of requests
//	calrules expand series.json             # show the instances of a recurring event
//	calrules merge stored.json change.json  # show the event after a patch
//	calrules patch stored.json next.json    # make the smallest patch
//	calrules rtdb --ndjson <requests        # decide who realtime-database requests act as
//	calrules explain reminders.minutes      # explain a rule
//
// The exit status is 0 on success, 1 if a finding rejects or events differ, and 2 if the
// command cannot run.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

func main() {
	if isClosed(os.Stdout) {
		fmt.Fprintln(os.Stderr, "calrules: standard output is closed")
		os.Exit(exitFailed)
	}
	os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}, os.Getenv))
}

// Exit statuses.
const (
	exitClean  = 0
	exitFound  = 1
	exitFailed = 2
)

// Errors that only set the exit status: the command has printed the reason.
var (
	errFound  = errors.New("a finding rejects, or events differ")
	errFailed = errors.New("the command cannot run")
)

// failure is an error of something outside the program, such as a file that cannot be read.
// Errors of other types are mistakes in the command line, so run points to the help.
type failure struct{ error }

// streams are the standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run runs the command with the given arguments and returns its exit status.
func run(args []string, std streams, getenv func(string) string) int {
	c := newConsole(std, getenv)
	root := newRoot(c)
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(c.out)
	root.SetErr(std.err)
	command, err := root.ExecuteC()
	switch outside, ok := errors.AsType[failure](err); {
	case ok:
		c.complain(outside.error)
	case err != nil && err != errFound && err != errFailed:
		fmt.Fprintf(std.err, "calrules: %v\nRun '%s --help' for usage.\n", err, command.CommandPath())
	}
	if err := c.out.Flush(); err != nil && !isBrokenPipe(err) {
		fmt.Fprintln(std.err, "calrules:", err)
		return exitFailed
	}
	return exitStatus(err)
}

func exitStatus(err error) int {
	switch err {
	case nil:
		return exitClean
	case errFound:
		return exitFound
	default:
		return exitFailed
	}
}

// isBrokenPipe reports whether an error means that the reader of the output has closed it, as
// head does. Usually the signal SIGPIPE ends the process first.
func isBrokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
