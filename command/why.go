package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/recording"
	"github.com/calrules/calrules/internal/traffic"
	"github.com/calrules/calrules/internal/visible"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/refusal"
)

// whyFlags are the flags of the why command.
type whyFlags struct {
	request, stored string
	op              *choice
	params          []string
	entry           int
	values          bool
	format          *format
	maxSize         size
	recordingFlags
	setFlags
}

func newWhy(c *console) *cobra.Command {
	flags := &whyFlags{op: newChoice(fileOperations()...), format: newFormat(listFormats)}
	command := &cobra.Command{
		Use:   "why [flags] FILE",
		Short: "Explain why the service refused a request",
		Long: `Explain why the Google Calendar API refused a request: the findings that are the cause,
the most likely first, or otherwise the meaning of the reason; and the next step. FILE
contains the refusal, as the JSON of the error or as printed by the official clients for
Go, Python, Node or .NET; - is standard input.

--request names the file with the request: its body, or a request line as for 'calrules
check --ndjson'. --stored names the file with the stored event, for a modification. With
--har or --cassette, FILE is a recording as for 'calrules check'. why explains every refused
request in it, or only entry N with --entry N, counted from 1; in a batch, every refused
part. Values in bodies, and the fixes, are shown only with --values; query values are never
shown.

The names are the service's. The exit status is 1 if a cause is unknown.`,
		Example: `  calrules why --request event.json error.txt
  calrules why --op patch --request patch.json --stored event.json error.json
  calrules why --har session.har`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("why requires one FILE, or - for standard input")
			}
			return flags.run(c, args[0])
		},
	}
	set := command.Flags()
	set.SortFlags = false
	flags.changed = set.Changed
	set.StringVar(&flags.request, "request", "", "`file` with the request")
	flags.op.value, flags.op.short = string(operation.EventsInsert), eventsPrefix
	flags.op.add(command, "op", "`operation` of the request, if the file contains only its body; the prefix events. is optional")
	addParams(command, &flags.op.value, &flags.params)
	set.StringVar(&flags.stored, "stored", "", "`file` with the stored event")
	flags.recordingFlags.add(command)
	set.BoolVar(&flags.values, "values", false, "with a recording, show the values of bodies, and the fixes: they may be addresses")
	set.IntVar(&flags.entry, "entry", 0, "explain only the entry with this `number`")
	flags.format.add(command, "output format; json writes an array, ndjson an object per line")
	addMaxSize(command, &flags.maxSize)
	return command
}

// explained is an explanation, with the place of the refusal in a recording.
type explained struct {
	File  string `json:"file"`
	Entry int    `json:"entry,omitempty"` // from 1
	Part  int    `json:"part,omitempty"`  // the part of a batch, from 1
	Op    string `json:"op,omitempty"`
	refusal.Explanation
	Unchecked between.Reason `json:"unchecked,omitempty"`
	Dialect   *diag.Dialect  `json:"dialect,omitempty"` // the dialect of the request

	asked bool // whether the request is known
}

func (f *whyFlags) run(c *console, file string) error {
	if err := f.validate(); err != nil {
		return err
	}
	doc, err := c.read(file, f.maxSize)
	if err != nil {
		return failure{err}
	}
	var all []explained
	if format := f.recordings(); format != "" {
		all, err = f.recorded(c, doc)
	} else {
		all, err = f.one(c, doc)
	}
	if err != nil {
		return err
	}
	if f.format.value == formatText {
		for i := range all {
			all[i].write(c)
		}
	} else {
		writeList(f.format, c.out, all)
	}
	for i := range all {
		if !all[i].Known {
			return errFound
		}
	}
	return nil
}

// validate returns an error if flags cannot be combined.
func (f *whyFlags) validate() error {
	if format := f.recordings(); format != "" {
		return f.unused("with --"+format+"; each entry has its own", "request", "op", "param", "stored")
	}
	if err := f.unused(withoutRecording, "base", "entry", "values"); err != nil || f.request != "" {
		return err
	}
	return f.unused("without --request", "op", "param", "stored")
}

// one explains the only refusal in a file.
func (f *whyFlags) one(c *console, doc document) ([]explained, error) {
	refused, ok := refusal.Parse(string(doc.text))
	if !ok {
		return nil, failure{fmt.Errorf("%s: the file contains no refusal; it must contain the JSON of the error, or the output of a client", doc.name)}
	}
	var found diag.Findings
	if f.request != "" {
		docs, err := c.readAll(f.maxSize, f.request, f.stored)
		if err != nil {
			return nil, failure{err}
		}
		if recording.FormOf(docs[0].text).IsRequest() {
			return f.ofRequest(c, doc, docs[0], refused)
		}
		req, err := f.read(c, docs[0], docs[1])
		if err != nil {
			return nil, err
		}
		checker := filter.Checker(c.checker, req.Body)
		if found, err = checker.Find(req); err != nil {
			return nil, failure{err}
		}
		checker.AddFixes(req, found)
		c.untold = f.format.value != formatText
		return []explained{{File: doc.name, Op: string(req.Op), Dialect: &c.dialect, Explanation: refused.Explain(found), asked: true}}, nil
	}
	return []explained{{File: doc.name, Explanation: refused.Explain(nil)}}, nil
}

// ofRequest explains the refusal of a request, given as a curl command line or in HTTP.
func (f *whyFlags) ofRequest(c *console, doc, request document, refused refusal.Refusal) ([]explained, error) {
	if err := f.unused("with a request that names its operation", "op", "param", "stored"); err != nil {
		return nil, err
	}
	x, err := watchRequest(c.checker, request)
	if err != nil {
		return nil, failure{err}
	}
	return []explained{{File: doc.name, Op: string(x.Op), Explanation: refused.Explain(plainFindings(x)), asked: true}}, nil
}

