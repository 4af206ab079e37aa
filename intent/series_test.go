package intent_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/intent"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/status"
)

// service is what a service stores, by id. As the public one, it cancels the exceptions that a series no longer has.
type service map[string]*event.Event

// seriesOf returns a series with its exceptions.
func (s service) seriesOf(id string) event.Series {
	series := event.Series{Event: s[id]}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if s[name].RecurringEventID == id {
			series.Exceptions = append(series.Exceptions, s[name])
		}
	}
	return series
}

// find returns the event with an id: a stored one, or an instance.
func (s service) find(id string) *event.Event {
	if e := s[id]; e != nil {
		return e
	}
	for name, e := range s {
		if len(e.Recurrence) == 0 {
			continue
		}
		if i, err := s.seriesOf(name).ByID(id); err == nil && i != nil {
			return i
		}
	}
	return nil
}

// carryOut carries out requests as the service does: each beside what is stored then.
func (s service) carryOut(requests []event.Request) error {
	for _, r := range requests {
		sent := event.Request{Op: r.Op, Params: r.Params, Body: r.Body, Absent: true, Dialect: r.Dialect}
		if r.Op != operation.EventsInsert {
			if sent.Existing = s.find(r.Existing.ID); sent.Existing == nil {
				return fmt.Errorf("%s: there is no %s", r.Op, r.Existing.ID)
			}
		}
		result, err := event.Check(&sent)
		if err == nil {
			err = result.Err()
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", r.Op, r.Body, err)
		}
		s[result.Stored.ID] = result.Stored
		s.cancelLost(result.Stored.ID)
	}
	return nil
}

// cancelLost cancels the exceptions whose instances a series does not have.
func (s service) cancelLost(id string) {
	if len(s[id].Recurrence) == 0 {
		return
	}
	for _, x := range s.seriesOf(id).Exceptions {
		if i, err := (event.Series{Event: s[id]}).ByID(x.ID); err == nil && i == nil {
			x = x.Clone()
			x.Status = "cancelled"
			s[x.ID] = x
		}
	}
}

// shown returns what the calendar shows: the first instances of each series, with their titles and places.
func shown(all ...event.Series) (list []string) {
	for _, s := range all {
		n := 0
		for i, err := range s.Instances(event.Window{}) {
			if n == 12 || err != nil {
				break
			}
			n++
			list = append(list, fmt.Sprintf("%s %s %q %q", i.Span.Start.UTC().Format("2006-01-02T15:04:05"), i.Span.End.UTC().Format("2006-01-02T15:04:05"), i.Summary, i.Location))
		}
	}
	slices.Sort(list)
	return list
}

// shown returns what the calendar shows of all series.
func (s service) shown() []string {
	var all []event.Series
	for _, id := range slices.Sorted(maps.Keys(s)) {
		if len(s[id].Recurrence) > 0 && s[id].StatusMeaning() == status.Active {
			all = append(all, s.seriesOf(id))
		}
	}
	return shown(all...)
}

// drawSeries draws a finite series with exceptions: a cancelled one, and one with a title of its own.
func drawSeries(t *rapid.T) (event.Series, []*event.Time) {
	e := fuzz.Event("default").Filter(func(e *event.Event) bool {
		n, err := event.Series{Event: e}.Count(event.Window{}, 12)
		return err == nil && n > 1 && n < 12 && e.StatusMeaning() == status.Active
	}).Draw(t, "series")
	e.ID = "series1"
	s := event.Series{Event: e}
	var starts []*event.Time
	for i, err := range s.Instances(event.Window{}) {
		if err != nil {
			t.Fatal(err)
		}
		starts = append(starts, i.OriginalStartTime)
	}
	pick := func(name string) *event.Time { return starts[rapid.IntRange(0, len(starts)-1).Draw(t, name)] }
	if with, err := s.Cancel(pick("cancelled")); err == nil {
		s = with
	}
	if own, err := s.At(pick("changed")); err == nil && own != nil {
		own = own.Clone()
		own.Summary, own.ETag = "Its own", ""
		s.Exceptions = append(s.Exceptions, own)
	}
	return s, starts
}

// The requests of an intent make of a calendar what the verbs make of the series, and the service refuses none of them.
func TestSeriesLaws(t *testing.T) {
	title := &event.Event{Location: "Room 4"}
	for name, law := range map[string]func(m intent.Maker, s event.Series, at, to *event.Time) (requests, []event.Series, error){
		"end": func(m intent.Maker, s event.Series, at, _ *event.Time) (requests, []event.Series, error) {
			list, err := m.EndFollowing(s, at)
			after, _ := s.Truncate(at)
			if err != nil || after.Series.Event == nil {
				return list, nil, err
			}
			return list, []event.Series{after.Series}, err
		},
		"change": func(m intent.Maker, s event.Series, at, _ *event.Time) (requests, []event.Series, error) {
			list, err := m.ChangeFollowing(s, at, title)
			if err != nil {
				return nil, nil, err
			}
			split, err := s.Split(at)
			return list, []event.Series{split.Before, placed(split.After)}, err
		},
		"move": func(m intent.Maker, s event.Series, at, to *event.Time) (requests, []event.Series, error) {
			list, err := m.MoveFollowing(s, at, to)
			if err != nil {
				return nil, nil, err
			}
			split, _ := s.Split(at)
			moved, err := withoutTimes(split.After).Move(to)
			return list, []event.Series{split.Before, moved.Series}, err
		},
		"cancel": func(m intent.Maker, s event.Series, at, _ *event.Time) (requests, []event.Series, error) {
			list, err := m.CancelInstance(s, at)
			after, _ := s.Cancel(at)
			return list, []event.Series{after}, err
		},
		"restore": func(m intent.Maker, s event.Series, at, _ *event.Time) (requests, []event.Series, error) {
			list, err := m.RestoreInstance(s, at)
			after, _ := s.Restore(at)
			return list, []event.Series{after}, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s, starts := drawSeries(t)
				at := starts[rapid.IntRange(0, len(starts)-1).Draw(t, "at")]
				to := starts[rapid.IntRange(0, len(starts)-1).Draw(t, "to")]
				in := rapid.SampledFrom([]diag.Dialect{diag.Documents, diag.Google}).Draw(t, "dialect")
				list, want, err := law(intent.Maker{Dialect: in}, s, at, to)
				if err != nil {
					return // it cannot be done, or the event does not allow it
				}
				stored := service{s.Event.ID: s.Event}
				for _, x := range s.Exceptions {
					stored[x.ID] = whole(s, x)
				}
				if err := stored.carryOut(list); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(shown(want...), stored.shown()); diff != "" {
					for _, r := range list {
						t.Log(r.Op, r.Existing.GoString(), string(r.Body))
					}
					t.Fatalf("at %v to %v (-want +got):\n%s", at, to, diff)
				}
			})
		})
	}
}

// whole returns an exception as the service stores it. A list shows less of one that is cancelled.
func whole(s event.Series, x *event.Event) *event.Event {
	if x.Start != nil {
		return x
	}
	e, err := (event.Series{Event: s.Event}).ByID(x.ID)
	if err != nil || e == nil {
		return x
	}
	e.Status = x.Status
	return e
}

// placed returns the series in another place.
func placed(s event.Series) event.Series {
	s.Event.Location = "Room 4"
	for _, x := range s.Exceptions {
		x.Location = "Room 4"
	}
	return s
}

// withoutTimes returns the series with exceptions that have no times of their own, and move with it.
func withoutTimes(s event.Series) event.Series {
	for _, x := range s.Exceptions {
		x.Start, x.End = nil, nil
	}
	return s
}
