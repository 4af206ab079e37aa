package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/stream"
	"github.com/calrules/calrules/internal/traffic"
	"github.com/calrules/calrules/operation"
)

// streamHelp is the help text on --ndjson, for the commands with that flag.
const streamHelp = `With --ndjson, each line of FILE or standard input is one request, and each line
of the output one answer; 'calrules help ndjson' describes both.`

// newNDJSON returns a help topic (not a command) about the requests and answers in streams.
func newNDJSON(*console) *cobra.Command {
	return &cobra.Command{
		Use:   "ndjson",
		Short: "Requests and answers on lines, for --ndjson",
		Long: fmt.Sprintf(`With --ndjson, check, expand, make and rtdb read one request per line, a JSON object,
and write one answer per line, in the same order. The answer to a line that is not a
request, or is blank or longer than --max-line, has the members id, accepted
(false) and error. The exit status does not depend on the answers, except for check with
--fail-on reject: it is then 1 if a line is not accepted. With --part 2/4, only the lines
that begin in the second quarter of FILE are answered: the outputs for all parts, in
order, equal the output for FILE. The format of the answers is ndjson; check also writes
the formats of tools, such as sarif, for at most --max-size of requests.

Answers are written as soon as no more input is ready, so the stream may be
endless. At most 16 MiB of requests and 16 MiB of answers are in memory, plus one request
and one answer for every processor, however slowly the answers are read.

calrules check --ndjson

The members of a request are id, op, params, body (or bodyText, a string),
existing, series, ifMatch, status, answer, caller, calendar, grade and dialect. The
members of an answer are id, accepted, findings and, if accepted, event, stored (the
event to store, if it differs from event) and remainder (for a move that leaves a
cancelled event behind). --answers event, stored or none omits the other events;
with stored, the answer contains the event to store even if it equals the event to return.

A finding has a fix, a JSON Patch (RFC 6902) for the line with paths below /body and
/params, if a known change removes the finding and causes no new rejection. fixIs is safe
if there is only one possible correction, and choice if a person should confirm the fix.
Fixes are tried only for the first 32 findings.

status and answer are the service's response to the request: an HTTP status and JSON. The
findings about the response are in answerFindings, with paths into the response: its form
is wrong (answer.resource), it exceeds a limit (answer.limits), or it does not match the
effect of the request (answer.effect), if the stored event is known. These findings do not
affect accepted.

--op and --param apply to lines without op or the parameter. With --op, a line is an
event, the body of the operation, unless it has a member of a request other than id; a
status that is a string does not count. A blank line is not an event.

calrules expand --ndjson

The members of a request are id, dialect, start, end and recurrence (as in an event),
from, to and limit (a window that ends before it begins has no instances); window
("overlap"), gap ("omit" or "shift") and exceptions (an array of events); and ask
("next", "before", "contains" or "count") with at (a date or time). For contains, a date
means the day in the time zone of the event. For count, at is optional and limits the
count to instances before it. A request with split, the original start of an instance,
divides the series instead, with its exceptions. A request with verb, and its arguments in
with (an object), is answered as by calrules make; for verbs other than split, series
contains the result, with the same members as the halves of a split. options is an object:
countStart, onlyMatches and wallClock (true or false), months and weekdays ("start" or
"all") and gap. The options apply to all verbs. Any other member is an error.

The members of an answer are id and instances (objects with start and end) and, if the
limit was reached, truncated; or id and findings, if the start, the end, the recurrence
or an exception is rejected. The answer to contains also has contains (true or false),
with the instance in instances; the answer to count has count (a number) instead of
instances. The answer to split has before, unless the split is at the first instance,
and after: objects with start, end, recurrence and exceptions. advice contains findings
about exceptions that identify an instance although their originalStartTime does not have
the form of the start. If a search takes too long, the answer has error, the instances
found so far, and next; to continue, send next as from, without window.
The limit is %d by default and at most %d; for count, it is %d.

calrules make --ndjson

The members of a request are id, verb, with (an object: its arguments, which are the flags
of calrules make, but window ("overlap"), change (a patch) and other (an event)), series
(a recurring event) or existing (any stored event), exceptions, caller (with the email),
calendar (whose timeZone applies to an all-day series without a time zone), options and
dialect. The members of an answer are id and instances, count or contains, as for expand;
or event and exceptions, the resulting series; or before and after, each with these two
members; or, for verbs that make requests to the service, requests (an array of objects
with op, params, body and ifMatch, in the order in which to send them; params contains the
eventId from the path); or error, with the reason.

calrules rtdb --ndjson

The members of a request are id, method, url, headers, known (what a verifier
knows about the tokens), policy and dialect (by default, --dialect).
The members of an answer are id, principal, subject, rules, read, write and
findings. No answer contains a token.`, constraint.InstancesDefault, constraint.InstancesMax, constraint.CountedMax),
	}
}

