package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/operation"
)

// opRTDB is what --op says for requests to the realtime database, which have no operation of
// the catalogue.
const opRTDB = "rtdb"

// fuzzFlags are the flags of the command fuzz.
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
		Short: "Write requests, valid and broken, with the verdict that a correct server gives",
		Long: `Write requests, one a line, in the form that check --ndjson reads or, with --op rtdb, rtdb
--ndjson. The id of each is an object that says what a correct server makes of it: n, the number
of the line from 0, accepted and, where the request breaks a rule, the rule, its kind, the path
of the finding and in a few words the way in which the rule is broken. Of the rules that reject,
such a request breaks no other. An answer echoes the id, and so holds what was expected beside
what was found.

The same flags give the same bytes on every machine, until a release changes what is drawn.`,
		Example: `  calrules fuzz -n 1000 --seed 7 | calrules check --ndjson | jq -c 'select(.accepted != .id.accepted)'
  calrules fuzz --op events.patch --rule patch.whole --invalid-share 1
  calrules fuzz --op rtdb -n 100 | calrules rtdb --ndjson`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return writePayloads(c, &flags) },
	}
	command.Flags().SortFlags = false
	command.Flags().IntVarP(&flags.count, "count", "n", 1000, "how many requests to write")
	command.Flags().Uint64Var(&flags.seed, "seed", 1, "what the requests are drawn from")
	command.Flags().StringArrayVar(&flags.ops, "op", nil, "an `operation` that requests are for, response, or rtdb for the realtime database; may be repeated (default all but rtdb)")
	command.Flags().StringArrayVar(&flags.rules, "rule", nil, "a `rule` that broken requests break; may be repeated (default all)")
	command.Flags().Float64Var(&flags.invalidShare, "invalid-share", 0.5, "the share of requests that break a rule, from 0 to 1")
	complete(command, "op", func(command *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return operations.complete(command, nil, begun)
	})
	complete(command, "rule", func(command *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return rules.complete(command, nil, begun)
	})
	return command
}

// writePayloads writes what the flags ask for. It makes as many requests at a time as there
// are processors, and holds no more than a few of them.
func writePayloads(c *console, flags *fuzzFlags) error {
	if flags.count < 0 {
		return fmt.Errorf("--count is %d; it must be 0 or more", flags.count)
	}
	mix, err := flags.mix()
	if err != nil {
		return err
	}
	out := c.streams.out
	_, shown := screen(c.err)
	if _, mixed := screen(c.streams.out); shown && !mixed {
		p := &progress{out: out, screen: c.err, total: flags.count}
		defer p.done()
		out = p
	}
	// Each number is a line of a few bytes, and each request thousands.
	opts := batch.Options{ReadSize: 256}
	err = batch.Run(&numbers{end: flags.count}, out, opts, func(line, dst []byte) []byte {
		n, err := strconv.Atoi(string(line))
		if err != nil {
			panic(err) // numbers writes nothing else
		}
		return appendPayload(dst, n, mix.Payload(flags.seed, n))
	})
	if err != nil && !isBrokenPipe(err) {
		c.complain(err)
		return errFailed
	}
	return nil
}

// mix returns the mix that the flags ask for, or an error for the user.
func (f *fuzzFlags) mix() (*fuzz.Mix, error) {
	opts := fuzz.MixOptions{Rules: f.rules, InvalidShare: f.invalidShare}
	for _, op := range f.ops {
		switch {
		case op == opRTDB:
			opts.RTDB = true
		case op == string(operation.Response):
			opts.Operations = append(opts.Operations, operation.Response)
		default:
			found, err := operations.find(op)
			if err != nil {
				return nil, err
			}
			opts.Operations = append(opts.Operations, found.ID)
		}
	}
	for _, rule := range f.rules {
		if _, err := rules.find(rule); err != nil {
			return nil, err
		}
		if slices.Contains(fuzz.RTDBRules(), rule) && len(f.ops) == 0 {
			opts.RTDB = true
		}
	}
	if opts.RTDB && len(opts.Operations) > 0 {
		return nil, errors.New("--op rtdb is for another filter than the operations; write the two apart")
	}
	return fuzz.NewMix(opts)
}

// payloadID is the id of a request: its number and its verdict.
type payloadID struct {
	N int `json:"n"`
	fuzz.Verdict
}

// appendPayload appends the payload as a line of the batch form.
func appendPayload(dst []byte, n int, p fuzz.Payload) []byte {
	dst = append(dst, `{"id":`...)
	dst = appendAnswer(dst, payloadID{n, p.Verdict})
	dst = append(dst, ',')
	return append(dst, p.Line()[1:]...) // an object that has members, and no id
}

// numbers reads as the numbers from next to end, one a line.
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

// progress passes lines on and shows on a terminal how many there have been.
type progress struct {
	out          io.Writer
	screen       io.Writer
	lines, total int
	shown        int
}

func (p *progress) Write(text []byte) (int, error) {
	n, err := p.out.Write(text)
	p.lines += bytes.Count(text[:n], []byte("\n"))
	const every = 100
	if p.lines/every > p.shown/every {
		p.show()
	}
	return n, err
}

func (p *progress) show() {
	p.shown = p.lines
	fmt.Fprintf(p.screen, "\r%d of %d requests", p.lines, p.total)
}

// done leaves the screen as it was.
func (p *progress) done() {
	if p.shown > 0 {
		fmt.Fprintf(p.screen, "\r%s\r", strings.Repeat(" ", len(fmt.Sprintf("%d of %d requests", p.total, p.total))))
	}
}
