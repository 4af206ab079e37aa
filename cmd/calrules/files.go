package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
	switch {
	case len(args) == 0:
		return errors.New("check what? Name a FILE that holds an event, a directory of them, or - for standard input")
	case flags.changed("max-line"):
		return errors.New("--max-line goes with --ndjson; say --max-size")
	}
	req, err := flags.request()
	if err != nil {
		return err
	}
	run := fileCheck{
		console: c,
		request: req,
		grading: flags.grading(),
		maxSize: flags.maxSize,
		report:  newReport(c, flags),
	}
	for _, arg := range args {
		run.argument(arg)
	}
	run.report.end(run.tally)
	return run.outcome()
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

// argument checks what one argument stands for. An error is told of, and the run goes on.
func (f *fileCheck) argument(arg string) {
	if arg == stdinArg {
		f.check(stdinName, f.in)
		return
	}
	names, err := filesOf(arg)
	if err != nil {
		f.fail(err)
	}
	for _, name := range names {
		f.file(name)
	}
}

// filesOf returns the files that an argument stands for: itself or, where it is a directory,
// the *.json files below it. With an error there may be files all the same.
func filesOf(arg string) ([]string, error) {
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

func (f *fileCheck) file(name string) {
	file, err := os.Open(name)
	if err != nil {
		f.fail(err)
		return
	}
	defer file.Close()
	f.check(name, file)
}

// check checks one event.
func (f *fileCheck) check(name string, in io.Reader) {
	text, err := readLimited(in, f.maxSize)
	if err != nil {
		f.fail(fmt.Errorf("%s: %w", name, err))
		return
	}
	req := f.request
	req.Body = text
	result := newChecker(f.grading, text).Check(&req)
	if result.Error != "" {
		f.fail(fmt.Errorf("%s: %s", name, result.Error))
		return
	}
	f.count(result)
	f.report.file(checked{name, text, result})
}

// fail tells of something that could not be checked.
func (f *fileCheck) fail(err error) {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", path.Path, path.Err)
	}
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

// readLimited reads all of in, which must not hold more than limit bytes. It returns an empty
// slice, and not nil, where there is nothing: that is a body too.
func readLimited(in io.Reader, limit size) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(text) > int(limit) {
		return nil, fmt.Errorf("it is larger than %s, which is the most that --max-size lets pass", limit.String())
	}
	return text, nil
}