// read returns the request and the stored event in the google dialect, because the public service refused the request.
func (f *whyFlags) read(c *console, doc, stored document) (*event.Request, error) {
	params, err := readParams(f.params)
	if err != nil {
		return nil, err
	}
	var line batch.Request
	line.Dialect = c.dialect
	if batch.IsRequest(doc.text) {
		if err := cmp.Or(line.UnmarshalJSON(doc.text), f.ofBody()); err != nil {
			return nil, failure{fmt.Errorf("%s: %w", doc.name, err)}
		}
		c.dialect = line.Dialect // a line may specify its own dialect
	} else {
		line.Op, line.Params, line.Body = operation.ID(f.op.value), params, doc.text
	}
	if stored.name != "" {
		if line.Existing, err = c.event(stored); err != nil {
			return nil, failure{err}
		}
	}
	req := line.Request.WithDialect(diag.Google)
	return &req, nil
}

// ofBody returns an error if a flag that applies only when FILE is a request body is set.
func (f *whyFlags) ofBody() error {
	if f.changed("op") || f.changed("param") {
		return errors.New("--op and --param cannot be used with a request that names its operation or parameters")
	}
	return nil
}

// recorded explains the refusals in a recording.
func (f *whyFlags) recorded(c *console, doc document) (all []explained, err error) {
	watcher, err := between.New(between.Options{Checker: c.checker, Base: f.base})
	if err != nil {
		return nil, err
	}
	entries, err := f.exchanges(doc, f.maxSize)
	if err != nil {
		return nil, failure{err}
	}
	isOne := f.changed("entry")
	if isOne && (f.entry < 1 || f.entry > len(entries)) {
		return nil, failure{fmt.Errorf("%s contains %d entries, counted from 1; --entry is %d", doc.name, len(entries), f.entry)}
	}
	for i := range entries {
		refused := explainEntry(watcher, &entries[i], f.origin())
		if isOne && f.entry != i+1 {
			continue
		}
		for _, e := range refused {
			e.File, e.Entry = doc.name, i+1
			if !f.values {
				e.redact()
			}
			all = append(all, e)
		}
	}
	if isOne && len(all) == 0 {
		return nil, failure{fmt.Errorf("%s: entry %d is not a refusal by the service", doc.name, f.entry)}
	}
	return all, nil
}

// explainEntry passes an exchange through a watcher and explains each answer that is a refusal, including answers to parts
// of a batch.
func explainEntry(w *between.Watcher, e *recording.Exchange, origin string) (all []explained) {
	x := w.Request(e.Message(origin))
	requests := append([]*between.Exchange{x}, x.Parts...)
	for _, r := range requests {
		r.AddFixes()
	}
	e.Tell(x)
	for part, r := range requests { // part 0 is the whole batch or request
		if r.Refused != nil {
			all = append(all, explained{Part: part, Op: string(r.Op), Unchecked: r.Unchecked, Explanation: withoutQuery(*r.Refused), asked: true})
		}
	}
	return all
}

// withoutQuery redacts query values in an explanation, because they may be credentials. If a cause is in the query,
// withoutQuery also redacts the message, which may quote the value.
func withoutQuery(e refusal.Explanation) refusal.Explanation {
	for i, f := range e.Causes {
		if !f.Path.InBody() {
			e.Causes[i] = traffic.Redacted(f)
			e.Refusal = e.Refusal.Redacted()
		}
	}
	return e
}

// redact removes fixes and all other parts that may contain a value.
func (e *explained) redact() {
	e.Refusal = e.Refusal.Redacted()
	for i, f := range e.Causes {
		e.Causes[i] = traffic.Redacted(f)
	}
}

// write writes an explanation as text.
func (e *explained) write(c *console) {
	var head []string
	if e.Entry != 0 {
		place := fmt.Sprintf("%s: entry %d: ", e.File, e.Entry)
		if e.Part != 0 {
			place += fmt.Sprintf("part %d: ", e.Part)
		}
		head = append(head, place+cmp.Or(e.Op, "no operation")+":")
	}
	if e.Status != 0 {
		head = append(head, strconv.Itoa(e.Status))
	}
	for _, part := range []string{e.Reason, e.Message} {
		if part != "" {
			head = append(head, part)
		}
	}
	fmt.Fprintln(c.out, visible.Text(strings.Join(head, " ")))
	for _, f := range e.Causes {
		fmt.Fprintf(c.out, "  cause: %s%s [%s]\n", traffic.PathPrefix(f.Path), visible.Text(f.Message()), f.Rule.ID)
		writeFix(c, f.Fix)
	}
	switch {
	case e.Known:
	case e.Unchecked != "":
		fmt.Fprintf(c.out, "  cause: unknown; the request was not checked: %s\n", visible.Text(string(e.Unchecked)))
	case e.asked:
		fmt.Fprintln(c.out, "  cause: unknown; no finding about the request explains the refusal")
	default:
		fmt.Fprintln(c.out, "  cause: unknown without the request; pass the request with --request")
	}
	if about := e.About; about != nil {
		fmt.Fprintf(c.out, "  meaning: %s\n  next: %s\n  source: %s\n", about.Meaning, about.Next, about.Source)
	}
}

// writeFix writes a fix, if any, as a JSON Patch.
func writeFix(c *console, fix *diag.Fix) {
	if fix == nil {
		return
	}
	patch, err := json.Marshal(fix.Patch)
	if err != nil {
		panic(err) // cannot happen: the values are JSON
	}
	certainty := "a proposal"
	if fix.Safe {
		certainty = "certain"
	}
	fmt.Fprintf(c.out, "  fix: %s (%s)\n", visible.Text(string(patch)), certainty)
}
