package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
)

// checkStream answers a stream of requests.
func checkStream(c *console, flags *checkFlags, args []string) error {
	if err := flags.forStream(args); err != nil {
		return err
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
	if err := answerStream(in, c.streams.out, flags.grading(), flags.maxLine); err != nil && !isBrokenPipe(err) {
		c.complain(err)
		return errFailed
	}
	return nil
}

// forStream tells of a flag or argument that has no meaning for a stream.
func (f *checkFlags) forStream(args []string) error {
	switch {
	case len(args) > 1:
		return errors.New("--ndjson reads one FILE, or standard input")
	case f.changed("op"), f.changed("param"):
		return errors.New("with --ndjson each line has its own op and params; leave out --op and --param")
	case f.changed("format") && f.format.value != formatJSON, f.changed("color"):
		return errors.New("--ndjson writes JSON only; leave out --format and --color")
	case f.changed("max-size"):
		return errors.New("with --ndjson lines are limited and not files; say --max-line")
	default:
		return nil
	}
}

// answerStream answers every line of in with a line of out.
func answerStream(in io.Reader, out io.Writer, grading diag.Grading, maxLine size) error {
	opts := batch.Options{
		MaxLine: int(maxLine),
		TooLong: func(head, dst []byte) []byte {
			reason := fmt.Sprintf("the line is longer than %s, which is the most that --max-line lets pass", maxLine.String())
			return appendError(dst, findID(head), reason)
		},
	}
	return batch.Run(in, out, opts, func(line, dst []byte) []byte {
		return answerLine(line, dst, grading)
	})
}

// answerLine appends the answer to one request.
func answerLine(line, dst []byte, grading diag.Grading) []byte {
	var req event.Request
	if err := readRequest(line, &req); err != nil {
		return appendError(dst, req.ID, err.Error())
	}
	result := newChecker(grading, line).Check(&req)
	return result.AppendJSON(dst)
}

// appendError appends the answer to a line that is no request.
func appendError(dst, id []byte, reason string) []byte {
	result := event.Result{ID: id, Error: reason}
	return result.AppendJSON(dst)
}
