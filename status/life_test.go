package status_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/status"
)

// calendar is a calendar as a service might store it, in rows of a table, together with a simple model: the fate of each event.
type calendar struct {
	rows  map[string]status.Facts
	fates map[string]fate
}

// fate is the state of an event in the words of the documents.
type fate string

const (
	confirmed fate = "confirmed"
	tentative fate = "tentative"
	exception fate = "a cancelled exception of a series"
	deleted   fate = "a deleted event"
)

// kept is the fields that clients can rely on.
var kept = map[fate][]string{exception: {"id", "recurringEventId", "originalStartTime"}, deleted: {"id"}}

func (c *calendar) insert(t *rapid.T) {
	id := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "id")
	if _, taken := c.rows[id]; taken {
		t.Skip("the event exists")
	}
	row := status.Facts{Status: rapid.SampledFrom([]string{"", "confirmed", "tentative"}).Draw(t, "status")}
	if rapid.Bool().Draw(t, "of a series") {
		row.RecurringEventID, row.HasOriginalStart = "series", true
	}
	c.rows[id], c.fates[id] = row, confirmed // the default
	if row.Status == "tentative" {
		c.fates[id] = tentative
	}
}

func (c *calendar) pick(t *rapid.T) string {
	if len(c.rows) == 0 {
		t.Skip("no event exists")
	}
	return rapid.SampledFrom(slices.Sorted(maps.Keys(c.rows))).Draw(t, "id")
}

// write changes a status. The documents do not describe such transitions; this service allows all of them.
func (c *calendar) write(t *rapid.T) {
	id := c.pick(t)
	row := c.rows[id]
	next := map[string]fate{"": confirmed, "confirmed": confirmed, "tentative": tentative, "cancelled": c.cancelled(row)}
	to := rapid.SampledFrom(slices.Sorted(maps.Keys(next))).Draw(t, "status")
	row.Status = to
	c.rows[id], c.fates[id] = row, next[to]
}

// cancelled returns the fate of an event that is cancelled.
func (c *calendar) cancelled(row status.Facts) fate {
	if row.RecurringEventID == "series" {
		return exception
	}
	return deleted
}

// remove deletes an event.
func (c *calendar) remove(t *rapid.T) {
	id := c.pick(t)
	row := c.rows[id]
	row.Status = constraint.StatusCancelled
	c.rows[id], c.fates[id] = row, c.cancelled(row)
}

// forget removes deleted events, which disappear eventually. Exceptions stay for the lifetime of the series.
func (c *calendar) forget(*rapid.T) {
	maps.DeleteFunc(c.rows, func(_ string, row status.Facts) bool { return row.Meaning() == status.Deleted })
	maps.DeleteFunc(c.fates, func(_ string, f fate) bool { return f == deleted })
}

// What events.list returns of a cancelled event: nothing, the guaranteed fields, or everything.
const (
	hidden = "hidden"
	bare   = "bare"
	whole  = "whole"
)

// views maps each query to what it returns of cancelled events.
var views = map[string]struct {
	query status.Query
	want  string
}{
	"plain":                      {status.Query{}, hidden},
	"showDeleted":                {status.Query{ShowDeleted: true}, whole},
	"syncToken":                  {status.Query{SyncToken: "t"}, bare},
	"updatedMin":                 {status.Query{UpdatedMin: "2026-01-01T00:00:00Z"}, bare},
	"syncToken and showDeleted":  {status.Query{SyncToken: "t", ShowDeleted: true}, whole},
	"updatedMin and showDeleted": {status.Query{UpdatedMin: "2026-01-01T00:00:00Z", ShowDeleted: true}, whole},
}

// check lists the calendar with every query.
func (c *calendar) check(t *rapid.T) {
	for name, v := range views {
		want, got := map[string]string{}, map[string]string{}
		for id, f := range c.fates {
			want[id] = whole
			if kept[f] != nil {
				want[id] = v.want
			}
		}
		for id, row := range c.rows {
			got[id] = shown(row.Status, v.query)
			if diff := cmp.Diff(kept[c.fates[id]], row.Meaning().Guaranteed()); diff != "" {
				t.Fatalf("fields guaranteed for %s (-want +got):\n%s", c.fates[id], diff)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("list with %s (-want +got):\n%s", name, diff)
		}
	}
}

func shown(s string, q status.Query) string {
	switch {
	case !q.Lists(s):
		return hidden
	case !q.Details(s):
		return bare
	default:
		return whole
	}
}

func TestLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &calendar{map[string]status.Facts{}, map[string]fate{}}
		t.Repeat(map[string]func(*rapid.T){
			"insert": c.insert,
			"write":  c.write,
			"delete": c.remove,
			"forget": c.forget,
			"":       c.check,
		})
	})
}
