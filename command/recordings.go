package command

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/recording"
	"github.com/calrules/calrules/internal/traffic"
	"github.com/calrules/calrules/internal/visible"
)

// recordingFlags are the flags of the commands that read recordings.
type recordingFlags struct {
	har, cassette bool
	base          string // the URL of the service
}

func (f *recordingFlags) add(command *cobra.Command) {
	set := command.Flags()
	set.BoolVar(&f.har, "har", false, "FILE is a recording of HTTP traffic (HAR 1.2)")
	set.BoolVar(&f.cassette, "cassette", false, "FILE is a recording by a test library: go-vcr, VCR, vcrpy, betamax, Polly.js, nock or WireMock")
	set.StringVar(&f.base, "base", "", "`URL` of the service in a recording (default that of the Google Calendar API)")
	exclude(command, "har", "cassette")
}

// withoutRecording is the condition, as worded in messages, under which the other recording flags cannot be used.
const withoutRecording = "without --har or --cassette"

// recordings returns the flag that selects the form of the recordings, or "" if no such flag is set.
func (f *recordingFlags) recordings() (flag string) {
	switch {
	case f.har:
		return "har"
	case f.cassette:
		return "cassette"
	}
	return ""
}

// origin returns the scheme and host of the service, for requests that do not name a host.
func (f *recordingFlags) origin() string {
	base, err := url.Parse(cmp.Or(f.base, diag.Google.BaseURL()))
	if err != nil {
		return "" // between.New has already rejected it
	}
	return base.Scheme + "://" + base.Host
}

// exchanges returns the exchanges in a recording.
func (f *recordingFlags) exchanges(doc document, limit size) (all []recording.Exchange, err error) {
	if f.har {
		all, err = recording.ReadHAR(doc.text)
	} else {
		all, err = recording.Read(doc.text, int(limit))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doc.name, err)
	}
	return all, nil
}

// entry is an exchange in a recording.
type entry struct {
	File  string `json:"file"`
	Entry int    `json:"entry"` // from 1
	traffic.Exchange

	start, end place // the range of its first token
}

// about returns the heading for the findings about an entry.
func (e *entry) about() string { return fmt.Sprintf("entry %d: %s", e.Entry, e.Request()) }

// checkRecordings checks the exchanges in recordings.
func checkRecordings(c *console, flags *checkFlags, args []string) error {
	if err := flags.validateRecordings(c, args); err != nil {
		return err
	}
	watcher, err := between.New(between.Options{Checker: flags.checker(c), Base: flags.base, Documents: c.between() == diag.Documents})
	if err != nil {
		return err
	}
	r := recordingCheck{console: c, flags: flags, watcher: watcher, print: traffic.Options{Values: flags.values}, totals: traffic.NewTotals()}
	for _, arg := range args {
		r.argument(arg)
	}
	r.write()
	if r.unread != nil {
		return errFailed
	}
	if flags.fails(r.totals) && !flags.exitZero {
		return errFound
	}
	return nil
}

// validateRecordings returns an error if flags or arguments do not apply to recordings.
func (f *checkFlags) validateRecordings(c *console, args []string) error {
	flag := f.recordings()
	switch {
	case !slices.Contains(recordingFormats, f.format.value):
		return fmt.Errorf("--%s cannot be written in the format %s; use %s", flag, f.format.value, oneOf(recordingFormats))
	case len(args) == 0 && f.cassette:
		return errors.New("--cassette requires a FILE, a directory, or - for standard input")
	case len(args) == 0:
		return errors.New("--har requires a FILE, or - for standard input")
	}
	return cmp.Or(
		f.unused("with --"+flag+"; each request has its own", "op", "param", "stored"),
		f.unused("with --"+flag+"; values are shown only with --values", "redact"),
		f.trafficFlags.validate(), f.validate(c),
	)
}

// recordingCheck checks recordings, with one watcher for all of them.
type recordingCheck struct {
	*console
	flags   *checkFlags
	watcher *between.Watcher
	print   traffic.Options
	entries []entry // exchanges with the service
	unread  []error // one for each recording that cannot be read
	totals  *traffic.Totals
}

