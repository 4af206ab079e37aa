package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/recording"
	"github.com/calrules/calrules/internal/traffic"
	"github.com/calrules/calrules/internal/visible"
	"github.com/calrules/calrules/operation"
)

// checkFiles checks the events in files.
func checkFiles(c *console, flags *checkFlags, args []string) error {
	params, err := readParams(flags.params)
	if err = cmp.Or(err, flags.validate(c), flags.checkArguments(args)); err != nil {
		return err
	}
	run := fileCheck{
		console: c,
		flags:   flags,
		checker: flags.checker(c),
		request: event.Request{Op: operation.ID(flags.op.value), Params: params},
		report:  newReport(c, c.out, &flags.reportFlags),
		tally:   tally{findings: traffic.Findings{}},
	}
	c.untold = flags.quiet || flags.format.value != formatText
	run.check(args)
	if !flags.diff {
		run.report.end(run.tally)
	}
	if hint := run.tally.hint(); hint != "" && flags.format.value == formatText && !flags.quiet && !flags.diff {
		c.complain(errors.New(hint))
	}
	if flags.checksLittle() && !flags.quiet {
		fmt.Fprintf(c.err, "calrules: without --stored, %s reports only faults that do not depend on the stored event\n", flags.op.value)
	}
	switch {
	case run.tally.unread > 0:
		return errFailed
	case (run.tally.rejected > 0 || run.changes > 0) && !flags.exitZero:
		return errFound
	default:
		return nil
	}
}

// checkArguments returns an error if arguments and flags cannot be combined.
func (f *checkFlags) checkArguments(args []string) error {
	op := f.op.value
	noBody := among(operation.ID(op), aboutStored)
	switch {
	case noBody && len(args) > 0:
		return fmt.Errorf("%s has no body; remove %s", op, args[0])
	case f.stored != "" && !among(operation.ID(op), withStored):
		return fmt.Errorf("--stored cannot be used with %s, which does not use a stored event", op)
	case f.stored == stdinArg && slices.Contains(args, stdinArg):
		return errors.New("standard input cannot be both the stored event and a change")
	case f.diff && f.fix.value == noFix:
		return errors.New("--diff cannot be used without --fix")
	case f.diff && (f.statistics || f.format.value != formatText):
		return errors.New("--diff writes changes, and cannot be used with --format and --statistics")
	case f.fix.value != noFix && (noBody || slices.Contains(args, stdinArg)):
		return errors.New("--fix requires files")
	case len(args) == 0 && !noBody:
		return errors.New("check requires a FILE, a directory, or - for standard input")
	}
	return cmp.Or(f.unusedWithout(), f.unused("without --ndjson", "answers"))
}

// checksLittle reports whether the operation changes an unknown stored event, in which case few rules can be checked.
func (f *checkFlags) checksLittle() bool {
	return f.stored == "" && among(operation.ID(f.op.value), diag.Modify)
}

// fileCheck checks files.
type fileCheck struct {
	*console
	flags   *checkFlags
	checker event.Checker
	request event.Request // the request for every file, without the body
	report  report
	tally   tally
	changes int // the number of files that --diff shows
}

// tally counts the findings and the files, or the events in the files.
type tally struct {
	accepted, rejected, unread int
	pages                      bool // whether a file contained several events
	lines                      bool // whether the lines of a stream are counted
	findings                   traffic.Findings
	fixed                      int // the number of findings that --fix resolved
	safe, choices              int // findings that --fix would resolve, and findings that only --fix=all would
}

// tallyOf returns the tally of one event.
func tallyOf(result event.Result) tally {
	t := tally{findings: traffic.Findings{}}
	t.count(result)
	return t
}

// count adds the result for an event to the tally.
func (t *tally) count(result event.Result) {
	if result.Accepted {
		t.accepted++
	} else {
		t.rejected++
	}
	for _, finding := range result.Findings {
		t.findings[finding.Kind]++
	}
}

