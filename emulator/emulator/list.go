package emulator

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// item is an event in a list.
type item struct {
	key
	event *event.Event
	entry *state.Entry // the entry of the event or, if the event is not stored, of its series
}

func (i item) compareItem(other item) int { return i.compare(other.key) }

func (k key) compare(other key) int {
	return cmp.Or(cmp.Compare(k.Major, other.Major), cmp.Compare(k.Minor, other.Minor), cmp.Compare(k.Least, other.Least), cmp.Compare(k.ID, other.ID))
}

// listEvents handles events.list.
func (s *Server) listEvents(c *call) (reply, error) { return s.list(c, (*finder).all) }

// listInstances handles events.instances.
func (s *Server) listInstances(c *call) (reply, error) {
	return s.list(c, func(f *finder) {
		if series := f.in.Get(c.Params["eventId"]); series != nil {
			f.instances(series)
		}
	})
}

// list returns a page of the events added by find.
func (s *Server) list(c *call, find func(*finder)) (reply, error) {
	v := s.state.View()
	cal, err := s.open(v, c, reader)
	if err != nil {
		return reply{}, err
	}
	f, err := s.newFinder(v, c, cal)
	if err != nil {
		return reply{}, err
	}
	if find(f); f.err != nil {
		return reply{}, f.err
	}
	return f.reply(f.page())
}

// newFinder checks the request and returns a finder for its parameters.
func (s *Server) newFinder(v *state.View, c *call, cal calendar) (*finder, error) {
	entry, _ := v.Get(state.List, c.token.Email, cal.id)
	f := &finder{
		server: s, call: c, cal: cal, in: v.Calendar(cal.id), seen: map[string]bool{}, now: v.Revision(), revision: revisionOf(v, cal.id, c.token.Email),
		updated: v.Calendar(cal.id).Updated(), reminds: decode(entry.Value)["defaultReminders"],
	}
	about := found{}
	if id, ok := c.Params["eventId"]; ok {
		about = find(v, cal.id, id)
		s.tell(v, c, cal, about)
		if err := c.Check(&s.checker, about.stored); err != nil {
			return nil, err
		}
	} else {
		s.tell(v, c, cal, about)
		if err := c.Check(&s.checker, nil); err != nil {
			return nil, err
		}
	}
	f.limit = c.Operation.PageSize(c.query("maxResults"))
	var err error
	if f.token, f.isSync, err = s.sync(v, c, cal.id); err != nil {
		return nil, err
	}
	if f.isSync && f.token.Sight != f.sight() {
		return nil, tooOld()
	}
	if f.after, f.isLater, err = c.page(v); err != nil {
		return nil, err
	}
	if f.isLater {
		f.now = f.after.Now
	}
	f.readQuery()
	return f, nil
}

// sight describes the caller's view of the events in the calendar: whether private events are shown with details, and the time
// zone. If the view changes, all events look different although no event has changed.
func (f *finder) sight() string { return fmt.Sprint(f.call.role >= writer, " ", f.cal.zone()) }

// page returns the items on a page and, if there are more pages, the key of the last item.
func (f *finder) page() (page []item, next *key) {
	slices.SortFunc(f.items, item.compareItem)
	if len(f.items) <= f.limit {
		return f.items, nil
	}
	return f.items[:f.limit], &f.items[f.limit-1].key
}

// reply returns a reply with a page.
func (f *finder) reply(page []item, next *key) (reply, error) {
	c := f.call
	head := resource{
		"kind": "calendar#events", "etag": f.etag(page, next != nil), "summary": f.cal.value.text("summary"), "timeZone": f.cal.zone().String(),
		"accessRole": f.cal.role.String(), "defaultReminders": []any{},
	}
	if about := f.cal.value.text("description"); about != "" {
		head["description"] = about
	}
	if f.reminds != nil {
		head["defaultReminders"] = f.reminds
	}
	if f.updated != "" {
		head["updated"] = f.updated
	}
	switch {
	case next != nil:
		head["nextPageToken"] = encodeToken(pageToken{Query: c.queryHash(), After: *next, Now: f.now, To: &f.horizon})
	case f.canSync():
		head["nextSyncToken"] = encodeToken(syncToken{
			List: f.cal.id, Sight: f.sight(), Since: f.now, Issued: c.now.Unix(), Single: f.single, From: orNil(f.window.From), Max: orNil(f.window.To), To: &f.horizon,
		})
	}
	var items [][]byte
	for _, i := range page {
		text, err := f.text(i)
		if err != nil {
			return reply{}, err
		}
		if text != nil {
			items = append(items, text)
		}
	}
	body := bytes.TrimSuffix(encode(head), []byte("}"))
	body = slices.Concat(body, []byte(`,"items":[`), bytes.Join(items, []byte(",")), []byte("]}"))
	return reply{etag: head.text("etag"), body: body}, nil
}