// recordingExtensions lists the possible extensions of recordings in a directory. Only files whose content is a recording are
// checked.
var recordingExtensions = []string{".yaml", ".yml", ".json", ".har"}

// argument checks the recording named by an argument. For a directory, argument checks all cassettes under the directory.
func (r *recordingCheck) argument(arg string) {
	names := []string{arg}
	if r.flags.cassette {
		var err error
		if names, err = r.flags.filesOf(arg, recordingExtensions...); err != nil {
			r.fail(err)
		}
	}
	isDirectory := len(names) != 1 || names[0] != arg
	found := false
	for _, name := range names {
		doc, err := r.read(name, r.flags.maxSize)
		if err == nil && isDirectory && !recording.FormOf(doc.text).IsRecording() {
			continue
		}
		found = true
		if err == nil {
			err = r.file(doc)
		}
		if err != nil {
			r.fail(err)
		}
	}
	if isDirectory && len(names) > 0 && !found {
		r.fail(fmt.Errorf("%s: the directory contains no recordings", arg))
	}
}

// fail reports recordings that cannot be read.
func (r *recordingCheck) fail(err error) {
	r.complain(err)
	r.unread = append(r.unread, separate(err)...)
}

// file checks the exchanges in a recording.
func (r *recordingCheck) file(doc document) error {
	all, err := r.flags.exchanges(doc, r.flags.maxSize)
	if err != nil {
		return err
	}
	at := textStart
	for i := range all {
		at = at.advance(doc.text, all[i].Offset)
		x, isOurs := watchEntry(r.watcher, &all[i], r.flags.origin(), r.print)
		if !isOurs {
			r.totals.Others++
			continue
		}
		r.totals.Count(&x)
		r.entries = append(r.entries, entry{doc.name, i + 1, x, at, at.afterToken(doc.text)})
	}
	return nil
}

// watchEntry passes an exchange through a watcher and reports whether the exchange is or may be with the service.
func watchEntry(w *between.Watcher, e *recording.Exchange, origin string, shown traffic.Options) (x traffic.Exchange, isOurs bool) {
	m := e.Message(origin)
	x = shown.Of(m.Method, m.URL)
	x.Status = e.Status
	if e.Unknown != nil {
		x.Unchecked = between.Reason(e.Unknown.Error())
		return x, true
	}
	watched := w.Request(m)
	found, unchecked := e.Tell(watched)
	x.Watched(shown, watched, found, unchecked)
	return x, x.Concerns()
}

// write writes the findings.
func (r *recordingCheck) write() {
	f := r.flags
	if f.statistics {
		statistics := trafficStatistics{}
		for i := range r.entries {
			statistics.count(&r.entries[i].Exchange)
		}
		statistics.write(r.out, f.format, r.totals, f.quiet)
		return
	}
	if slices.Contains(toolFormats, f.format.value) {
		r.writeSubjects(newToolReport(r.console, r.out, f.format.value, f.quiet))
		return
	}
	if f.format.value != formatText {
		writeTotalled(r.out, f.format, r.entries, r.totals, f.quiet)
		return
	}
	for i := range r.entries {
		e := &r.entries[i]
		e.Write(r.out, visible.Text(e.File)+": "+e.about())
	}
	if !f.quiet {
		fmt.Fprintln(r.out, r.totals)
	}
	if r.totals.Requests == 0 && r.totals.Others > 0 && !f.quiet {
		fmt.Fprintln(r.err, "calrules: to check requests to another service, set --base")
	}
}

// writeSubjects writes the findings in a format for tools.
func (r *recordingCheck) writeSubjects(out toolReport) {
	for i := range r.entries {
		e := &r.entries[i]
		for _, s := range subjectsOf(e.File, e.about(), &e.Exchange, e.start, e.end) {
			out.subject(s)
		}
	}
	for _, err := range r.unread {
		out.unread(err)
	}
	out.end(r.totals)
}
