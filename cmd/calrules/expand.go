package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
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
}

// defaultInstances is the default number of instances to show: about a screen.
const defaultInstances = 40

const expandLong = `Show the instances of a recurring event: day, local time, offset, end, and the
origin, which is the start, a rule or an RDATE line. FILE contains the event;
- is standard input. An end on the day of the start is shown as a time alone.
Instances at a local time that the clock skips do not take place and are not
counted (RFC 5545).

--from is the earliest start to show; only starts before --to are shown. Each
is a date, for midnight in the time zone of the event, or an RFC 3339 time with
an offset.

` + streamHelp + `
The members of a request are id, start, end and recurrence (as in an event),
from, to and limit. Those of an answer are id, instances (objects with start
and end) and, if the limit was reached, truncated; or id and findings, if the
start, end or recurrence is rejected. The limit is %d by default and at most %d.`

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
	set := command.Flags()
	set.SortFlags = false
	set.StringVar(&flags.from, "from", "", "earliest start to show, as a date or `time`")
	set.StringVar(&flags.to, "to", "", "show only starts before this date or `time`")
	set.IntVar(&flags.limit, "limit", defaultInstances, "maximum number of instances to show")
	set.StringVar(&flags.zone, "tz", "", "show times in this IANA time `zone` instead of the event's")
	complete(command, "tz", cobra.FixedCompletions(slices.Collect(limits.Zones()), cobra.ShellCompDirectiveNoFileComp))
	addMaxSize(command, &flags.maxSize)
	flags.streamFlags.add(command)
	return command
}

// location returns the time zone of --tz, or nil without the flag.
func (f *expandFlags) location() (*time.Location, error) {
	if f.zone == "" {
		return nil, nil
	}
	if location, ok := zone.Load(f.zone); ok {
		return location, nil
	}
	hint := didYouMean(limits.NearestZone(f.zone))
	return nil, fmt.Errorf("--tz is %q, which is not in the IANA Time Zone Database%s", f.zone, hint)
}

// expandFile shows the instances of the event in a file.
func expandFile(c *console, flags *expandFlags, args []string) error {
	switch {
	case len(args) != 1:
		return errors.New("expand requires one FILE, or - for standard input")
	case flags.limit <= 0 || flags.limit > event.MaxExpandLimit:
		return fmt.Errorf("--limit is %d; it must be from 1 to %d", flags.limit, event.MaxExpandLimit)
	}
	location, err := flags.location()
	if err = cmp.Or(err, flags.unused("without --ndjson; use --max-size", "max-line")); err != nil {
		return err
	}
	series, doc, err := c.readEvent(args[0], flags.maxSize)
	if err != nil {
		return failure{err}
	}
	result := event.Expand(&event.ExpandRequest{
		Start: series.Start, End: series.End, Recurrence: series.Recurrence,
		From: flags.from, To: flags.to, Limit: flags.limit,
	})
	if result.Findings != nil {
		report := textReport{c.out, c.look(c.streams.out, colorAuto)}
		report.file(checked{doc, event.Result{Findings: result.Findings}})
		return errFound
	}
	if result.Instances != nil {
		writeInstances(c.out, result, location)
	}
	if result.Error != "" {
		return failure{fmt.Errorf("%s: %s", doc.name, result.Error)}
	}
	return nil
}

// writeInstances writes a line for each instance, and their number. Times are in the location
// or, if it is nil, in the zone of the series.
func writeInstances(out io.Writer, result event.ExpandResult, location *time.Location) {
	rows := [][]string{{"DAY", "START", "OFFSET", "END", "FROM"}}
	for i := range result.Instances {
		rows = append(rows, instanceRow(&result.Instances[i], location))
	}
	if len(rows) > 1 {
		writeTable(out, rows)
	}
	more := ""
	if result.Truncated {
		more = "; more follow"
	}
	fmt.Fprintf(out, "%s%s\n", number(len(result.Instances), "instance"), more)
}

const weekday = "Mon"

// instanceRow returns the cells of an instance. All-day instances are the same in every time
// zone and have no offset.
func instanceRow(i *event.Instance, location *time.Location) []string {
	start, end := i.At, i.Until
	if i.Start.Date != "" {
		days := int((end.Unix() - start.Unix()) / (24 * 60 * 60)) // a Duration is at most 292 years
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

// clock returns the layout of a time of day, with seconds unless they are 0.
func clock(t time.Time) string {
	if t.Second() == 0 {
		return "15:04"
	}
	return time.TimeOnly
}

// expandChunk is the size of one read of a stream. Answers are much longer than requests, so
// fewer requests are answered at a time.
const expandChunk = 4 << 10

// expandStream answers a stream of requests.
func expandStream(c *console, flags *expandFlags, args []string) error {
	err := cmp.Or(
		flags.unused("with --ndjson; each line has its own", "from", "to", "limit"),
		flags.unused("with --ndjson; instances are in the time zone of their event", "tz"),
		flags.unused("with --ndjson; use --max-line", "max-size"),
	)
	if err != nil {
		return err
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
