package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/limits"
)

// expandFlags are the flags of the command expand.
type expandFlags struct {
	from, to string
	limit    int
	zone     string
	maxSize  size
	streamFlags

	changed func(name string) bool // whether a flag was given
}

// defaultInstances is how many instances a table has: as many as a screen shows.
const defaultInstances = 40

const expandLong = `Show when the instances of a recurring event take place: day, local time, offset, end, and
what gives each: the start, a rule or an RDATE line. FILE holds the event; - is standard
input. The end is a time where it is on the day of the start. Instances whose local time the
clock skips are left out and not counted (RFC 5545).

The window is half-open: --from is in it, --to is not. Each is a date or an RFC 3339 time with
its offset. A date means midnight in the zone of the event.

With --ndjson, expand is a filter: each line of FILE, or of standard input, is one request, a
JSON object with the members id, start, end and recurrence (as in an event), from, to and
limit. Each is answered by one line, in order, with the members id and instances (an array of
objects with start and end) and, where the limit cut it, truncated; or with findings, where
the start, the end or the recurrence is refused. Without a limit it is %d, and it is %d at
the most. A line that is no request, or is longer than --max-line, is answered with id,
accepted (false) and error, and passed over; so is a blank line. The exit status is then 0
where the stream could be read and answered to its end.`

const expandExample = `  calrules expand --from 2026-03-01 --to 2026-04-01 event.json
  calrules expand --tz Asia/Tokyo --limit 5 event.json
  calrules expand --ndjson <requests.ndjson >answers.ndjson`

func newExpand(c *console) *cobra.Command {
	flags := &expandFlags{}
	command := &cobra.Command{
		Use:     "expand [flags] FILE",
		Short:   "Show the instances of a recurring event",
		Long:    fmt.Sprintf(expandLong, event.DefaultExpandLimit, event.MaxExpandLimit),
		Example: expandExample,
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.ndjson {
				return expandStream(c, flags, args)
			}
			return expandFile(c, flags, args)
		},
	}
	flags.add(command)
	return command
}

func (f *expandFlags) add(command *cobra.Command) {
	set := command.Flags()
	set.SortFlags = false
	f.changed = set.Changed
	set.StringVar(&f.from, "from", "", "the `time` of the first start that is shown")
	set.StringVar(&f.to, "to", "", "the `time` from which on no start is shown")
	set.IntVar(&f.limit, "limit", defaultInstances, "how many instances are shown at the most")
	set.StringVar(&f.zone, "tz", "", "the `zone` of the IANA database in which times are shown, instead of the event's")
	complete(command, "tz", completeZone)
	addMaxSize(command, &f.maxSize)
	f.streamFlags.add(command)
}