// streamFlags are the flags of the commands that can answer streams.
type streamFlags struct {
	ndjson  bool
	maxLine size
	part    fraction
	setFlags
}

// setFlags describes the flags that the user set.
type setFlags struct {
	changed func(name string) bool
}

func (f *streamFlags) add(command *cobra.Command) {
	f.maxLine = stream.DefaultMax
	f.changed = command.Flags().Changed
	command.Flags().BoolVar(&f.ndjson, "ndjson", false, "read a request per line, write an answer per line")
	command.Flags().Var(&f.maxLine, "max-line", "longest line to read with --ndjson")
	command.Flags().Var(&f.part, "part", "answer only part I of N of FILE, with --ndjson")
}

// unused returns an error if the user set any of the given flags, which do not apply.
func (f *setFlags) unused(when string, flags ...string) error {
	for _, flag := range flags {
		if f.changed(flag) {
			return fmt.Errorf("--%s cannot be used %s", flag, when)
		}
	}
	return nil
}

// onlyFormats returns an error if the user chose a format that does not support answers.
func (f *streamFlags) onlyFormats(chosen *format, formats ...string) error {
	if f.changed("format") && !slices.Contains(formats, chosen.value) {
		return fmt.Errorf("--format cannot be used with --ndjson; the answers are %s, not %s", strings.Join(formats, ", "), chosen.value)
	}
	return nil
}

// unusedWithout returns an error if the user set a flag that applies only to streams.
func (f *streamFlags) unusedWithout() error {
	return cmp.Or(f.unused("without --ndjson; use --max-size", "max-line"), f.unused("without --ndjson", "part"))
}

// fraction is a flag whose value is I/N, such as 1/4, which selects part I of N. The zero value selects everything.
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

// filter answers the requests in the file named by args, or on standard input.
func (c *console) filter(args []string, flags *streamFlags, f stream.Filter) error {
	arg, err := streamArgument(args)
	if err != nil {
		return err
	}
	defer runtime.KeepAlive(ballast())
	f.MaxLine = int(flags.maxLine)
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

// streamArgument returns the file named by args, or "-" for standard input.
func streamArgument(args []string) (string, error) {
	switch len(args) {
	case 0:
		return stdinArg, nil
	case 1:
		return args[0], nil
	}
	return "", errors.New("--ndjson reads only one FILE, or standard input")
}

// ballast returns memory that is never written, so it occupies no physical memory. The memory makes the collector run
// less often, because a collection starts when there is as much garbage as memory in use. A filter then needs 12 MB
// more memory but a tenth less time.
func ballast() []byte { return make([]byte, 12<<20) }

// filterPart answers the requests in one part of a file.
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

// filterFailure returns the error to report after a stream ended with err. The result is nil if err only means that the reader
// has closed the output.
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
		flags.onlyFormats(flags.format, streamFormats...),
		flags.unused("with --ndjson; the answers are JSON", "color", "statistics"),
		flags.unused("with --ndjson; the answers contain events", "redact"),
		flags.unused("with --ndjson, whose exit status depends only on --fail-on", "exit-zero"),
	)
	if err == nil {
		err = cmp.Or(flags.validate(c), flags.validateFailOn())
	}
	if err != nil {
		return err
	}
	defaults := filter.Defaults{Dialect: c.dialect, Answers: filter.Answers(flags.answers.value)}
	if flags.changed("op") {
		defaults.Op = operation.ID(flags.op.value)
	}
	if defaults.Params, err = readParams(flags.params); err != nil {
		return err
	}
	var rejected int
	if slices.Contains(toolFormats, flags.format.value) {
		rejected, err = reportStream(c, flags, args, &defaults)
	} else {
		f, counts := filter.Check(flags.checker(c), defaults), &filter.Counts{}
		if flags.changed("fail-on") {
			f, counts = filter.Counted(f)
		}
		err = cmp.Or(flags.unused("with --ndjson; use --max-line", "max-size"), c.filter(args, &flags.streamFlags, f))
		rejected = counts.Rejected
	}
	if err == nil && rejected > 0 && flags.changed("fail-on") {
		return errFound
	}
	return err
}

// validateFailOn returns an error if --fail-on names a verdict, because lines have no verdicts.
func (f *checkFlags) validateFailOn() error {
	for _, name := range f.failOn {
		if name != string(diag.Reject) {
			return fmt.Errorf("--fail-on is %q; with --ndjson, it must be %s", name, diag.Reject)
		}
	}
	return nil
}

