package arch

import (
	"io/fs"
	"strings"
	"testing"
)

// TestREADME checks that the Go code of the README is that of the examples of the root package, which
// run, and that what it prints is their output.
func TestREADME(t *testing.T) {
	readme, err := fs.ReadFile(repository, "README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := fs.ReadFile(repository, "example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	code := strings.ReplaceAll(string(examples), "\n\t", "\n")
	blocks := strings.Split(string(readme), "```go\n")[1:]
	for _, block := range blocks {
		block, rest, _ := strings.Cut(block, "```\n")
		if !strings.Contains(code, "\n"+block) {
			t.Errorf("example_test.go does not have this code:\n%s", block)
		}
		printed := strings.TrimSpace(strings.SplitN(strings.TrimLeft(rest, "\n")+"\n\n", "\n\n", 2)[0])
		if output := "// " + strings.ReplaceAll(printed, "\n    ", "\n// "); !strings.Contains(code, output) {
			t.Errorf("example_test.go does not print:\n%s", printed)
		}
	}
	if len(blocks) < 2 {
		t.Errorf("the README has %d blocks of Go code, want at least 2", len(blocks))
	}
}
