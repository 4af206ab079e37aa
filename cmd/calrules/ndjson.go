package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/wire"
	"github.com/calrules/calrules/limits"
)

// streamHelp explains --ndjson, in the help of the commands that have it.
const streamHelp = `With --ndjson, each line of FILE or standard input is one request, a JSON
object. The answer to it is one line, in the same order. The answer to a line
that is not a request, or is blank or longer than --max-line, has the members
id, accepted (false) and error. The exit status does not depend on the answers.
`

// streamFlags are the flags of the commands that can answer streams.
type streamFlags struct {
	ndjson  bool
	maxLine size
	changed func(name string) bool // whether the user set a flag
}

func (f *streamFlags) add(command *cobra.Command) {
	f.maxLine = batch.DefaultMaxLine
	f.changed = command.Flags().Changed
	command.Flags().BoolVar(&f.ndjson, "ndjson", false, "read a request per line, write an answer per line")
	command.Flags().Var(&f.maxLine, "max-line", "longest line to read with --ndjson")
}

// unused returns an error if the user set one of the flags, which do not apply.
func (f *streamFlags) unused(when string, flags ...string) error {
	for _, flag := range flags {
		if f.changed(flag) {
			return fmt.Errorf("--%s cannot be used %s", flag, when)
		}
	}
	return nil
}

// options returns the options of a stream.
func (f *streamFlags) options() batch.Options { return batch.Options{MaxLine: int(f.maxLine)} }

// filter answers the requests in the file that the arguments name, or in standard input.
func (c *console) filter(args []string, opts batch.Options, answer batch.Handler) error {
	if len(args) > 1 {
		return errors.New("--ndjson reads only one FILE, or standard input")
	}
	arg := stdinArg
	if len(args) == 1 {
		arg = args[0]
	}
	in, err := c.open(arg)
	if err != nil {
		return failure{err}
	}
	defer in.Close()
	if err := answerStream(in, c.streams.out, opts, answer); err != nil && !isBrokenPipe(err) {
		return failure{err}
	}
	return nil
}

// answerStream answers each line of in with a line of out.
func answerStream(in io.Reader, out io.Writer, opts batch.Options, answer batch.Handler) error {
	opts.TooLong = func(head, dst []byte) []byte {
		limit := size(len(head))
		return wire.AppendError(dst, ndjson.FindID(head), fmt.Errorf("the line is longer than the %s that --max-line allows", limit.String()))
	}
	return batch.Run(in, out, opts, answer)
}

// appendAnswer appends an answer, which must have an encoding.
func appendAnswer(dst []byte, answer any) []byte {
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	return append(dst, text...)
}

// checkStream checks a stream of requests.
func checkStream(c *console, flags *checkFlags, args []string) error {
	err := cmp.Or(
		flags.unused("with --ndjson; each line has its own", "op", "param", "stored"),
		flags.unused("with --ndjson; use --max-line", "max-size"),
		flags.unused("with --ndjson; the answers are JSON", "color"),
	)
	if err == nil && flags.format.value != formatJSON {
		err = flags.unused("with --ndjson; the answers are JSON", "format")
	}
	if err != nil {
		return err
	}
	return c.filter(args, flags.options(), requestAnswerer(flags.grading(), c.dialect))
}

// requestAnswerer returns a handler that checks requests, which are in the dialect unless they choose one.
func requestAnswerer(grading diag.Grading, dialect limits.Dialect) batch.Handler {
	return func(line, dst []byte) []byte {
		var req wire.Request
		req.Dialect = dialect
		if err := req.UnmarshalJSON(line); err != nil {
			return wire.AppendError(dst, req.ID, err)
		}
		result, err := req.Check(*newChecker(grading, line))
		if err != nil {
			return wire.AppendError(dst, req.ID, err)
		}
		return wire.AppendAnswer(dst, req.ID, result)
	}
}
