package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The committed schema of the configuration is what the command accepts today.
func TestConfigSchema(t *testing.T) {
	const name = "../../docs/config.schema.json"
	var want bytes.Buffer
	writeJSON(&want, configSchema())
	if *update {
		if err := os.WriteFile(name, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(got)); diff != "" {
		t.Errorf("%s is out of date; run go test ./cmd/calrules -update (-want +got):\n%s", name, diff)
	}
}
