// Package walkthrough tests the walk-throughs of CONTRIBUTING.md: it applies them to a copy of the
// module, and builds and tests the result. It contains nothing but its tests.
package walkthrough

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/testing/testdepth"
)

const root = "../../.."

// edit is one code block of a walk-through: lines of a file, those to add among them.
type edit struct {
	file  string
	lines []string // each begins with " " if it is there, or "+" if it is added
}

// edits returns the code blocks of CONTRIBUTING.md that begin with "```diff FILE".
func edits(t *testing.T) []edit {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	var list []edit
	inside := false
	for line := range strings.Lines(string(text)) {
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

// apply adds the lines of the edit to a text, in which its other lines must follow each other. If it has no other lines,
// it adds them at the end.
func (e edit) apply(text string) (string, bool) {
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
		return text + after.String(), true
	}
	if strings.Count(text, before.String()) != 1 {
		return "", false
	}
	return strings.Replace(text, before.String(), after.String(), 1), true
}

func TestWalkthroughs(t *testing.T) {
	if !testdepth.Full() {
		t.Skip("it builds a copy of the module; set CALRULES_TEST_DRAWS=full")
	}
	copied := copyModule(t)
	for _, e := range edits(t) {
		file := filepath.Join(copied, e.file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed, ok := e.apply(string(text))
		if !ok {
			t.Fatalf("%s does not have these lines once:\n%s", e.file, strings.Join(e.lines, "\n"))
		}
		if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, copied, "go", "run", "./internal/reference/gen", ".")
	run(t, copied, "go", "vet", "./event", "./recurrence", "./fuzz")
	run(t, copied, "go", "test", "./internal/reference", "./internal/testing/ruletest", "./internal/arch", "./internal/constraint", "./limits", "./event/tags")
	run(t, copied, "go", "test", "-run", "Catalogue|Cases|Names|Repeats", "./event", "./recurrence", "./internal/cases")
	run(t, copied, "go", "test", "./command", "-run", "Reproducible", "-update")
	run(t, copied, "go", "test", "-run", "Violating", "./fuzz")
}

// copyModule copies the module to a folder of the test's own.
func copyModule(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return filepath.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(rel)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(folder, rel), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func run(t *testing.T, folder string, command ...string) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "CALRULES_TEST_DRAWS=") // not this test once more
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
}
