package command

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// A file that is read-only, or that changed after it was read, is left unchanged, and nothing stays beside it.
func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "event.json")
	if err := os.WriteFile(name, []byte("new"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(document{name: name, text: []byte("old")}, []byte("fixed")); err == nil {
		t.Error("a file that changed is replaced")
	}
	if err := replaceFile(document{name: name, text: []byte("new")}, []byte("fixed")); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(name, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(document{name: name, text: []byte("fixed")}, []byte("again")); err == nil {
		t.Error("a file that is read-only is replaced")
	}
	text, err := os.ReadFile(name)
	if string(text) != "fixed" || err != nil {
		t.Errorf("the file has %q, %v", text, err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 1 || err != nil {
		t.Errorf("the directory has %v, %v", entries, err)
	}
}

// All names of a file stay names of one file: hard links and symbolic ones.
func TestReplaceFileKeepsLinks(t *testing.T) {
	dir := t.TempDir()
	name, hard, symbolic := filepath.Join(dir, "event.json"), filepath.Join(dir, "hard.json"), filepath.Join(dir, "symbolic.json")
	if err := os.WriteFile(name, []byte("a longer text"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(name, hard); err != nil {
		t.Skip(err) // the file system has none
	}
	if err := os.Symlink("hard.json", symbolic); err != nil {
		t.Skip(err)
	}
	for _, step := range []struct{ name, old, text string }{
		{hard, "a longer text", "shorter"},
		{symbolic, "shorter", "a longer text again"},
		{name, "a longer text again", "fixed"},
	} {
		if err := replaceFile(document{name: step.name, text: []byte(step.old)}, []byte(step.text)); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{name, hard, symbolic} {
			if text, err := os.ReadFile(name); string(text) != step.text || err != nil {
				t.Errorf("after %s, %s has %q, %v", step.name, name, text, err)
			}
		}
	}
	if err := replaceFile(document{name: hard, text: []byte("old")}, []byte("again")); err == nil {
		t.Error("a file that changed is overwritten")
	}
	if info, err := os.Lstat(symbolic); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the symbolic link has become %v, %v", info, err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode has become %v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 3 || err != nil {
		t.Errorf("the directory has %v, %v", entries, err)
	}
}

// A range of a text that is replaced gives the other text, and has whole characters.
func TestChangeOf(t *testing.T) {
	alphabet := rapid.SliceOfN(rapid.SampledFrom([]rune{'a', 'b', 'é', 'è', '日', '本'}), 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		text, by := string(alphabet.Draw(t, "text")), string(alphabet.Draw(t, "by"))
		start, end, inserted := changeOf([]byte(text), []byte(by))
		if got := text[:start] + string(inserted) + text[end:]; got != by {
			t.Errorf("%q becomes %q, not %q", text, got, by)
		}
		if !utf8.ValidString(text[start:end]) || !utf8.Valid(inserted) {
			t.Errorf("%q in place of %q cuts a character", inserted, text[start:end])
		}
	})
}
