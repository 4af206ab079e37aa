package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/filter"
)

// makeFlags are the flags of the command make. Those of the arguments of verbs have their names.
type makeFlags struct {
	at                    []string
	to, from, zone, clock string
	length                string
	overlap               bool
	limit                 int64
	exceptions, with      string
	maxSize               size
	streamFlags
}

// makeLong describes the verbs.
func makeLong() string {
	var b strings.Builder
	b.WriteString(`Ask a recurring event something, or make another one of it. FILE contains the event; - is
standard input. VERB is one of these; its arguments are flags:

`)
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, v := range batch.Verbs {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", v.Name, arguments(&v), v.Sentence)
	}
	for _, v := range pairVerbs {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", v.name, v.flags, v.sentence)
	}
	table.Flush()
	b.WriteString(`
A time is a date for an all-day event, and otherwise an RFC 3339 time; without an offset
it is in the time zone of the event. --at can be repeated for exclude and add.

The answer has instances, count or contains; or event and exceptions, the series as it
is then; or before and after, two of these. If no lines have exactly the instances that
they must have, make writes only the reason.

--exceptions names a file with the changed, moved and cancelled instances, as for
calrules expand.

` + streamHelp)
	return b.String()
}

// arguments returns the flags of the arguments of a verb.
func arguments(v *batch.Verb) string {
	var flags []string
	for _, name := range v.Args {
		flags = append(flags, "--"+flagOf(name))
	}
	for _, name := range v.Optional {
		flags = append(flags, "[--"+flagOf(name)+"]")
	}
	return strings.Join(flags, " ")
}

// flagOf returns the flag of an argument of a verb.
func flagOf(name string) string {
	if name == "window" {
		return "overlap"
	}
	return name
}

func newMake(c *console) *cobra.Command {
	flags := &makeFlags{}
	command := &cobra.Command{
		Use:   "make [flags] VERB FILE",
		Short: "Ask a recurring event something, or make another one of it",
		Long:  makeLong(),
		Example: `  calrules make split --at 2026-03-10T09:00:00-04:00 event.json
  calrules make exclude --at 2026-03-10 --at 2026-03-12 all-day.json
  calrules make rezone --zone Europe/Berlin --exceptions exceptions.json event.json
  calrules make --ndjson <requests.ndjson >answers.ndjson`,
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.ndjson {
				return makeStream(c, flags, args)
			}
			return flags.run(c, args)
		},
	}
	set := command.Flags()
	set.SortFlags = false
	set.StringArrayVar(&flags.at, "at", nil, "the original start of an instance, or another `time`")
	set.StringVar(&flags.to, "to", "", "the new start, or the end of the window, as a `time`")
	set.StringVar(&flags.from, "from", "", "the begin of the window, as a `time`")
	set.StringVar(&flags.zone, "zone", "", "an IANA time `zone`")
	set.StringVar(&flags.clock, "clock", "", "a time of `day`, such as 09:00")
	set.StringVar(&flags.length, "length", "", "a `duration`, such as PT1H30M")
	set.BoolVar(&flags.overlap, "overlap", false, "also the instances that are under way")
	set.Int64Var(&flags.limit, "limit", 0, "maximum number of instances")
	set.StringVar(&flags.exceptions, "exceptions", "", "`file` with the changed, moved and cancelled instances")
	set.StringVar(&flags.with, "with", "", "`file` with the other recurring event, for "+listOf(pairNames()))
	complete(command, "zone", completeZone)
	addMaxSize(command, &flags.maxSize)
	flags.streamFlags.add(command)
	return command
}

// listOf joins names.
func listOf(names []string) string { return strings.Join(names, ", ") }

// ofVerbs are the flags that have members of their own in the requests of a stream.
var ofVerbs = []string{"at", "to", "from", "zone", "clock", "length", "overlap", "limit", "exceptions", "with"}

// makeStream answers a stream of requests.
func makeStream(c *console, flags *makeFlags, args []string) error {
	err := cmp.Or(flags.unused("with --ndjson; each line has its own", ofVerbs...), flags.unused("with --ndjson; use --max-line", "max-size"))
	if err != nil {
		return err
	}
	return c.filter(args, &flags.streamFlags, filter.Make(c.dialect))
}

// run does what a verb says with the series in a file.
func (f *makeFlags) run(c *console, args []string) error {
	if len(args) != 2 {
		return errors.New("make requires a VERB and a FILE; 'calrules make --help' lists the verbs")
	}
	name := args[0]
	if err := f.unusedWithout(); err != nil {
		return err
	}
	if i := slices.IndexFunc(pairVerbs, func(v pairVerb) bool { return v.name == name }); i >= 0 {
		return f.runPair(c, &pairVerbs[i], args[1])
	}
	if _, err := batch.FindVerb(name); err != nil {
		return err
	}
	if f.with != "" {
		return fmt.Errorf("--with cannot be used with %s", name)
	}
	with, err := f.arguments()
	if err != nil {
		return err
	}
	series, doc, err := c.readEvent(args[1], f.maxSize)
	if err != nil {
		return failure{err}
	}
	exceptions, err := readExceptions(c, f.exceptions, f.maxSize, series.ID)
	if err != nil {
		return failure{err}
	}
	request := &batch.Making{Event: series}
	request.Verb, request.With, request.Exceptions, request.Dialect = name, with, exceptions.events, c.dialect
	made := batch.Make(request)
	if made.Findings != nil {
		c.reportRejected(doc, exceptions, made.Findings)
		return errFound
	}
	if made.Error != "" {
		if place, ok := exceptions.place("/" + made.Error); ok {
			return failure{fmt.Errorf("%s: %s", exceptions.name, place)}
		}
		return failure{fmt.Errorf("%s: %s", doc.name, strings.ReplaceAll(made.Error, "with.", "--"))}
	}
	fmt.Fprintln(c.out, pretty(string(batch.AppendMade(nil, request, made))))
	return nil
}

// arguments returns the arguments of the verb that the flags give.
func (f *makeFlags) arguments() (*batch.With, error) {
	with := &batch.With{Zone: f.zone, Limit: f.limit}
	for _, text := range f.at {
		with.At = append(with.At, batch.Moment(text))
	}
	for text, to := range map[*string]**event.Time{&f.to: &with.To, &f.from: &with.From} {
		if *text != "" {
			*to = batch.Moment(*text)
		}
	}
	if f.overlap {
		with.Window = "overlap"
	}
	var err error
	if f.clock != "" {
		err = with.SetClock(f.clock)
	}
	if f.length != "" {
		err = cmp.Or(err, with.SetLength(f.length))
	}
	if f.limit < 0 {
		err = cmp.Or(err, fmt.Errorf("--limit is %d; it must be 0 or more", f.limit))
	}
	return with, err
}
