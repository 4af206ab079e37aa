package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/rtdbgen"
	"github.com/calrules/calrules/internal/stream"
	"github.com/calrules/calrules/operation"
)

// opRTDB is the value of --op for requests to the realtime database, which are not operations in the catalogue.
const opRTDB = "rtdb"

// fuzzFlags are the flags of the fuzz command.
type fuzzFlags struct {
	count        int
	seed         uint64
	ops, rules   []string
	invalidShare float64
}

func newFuzz(c *console) *cobra.Command {
	var flags fuzzFlags
	command := &cobra.Command{
		Use:   "fuzz [flags]",
		Short: "Write requests, valid and broken, with the verdict of a correct server",
		Long: `Write requests, one per line, in the form that check --ndjson or, with --op rtdb,
rtdb --ndjson reads.

The id of each request is an object with the verdict of a correct server. Its members
are n (the line number, from 0), accepted and, if the request breaks a rule, rule, kind
and path (the location of the finding). No other rule rejects such a request. An answer
repeats the id, so it shows the expected verdict next to the actual verdict. A request
contains its dialect, which is documents unless --dialect or calrules.toml changes it; the
verdict is for a server with this dialect.

The same flags give the same bytes on every machine, until a release changes the
generators.`,
		Example: `  calrules fuzz -n 1000 --seed 7 | calrules check --ndjson | jq -c 'select(.accepted != .id.accepted)'
  calrules fuzz --op events.patch --rule patch.whole --invalid-share 1
  calrules fuzz --op rtdb -n 100 | calrules rtdb --ndjson`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return writePayloads(c, &flags) },
	}
	command.Flags().SortFlags = false
	command.Flags().IntVarP(&flags.count, "count", "n", 1000, "number of requests to write")
	command.Flags().Uint64Var(&flags.seed, "seed", 1, "`number` that determines the requests")
	command.Flags().StringArrayVar(&flags.ops, "op", nil, "`operation` of the requests, response, or rtdb for the realtime database; may be repeated (default all but rtdb)")
	command.Flags().StringArrayVar(&flags.rules, "rule", nil, "`rule` that broken requests break; may be repeated (default all)")
	newFormat([]string{formatNDJSON}).add(command, "output format; always one request per line")
	command.Flags().Float64Var(&flags.invalidShare, "invalid-share", 0.5, "share of requests that break a rule, from 0 to 1")
	complete(command, "op", operations.completeFlag)
	complete(command, "rule", c.rules().completeFlag)
	return command
}

// writePayloads writes the requests selected by the flags. Each processor generates one request at a time, and only a few
// requests are kept in memory.
func writePayloads(c *console, flags *fuzzFlags) error {
	if flags.count < 0 {
		return fmt.Errorf("--count is %d; it must be 0 or more", flags.count)
	}
	draw, err := flags.payloads(c)
	if err != nil {
		return err
	}
	p := c.newProgress("request", shareOf(flags.count))
	defer p.clear()
	// Every line produces garbage. Collecting garbage less often needs 60 MB more memory but a sixth less time.
	const percent = 800
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	// A number is a few bytes long, but the request generated from the number is thousands of bytes long.
	lines := stream.Filter{ReadSize: 256, Handle: func(number, dst []byte) []byte {
		n, err := strconv.Atoi(string(number))
		if err != nil {
			panic(err) // cannot happen: numbers writes only numbers
		}
		verdict, request := draw(n)
		return appendPayload(dst, n, verdict, request)
	}}
	err = lines.Run(context.Background(), &numbers{end: flags.count}, p.counting(c.streams.out))
	if err != nil && !isBrokenPipe(err) {
		c.complain(err)
		return errFailed
	}
	return nil
}

// appender appends the JSON text of a request.
type appender func(dst []byte) []byte

// payloads returns a function that generates request n, in the dialect of the console. The error is a message for the user.
func (f *fuzzFlags) payloads(c *console) (func(n int) (gen.Verdict, appender), error) {
	mix := gen.Mix{Dialect: c.dialect, Rules: f.rules, InvalidShare: f.invalidShare}
	rtdb := false
	for _, op := range f.ops {
		switch {
		case op == opRTDB:
			rtdb = true
		case op == string(operation.Response):
			mix.Operations = append(mix.Operations, operation.Response)
		default:
			found, err := operations.find(op)
			if err != nil {
				return nil, err
			}
			mix.Operations = append(mix.Operations, found.ID)
		}
	}
	for _, rule := range f.rules {
		if _, err := c.rules().find(rule); err != nil {
			return nil, err
		}
		rtdb = rtdb || len(f.ops) == 0 && slices.Contains(rtdbgen.Rules(), rule)
	}
	if rtdb {
		return f.databasePayloads(mix.Operations)
	}
	compiled, err := mix.Compile()
	return func(n int) (gen.Verdict, appender) {
		p := compiled.Payload(f.seed, n)
		return p.Verdict, p.AppendRequest
	}, err
}

// databasePayloads is like payloads, but for the realtime database.
func (f *fuzzFlags) databasePayloads(others []operation.ID) (func(n int) (gen.Verdict, appender), error) {
	if len(others) > 0 {
		return nil, errors.New("--op rtdb cannot be combined with other operations, because another filter reads its requests; run fuzz twice")
	}
	mix, err := rtdbgen.Mix{Rules: f.rules, InvalidShare: f.invalidShare}.Compile()
	return func(n int) (gen.Verdict, appender) {
		p := mix.Payload(f.seed, n)
		return p.Verdict, func(dst []byte) []byte { return append(dst, p.Request...) }
	}, err
}

// appendPayload appends a request as a line of the batch form. The id of the line consists of the number and the verdict.
// The request must be an object with at least one member and no id.
func appendPayload(dst []byte, n int, verdict gen.Verdict, request appender) []byte {
	dst = strconv.AppendInt(append(dst, `{"id":{"n":`...), int64(n), 10)
	dst = append(verdict.AppendJSON(append(dst, ',')), '}')
	brace := len(dst)
	dst = request(dst)
	dst[brace] = ',' // the id comes before the members of the request
	return dst
}

// numbers is a reader that returns the numbers from next up to but not including end, one per line.
type numbers struct{ next, end int }

func (n *numbers) Read(dst []byte) (int, error) {
	if n.next >= n.end {
		return 0, io.EOF
	}
	text := dst[:0]
	for n.next < n.end {
		line := strconv.Itoa(n.next) + "\n"
		if len(text)+len(line) > len(dst) {
			break
		}
		text = append(text, line...)
		n.next++
	}
	return len(text), nil
}