// countFixes counts the findings that --fix and --fix=all would resolve.
func (t *tally) countFixes(result event.Result) {
	for _, finding := range result.Findings {
		switch fix := finding.Fix; {
		case fix == nil || !isInBody(fix.Patch):
		case fix.Safe:
			t.safe++
		default:
			t.choices++
		}
	}
}

// hint returns a hint about the flag that resolves findings, or "" if no finding can be resolved.
func (t *tally) hint() string {
	switch {
	case t.safe > 0 && t.choices > 0:
		return fmt.Sprintf("--fix fixes %s, and --fix=all %d more", visible.Count(t.safe, "finding"), t.choices)
	case t.safe > 0:
		return "--fix fixes " + visible.Count(t.safe, "finding")
	case t.choices > 0:
		return "--fix=all fixes " + visible.Count(t.choices, "finding")
	}
	return ""
}

// countSubject adds a subject to the tally.
func (t *tally) countSubject(s *subject) {
	if _, rejected := s.firstRejecting(); rejected {
		t.rejected++
	} else {
		t.accepted++
	}
	for _, f := range s.findings {
		t.findings[f.kind]++
	}
}

// check checks the files named by the arguments, or an operation without a body. If the stored event cannot be read, check does
// nothing else.
func (f *fileCheck) check(args []string) {
	var stored document
	if f.flags.stored != "" {
		var err error
		if stored, err = f.read(f.flags.stored, f.flags.maxSize); err != nil {
			f.fail(err)
			return
		}
	}
	files := f.readFiles(f.filesOf(args))
	f.decide(f.request.Params, append(slices.Clone(files), stored)...)
	f.request.Dialect = f.dialect
	if f.flags.stored != "" {
		existing, err := f.event(stored)
		if err != nil {
			f.fail(err)
			return
		}
		f.request.Existing = existing
	}
	if among(f.request.Op, aboutStored) {
		f.answer(f.request, wholeFile(document{name: cmp.Or(stored.name, string(f.request.Op)), text: stored.text}))
	}
	p := f.newProgress("file", shareOf(len(files)))
	defer p.clear()
	for _, doc := range files {
		f.checkFile(doc)
		p.add(1)
	}
}

// readFiles reads all files before the first is checked, because the dialect depends on all files, and reports files that
// cannot be read.
func (f *fileCheck) readFiles(names []string) (files []document) {
	for _, name := range names {
		doc, err := f.read(name, f.flags.maxSize)
		if err != nil {
			f.fail(err)
			continue
		}
		if name == stdinArg {
			doc.name = f.flags.stdin
		}
		files = append(files, doc)
	}
	return files
}

// filesOf returns the files named by the arguments and reports arguments that cannot be read.
func (f *fileCheck) filesOf(args []string) (names []string) {
	for _, arg := range args {
		found, err := f.flags.filesOf(arg, ".json")
		if err != nil {
			f.fail(err)
		}
		names = append(names, found...)
	}
	return names
}

// filesOf returns the file named by an argument. For a directory, filesOf returns all files under the directory that have one
// of the extensions, in any case, and are not excluded. filesOf may return both files and an error.
func (f *checkFlags) filesOf(arg string, extensions ...string) ([]string, error) {
	if arg == stdinArg {
		return []string{arg}, nil
	}
	info, err := os.Stat(arg)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{arg}, nil
	}
	var names []string
	var errs []error
	excluded := false
	root := arg + string(filepath.Separator) // follows a symbolic link
	filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			errs = append(errs, err)
		case entry.IsDir() || !slices.Contains(extensions, strings.ToLower(filepath.Ext(name))):
		case f.excludes(arg, name):
			excluded = true
		case isSpecial(name):
			errs = append(errs, fmt.Errorf("%s: not a regular file; to read it, pass its name as an argument", name))
		default:
			names = append(names, name)
		}
		return nil
	})
	if len(names) == 0 && len(errs) == 0 && !excluded {
		errs = append(errs, fmt.Errorf("%s: the directory contains no *%s files", arg, strings.Join(extensions, " or *")))
	}
	return names, errors.Join(errs...)
}

