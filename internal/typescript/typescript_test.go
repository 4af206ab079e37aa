package typescript_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/typescript"
)

const root = "../.."

// TestGolden checks that the committed file is up to date.
func TestGolden(t *testing.T) {
	got, err := typescript.Source(root)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(root, typescript.Name))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is out of date; run: go generate ./internal/typescript\n%s", typescript.Name, diff)
	}
}

// Without the files with the comments, the interfaces would not be documented.
func TestSourceWithoutComments(t *testing.T) {
	if text, err := typescript.Source(t.TempDir()); err == nil {
		t.Errorf("got %d bytes and no error", len(text))
	}
}
