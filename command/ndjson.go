package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/stream"
)

// streamHelp explains --ndjson, in the help of the commands that have it.
const streamHelp = `With --ndjson, each line of FILE or standard input is one request, a JSON
object. The answer to it is one line, in the same order. The answer to a line
that is not a request, or is blank or longer than --max-line, has the members
id, accepted (false) and error. The exit status does not depend on the answers.
With --part 2/4, only the lines that begin in the second quarter of FILE are
answered: the outputs for the parts, one after the other, equal the output for
FILE. The format of the answers is always ndjson.
`

// streamFlags are the flags of the commands that can answer streams.
type streamFlags struct {
	ndjson  bool
	maxLine size
	part    fraction
	changed func(name string) bool // whether the user set a flag
}

func (f *streamFlags) add(command *cobra.Command) {
	f.maxLine = stream.DefaultMax
	f.changed = command.Flags().Changed
	command.Flags().BoolVar(&f.ndjson, "ndjson", false, "read a request per line, write an answer per line")
	command.Flags().Var(&f.maxLine, "max-line", "longest line to read with --ndjson")
	command.Flags().Var(&f.part, "part", "answer only part I of N of FILE, with --ndjson")
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

// onlyNDJSON returns an error if the user chose another format than ndjson.
func (f *streamFlags) onlyNDJSON(chosen *format) error {
	if f.changed("format") && chosen.value != formatNDJSON {
		return fmt.Errorf("--format cannot be used with --ndjson; the answers are ndjson, not %s", chosen.value)
	}
	return nil
}

// unusedWithout returns an error if the user set a flag that only applies to a stream.
func (f *streamFlags) unusedWithout() error {
	return cmp.Or(f.unused("without --ndjson; use --max-size", "max-line"), f.unused("without --ndjson", "part"))
}

// fraction is a flag whose value is part I of N, such as 1/4. The zero value is the whole.
type fraction struct{ i, n int }

func (f *fraction) Type() string { return "I/N" }

func (f *fraction) String() string {
	if *f == (fraction{}) {
		return ""
	}
	return fmt.Sprintf("%d/%d", f.i, f.n)
}

func (f *fraction) Set(text string) error {
	first, second, _ := strings.Cut(text, "/")
	i, errI := strconv.Atoi(first)
	n, errN := strconv.Atoi(second)
	if cmp.Or(errI, errN) != nil || i < 1 || i > n {
		return errors.New("must be I/N, such as 1/4, with I from 1 to N")
	}
	*f = fraction{i, n}
	return nil
}

// filter answers the requests in the file that the arguments name, or in standard input.
func (c *console) filter(args []string, flags *streamFlags, f stream.Filter) error {
	if len(args) > 1 {
		return errors.New("--ndjson reads only one FILE, or standard input")
	}
	defer runtime.KeepAlive(ballast())
	f.MaxLine = int(flags.maxLine)
	arg := stdinArg
	if len(args) == 1 {
		arg = args[0]
	}
	if flags.part != (fraction{}) {
		return c.filterPart(arg, flags.part, f)
	}
	in, err := c.open(arg)
	if err != nil {
		return failure{err}
	}
	defer in.Close()
	counted := measure(in)
	p := c.newProgress("answer", counted.share)
	defer p.clear()
	return filterFailure(f.Run(context.Background(), counted, p.counting(c.streams.out)))
}

// ballast returns memory that nobody writes to, so that it takes none. The garbage of the lines is collected once there
// is as much of it as there is memory in use, which is very little without the ballast: a filter takes 12 MB more and a
// tenth less time with it.
func ballast() []byte { return make([]byte, 12<<20) }

// filterPart answers the requests in a part of a file.
func (c *console) filterPart(name string, part fraction, f stream.Filter) error {
	if name == stdinArg {
		return errors.New("--part requires a FILE")
	}
	in, err := os.Open(name)
	if err != nil {
		return failure{err}
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return failure{err}
	}
	if !info.Mode().IsRegular() {
		return failure{fmt.Errorf("%s: not a regular file; --part requires one", name)}
	}
	lines, err := stream.PartOf(info.Size(), part.i, part.n)
	if err != nil {
		return err
	}
	return filterFailure(f.RunPart(context.Background(), in, lines, c.streams.out))
}

// filterFailure returns the error to report for the error that ended a stream: nil if nobody reads the answers.
func filterFailure(err error) error {
	if err == nil || isBrokenPipe(err) {
		return nil
	}
	return failure{err}
}

// checkStream checks a stream of requests.
func checkStream(c *console, flags *checkFlags, args []string) error {
	err := cmp.Or(
		flags.unused("with --ndjson; each line has its own", "stored"),
		flags.unused("with --ndjson; use --max-line", "max-size"),
		flags.onlyNDJSON(flags.format),
		flags.unused("with --ndjson; the answers are JSON", "color", "statistics"),
		flags.unused("with --ndjson, whose exit status does not depend on the answers", "exit-zero"),
	)
	if err == nil {
		err = flags.validate(c)
	}
	if err != nil {
		return err
	}
	defaults := filter.Defaults{Dialect: c.dialect}
	if flags.changed("op") {
		defaults.Op = operation.ID(flags.op.value)
	}
	if defaults.Params, err = readParams(flags.params); err != nil {
		return err
	}
	return c.filter(args, &flags.streamFlags, filter.Check(flags.checker(c), defaults))
}
