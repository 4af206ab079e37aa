package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/visible"
	"github.com/calrules/calrules/internal/zone"
)

// expandFlags are the flags of the expand command.
type expandFlags struct {
	from, to   string
	overlap    bool
	exceptions string

	next, before, contains string
	count                  bool

	limit   int64
	zone    string
	format  *format
	maxSize size
	optionFlags
	streamFlags
}

// ofSeries lists the flags that correspond to members of requests in a stream.
var ofSeries = append([]string{"from", "to", "overlap", "exceptions", "next", "before", "contains", "count", "limit"}, ofOptions...)

// defaultInstances is the default maximum number of instances to show, about a screenful.
const defaultInstances = 40

const expandLong = `Show the instances of a recurring event: day, local time, offset, end, and the
origin, which is the start, a rule, an RDATE line or an exception. FILE contains
the event; - is standard input. An end on the same day is shown as just a time.

--from is the earliest start to show; only starts before --to are shown. With
--overlap, instances in progress at --from are shown too. --from and --to are dates,
meaning midnight in the time zone of the event, or RFC 3339 times with an offset.

--exceptions names a file with the changed, moved and cancelled instances, a JSON array
of events with an originalStartTime. Each exception replaces the instance that starts at
that time, and takes place at its own start, even if EXDATE excludes the instance. The
file may also be a page of events, such as a response to events.list or events.instances;
events of other series or without originalStartTime are ignored.

Instead of a list, --next shows the first instance after a time, --before the last
instance before a time, --contains whether an instance starts at a time (with --overlap,
whether an instance is in progress), and --count the number of instances. For --contains,
a date means the whole day in the time zone of the event.

Instances at a local time that the clock skips do not take place and are not
counted (RFC 5545); --gap shift moves them forward with the clock. --months,
--weekdays, --count-start, --only-matches and --wall-clock read rules as other
libraries do; see docs/recurrence.md.

` + streamHelp

const expandExample = `  calrules expand --from 2026-03-01 --to 2026-04-01 event.json
  calrules expand --tz Asia/Tokyo --limit 5 event.json
  calrules expand --exceptions exceptions.json --next 2026-03-10 event.json
  calrules expand --ndjson <requests.ndjson >answers.ndjson`

