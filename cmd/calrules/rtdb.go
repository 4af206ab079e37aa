package main

import (
	"errors"
	"io"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/rtdbauth"
)

func newRTDB(c *console) *cobra.Command {
	var stream streamFlags
	var table bool
	command := &cobra.Command{
		Use:   "rtdb (--ndjson [FILE] | --table)",
		Short: "Decide as whom requests to a realtime database act",
		Long: `Decide as whom a request to the REST interface of a realtime database acts, and whether the
database's rules apply to it.

With --ndjson, rtdb is a filter: each line of FILE, or of standard input, is one request, a
JSON object with the members id, method, url, headers, known (what a verifier knows of the
tokens) and policy. Each is answered by one line, in order, with the members id, principal,
subject, rules, read, write and findings. A line that is no request, or is longer than
--max-line, is answered with id, accepted (false) and error, and passed over; so is a blank
line. No answer shows a token. What is decided does not change the exit status, which is 0
where the stream could be read and answered to its end.

With --table, rtdb prints the table by which it decides.`,
		Example: `  calrules rtdb --ndjson <requests.ndjson >decisions.ndjson
  calrules rtdb --table`,
		RunE: func(command *cobra.Command, args []string) error {
			switch {
			case table == stream.ndjson:
				return errors.New("say --ndjson to decide on requests, a line each, or --table to see the table by which that is done")
			case !table:
				return c.filter(args, stream.options(), answerDecision)
			case len(args) > 0, command.Flags().Changed("max-line"):
				return errors.New("--table prints the table, which is always the same; leave out what goes with --ndjson")
			}
			_, err := io.WriteString(c.out, rtdbauth.Table().String())
			return err
		},
	}
	command.Flags().SortFlags = false
	stream.add(command)
	command.Flags().BoolVar(&table, "table", false, "print the decision table")
	return command
}

// answerDecision appends the answer to one request. No error shows what is in the line, for
// that may be a token.
func answerDecision(line, dst []byte) []byte {
	if !utf8.Valid(line) {
		// Reading would make one token of several that differ in what is no character.
		return appendError(dst, ndjson.FindID(line), "the line is not written in UTF-8")
	}
	var req rtdbauth.Request
	if err := req.UnmarshalJSON(line); err != nil {
		if req.ID == nil {
			req.ID = ndjson.FindID(line)
		}
		return appendError(dst, req.ID, err.Error())
	}
	return appendAnswer(dst, rtdbauth.Check(&req))
}
