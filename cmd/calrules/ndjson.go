package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/ndjson"
)

// streamFlags are the flags of every command that can be a filter.
type streamFlags struct {
	ndjson  bool
	maxLine size
}

func (f *streamFlags) add(command *cobra.Command) {
	f.maxLine = batch.DefaultMaxLine
	command.Flags().BoolVar(&f.ndjson, "ndjson", false, "read one request a line, write one answer a line")
	command.Flags().Var(&f.maxLine, "max-line", "with --ndjson, the longest line that is read")
}

// filter answers the stream of requests in the FILE that the arguments name, or on standard
// input.
func (c *console) filter(args []string, opts batch.Options, answer batch.Handler) error {
	if len(args) > 1 {
		return errors.New("--ndjson reads one FILE, or standard input")
	}
	in := c.in
	if len(args) == 1 && args[0] != stdinArg {
		file, err := os.Open(args[0])
		if err != nil {
			c.complain(err)
			return errFailed
		}
		defer file.Close()
		in = file
	}
	if err := answerStream(in, c.streams.out, opts, answer); err != nil && !isBrokenPipe(err) {
		c.complain(err)
		return errFailed
	}
	return nil
}

// options returns the options of a stream.
func (f *streamFlags) options() batch.Options { return batch.Options{MaxLine: int(f.maxLine)} }

// answerStream answers every line of in with a line of out.
func answerStream(in io.Reader, out io.Writer, opts batch.Options, answer batch.Handler) error {
	opts.TooLong = func(head, dst []byte) []byte {
		limit := size(len(head))
		reason := fmt.Sprintf("the line is longer than %s, which is the most that --max-line lets pass", limit.String())
		return appendError(dst, ndjson.FindID(head), reason)
	}
	return batch.Run(in, out, opts, answer)
}

// appendError appends the answer to a line that is no request.
func appendError(dst, id []byte, reason string) []byte {
	result := event.Result{ID: id, Error: reason}
	return result.AppendJSON(dst)
}

// appendAnswer appends an answer that always encodes.
func appendAnswer(dst []byte, answer any) []byte {
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	return append(dst, text...)
}

// checkStream answers a stream of requests.
func checkStream(c *console, flags *checkFlags, args []string) error {
	if err := flags.forStream(); err != nil {
		return err
	}
	return c.filter(args, flags.options(), requestAnswerer(flags.grading()))
}

// forStream tells of a flag that has no meaning for a stream.
func (f *checkFlags) forStream() error {
	switch {
	case f.changed("op"), f.changed("param"):
		return errors.New("with --ndjson each line has its own op and params; leave out --op and --param")
	case f.changed("stored"):
		return errors.New("with --ndjson each line has its own existing; leave out --stored")
	case f.changed("format") && f.format.value != formatJSON, f.changed("color"):
		return errors.New("--ndjson writes JSON only; leave out --format and --color")
	case f.changed("max-size"):
		return errors.New("with --ndjson lines are limited and not files; say --max-line")
	default:
		return nil
	}
}

// requestAnswerer returns what answers one request for the check of an event.
func requestAnswerer(grading diag.Grading) batch.Handler {
	return func(line, dst []byte) []byte {
		var req event.Request
		if err := req.UnmarshalJSON(line); err != nil {
			return appendError(dst, req.ID, err.Error())
		}
		result := newChecker(grading, line).Check(&req)
		return result.AppendJSON(dst)
	}
}
