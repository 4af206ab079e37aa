package command

import (
	"os"
	"path/filepath"
	"testing"
)

// A file that changed after it was read is left as it is, and nothing stays beside it.
func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "event.json")
	if err := os.WriteFile(name, []byte("new"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(document{name: name, text: []byte("old")}, []byte("mended")); err == nil {
		t.Error("a file that changed is replaced")
	}
	if err := replaceFile(document{name: name, text: []byte("new")}, []byte("mended")); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(name)
	if string(text) != "mended" || err != nil {
		t.Errorf("the file has %q, %v", text, err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 1 || err != nil {
		t.Errorf("the directory has %v, %v", entries, err)
	}
}
