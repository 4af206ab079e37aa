package store_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/store"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every method with arguments that no caller should pass.
func TestMisuse(t *testing.T) {
	surface.CheckMisuse(t, ".", map[string]func(t *testing.T){
		"Memory.Load": func(t *testing.T) {
			m := new(store.Memory)
			if err := m.Load(nil); err != nil { // there is nothing to call the function with
				t.Error(err)
			}
			failure := errors.New("no")
			m.Commit([]store.Record{{Value: []byte("1")}})
			if err := m.Load(func(store.Record) error { return failure }); err != failure {
				t.Errorf("the error is %v", err)
			}
		},
		"Memory.Commit": func(t *testing.T) {
			m := new(store.Memory)
			for _, records := range [][]store.Record{nil, {{}}, {{Kind: "\xff", Value: []byte{}}}, {{Kind: "a"}, {Kind: "a", Value: []byte("1")}, {Kind: "a"}}} {
				if err := m.Commit(records); err != nil {
					t.Error(err)
				}
			}
			got := []store.Record{}
			m.Load(func(r store.Record) error { got = append(got, r); return nil })
			if diff := cmp.Diff([]store.Record{{Kind: "\xff", Value: []byte{}}}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		},
		"Memory.Close": func(t *testing.T) {
			m := new(store.Memory)
			for range 2 {
				if err := m.Close(); err != nil {
					t.Error(err)
				}
			}
		},
	}, nil)
}