// reportStream checks the requests in a file or on standard input, in order, writes the findings in a format for tools, and
// returns the number of lines that are not accepted.
func reportStream(c *console, flags *checkFlags, args []string, defaults *filter.Defaults) (rejected int, err error) {
	if err := flags.unused("with the format "+flags.format.value, "part", "answers"); err != nil {
		return 0, err
	}
	arg, err := streamArgument(args)
	if err != nil {
		return 0, err
	}
	doc, err := c.read(arg, flags.maxSize)
	if err != nil {
		return 0, failure{err}
	}
	if arg == stdinArg {
		doc.name = flags.stdin
	}
	r := &lineReport{
		doc:     doc,
		at:      textStart.advance(doc.text, len(doc.text)-len(bytes.TrimPrefix(doc.text, []byte(byteOrderMark)))),
		check:   filter.NewLineCheck(flags.checker(c), defaults),
		out:     newToolReport(c, c.out, flags.format.value, flags.quiet),
		counted: tally{lines: true, findings: traffic.Findings{}},
	}
	f := stream.Filter{Workers: 1, MaxLine: int(flags.maxLine), Handle: r.line, TooLong: r.tooLong}
	if err := f.Run(context.Background(), bytes.NewReader(doc.text), io.Discard); err != nil {
		return 0, failure{err}
	}
	r.out.end(r.counted)
	return r.counted.rejected + r.counted.unread, nil
}

// byteOrderMark is U+FEFF, which is not part of the first line.
const byteOrderMark = "\ufeff"

// lineReport writes the findings about the lines of a file in a format for tools. The methods of lineReport handle the lines of
// a filter, but do not append answers.
type lineReport struct {
	doc     document
	at      place // the place of the next line
	check   *filter.LineCheck
	out     toolReport
	counted tally
}

func (r *lineReport) line(line, dst []byte) []byte {
	result, err := r.check.Check(line)
	if err != nil {
		return r.unread(err, dst)
	}
	s := r.subject(line, result.Findings)
	r.counted.countSubject(&s)
	r.out.subject(s)
	return r.next(dst)
}

func (r *lineReport) tooLong(head, dst []byte) []byte {
	return r.unread(filter.ErrTooLong(len(head)), dst)
}

func (r *lineReport) unread(err error, dst []byte) []byte {
	r.counted.unread++
	r.out.unread(fmt.Errorf("%s:%d: %w", r.doc.name, r.at.line, err))
	return r.next(dst)
}

// next advances to the next line, and returns dst unchanged.
func (r *lineReport) next(dst []byte) []byte {
	line, _, _ := bytes.Cut(r.doc.text[r.at.offset:], []byte("\n"))
	r.at = r.at.advance(r.doc.text, min(len(r.doc.text), r.at.offset+len(line)+1))
	return dst
}

// subject returns a line and its findings as a subject.
func (r *lineReport) subject(line []byte, found diag.Findings) subject {
	s := subject{file: r.doc.name, name: fmt.Sprintf("%s:%d", r.doc.name, r.at.line)}
	places := make([]jsonscan.Place, len(found))
	isRequest := batch.IsRequest(line)
	for i, f := range found {
		places[i].Path = inLine(f.Path, isRequest)
	}
	jsonscan.Locate(line, places)
	for i, f := range found {
		one := locatedAt(f, r.doc.text, r.at.advance(r.doc.text, r.at.offset+max(0, places[i].Offset)), r.at)
		one.fix = r.fix(line, isRequest, f.Fix)
		s.findings = append(s.findings, one)
	}
	return s
}

// fix returns the edit that applies a fix to a line, or nil if there is no fix. The line is a whole request or only its body.
func (r *lineReport) fix(line []byte, isRequest bool, fix *diag.Fix) *edit {
	if fix == nil || !isRequest && !isInBody(fix.Patch) {
		return nil
	}
	patch := fix.Patch
	if isRequest {
		patch = slices.Clone(patch)
		for i := range patch {
			patch[i].Path = body + patch[i].Path
			if patch[i].From != "" {
				patch[i].From = body + patch[i].From
			}
		}
	}
	return editOf(r.doc.text, r.at, line, patch, fix.Safe)
}

// inLine converts a path in a request to a path in its line, which is the whole request or only its body.
func inLine(path diag.Pointer, isRequest bool) diag.Pointer {
	switch name, isParam := strings.CutPrefix(string(path), "?"); {
	case !isRequest:
		return path
	case isParam:
		return diag.Pointer("/params").Member(name)
	case path.InBody():
		return body + path
	}
	return path
}