func newExpand(c *console) *cobra.Command {
	flags := &expandFlags{format: newFormat(listFormats)}
	command := &cobra.Command{
		Use:     "expand [flags] FILE",
		Short:   "Show the instances of a recurring event",
		Long:    expandLong,
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
	set.BoolVar(&flags.overlap, "overlap", false, "also show instances in progress at --from")
	set.StringVar(&flags.exceptions, "exceptions", "", "`file` with the changed, moved and cancelled instances")
	set.StringVar(&flags.next, "next", "", "show the first instance after this date or `time`")
	set.StringVar(&flags.before, "before", "", "show the last instance before this date or `time`")
	set.StringVar(&flags.contains, "contains", "", "show whether an instance starts on this date or at this `time`")
	set.BoolVar(&flags.count, "count", false, "show the number of instances")
	exclude(command, "next", "before", "contains", "count")
	exclude(command, "overlap", "next")
	exclude(command, "overlap", "before")
	set.Int64Var(&flags.limit, "limit", defaultInstances, "maximum number of instances to show")
	set.StringVar(&flags.zone, "tz", "", "show times in this IANA time `zone` instead of the event's")
	flags.format.add(command, "output format; json and ndjson write the same answer as --ndjson, and the dialect")
	complete(command, "tz", completeZone)
	addMaxSize(command, &flags.maxSize)
	flags.optionFlags.add(command)
	flags.streamFlags.add(command)
	return command
}

// completeZone completes the name of a time zone.
func completeZone(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return slices.Collect(form.Zones()), cobra.ShellCompDirectiveNoFileComp
}

// location returns the time zone named by --tz, or nil if the flag is not set.
func (f *expandFlags) location() (*time.Location, error) {
	if f.zone == "" {
		return nil, nil
	}
	if location, ok := zone.Load(f.zone); ok {
		return location, nil
	}
	hint := didYouMean(form.NearestZone(f.zone))
	return nil, fmt.Errorf("--tz is %q, which is not in the IANA Time Zone Database%s", f.zone, hint)
}

// expandFile shows the instances of the event in a file.
func expandFile(c *console, flags *expandFlags, args []string) error {
	switch {
	case len(args) != 1:
		return errors.New("expand requires one FILE, or - for standard input")
	case flags.limit <= 0 || flags.limit > constraint.InstancesMax:
		return fmt.Errorf("--limit is %d; it must be from 1 to %d", flags.limit, constraint.InstancesMax)
	}
	location, err := flags.location()
	if err = cmp.Or(err, flags.unusedWithout()); err != nil {
		return err
	}
	docs, err := c.readAll(flags.maxSize, args[0], flags.exceptions)
	if err != nil {
		return failure{err}
	}
	doc := docs[0]
	series, err := c.event(doc)
	if err != nil {
		return failure{err}
	}
	exceptions, err := readExceptions(c, docs[1], series.ID)
	if err != nil {
		return failure{err}
	}
	c.untold = flags.format.value != formatText
	req := &batch.Expansion{Dialect: c.dialect}
	req.Exceptions = exceptions.events
	req.Start, req.End, req.Recurrence = series.Start, series.End, series.Recurrence
	if location == nil && series.Start != nil { // exceptions may have another zone, or none, so instances do not determine the zone
		location, _ = zone.Load(series.Start.TimeZone)
	}
	if err := flags.checkWindow(series); err != nil {
		return err
	}
	flags.query(req)
	return flags.show(c, doc, exceptions, req, location)
}

// checkWindow returns an error if the window ends before it starts. Other faults in --from and --to are reported in the answer.
func (f *expandFlags) checkWindow(series *event.Event) error {
	from, hasFrom := placeIn(series, f.from)
	to, hasTo := placeIn(series, f.to)
	if hasFrom && hasTo && to.Before(from) {
		return fmt.Errorf("--to is %s, before --from, which is %s; swap them", f.to, f.from)
	}
	return nil
}

// placeIn returns the instant of a date or time in a series.
func placeIn(e *event.Event, text string) (time.Time, bool) {
	return event.Series{Event: e}.Place(batch.Moment(text))
}

// expansionJSON is the output in JSON.
type expansionJSON struct {
	batch.Expanded
	Dialect diag.Dialect `json:"dialect"`
}

// show expands the series and writes the answer. The findings in the answer may be about the series or its exceptions.
func (f *expandFlags) show(c *console, doc document, exceptions *exceptions, req *batch.Expansion, location *time.Location) error {
	result := batch.Expand(req)
	switch {
	case f.format.value != formatText:
		f.format.write(c.out, expansionJSON{result, c.dialect})
	case result.Findings != nil:
		c.reportRejected(doc, exceptions, result.Findings)
	case result.Instances != nil || result.Count != nil:
		writeInstances(c.out, result, location)
	}
	if result.Findings != nil {
		return errFound
	}
	if flag := wrongFlag(req, result); flag != "" {
		_, reason, _ := strings.Cut(result.Error, " ")
		return fmt.Errorf("--%s %s", flag, reason)
	}
	if result.Next != "" {
		result.Error += "; continue with --from " + result.Next
	}
	if result.Error == "" {
		return nil
	}
	if place, ok := exceptions.place("/" + result.Error); ok {
		return failure{fmt.Errorf("%s: %s", exceptions.name, place)}
	}
	return failure{fmt.Errorf("%s: %s", doc.name, result.Error)}
}

// reportRejected writes, as text, the findings that reject a series or its exceptions.
func (c *console) reportRejected(doc document, exceptions *exceptions, found diag.Findings) {
	report := textReport{out: c.out, look: c.look(c.streams.out, colorAuto)}
	inSeries, inExceptions := exceptions.separate(found)
	report.file(wholeFile(doc).with(event.Result{Findings: inSeries}))
	report.file(wholeFile(exceptions.document).with(event.Result{Findings: inExceptions}))
}

// exceptions are the events in the --exceptions file.
type exceptions struct {
	document
	events []*event.Event
	paths  []diag.Pointer // the paths of these events in the file
}

// place replaces a leading path into the exceptions of a request, such as /exceptions/0/start, with the path in the file, or
// returns false if text does not start with a path into the exceptions.
func (x *exceptions) place(text string) (string, bool) {
	rest := strings.TrimPrefix(text, "/exceptions/")
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	i, err := strconv.Atoi(digits)
	if err != nil {
		return text, false
	}
	return string(x.paths[i]) + rest[len(digits):], true
}

// separate separates the findings about the series from the findings about the exceptions, which get paths in the --exceptions
// file.
func (x *exceptions) separate(all diag.Findings) (inSeries, inExceptions diag.Findings) {
	for _, finding := range all {
		if path, ok := x.place(string(finding.Path)); ok {
			finding.Path = diag.Pointer(path)
			inExceptions = append(inExceptions, finding)
		} else {
			inSeries = append(inSeries, finding)
		}
	}
	return inSeries, inExceptions
}

// wrongFlag returns the flag whose value caused an error, or "" if no flag caused it.
func wrongFlag(req *batch.Expansion, result batch.Expanded) string {
	switch member, _, _ := strings.Cut(result.Error, " is "); member {
	case "from", "to":
		return member
	case "at":
		return req.Ask // the flag is named after the question
	default:
		return ""
	}
}

// readExceptions reads the --exceptions file, if any. The file contains an array, or a page that may also contain events that
// are not exceptions to the series.
func readExceptions(c *console, doc document, series string) (*exceptions, error) {
	if doc.name == "" {
		return &exceptions{}, nil
	}
	list, in := doc.text, diag.Pointer("")
	items, isPage := pageOf(doc.text)
	if isPage {
		list, in = arrayOf(doc.text, items), in.Member(pageItems)
	}
	line := batch.Expansion{Dialect: c.dialect}
	err := jsonscan.Valid(doc.text)
	if err == nil { // valid JSON has the same meaning inside an object
		err = line.UnmarshalJSON(slices.Concat([]byte(`{"exceptions":`), list, []byte("}")))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doc.name, err)
	}
	found := &exceptions{document: doc}
	for i, e := range line.Exceptions {
		if !isPage || e.OriginalStartTime != nil && (series == "" || e.RecurringEventID == series) {
			found.events, found.paths = append(found.events, e), append(found.paths, in.Index(i))
		}
	}
	return found, nil
}

