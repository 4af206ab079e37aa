package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/calrules/calrules/event"
)

// document is a file that was read.
type document struct {
	name string // in output
	text []byte
}

// read reads the file that an argument names, or standard input. The error names the file.
func (c *console) read(arg string, limit size) (document, error) {
	doc := document{name: stdinName}
	in := c.in
	if arg != stdinArg {
		doc.name = arg
		file, err := os.Open(arg)
		if err != nil {
			return doc, err
		}
		defer file.Close()
		in = file
	}
	var err error
	if doc.text, err = readLimited(in, limit); err != nil {
		return doc, fmt.Errorf("%s: %w", doc.name, err)
	}
	return doc, nil
}

// event reads the document as an event. The error, on one line, names the document.
func (d document) event() (*event.Event, error) {
	e := new(event.Event)
	if err := e.UnmarshalJSON(d.text); err != nil {
		return nil, fmt.Errorf("%s: %s", d.name, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return e, nil
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
