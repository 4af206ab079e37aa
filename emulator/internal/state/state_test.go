package state_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/emulator/store"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

func TestMain(m *testing.M) { testdepth.Main(m, 200) }

// contents returns everything in a state that requests can see, by key.
func contents(v *state.View) map[string]string {
	all := map[string]string{}
	for _, kind := range []string{state.Calendars, state.ACL, state.List, state.Channels} {
		for _, owner := range v.Owners(kind) {
			for _, r := range v.Every(kind, owner) {
				_, ok := v.Get(kind, owner, r.ID)
				all[fmt.Sprint(kind, " ", owner, " ", r.ID)] = fmt.Sprint(string(r.Value), " ", r.Revision, r.Removed, ok)
			}
		}
	}
	for _, owner := range []string{"x", "y"} {
		all["rules of "+owner] = fmt.Sprint(v.Last(state.ACL, owner), len(v.All(state.ACL, owner)))
	}
	for _, id := range []string{"a", "b"} {
		c := v.Calendar(id)
		order := []string{}
		for e := range c.All() {
			order = append(order, e.Event.ID)
			past := []string{}
			for _, p := range e.Past {
				past = append(past, fmt.Sprint(p.Until, p.Event.Summary))
			}
			all["event "+id+" "+e.Event.ID] = fmt.Sprint(e.Event.Summary, e.Event.ICalUID, " ", e.Number, e.Revision, e.Kept != nil, e.Forgotten, past)
		}
		all["order "+id] = fmt.Sprint(order, c.Len(), c.Revision(), c.Updated())
		for _, uid := range []string{"u", "v"} {
			found := []string{}
			for _, e := range c.WithUID(uid) {
				found = append(found, e.Event.ID)
			}
			slices.Sort(found)
			all["uid "+id+" "+uid] = fmt.Sprint(found)
		}
		exceptions := []string{}
		for _, e := range c.Exceptions("series") {
			exceptions = append(exceptions, e.Event.ID)
		}
		all["exceptions "+id] = fmt.Sprint(exceptions)
	}
	all["revision"] = fmt.Sprint(v.Revision(), v.Cleared())
	return all
}

// TestRestart compares a state in memory with one in a store that is opened again and again, over histories of changes.
func TestRestart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		disk := new(store.Memory)
		memory, err := state.Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		durable, err := state.Open(disk)
		if err != nil {
			t.Fatal(err)
		}
		pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
		change := func(f func(*state.Tx)) {
			for _, s := range []*state.State{memory, durable} {
				if err := s.Change(func(tx *state.Tx) error { f(tx); return nil }); err != nil {
					t.Fatal(err)
				}
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				kind, owner, id, value := pick("kind", state.ACL, state.Channels), pick("owner", "x", "y"), pick("id", "1", "2"), pick("value", "true", `"é"`)
				change(func(tx *state.Tx) { tx.Put(kind, owner, id, []byte(value)) })
			},
			"remove": func(t *rapid.T) {
				kind, owner, id := pick("kind", state.ACL, state.Channels), pick("owner", "x", "y"), pick("id", "1", "2")
				change(func(tx *state.Tx) { tx.Remove(kind, owner, id) })
			},
			"event": func(t *rapid.T) {
				calendar, id, series := pick("calendar", "a", "b"), pick("id", "e1", "e2", "e3"), pick("series", "", "series")
				summary, uid := pick("summary", "A", "B"), pick("uid", "u", "v")
				kept := rapid.SampledFrom([]*event.Event{nil, {ID: "kept"}}).Draw(t, "kept")
				change(func(tx *state.Tx) {
					next := state.Entry{Event: &event.Event{ID: id, Summary: summary, ICalUID: uid, Updated: fmt.Sprintf("%05d", tx.Next()), RecurringEventID: series}, Kept: kept}
					if was := tx.Calendar(calendar).Get(id); was != nil {
						next.Number, next.Past, next.Forgotten = was.Number, was.Past, was.Forgotten
						next.Remember(&event.Event{ID: id, Summary: was.Event.Summary}, tx.Next())
					}
					tx.PutEvent(calendar, next)
				})
			},
			"remove calendar": func(t *rapid.T) {
				calendar := pick("calendar", "a", "b")
				change(func(tx *state.Tx) { tx.RemoveCalendar(calendar) })
			},
			"clear": func(*rapid.T) { change(func(tx *state.Tx) { tx.Clear() }) },
			"nothing": func(t *rapid.T) {
				before := contents(durable.View())
				failure := errors.New("no")
				err := durable.Change(func(tx *state.Tx) error {
					tx.Put(state.ACL, "x", "1", []byte("false"))
					tx.PutEvent("a", state.Entry{Event: &event.Event{ID: "e1", Summary: "C"}})
					tx.Clear()
					tx.PutEvent("a", state.Entry{Event: &event.Event{ID: "e1", Summary: "D"}})
					return failure
				})
				if diff := cmp.Diff(before, contents(durable.View())); err != failure || diff != "" {
					t.Fatalf("%v, (-before +after):\n%s", err, diff)
				}
			},
			"": func(t *rapid.T) {
				if durable, err = state.Open(disk); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(contents(memory.View()), contents(durable.View())); diff != "" {
					t.Fatalf("(-memory +store):\n%s", diff)
				}
			},
		})
	})
}

// failing is a store whose changes fail.
type failing struct{ store.Memory }

var errFull = errors.New("full")

func (*failing) Commit([]store.Record) error { return errFull }

