package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/engine"
)

const (
	stdinArg  = "-"       // the argument for standard input
	stdinName = "<stdin>" // the name of standard input in output
)

// document is the content of a file.
type document struct {
	name string // as shown in output
	text []byte
}

// open opens the file named by an argument, or standard input.
func (c *console) open(arg string) (io.ReadCloser, error) {
	if arg == stdinArg {
		return io.NopCloser(c.in), nil
	}
	file, err := os.Open(arg)
	if err != nil && (strings.HasPrefix(arg, "{") || strings.HasPrefix(arg, "[")) {
		return nil, fmt.Errorf("%s is JSON, not a file name; put it in a file, or pass - and write it to standard input", engine.Quote(arg))
	}
	return file, err
}

// read reads the file named by an argument, or standard input. Errors include the file name.
func (c *console) read(arg string, limit size) (document, error) {
	doc := document{name: arg}
	if arg == stdinArg {
		doc.name = stdinName
	}
	in, err := c.open(arg)
	if err != nil {
		return doc, err
	}
	defer in.Close()
	if doc.text, err = readLimited(in, limit); err != nil {
		return doc, fmt.Errorf("%s: %w", doc.name, err)
	}
	return doc, nil
}

// readAll reads the files of an invocation, skipping empty arguments, and chooses one dialect for all files.
func (c *console) readAll(limit size, args ...string) ([]document, error) {
	docs, errs := make([]document, len(args)), []error{}
	for i, arg := range args {
		if arg == "" {
			continue
		}
		var err error
		if docs[i], err = c.read(arg, limit); err != nil {
			errs = append(errs, err)
		}
	}
	c.decide(nil, docs...)
	return docs, errors.Join(errs...)
}

// event reads a file as an event in the dialect selected by the flags. A name in the other dialect is an error, since no finding
// would report the name.
func (c *console) event(doc document) (*event.Event, error) {
	if _, isPage := pageOf(doc.text); isPage {
		return nil, fmt.Errorf("%s: a page of events; it must be one event", doc.name)
	}
	e, findings := event.Decode(doc.text, c.dialect)
	for i := range findings {
		if findings[i].OfOtherDialect() {
			findings[i].Kind = diag.Reject
		}
	}
	if err := findings.Err(); err != nil {
		return nil, fmt.Errorf("%s: %s", doc.name, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return e, nil
}

// readEvents reads the two files named by the arguments as events.
func (c *console) readEvents(args []string, limit size) (a, b *event.Event, err error) {
	docs, err := c.readAll(limit, args...)
	if err != nil {
		return nil, nil, failure{err}
	}
	a, errA := c.event(docs[0])
	b, errB := c.event(docs[1])
	if err := errors.Join(errA, errB); err != nil {
		return nil, nil, failure{err}
	}
	return a, b, nil
}

// readLimited reads all of in, up to the limit. For empty input, readLimited returns an empty slice, because nil would mean
// that there is no body.
func readLimited(in io.Reader, limit size) ([]byte, error) {
	text, whole, err := readAtMost(in, int(limit))
	if err == nil && !whole {
		return nil, fmt.Errorf("the file is larger than the %s that --max-size allows", limit.String())
	}
	return text, err
}

// readAtMost reads at most limit bytes from in, and reports whether they are the whole input. To detect further input,
// readAtMost may read one byte past the limit.
func readAtMost(in io.Reader, limit int) (text []byte, whole bool, err error) {
	text, err = io.ReadAll(io.LimitReader(in, int64(limit)+1))
	if err != nil {
		return nil, false, err
	}
	return text, len(text) <= limit, nil
}
