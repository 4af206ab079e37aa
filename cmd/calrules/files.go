package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

const (
	stdinArg  = "-"       // the argument that stands for standard input
	stdinName = "<stdin>" // what standard input is called in output
)

// checkFiles checks the events in files.
func checkFiles(c *console, flags *checkFlags, args []string) error {
	req, err := flags.request()
	if err != nil {
		return err
	}
	if err := flags.forFiles(req, args); err != nil {
		return err
	}
	run := fileCheck{
		console: c,
		request: req,
		grading: flags.grading(),
		maxSize: flags.maxSize,
		report:  newReport(c, flags),
	}
	if flags.stored != "" {
		run.withStored(flags.stored, args)
	} else {
		run.arguments(args)
	}
	run.report.end(run.tally)
	return run.outcome()
}

// forFiles tells of arguments and flags that do not go together.
func (f *checkFlags) forFiles(req event.Request, args []string) error {
	switch {
	case f.changed("max-line"):
		return errors.New("--max-line goes with --ndjson; say --max-size")
	case among(req.Op, aboutStored) && f.stored == "":
		return fmt.Errorf("%s is about a stored event; name its file with --stored", req.Op)
	case among(req.Op, aboutStored) && len(args) > 0:
		return fmt.Errorf("%s has no body; leave out %s", req.Op, args[0])
	case f.stored != "" && !among(req.Op, withStored):
		return fmt.Errorf("--stored is for operations on a stored event, such as events.patch, and not for %s", req.Op)
	case f.stored == stdinArg && slices.Contains(args, stdinArg):
		return errors.New("standard input cannot be both the stored event and a change")
	case len(args) == 0 && !among(req.Op, aboutStored):
		return errors.New("check what? Name a FILE that holds an event, a directory of them, or - for standard input")
	default:
		return nil
	}
}

// fileCheck is a run over files.
type fileCheck struct {
	*console
	request event.Request // of every file, but for the body
	grading diag.Grading
	maxSize size
	report  report
	tally   tally
}

// tally counts what a run came to.
type tally struct {
	accepted, refused, unread int
	findings                  map[diag.Kind]int
}

// outcome returns the error that stands for the exit status.
func (f *fileCheck) outcome() error {
	switch {
	case f.tally.unread > 0:
		return errFailed
	case f.tally.refused > 0:
		return errRefused
	default:
		return nil
	}
}

// withStored checks changes to the stored event in a file or, for an operation without a body,
// the operation itself.
func (f *fileCheck) withStored(arg string, changes []string) {
	stored, err := f.read(arg, f.maxSize)
	if err == nil {
		f.request.Existing, err = stored.event()
	}
	switch {
	case err != nil:
		f.fail(err)
	case among(f.request.Op, aboutStored):
		f.answer(f.request, stored)
	default:
		f.arguments(changes)
	}
}

func (f *fileCheck) arguments(args []string) {
	for _, arg := range args {
		f.argument(arg)
	}
}

// argument checks what one argument stands for. An error is told of, and the run goes on.
func (f *fileCheck) argument(arg string) {
	names, err := filesOf(arg)
	if err != nil {
		f.fail(err)
	}
	for _, name := range names {
		f.check(name)
	}
}

// filesOf returns the files that an argument stands for: itself or, where it is a directory,
// the *.json files below it. With an error there may be files all the same.
func filesOf(arg string) ([]string, error) {
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
	fs.WalkDir(os.DirFS(arg), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", arg, err))
		case !entry.IsDir() && strings.HasSuffix(name, ".json"):
			names = append(names, filepath.Join(arg, name))
		}
		return nil // the walk goes on
	})
	if len(names) == 0 && len(errs) == 0 {
		errs = append(errs, fmt.Errorf("%s: there is no *.json file below it", arg))
	}
	return names, errors.Join(errs...)
}

// check checks one event.
func (f *fileCheck) check(name string) {
	doc, err := f.read(name, f.maxSize)
	if err != nil {
		f.fail(err)
		return
	}
	req := f.request
	req.Body = doc.text
	f.answer(req, doc)
}

// answer checks a request that was made from a document and that its findings are about.
func (f *fileCheck) answer(req event.Request, doc document) {
	result := newChecker(f.grading, doc.text).Check(&req)
	if result.Error != "" {
		f.fail(fmt.Errorf("%s: %s", doc.name, result.Error))
		return
	}
	f.count(result)
	f.report.file(checked{doc, result})
}

// fail tells of something that could not be checked.
func (f *fileCheck) fail(err error) {
	f.tally.unread++
	f.complain(err)
}

func (f *fileCheck) count(result event.Result) {
	if result.Accepted {
		f.tally.accepted++
	} else {
		f.tally.refused++
	}
	if f.tally.findings == nil {
		f.tally.findings = map[diag.Kind]int{}
	}
	for _, finding := range result.Findings {
		f.tally.findings[finding.Kind]++
	}
}
