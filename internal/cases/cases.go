// Package cases reads the conformance cases and compares answers with them.
package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"strings"

	"github.com/calrules/calrules/conformance"
)

// Case is a conformance case: one line of a file. The README of the cases describes the members.
type Case struct {
	Group   string          `json:"-"` // the name of the file, without its extension
	Name    string          `json:"name"`
	Covers  []string        `json:"covers"` // the names of clauses
	Form    string          `json:"form"`   // the name of a filter: check, expand, make or rtdb
	Request json.RawMessage `json:"request"`
	Expect  Expect          `json:"expect"`
}

// Lines returns an iterator over the lines of all files, each with the name of its group, in order of group name.
func Lines() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		names, err := fs.Glob(conformance.Files, "*.ndjson")
		if err != nil {
			panic(err) // the pattern is valid
		}
		for _, name := range names {
			text, err := conformance.Files.ReadFile(name)
			if err != nil {
				panic(err) // impossible: the file is embedded
			}
			for line := range bytes.Lines(text) {
				if !yield(strings.TrimSuffix(name, ".ndjson"), bytes.TrimSuffix(line, []byte("\n"))) {
					return
				}
			}
		}
	}
}

// All returns all cases. All returns an error if a line is not a case.
func All() ([]Case, error) {
	var all []Case
	for group, line := range Lines() {
		c := Case{Group: group}
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			return nil, fmt.Errorf("%s.ndjson: %w: %s", group, err, line)
		}
		all = append(all, c)
	}
	return all, nil
}