// isSpecial reports whether the name refers to a pipe, a device or a directory, possibly through a symbolic link. Opening a
// special file may block forever.
func isSpecial(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular()
}

// checkFile checks the event, or the page of events, in a file.
func (f *fileCheck) checkFile(doc document) {
	switch form := recording.FormOf(doc.text); {
	case form.IsRequest():
		f.checkRequest(doc)
		return
	case form != recording.Other:
		f.fail(fmt.Errorf("%s: it looks like %s%s", doc.name, form, adviceFor(form)))
		return
	}
	if f.flags.fix.value != noFix {
		var err error
		if doc.text, err = f.fix(doc); err != nil {
			f.fail(err)
			return
		}
	}
	req := f.request
	items, isPage := pageOf(doc.text)
	if !isPage {
		req.Body = doc.text
		f.answer(req, wholeFile(doc))
		return
	}
	f.tally.pages = true
	at := textStart
	for i, item := range items {
		at = at.advance(doc.text, item.start)
		req.Body = doc.text[item.start:item.end]
		f.answer(req, checked{document: doc, event: req.Body, base: at, item: i})
	}
}

// adviceFor returns the end of an error message about a form, such as the flag for reading that form.
func adviceFor(form recording.Form) string {
	switch {
	case form == recording.HAR:
		return "; use --har"
	case form.IsRecording():
		return "; use --cassette"
	case form == recording.Lines:
		return "; use --ndjson"
	}
	return ", which check does not support"
}

// checkRequest checks a request to the service.
func (f *fileCheck) checkRequest(doc document) {
	x, err := watchRequest(f.checker, doc)
	if err != nil {
		f.fail(err)
		return
	}
	result := event.Result{Findings: plainFindings(x), Dialect: diag.Google}
	result.Accepted = !result.Findings.Rejected()
	f.tally.count(result)
	about := checked{document: doc, base: textStart, item: -1, result: result, places: make([]place, len(result.Findings))}
	if f.flags.redact {
		about = about.redacted()
	}
	f.report.file(about)
}

// watchRequest checks the request in a file, regardless of the host.
func watchRequest(checker event.Checker, doc document) (*between.Exchange, error) {
	e, err := recording.ReadRequest(doc.text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doc.name, err)
	}
	watcher, err := between.New(between.Options{Checker: checker})
	if err != nil {
		return nil, err
	}
	x := watcher.Request(e.Message(new(recordingFlags).origin()))
	x.AddFixes()
	x.Cancel()
	switch {
	case x.Unchecked != "":
		return nil, fmt.Errorf("%s: %s", doc.name, x.Unchecked)
	case x.Op == "" && len(x.Findings) == 0:
		return nil, fmt.Errorf("%s: the request is not for the service", doc.name)
	}
	return x, nil
}

// plainFindings returns the findings about a request, redacted outside the body, because header values, query values and
// parameter names may be credentials.
func plainFindings(x *between.Exchange) diag.Findings {
	list := diag.Findings{}
	for _, f := range x.Findings {
		if !f.Path.InBody() {
			f.Finding = traffic.Redacted(f.Finding)
		}
		list = append(list, f.Finding)
	}
	return list
}

// answer checks a request and reports the result.
func (f *fileCheck) answer(req event.Request, about checked) {
	checker := filter.Checker(f.checker, about.event)
	result, err := checker.Check(&req)
	if err != nil {
		f.fail(fmt.Errorf("%s: %w", about.name, err))
		return
	}
	if format := f.flags.format.value; slices.Contains(fixFormats, format) || format == formatText {
		checker.AddFixes(&req, result.Findings)
	}
	f.tally.count(result)
	if about.name != f.flags.stdin { // standard input cannot be rewritten
		f.tally.countFixes(result)
	}
	about = about.with(result)
	if f.flags.redact {
		about = about.redacted()
	}
	if !f.flags.diff {
		f.report.file(about)
	}
}

// fail reports files that cannot be checked.
func (f *fileCheck) fail(err error) {
	f.complain(err)
	for _, err := range separate(err) {
		f.tally.unread++
		f.report.unread(err)
	}
}
