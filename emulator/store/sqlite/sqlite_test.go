package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/emulator/store"
	"github.com/calrules/calrules/emulator/store/sqlite"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

func TestMain(m *testing.M) { testdepth.Main(m, 5) }

// load returns all records of a store.
func load(t interface{ Fatal(...any) }, s store.Store) map[string]string {
	all := map[string]string{}
	err := s.Load(func(r store.Record) error {
		all[fmt.Sprintf("%q %q %q", r.Kind, r.Owner, r.ID)] = string(r.Value)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestStores compares the file with the store in memory, over commits and restarts.
func TestStores(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file?with #odd% name.db")
	memory := new(store.Memory)
	disk, err := sqlite.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { disk.Close() }()
	word := rapid.SampledFrom([]string{"", "a", "b", "é\x00'\""})
	rapid.Check(t, func(t *rapid.T) {
		t.Repeat(map[string]func(*rapid.T){
			"commit": func(t *rapid.T) {
				var records []store.Record
				for range rapid.IntRange(1, 4).Draw(t, "records") {
					r := store.Record{Kind: word.Draw(t, "kind"), Owner: word.Draw(t, "owner"), ID: word.Draw(t, "id")}
					if rapid.Bool().Draw(t, "keep") {
						r.Value = []byte(word.Draw(t, "value"))
					}
					records = append(records, r)
				}
				for _, s := range []store.Store{memory, disk} {
					if err := s.Commit(records); err != nil {
						t.Fatal(err)
					}
				}
			},
			"restart": func(t *rapid.T) {
				if err := disk.Close(); err != nil {
					t.Fatal(err)
				}
				if disk, err = sqlite.Open(file); err != nil {
					t.Fatal(err)
				}
			},
			"": func(t *rapid.T) {
				if diff := cmp.Diff(load(t, memory), load(t, disk)); diff != "" {
					t.Fatalf("(-memory +file):\n%s", diff)
				}
			},
		})
	})
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("this is not a database, but a long text about one"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{dir, filepath.Join(dir, "missing", "file"), text} {
		if s, err := sqlite.Open(file); err == nil {
			s.Close()
			t.Errorf("%s was opened", file)
		}
	}
}

// A file that is open cannot be opened again: both would keep their own state in memory, and lose the other's.
func TestInUse(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	for range 2 { // a new file, then one with a table
		s, err := sqlite.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sqlite.Open(file); !errors.Is(err, sqlite.ErrInUse) {
			t.Errorf("the error is %v", err)
		}
		if err := s.Commit([]store.Record{{Kind: "a", ID: "b", Value: []byte("1")}}); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A store that is closed has errors, and does not lose what was committed.
func TestClosed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	s, err := sqlite.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	record := store.Record{Kind: "a", ID: "b", Value: []byte("1")}
	if err := s.Commit([]store.Record{record}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if s.Commit([]store.Record{record}) == nil || s.Load(func(store.Record) error { return nil }) == nil {
		t.Error("a closed store has no error")
	}
	again, err := sqlite.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if diff := cmp.Diff(map[string]string{`"a" "" "b"`: "1"}, load(t, again)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