// A change that cannot be stored has no effect.
func TestStoreFails(t *testing.T) {
	s, err := state.Open(new(failing))
	if err != nil {
		t.Fatal(err)
	}
	before := contents(s.View())
	err = s.Change(func(tx *state.Tx) error {
		tx.Put(state.ACL, "x", "1", []byte("true"))
		tx.PutEvent("a", state.Entry{Event: &event.Event{ID: "e1"}})
		return nil
	})
	if !errors.Is(err, state.ErrStore) || !errors.Is(err, errFull) {
		t.Errorf("the error is %v", err)
	}
	if diff := cmp.Diff(before, contents(s.View())); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	// A change of nothing needs no store.
	if err := s.Change(func(*state.Tx) error { return nil }); err != nil {
		t.Error(err)
	}
}

// Open fails if a record cannot be read, since the other records would look like the whole state.
func TestBadRecords(t *testing.T) {
	for _, r := range []store.Record{
		{Kind: state.Event, Owner: "a", ID: "e1", Value: []byte("{")}, {Kind: state.ACL, Owner: "a", ID: "1", Value: []byte("[]")},
		{Kind: state.Event, Owner: "a", ID: "e1", Value: []byte("{}")},
	} {
		disk := new(store.Memory)
		disk.Commit([]store.Record{r}) // never fails
		if _, err := state.Open(disk); err == nil {
			t.Errorf("%s was read", r.Value)
		}
	}
}

// A change knows the lists that it changes, each once.
func TestChanged(t *testing.T) {
	s, err := state.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []state.Key
	err = s.Change(func(tx *state.Tx) error { tx.Put(state.List, "x", "a", []byte("true")); return nil })
	if err != nil {
		t.Fatal(err)
	}
	err = s.Change(func(tx *state.Tx) error {
		tx.PutEvent("a", state.Entry{Event: &event.Event{ID: "e1"}})
		tx.PutEvent("a", state.Entry{Event: &event.Event{ID: "e2"}})
		tx.Put(state.ACL, "a", "1", []byte("true"))
		tx.Remove(state.List, "x", "a")
		tx.Remove(state.List, "x", "b") // there is none
		tx.RemoveCalendar("b")
		got = tx.Changed()
		return nil
	})
	want := []state.Key{{Kind: state.Event, Owner: "a"}, {Kind: state.ACL, Owner: "a", ID: "1"}, {Kind: state.List, Owner: "x", ID: "a"}, {Kind: state.Event, Owner: "b"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Equal past states are kept once, and their number is bounded. Past and Forgotten show which clients can still be told
// what changed.
func TestRemember(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var e state.Entry
		last := map[string]state.Revision{} // when each state ended
		for until := range state.Revision(rapid.IntRange(0, 60).Draw(t, "changes")) {
			summary := fmt.Sprint(rapid.IntRange(0, 24).Draw(t, "state"))
			e.Remember(&event.Event{Summary: summary}, until+1)
			last[summary] = until + 1
		}
		if len(e.Past) > 16 {
			t.Fatalf("there are %d past states", len(e.Past))
		}
		got := map[string]state.Revision{}
		for i, p := range e.Past {
			got[p.Event.Summary] = p.Until
			if i > 0 && e.Past[i-1].Until >= p.Until {
				t.Fatal("the past states are not in order")
			}
		}
		maps.DeleteFunc(last, func(_ string, until state.Revision) bool { return until <= e.Forgotten })
		if diff := cmp.Diff(last, got); diff != "" {
			t.Fatalf("after %d (-want +got):\n%s", e.Forgotten, diff)
		}
	})
}

// A change sees what it has written, and readers do not, whatever they have begun to read.
func TestChangeSeesItself(t *testing.T) {
	s, err := state.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	put := func(tx *state.Tx, summary string) {
		tx.PutEvent("a", state.Entry{Event: &event.Event{ID: "e1", Summary: summary, ICalUID: "u", RecurringEventID: "series"}})
	}
	if err := s.Change(func(tx *state.Tx) error { put(tx, "A"); return nil }); err != nil {
		t.Fatal(err)
	}
	before := s.View()
	want := contents(before)
	err = s.Change(func(tx *state.Tx) error {
		put(tx, "B")
		tx.Put(state.ACL, "a", "1", []byte("true"))
		if rules := tx.All(state.ACL, "a"); len(rules) != 1 {
			t.Errorf("there are %d rules", len(rules))
		}
		c := tx.Calendar("a")
		for _, e := range append(append(c.WithUID("u"), c.Exceptions("series")...), c.Get("e1")) {
			if e.Event.Summary != "B" {
				t.Errorf("the change reads %q", e.Event.Summary)
			}
		}
		if diff := cmp.Diff(want, contents(s.View())); diff != "" {
			t.Errorf("a reader sees a part of the change:\n%s", diff)
		}
		return nil
	})
	if diff := cmp.Diff(want, contents(before)); err != nil || diff != "" {
		t.Errorf("%v, the state before the change differs:\n%s", err, diff)
	}
}

// Readers see all of a change or nothing.
func TestReadersSeeWholeChanges(t *testing.T) {
	s, err := state.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range 200 {
				s.Change(func(tx *state.Tx) error { // never fails
					tx.Put(state.ACL, "x", "1", fmt.Append(nil, i))
					tx.Put(state.ACL, "y", "1", fmt.Append(nil, i))
					return nil
				})
			}
		})
		wg.Go(func() {
			for range 200 {
				v := s.View()
				x, _ := v.Get(state.ACL, "x", "1")
				y, _ := v.Get(state.ACL, "y", "1")
				if string(x.Value) != string(y.Value) || x.Revision != y.Revision || x.Revision > v.Revision() {
					t.Errorf("%s and %s, %d and %d of %d", x.Value, y.Value, x.Revision, y.Revision, v.Revision())
				}
			}
		})
	}
	wg.Wait()
}
