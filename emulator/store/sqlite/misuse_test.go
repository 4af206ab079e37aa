package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/calrules/calrules/emulator/store"
	"github.com/calrules/calrules/emulator/store/sqlite"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with arguments that no caller should pass.
func TestMisuse(t *testing.T) {
	open := func(t *testing.T) *sqlite.Store {
		s, err := sqlite.Open(filepath.Join(t.TempDir(), "file"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	surface.CheckMisuse(t, ".", map[string]func(t *testing.T){
		"Open": func(t *testing.T) {
			for _, file := range []string{"", "\x00", t.TempDir(), filepath.Join(t.TempDir(), "a", "b")} {
				if s, err := sqlite.Open(file); err == nil {
					s.Close()
					t.Errorf("%q was opened", file)
				}
			}
		},
		"Store.Load": func(t *testing.T) {
			if err := open(t).Load(nil); err != nil { // there is nothing to call the function with
				t.Error(err)
			}
		},
		"Store.Commit": func(t *testing.T) {
			s := open(t)
			for _, records := range [][]store.Record{nil, {{}}, {{Kind: "\xff", ID: "\x00", Value: []byte{}}}, {{Kind: "a"}, {Kind: "a", Value: []byte("1")}, {Kind: "a"}}} {
				if err := s.Commit(records); err != nil {
					t.Errorf("%v: %v", records, err)
				}
			}
			if got := len(load(t, s)); got != 1 {
				t.Errorf("there are %d records", got)
			}
		},
		"Store.Close": func(t *testing.T) {
			s := open(t)
			for range 2 {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		},
	}, nil)
}
