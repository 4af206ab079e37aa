// Package command implements the calrules command. A program can run the command with additional rules, such as a company's
// rules:
//
//	func main() { os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, rules...)) }
//
// No other package in the library imports package command, so programs that only check events do not link its dependencies.
package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/calrules/calrules/diag"
)

// Run runs the calrules command with the given arguments, without the command name, and returns the exit status: 0 on
// success, 1 if a finding rejects or events differ, and 2 if the command cannot run.
//
// The command treats the given rules like its own: it checks, explains and lists them, writes them to schemas, and lets
// flags and configurations grade and select them. If [github.com/calrules/calrules/event.Checker.WithRules] rejects a rule,
// the status is 2.
//
// A nil reader means no input. A nil writer discards the output.
func Run(args []string, in io.Reader, out, errs io.Writer, rules ...*diag.Rule) (status int) {
	if in == nil {
		in = strings.NewReader("")
	}
	out, errs = cmp.Or(out, io.Discard), cmp.Or(errs, io.Discard)
	return run(args, streams{in, out, errs}, os.Getenv, rules...)
}

// Exit statuses.
const (
	exitClean  = 0
	exitFound  = 1
	exitFailed = 2
)

// Errors that only set the exit status, because the command has already printed the reason.
var (
	errFound  = errors.New("a finding rejects, or events differ")
	errFailed = errors.New("the command cannot run")
)

// failure is an error with a cause outside the command line, such as a file that cannot be read. For any other error, which
// is a mistake in the command line, run points to the help.
type failure struct{ error }

// streams are the standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run runs the command with the given arguments and returns its exit status.
func run(args []string, std streams, getenv func(string) string, rules ...*diag.Rule) int {
	c, err := newConsole(std, getenv, rules)
	if err != nil {
		c.complain(err)
		return exitFailed
	}
	root := newRoot(c, args)
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetErr(std.err)
	command, err := root.ExecuteC()
	switch outside, ok := errors.AsType[failure](err); {
	case ok:
		c.complain(outside.error)
	case err != nil && err != errFound && err != errFailed:
		fmt.Fprintf(std.err, "calrules: %v\nRun '%s --help' for usage.\n", err, command.CommandPath())
	}
	if note := c.note(); note != "" {
		c.complain(errors.New(note))
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

// isBrokenPipe reports whether err means that the reader of the output, such as head, has closed the pipe. Usually SIGPIPE ends
// the process first.
func isBrokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
