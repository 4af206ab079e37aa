package sqlite_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/store"
	"github.com/calrules/calrules/emulator/store/sqlite"
)

// says reports whether an error has a text.
func says(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }

// killed returns a file and its log as a killed process leaves them, and the records that were committed.
func killed(t *testing.T) (file, log []byte, want map[string]string) {
	name := filepath.Join(t.TempDir(), "file")
	s, err := sqlite.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want = map[string]string{}
	for i := range 100 {
		id := fmt.Sprintf("%04d", i)
		if err := s.Commit([]store.Record{{Kind: "a", ID: id, Value: fmt.Appendf(nil, "%0100d", i)}}); err != nil {
			t.Fatal(err)
		}
		want[fmt.Sprintf("%q %q %q", "a", "", id)] = fmt.Sprintf("%0100d", i)
	}
	if file, err = os.ReadFile(name); err != nil {
		t.Fatal(err)
	}
	if log, err = os.ReadFile(name + "-wal"); err != nil {
		t.Fatal(err)
	}
	return file, log, want
}

// open opens copies of a file and its log, and reads the records.
func open(t *testing.T, file, log []byte) (map[string]string, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	for path, content := range map[string][]byte{name: file, name + "-wal": log} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sqlite.Open(name)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	all := map[string]string{}
	err = s.Load(func(r store.Record) error {
		all[fmt.Sprintf("%q %q %q", r.Kind, r.Owner, r.ID)] = string(r.Value)
		return nil
	})
	return all, err
}

// A file that a killed process leaves is whole. A damaged one is refused: no change that was acknowledged is lost without a word.
func TestDamage(t *testing.T) {
	file, log, want := killed(t)
	got, err := open(t, file, log)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Fatalf("%v (-want +got):\n%s", err, diff)
	}
	flipped := func(at int) []byte {
		damaged := append([]byte{}, log...)
		damaged[at] ^= 0x10
		return damaged
	}
	const frame = 24 + 4096
	last := len(log) - frame
	for name, damaged := range map[string][]byte{
		"header": flipped(5), "salt of the header": flipped(17), "checksum of the header": flipped(30),
		"page of the first frame": flipped(32 + 24 + 100), "page in the middle": flipped(32 + 40*frame + 24 + 1000),
		"number of a page": flipped(32 + 40*frame + 3), "checksum of a frame": flipped(32 + 40*frame + 20), "salt of a frame": flipped(32 + 40*frame + 9),
		"page of the last frame": flipped(last + 24 + 5),
	} {
		if got, err := open(t, file, damaged); !says(err, "damaged") {
			t.Errorf("%s: %d records, the error is %v", name, len(got), err)
		}
	}
	if _, err := open(t, nil, log); !says(err, "damaged") {
		t.Errorf("an empty file with a log: %v", err)
	}
	// What follows the last whole change of a log was never acknowledged.
	if got, err := open(t, file, append(append([]byte{}, log...), log[last:last+frame/2]...)); err != nil || len(got) != len(want) {
		t.Errorf("half a frame more: %d records, %v", len(got), err)
	}
}

// A file that was cut off is refused.
func TestTruncated(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	s, err := sqlite.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if err := s.Commit([]store.Record{{Kind: "a", ID: fmt.Sprint(i), Value: fmt.Appendf(nil, "%01000d", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil { // the log is in the file
		t.Fatal(err)
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{100, 4096, 8192, len(file) / 2, len(file) - 4096, len(file) - 1} {
		if got, err := open(t, file[:size], nil); err == nil {
			t.Errorf("with %d of %d bytes, %d records are read", size, len(file), len(got))
		}
	}
}

// A file of a later version is refused, and stays as it is.
func TestNewer(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	s, err := sqlite.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := sqlite.Open(name); !says(err, "newer version") {
			t.Errorf("the error is %v", err)
		}
	}
}
