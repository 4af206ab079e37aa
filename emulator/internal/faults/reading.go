package faults

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// reading contains the faults of servers that store the right data but return different data.
var reading = []Fault{
	{"list-stale", "A list shows an event as it was when it was first listed.", ruleid.AnswerEffect, func() server {
		first := map[string]object{}
		return on(lists, func(c *call) {
			c.pass()
			items := c.items()
			for i, e := range items {
				key := fmt.Sprint(c.base, c.in, e["id"])
				if e["id"] == nil {
					return // not selected by the fields parameter
				}
				if first[key] == nil {
					first[key] = e
				}
				if !c.query().Has("syncToken") {
					items[i] = first[key]
				}
			}
			c.setItems(items)
		})()
	}},
	{"list-short", "A list shows events without description, attendees and properties.", ruleid.AnswerEffect, shows(lists, func(e object) {
		loses("description", "attendees", "extendedProperties")(e, nil, nil)
	})},
	{"newest-missing", "A list lacks the newest event until there is another one.", ruleid.AnswerEffect, func() server {
		newest := ""
		return func(c *call) {
			c.pass()
			if c.op == operation.EventsInsert && c.ok() {
				newest = text(c.answer, "id")
			}
			if c.op == operation.EventsList && !c.query().Has("syncToken") {
				c.setItems(slices.DeleteFunc(c.items(), func(e object) bool { return newest != "" && (e["id"] == newest || e["recurringEventId"] == newest) }))
			}
		}
	}},
	{"page-loses-item", "Each page but the first lacks its first item.", "", after(listings, func(c *call) {
		if items := c.items(); c.query().Has("pageToken") && len(items) > 0 {
			c.setItems(items[1:])
		}
	})},
	{"page-repeats-item", "Each page but the first begins with the last item of the one before.", "", func() server {
		last := map[string]object{} // maps each nextPageToken to the last item before it
		return after(listings, func(c *call) {
			items := c.items()
			if next := text(c.answer, "nextPageToken"); next != "" && len(items) > 0 {
				last[next] = items[len(items)-1]
			}
			if e := last[c.query().Get("pageToken")]; e != nil {
				c.setItems(slices.Insert(items, 0, e))
			}
		})()
	}},
	{"page-token-ignored", "Every page is the first one.", "", ignores(listings, "pageToken")},
	{"max-results-ignored", "A page has more items than maxResults.", ruleid.ListMaxResults, ignores(listings, "maxResults")},
	{"sync-token-missing", "The last page of a list has no nextSyncToken.", "", after(lists, func(c *call) { delete(c.answer, "nextSyncToken") })},
	{"sync-without-deletions", "A synchronization shows no deletions.", ruleid.CancelledList,
		hides(lists, func(c *call, e object) bool { return c.query().Has("syncToken") && e["status"] == "cancelled" })},
	{"sync-misses-change", "Of several changes since the token, a synchronization misses the last.", ruleid.AnswerEffect, after(lists, func(c *call) {
		if items := c.items(); c.query().Has("syncToken") && len(items) > 1 && c.answer["nextPageToken"] == nil {
			c.setItems(items[:len(items)-1])
		}
	})},
	{"sync-with-filter", "Parameters that exclude a syncToken are ignored beside it.", ruleid.ListSyncTokenAlone, on(lists, func(c *call) {
		if c.query().Has("syncToken") {
			for _, name := range []string{"iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty", "timeMin", "timeMax", "updatedMin"} {
				c.setQuery(name)
			}
		}
		c.pass()
	})},
	{"start-order-reversed", "A list in the order of start times begins with the last one. (public reference: orderBy)", ruleid.ListOrderBy, after(lists, func(c *call) {
		if items := c.items(); c.query().Get("orderBy") == "startTime" {
			slices.Reverse(items)
			c.setItems(items)
		}
	})},
	{"single-events-ignored", "A list of single events has series. (public reference: singleEvents expands recurring events)", "", ignores(lists, "singleEvents", "orderBy")},
	{"exceptions-missing", "Instances that were changed are missing from expansions.", ruleid.InstancesIdentity, hides(listings, isException)},
	{"exceptions-double", "An expansion has a changed instance, and the one that it replaces.", ruleid.InstancesIdentity, after(listings, func(c *call) {
		items := c.items()
		for _, e := range c.items() {
			if isException(c, e) && e["status"] != "cancelled" {
				items = append(items, generated(e, c.event(text(e, "recurringEventId"))))
			}
		}
		c.setItems(items)
	})},
	{"instances-in-utc", "A series is expanded in UTC: its instances move by an hour when the clocks change.", ruleid.RecurrenceExpansion, after(listings, func(c *call) {
		for _, e := range c.items() {
			if isInstance(e) {
				by := offsetChange(c.event(text(e, "recurringEventId")), e)
				eachTime(func(t object) { shift(t, by) })(e, nil, nil)
			}
		}
	})},
	{"count-off-by-one", "A series with COUNT has an instance less.", ruleid.RecurrenceExpansion, after(listings, func(c *call) {
		if !isWhole(c) {
			return
		}
		last := map[any]any{} // maps each series to the id of its last instance
		for _, e := range c.items() {
			if isInstance(e) && strings.Contains(fmt.Sprint(c.event(text(e, "recurringEventId"))["recurrence"]), "COUNT=") {
				last[e["recurringEventId"]] = e["id"]
			}
		}
		c.setItems(slices.DeleteFunc(c.items(), func(e object) bool { return isInstance(e) && last[e["recurringEventId"]] == e["id"] }))
	})},
	{"exdate-ignored", "An expansion has the instances that EXDATE excludes.", ruleid.RecurrenceExpansion, after(listings, func(c *call) {
		if !isWhole(c) {
			return
		}
		series := map[string]bool{}
		for _, e := range c.items() {
			if isInstance(e) {
				series[text(e, "recurringEventId")] = true
			}
		}
		items := c.items()
		for _, id := range slices.Sorted(maps.Keys(series)) {
			items = append(items, excluded(c, c.event(id))...)
		}
		c.setItems(items)
	})},
	{"time-max-inclusive", "An event that begins at timeMax is listed. (public reference: timeMax is exclusive)", "", asks(listings, func(c *call) { moveBound(c, "timeMax", time.Second) })},
	{"time-min-inclusive", "An event that ends at timeMin is listed. (public reference: timeMin is exclusive)", "", asks(listings, func(c *call) { moveBound(c, "timeMin", -time.Second) })},
	{"show-deleted-ignored", "showDeleted=true shows no deleted events.", ruleid.CancelledList, ignores(lists, "showDeleted")},
	{"deleted-listed", "A full list without showDeleted has deleted events.", ruleid.CancelledList, asks(lists, func(c *call) {
		if q := c.query(); !q.Has("showDeleted") && !q.Has("syncToken") && !q.Has("updatedMin") {
			c.setQuery("showDeleted", "true")
		}
	})},
	{"deleted-not-found", "A get does not find a deleted event.", ruleid.CancelledGet, after(gets, func(c *call) {
		if c.answer["status"] == "cancelled" {
			c.refuse(http.StatusNotFound, "notFound", "Not Found")
		}
	})},
	{"q-ignored", "q filters nothing. (public reference: q finds events that match the terms)", "", ignores(lists, "q")},
	{"uid-filter-ignored", "iCalUID filters nothing. (calendar.md: events are found by iCalUID with events.list)", "", ignores(lists, "iCalUID")},
	{"updated-min-ignored", "updatedMin filters nothing. (public reference: the lower bound for the last modification)", "", ignores(lists, "updatedMin")},
	{"property-filter-ignored", "privateExtendedProperty filters nothing. (public reference: only matching events are returned)", "", ignores(lists, "privateExtendedProperty")},
	{"max-attendees-ignored", "Answers have more attendees than maxAttendees.", ruleid.AttendeeMax, ignores(readings, "maxAttendees")},
	{"instance-ids-change", "Each expansion gives the instances other ids, and forgets the earlier ones.", ruleid.InstancesIdentity, func() server {
		n := 0
		return after(listings, func(c *call) {
			n++
			for _, e := range c.items() {
				if isInstance(e) && isExpansion(c) {
					e["id"] = fmt.Sprint(e["id"], "v", n)
				}
			}
		})()
	}},
	{"original-start-missing", "Instances have no originalStartTime.", ruleid.InstancesIdentity, shows(readings, func(e object) { delete(e, "originalStartTime") })},
}