// query sets the window, the limit and the question in a request.
func (f *expandFlags) query(req *batch.Expansion) {
	req.From, req.To, req.Options, req.Limit = f.from, f.to, f.options(), f.limit
	if f.overlap {
		req.Window = "overlap"
	}
	switch {
	case f.changed("next"):
		req.Ask, req.At = "next", f.next
	case f.changed("before"):
		req.Ask, req.At = "before", f.before
	case f.changed("contains"):
		req.Ask, req.At = "contains", f.contains
	case f.count:
		req.Ask = "count"
		if !f.changed("limit") {
			req.Limit = 0
		}
	}
}

// writeInstances writes a line for each instance, followed by the answer to a question or the number of instances. Times are in
// location or, if location is nil, in the time zone of the series.
func writeInstances(out io.Writer, result batch.Expanded, location *time.Location) {
	rows := [][]string{{"DAY", "START", "OFFSET", "END", "FROM"}}
	for i := range result.Instances {
		rows = append(rows, instanceRow(&result.Instances[i], location))
	}
	if len(rows) > 1 {
		writeTable(out, rows)
	}
	answer := visible.Count(len(result.Instances), "instance")
	switch {
	case result.Count != nil:
		answer = visible.Count(*result.Count, "instance")
	case result.Contains != nil:
		answer = map[bool]string{true: "yes", false: "no"}[*result.Contains]
	}
	if result.Truncated {
		answer += "; more follow"
	}
	fmt.Fprintln(out, answer)
}

const weekday = "Mon"

// instanceRow returns the table cells for an instance. All-day instances are the same in every time zone, and have no offset.
func instanceRow(i *batch.Instance, location *time.Location) []string {
	start, end := i.Span.Start, i.Span.End
	if i.Start.Date != "" {
		days := int((end.Unix() - start.Unix()) / (24 * 60 * 60)) // not a Duration, which is at most 292 years
		return []string{start.Format(weekday), start.Format(time.DateOnly), "-", visible.Count(days, "day") + " long", string(i.Span.Origin)}
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
		until, string(i.Span.Origin),
	}
}

// clock returns a layout for the time of day, with seconds unless they are 0.
func clock(t time.Time) string {
	if t.Second() == 0 {
		return "15:04"
	}
	return time.TimeOnly
}

// expandStream answers a stream of requests.
func expandStream(c *console, flags *expandFlags, args []string) error {
	err := cmp.Or(
		flags.unused("with --ndjson; each line has its own", ofSeries...),
		flags.unused("with --ndjson; instances are in the time zone of their event", "tz"),
		flags.onlyFormats(flags.format, formatNDJSON),
		flags.unused("with --ndjson; use --max-line", "max-size"),
	)
	if err != nil {
		return err
	}
	return c.filter(args, &flags.streamFlags, filter.Expand(c.dialect))
}