// etag returns the entity tag of a page. The tag depends on the last change and, if the page contains instances, on the ids of
// the items, because new instances may appear as time passes.
func (f *finder) etag(page []item, more bool) string {
	if !slices.ContainsFunc(page, func(i item) bool { return i.event.RecurringEventID != "" }) {
		return etag(f.revision)
	}
	h := fnv.New32a()
	for _, i := range page {
		h.Write([]byte(i.event.ID))
	}
	return fmt.Sprintf(`"%d.%d.%t"`, f.revision, h.Sum32(), more)
}

// textKey is the cache key for an event's JSON, which depends on the dialect and on the calendar's time zone.
type textKey struct {
	dialect diag.Dialect
	zone    string // the calendar's time zone
}

// text returns an item as JSON, or nil if the library does not show the item. For the creator of a stored event, text caches
// the result, which is the same in all lists without special parameters.
func (f *finder) text(i item) ([]byte, error) {
	c := f.call
	special := i.event != i.entry.Event || i.event.Status == cancelled || c.query("maxAttendees") != "" || c.query("timeZone") != "" ||
		i.event.Creator == nil || i.event.Creator.Email != c.token.Email
	kept := textKey{c.dialect, f.cal.zone().String()}
	if text, ok := i.entry.Texts.Load(kept); ok && !special {
		return text.([]byte), nil
	}
	e, err := f.shown(i.event)
	if err != nil || e == nil {
		return nil, err
	}
	text := c.text(e)
	if !special {
		i.entry.Texts.Store(kept, text)
	}
	return text, nil
}

// shown returns an event as it appears in the library's responses.
func (f *finder) shown(e *event.Event) (*event.Event, error) {
	req := f.call.Request
	req.Op, req.Existing, req.IfMatch = operation.EventsList, e, ""
	if series := f.in.Get(e.RecurringEventID); series != nil {
		req.Series = series.Event
	}
	req.Params = f.showParams
	if e.Creator != nil && e.Creator.Email != "" {
		caller := *req.Caller
		isCreator := e.Creator.Email == f.call.token.Email
		caller.Creator = &isCreator
		req.Caller = &caller
	}
	result, err := f.server.checker.Check(&req)
	if err != nil || result.Answer == nil || result.Answer.ETag != "" {
		return result.Answer, err
	}
	answer := result.Answer.Clone()
	answer.ETag = e.ETag // even the remainder of a cancelled event has an entity tag
	return answer, nil
}

// listing is a list of resources that are not events.
type listing struct {
	name    string           // identifies the list and its user
	entries []state.Resource // sorted by id, including removed entries
	show    func(state.Resource) resource
}

// listAll returns a page of a list. With a sync token, the list contains only changed and removed resources. Otherwise, the
// list contains removed resources only if showDeleted is true.
func (s *Server) listAll(v *state.View, c *call, all listing) (resource, error) {
	token, isSync, err := s.sync(v, c, all.name)
	if err != nil {
		return nil, err
	}
	showDeleted := c.query("showDeleted")
	after, isLater, err := c.page(v)
	if err != nil {
		return nil, err
	}
	now := v.Revision()
	if isLater {
		now = after.Now
	}
	answer, items := resource{}, []resource{}
	for _, e := range all.entries {
		isShown := !e.Removed || showDeleted == "true"
		if isSync {
			isShown = e.Revision > token.Since
		}
		if !isShown || isLater && e.ID <= after.After.ID {
			continue
		}
		if len(items) == c.Operation.PageSize(c.query("maxResults")) {
			answer["nextPageToken"] = encodeToken(pageToken{Query: c.queryHash(), After: key{ID: items[len(items)-1].text("id")}, Now: now})
			break
		}
		items = append(items, all.show(e))
	}
	if answer["nextPageToken"] == nil {
		answer["nextSyncToken"] = encodeToken(syncToken{List: all.name, Since: now, Issued: c.now.Unix()})
	}
	answer["items"] = items
	return answer, nil
}