// completeZone offers the names of time zones.
func completeZone(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for name := range limits.Zones() {
		names = append(names, name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// location returns the zone of --tz, nil where there is none.
func (f *expandFlags) location() (*time.Location, error) {
	if f.zone == "" {
		return nil, nil
	}
	location, ok := zone.Load(f.zone)
	if ok {
		return location, nil
	}
	hint := ""
	if near, ok := limits.NearestZone(f.zone); ok {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	return nil, fmt.Errorf("--tz is %q, which is no name of the IANA Time Zone Database%s", f.zone, hint)
}

// expandFile shows the instances of the event in a file.
func expandFile(c *console, flags *expandFlags, args []string) error {
	switch {
	case len(args) != 1:
		return errors.New("expand what? Name one FILE that holds a recurring event, or - for standard input")
	case flags.changed("max-line"):
		return errors.New("--max-line goes with --ndjson; say --max-size")
	case flags.limit <= 0 || flags.limit > event.MaxExpandLimit:
		return fmt.Errorf("--limit is %d; it must be from 1 to %d", flags.limit, event.MaxExpandLimit)
	}
	location, err := flags.location()
	if err != nil {
		return err
	}
	doc, err := c.read(args[0], flags.maxSize)
	if err == nil {
		err = flags.expand(c, doc, location)
	}
	if err != nil && !errors.Is(err, errRefused) {
		c.complain(err)
		return errFailed
	}
	return err
}

// expand writes the instances of the event in a document or, where it is refused, why.
func (f *expandFlags) expand(c *console, doc document, location *time.Location) error {
	series, err := doc.event()
	if err != nil {
		return err
	}
	result := event.Expand(&event.ExpandRequest{
		Start: series.Start, End: series.End, Recurrence: series.Recurrence,
		From: f.from, To: f.to, Limit: f.limit,
	})
	if result.Findings != nil {
		report := textReport{out: c.out, look: c.look(c.streams.out, colorAuto)}
		report.file(checked{doc, event.Result{Findings: result.Findings}})
		return errRefused
	}
	if result.Instances != nil {
		writeInstances(c.out, result, location)
	}
	if result.Error != "" {
		return fmt.Errorf("%s: %s", doc.name, result.Error)
	}
	return nil
}

// writeInstances writes a line for each instance, in the zone given or else in the series' own,
// and how many there are.
func writeInstances(out io.Writer, result event.ExpandResult, location *time.Location) {
	rows := [][]string{{"DAY", "START", "OFFSET", "END", "FROM"}}
	for i := range result.Instances {
		rows = append(rows, instanceRow(&result.Instances[i], location))
	}
	if len(rows) > 1 {
		writeTable(out, rows)
	}
	fmt.Fprint(out, number(len(result.Instances), "instance"))
	if result.Truncated {
		fmt.Fprint(out, "; more follow")
	}
	fmt.Fprintln(out)
}

const weekday = "Mon"

// instanceRow returns the cells of an instance. A day is the same in every zone, and has no
// offset; it lasts for whole days.
func instanceRow(i *event.Instance, location *time.Location) []string {
	start, end := i.At, i.Until
	if i.Start.Date != "" {
		days := int((end.Unix() - start.Unix()) / (24 * 60 * 60)) // a Duration holds no more than 292 years
		return []string{start.Format(weekday), start.Format(time.DateOnly), "-", number(days, "day") + " long", string(i.Origin)}
	}
	if location != nil {
		start, end = start.In(location), end.In(location)
	}
	until := end.Format(clock(end))
	if start.Format(time.DateOnly) != end.Format(time.DateOnly) {
		until = end.Format(time.DateOnly + " " + clock(end))
	}
	return []string{
		start.Format(weekday), start.Format(time.DateOnly + " " + clock(start)), start.Format("-07:00"),
		until, string(i.Origin),
	}
}

// clock returns the layout of a time of day, with seconds where there are any.
func clock(t time.Time) string {
	if t.Second() == 0 {
		return "15:04"
	}
	return time.TimeOnly
}

// expandChunk is what one read of a stream asks for. Answers are far longer than requests, so
// fewer of them are held at a time.
const expandChunk = 4 << 10

// expandStream answers a stream of requests.
func expandStream(c *console, flags *expandFlags, args []string) error {
	for _, name := range []string{"from", "to", "limit"} {
		if flags.changed(name) {
			return errors.New("with --ndjson each line has its own from, to and limit; leave out --" + name)
		}
	}
	switch {
	case flags.changed("tz"):
		return errors.New("with --ndjson instances have the zone of their event; leave out --tz")
	case flags.changed("max-size"):
		return errors.New("with --ndjson lines are limited and not files; say --max-line")
	}
	opts := flags.options()
	opts.ReadSize = expandChunk
	return c.filter(args, opts, answerInstances)
}

// answerInstances appends the answer to one request.
func answerInstances(line, dst []byte) []byte {
	var req event.ExpandRequest
	if err := req.UnmarshalJSON(line); err != nil {
		return appendError(dst, req.ID, err.Error())
	}
	result := event.Expand(&req)
	if result.Error != "" && result.Instances == nil {
		return appendError(dst, result.ID, result.Error)
	}
	return appendAnswer(dst, result)
}
