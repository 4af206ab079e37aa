package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/form"
)

// TestFilesAreGenerated tests that generating again from the committed snapshot changes nothing.
func TestFilesAreGenerated(t *testing.T) {
	files, err := generate("..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is out of date: run go generate in internal/zone", name)
		}
	}
}

// TestZonesAreOfSnapshot tests that package limits has the names and the release of the snapshot.
func TestZonesAreOfSnapshot(t *testing.T) {
	zones, err := readZones(filepath.Join("..", archiveFile))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Collect(form.Zones()), slices.Sorted(maps.Keys(zones)); !slices.Equal(got, want) {
		t.Errorf("form.Zones() has %d names, the snapshot %d, and they differ", len(got), len(want))
	}
	release, err := os.ReadFile(filepath.Join("..", releaseFile))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(release)); got != form.ZoneRelease {
		t.Errorf("limits.ZoneRelease = %q, the snapshot is from %q", form.ZoneRelease, got)
	}
}

// TestWindowsZones tests that package form has the counterpart of each name of Windows in the CLDR, and of no other.
func TestWindowsZones(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", windowsFile))
	if err != nil {
		t.Fatal(err)
	}
	counterparts, err := readWindows(text)
	if err != nil || len(counterparts) != 139 {
		t.Fatalf("the CLDR has %d names, want 139 (%v)", len(counterparts), err)
	}
	for name, want := range counterparts {
		if got, ok := form.WindowsZone(name); got != want || !ok || !form.IsZone(got) {
			t.Errorf("WindowsZone(%q) = %q, %t, want %q, a zone", name, got, ok, want)
		}
	}
}

// TestGenerateWindows tests that a counterpart that the snapshot lacks is an error.
func TestGenerateWindows(t *testing.T) {
	if _, err := generateWindows("..", map[string]string{"Etc/UTC": ""}); err == nil {
		t.Error("no error for a snapshot with one zone")
	}
}

func TestPack(t *testing.T) {
	data, index := pack([]string{"A", "B", "C"}, map[string]string{"A": "one", "B": "two", "C": "one"})
	if want := "onetwo"; data != want {
		t.Errorf("data = %q, want %q", data, want)
	}
	if want := "A 0 3\nB 3 6\nC 0 3\n"; index != want {
		t.Errorf("index = %q, want %q", index, want)
	}
}

func TestReleaseOf(t *testing.T) {
	got, err := releaseOf([]byte("# Versions to use.\nCODE=2024a\nDATA=2025c\n"))
	if got != "2025c" || err != nil {
		t.Errorf("releaseOf = %q, %v", got, err)
	}
	if got, err := releaseOf([]byte("DATA=latest\n")); err == nil {
		t.Errorf("releaseOf = %q for a script that does not name one", got)
	}
}

// TestUpdateSnapshot generates the files from the snapshot of the current toolchain.
func TestUpdateSnapshot(t *testing.T) {
	dir := t.TempDir()
	if err := updateSnapshot(dir); err != nil {
		t.Skipf("the toolchain has no snapshot: %v", err)
	}
	if err := os.CopyFS(filepath.Join(dir, "cldr"), os.DirFS("../cldr")); err != nil {
		t.Fatal(err)
	}
	files, err := generate(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(files[namesFile], "\nEurope/Paris\n") {
		t.Errorf("%s lacks Europe/Paris", namesFile)
	}
}
