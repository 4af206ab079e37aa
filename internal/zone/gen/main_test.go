package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/limits"
)

// TestTableIsGenerated holds that generating again from the committed snapshot changes
// nothing.
func TestTableIsGenerated(t *testing.T) {
	want, err := generate("..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", tableFile))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is out of date: run go generate in internal/zone", tableFile)
	}
}

// TestTableHasSnapshot holds that the compiled table is of the snapshot's names and release.
func TestTableHasSnapshot(t *testing.T) {
	names, err := zoneNames(filepath.Join("..", archiveFile))
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(limits.Zones()); !slices.Equal(got, names) {
		t.Errorf("limits.Zones() has %d names, the snapshot %d, and they differ", len(got), len(names))
	}
	release, err := os.ReadFile(filepath.Join("..", releaseFile))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(release)); got != limits.ZoneRelease {
		t.Errorf("limits.ZoneRelease = %q, the snapshot is of %q", limits.ZoneRelease, got)
	}
}

func TestReleaseOf(t *testing.T) {
	got, err := releaseOf([]byte("# Versions to use.\nCODE=2024a\nDATA=2025c\n"))
	if got != "2025c" || err != nil {
		t.Errorf("releaseOf = %q, %v", got, err)
	}
	if got, err := releaseOf([]byte("DATA=latest\n")); err == nil {
		t.Errorf("releaseOf = %q for a script without a release", got)
	}
}

// TestUpdateSnapshot takes the toolchain's snapshot, whichever it is, and generates from it.
func TestUpdateSnapshot(t *testing.T) {
	dir := t.TempDir()
	if err := updateSnapshot(dir); err != nil {
		t.Skipf("the toolchain has no snapshot: %v", err)
	}
	table, err := generate(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(table, []byte(`"Europe/Paris"`)) {
		t.Error("the table of the toolchain's snapshot lacks Europe/Paris")
	}
}
