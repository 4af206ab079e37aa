package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The generated files are those of the tables.
func TestUpToDate(t *testing.T) {
	for folder, like := range map[string]string{"../../../event": "Event", "../../../conference": "Data"} {
		want, err := generate(folder, like)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(folder, fileName))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is out of date; run go generate ./... (-want +got):\n%s", folder, diff)
		}
	}
}