// isExpansion reports whether the response contains instances instead of series.
func isExpansion(c *call) bool {
	return c.op == operation.EventsInstances || c.query().Get("singleEvents") == "true"
}

// isWhole reports whether the response contains the last instances of each series.
func isWhole(c *call) bool {
	q := c.query()
	return isExpansion(c) && c.answer["nextPageToken"] == nil && !q.Has("syncToken") && !q.Has("timeMin") && !q.Has("timeMax")
}

// isException reports whether an item in an expansion was changed separately from its series. Instances that are not exceptions
// have the same etag as their series.
func isException(c *call, e object) bool {
	return isInstance(e) && isExpansion(c) && c.event(text(e, "recurringEventId"))["etag"] != e["etag"]
}

// generated returns the instance that an exception replaces.
func generated(exception, series object) object {
	e := clone(series)
	delete(e, "recurrence")
	for _, name := range []string{"id", "recurringEventId", "originalStartTime"} {
		e[name] = exception[name]
	}
	at, _ := memberTime(e, "originalStartTime")
	from, _ := start(e)
	eachTime(func(t object) { shift(t, at.Sub(from)) })(e, nil, nil)
	return e
}

// offsetChange returns the difference in the zone's UTC offset between the start of a series and the start of an instance.
func offsetChange(series, instance object) time.Duration {
	zone, err := time.LoadLocation(text(series, "start", "timeZone"))
	from, ok := start(series)
	at, _ := start(instance)
	if err != nil || !ok || text(series, "start", "dateTime") == "" {
		return 0
	}
	_, before := from.In(zone).Zone()
	_, now := at.In(zone).Zone()
	return time.Duration(now-before) * time.Second
}

// excluded returns the instances of a series that are excluded by EXDATE.
func excluded(c *call, series object) (all []object) {
	e, _ := event.Decode(encode(series), c.dialect())
	without := e.Clone()
	without.Recurrence = slices.DeleteFunc(without.Recurrence, func(line string) bool { return strings.HasPrefix(line, "EXDATE") })
	from, _ := start(series)
	twoYears := event.Window{To: from.AddDate(2, 0, 0)}
	stands := map[string]bool{}
	for i := range (event.Series{Event: e}).Instances(twoYears) {
		stands[i.ID] = true
	}
	for i := range (event.Series{Event: without}).Instances(twoYears) {
		if !stands[i.ID] {
			all = append(all, decode(i.AppendIn(c.dialect(), nil)))
		}
	}
	return all
}

// moveBound moves timeMin or timeMax, if set, by the given duration.
func moveBound(c *call, name string, by time.Duration) {
	if at, err := time.Parse(time.RFC3339, c.query().Get(name)); err == nil {
		c.setQuery(name, at.Add(by).Format(time.RFC3339))
	}
}
