// Walkthrough applies the walk-throughs in CONTRIBUTING.md to a copy of the module: the code blocks that begin with "```diff
// FILE". The script .ci/walkthroughs then builds and tests the copy.
//
//	walkthrough FOLDER
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: walkthrough FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "walkthrough:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	page, err := os.ReadFile(filepath.Join(folder, "CONTRIBUTING.md"))
	if err != nil {
		return err
	}
	edits := readEdits(string(page))
	if len(edits) == 0 {
		return fmt.Errorf("CONTRIBUTING.md has no walk-through")
	}
	for _, e := range edits {
		name := filepath.Join(folder, e.file)
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		changed, err := e.apply(string(text))
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(changed), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// edit is one code block: existing lines of a file, and lines to add between these lines.
type edit struct {
	file  string
	lines []string // each begins with " " for an existing line or "+" for an added line
}

func readEdits(page string) (list []edit) {
	inside := false
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		file, begins := strings.CutPrefix(line, "```diff ")
		switch {
		case begins:
			list, inside = append(list, edit{file: file}), true
		case line == "```":
			inside = false
		case inside:
			last := &list[len(list)-1]
			last.lines = append(last.lines, line)
		}
	}
	return list
}

// apply returns text with the lines of the edit added. The text must contain the existing lines of the edit exactly
// once, in sequence. If the edit has no existing lines, apply adds its lines at the end.
func (e edit) apply(text string) (string, error) {
	var before, after strings.Builder
	for _, line := range e.lines {
		if line == "" {
			line = " "
		}
		after.WriteString(line[1:] + "\n")
		if line[0] == ' ' {
			before.WriteString(line[1:] + "\n")
		}
	}
	if before.Len() == 0 {
		return text + after.String(), nil
	}
	if strings.Count(text, before.String()) != 1 {
		return "", fmt.Errorf("%s does not have these lines once:\n%s", e.file, before.String())
	}
	return strings.Replace(text, before.String(), after.String(), 1), nil
}
