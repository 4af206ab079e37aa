package intent

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// Maker creates requests with its facts about the caller and the calendar. The zero value has no facts, and uses the documents'
// names.
type Maker struct {
	Dialect  diag.Dialect
	Caller   *operation.Caller
	Calendar *operation.Calendar
}

// Respond returns the request that responds to an invitation with a responseStatus such as "accepted" and, if not empty, a
// comment. If email is empty, the attendee who owns the calendar responds. Other attendees' responses do not change.
func (m Maker) Respond(stored *event.Event, email, responseStatus, comment string) ([]event.Request, error) {
	next, err := withAllAttendees(stored)
	if err != nil {
		return nil, err
	}
	if values := constraint.ResponseStatus; !values.Has(responseStatus) {
		return nil, fmt.Errorf("the response status is %s; it must be %s", engine.Quote(responseStatus), values)
	}
	i := slices.IndexFunc(next.Attendees, func(a event.Attendee) bool {
		return email == "" && a.Self || email != "" && strings.EqualFold(a.Email, email)
	})
	switch {
	case i < 0 && email == "":
		return nil, errors.New("no attendee is marked as self; give the email of the one who answers")
	case i < 0:
		return nil, fmt.Errorf("the event has no attendee %s", engine.Quote(email))
	}
	next.Attendees[i].ResponseStatus = responseStatus
	if comment != "" {
		next.Attendees[i].Comment = comment
	}
	return m.made(change(stored, next, nil))
}

// AddGuests returns the request that adds attendees. AddGuests ignores guests who are already attendees.
func (m Maker) AddGuests(stored *event.Event, guests ...event.Attendee) ([]event.Request, error) {
	next, err := withAllAttendees(stored)
	if err != nil {
		return nil, err
	}
	present := addressesOf(next.Attendees)
	for _, g := range guests {
		if address := folded(g.Email); address == "" || !present[address] {
			next.Attendees = append(next.Attendees, g)
			present[address] = true
		}
	}
	return m.made(change(stored, next, nil))
}

// RemoveGuests returns the request that removes the attendees with the given addresses, and notifies them. RemoveGuests ignores
// addresses of people who are not attendees.
func (m Maker) RemoveGuests(stored *event.Event, emails ...string) ([]event.Request, error) {
	next, err := withAllAttendees(stored)
	if err != nil {
		return nil, err
	}
	present, removed := addressesOf(next.Attendees), map[string]bool{}
	for _, email := range emails {
		address := folded(email)
		if address == "" {
			continue
		}
		if !present[address] && !limits.IsAddrSpec(email) {
			return nil, fmt.Errorf("%s is not an address such as ada@example.com", engine.Quote(email))
		}
		removed[address] = true
	}
	next.Attendees = slices.DeleteFunc(next.Attendees, func(a event.Attendee) bool { return removed[folded(a.Email)] })
	requests, err := m.made(change(stored, next, nil))
	for _, r := range requests {
		if m.Dialect == diag.Google { // no finding suggests notifying former guests
			r.Params["sendUpdates"] = []string{"all"}
		}
	}
	return requests, err
}

// withAllAttendees returns a copy of a stored event, or an error if the event may lack attendees, which a patch would remove.
func withAllAttendees(stored *event.Event) (*event.Event, error) {
	switch {
	case stored == nil:
		return nil, errNoEvent
	case stored.AttendeesOmitted:
		return nil, errors.New("the stored event lacks attendees (attendeesOmitted); read it again without maxAttendees")
	}
	return stored.Clone(), nil
}

// addressesOf returns the addresses of attendees, folded.
func addressesOf(attendees []event.Attendee) map[string]bool {
	addresses := make(map[string]bool, len(attendees))
	for i := range attendees {
		addresses[folded(attendees[i].Email)] = true
	}
	return addresses
}

// folded returns the same string for all addresses that are equal according to [strings.EqualFold]. People write addresses in
// any case, so the whole address is folded, unlike in [limits.SameAddress].
func folded(email string) string {
	return strings.Map(func(c rune) rune {
		least := c
		for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, email)
}

var errNoEvent = errors.New("there is no stored event")

// RequestConference returns the request for a new conference of a type such as "videoMeet". If the type is empty, the service
// chooses the type. The id of the create request is derived from the event's id and entity tag.
func (m Maker) RequestConference(stored *event.Event, conferenceType string) ([]event.Request, error) {
	if stored == nil {
		return nil, errNoEvent
	}
	if hasConference(stored) {
		return nil, errors.New("the event has a conference already")
	}
	create := &conference.CreateRequest{RequestID: MakeID(stored.ID + stored.ETag)}
	if conferenceType != "" {
		create.SolutionKey = &conference.Key{Type: conferenceType}
	}
	next := stored.Clone()
	if next.ConferenceData == nil {
		next.ConferenceData = new(conference.Data)
	}
	next.ConferenceData.CreateRequest = create
	return m.made(change(stored, next, nil))
}

// hasConference reports whether an event has a conference, not just a request to create one.
func hasConference(e *event.Event) bool {
	c := e.ConferenceData
	return c != nil && (c.Solution != nil || len(c.EntryPoints) > 0)
}

// CopyConference returns the request that copies the conference of another event to a stored event.
func (m Maker) CopyConference(stored, from *event.Event) ([]event.Request, error) {
	switch {
	case stored == nil || from == nil:
		return nil, errNoEvent
	case from.ConferenceData == nil || from.ConferenceData.Solution == nil:
		return nil, errors.New("the other event has no conference")
	}
	next := stored.Clone()
	next.ConferenceData = from.Clone().ConferenceData
	next.ConferenceData.CreateRequest = nil
	return m.made(change(stored, next, nil))
}

// SetPrivate returns the request that sets a private extended property.
func (m Maker) SetPrivate(stored *event.Event, key, value string) ([]event.Request, error) {
	if stored == nil {
		return nil, errNoEvent
	}
	next := stored.Clone()
	if next.ExtendedProperties == nil {
		next.ExtendedProperties = new(event.ExtendedProperties)
	}
	if next.ExtendedProperties.Private == nil {
		next.ExtendedProperties.Private = map[string]string{}
	}
	next.ExtendedProperties.Private[key] = value
	return m.made(change(stored, next, nil))
}

// ClearPrivate returns the request that removes private extended properties. ClearPrivate ignores keys of properties that the
// event does not have.
func (m Maker) ClearPrivate(stored *event.Event, keys ...string) ([]event.Request, error) {
	if stored == nil {
		return nil, errNoEvent
	}
	next := stored.Clone()
	if next.ExtendedProperties != nil {
		for _, key := range keys {
			delete(next.ExtendedProperties.Private, key)
		}
	}
	return m.made(change(stored, next, nil))
}

// colors lists two names for each event color, starting with id 1: the name in Apps Script, and the name in the public
// service's user interface. Source: Apps Script reference, enum EventColor.
var colors = [][2]string{
	{"pale blue", "lavender"}, {"pale green", "sage"}, {"mauve", "grape"}, {"pale red", "flamingo"}, {"yellow", "banana"}, {"orange", "tangerine"},
	{"cyan", "peacock"}, {"gray", "graphite"}, {"blue", "blueberry"}, {"green", "basil"}, {"red", "tomato"},
}

// SetColor returns the request that sets the color of a stored event to the color with the given name, such as "tomato" or
// "PALE_BLUE". SetColor ignores case, and words may be separated by spaces, hyphens, underscores or nothing. The name "default"
// removes the color; the calendar's color then applies.
func (m Maker) SetColor(stored *event.Event, name string) ([]event.Request, error) {
	if stored == nil {
		return nil, errNoEvent
	}
	next := stored.Clone()
	var ok bool
	if next.ColorID, ok = colorNamed(name); !ok {
		var names []string
		for _, c := range colors {
			names = append(names, c[1])
		}
		return nil, fmt.Errorf("%s is not the name of a color; use default, %s", engine.Quote(name), strings.Join(names, ", "))
	}
	return m.made(change(stored, next, nil))
}

// colorNamed returns the id of the color with the given name, or false if there is none. The id of the default color is empty.
func colorNamed(name string) (id string, ok bool) {
	joined := strings.NewReplacer(" ", "", "-", "", "_", "")
	isNamed := func(as string) bool { return strings.EqualFold(joined.Replace(name), joined.Replace(as)) }
	if isNamed("default") {
		return "", true
	}
	i := slices.IndexFunc(colors, func(names [2]string) bool { return slices.ContainsFunc(names[:], isNamed) })
	return strconv.Itoa(i + 1), i >= 0
}

// MakeID returns an event id derived from any string, such as an iCalUID. Equal strings result in equal ids.
func MakeID(uid string) string {
	sum := sha256.Sum256([]byte(uid))
	return form.NewEventID([16]byte(sum[:]))
}

// InsertWithID returns the request that inserts an event with an id derived from its iCalUID. If the event is inserted
// again, the service refuses the duplicate.
func (m Maker) InsertWithID(e *event.Event) ([]event.Request, error) {
	switch {
	case e == nil:
		return nil, errNoEvent
	case e.ICalUID == "":
		return nil, errors.New("the event has no iCalUID to make an id of")
	}
	return m.inserting(operation.EventsInsert, e, func(sent *event.Event) { sent.ID, sent.ICalUID = MakeID(e.ICalUID), "" })
}

// InsertOrImport returns the request that adds an event to a calendar. An event that has an iCalUID and an organizer other than
// the caller is imported. Any other event is inserted, with an id derived from its iCalUID, if any.
func (m Maker) InsertOrImport(e *event.Event, caller string) ([]event.Request, error) {
	switch {
	case e == nil:
		return nil, errNoEvent
	case e.ICalUID == "":
		return m.inserting(operation.EventsInsert, e, func(*event.Event) {})
	case e.Organizer == nil || e.Organizer.Self || limits.SameAddress(e.Organizer.Email, caller):
		return m.InsertWithID(e)
	}
	return m.inserting(operation.EventsImport, e, func(sent *event.Event) {
		sent.Organizer = &event.Person{Email: e.Organizer.Email, DisplayName: e.Organizer.DisplayName}
	})
}

// inserting returns the request that creates a copy of an event from its writable members, after the given change.
func (m Maker) inserting(op operation.ID, e *event.Event, change func(*event.Event)) ([]event.Request, error) {
	if e.RecurringEventID != "" {
		return nil, errors.New("the event is an instance of a series, which cannot be created alone; insert the series")
	}
	patch, _ := (*event.Event)(nil).PatchTo(e, diag.Documents)
	sent, _ := event.Decode(patch, diag.Documents)
	sent.EventType = e.EventType
	change(sent)
	return m.made([]event.Request{create(op, sent)})
}

// FreeBusy returns the queries for the busy times of calendars, in chronological order. Several queries are needed if the
// range or the number of calendars exceeds the limits of a single query.
func (m Maker) FreeBusy(from, to time.Time, calendars ...string) ([]event.Request, error) {
	switch {
	case len(calendars) == 0:
		return nil, errors.New("there are no calendars to ask about")
	case !from.Before(to):
		return nil, errors.New("the range is empty")
	}
	calendars = withoutRepeated(calendars)
	type item struct {
		ID string `json:"id"`
	}
	var requests []event.Request
	const longest = constraint.FreebusyDaysMax * 24 * time.Hour
	for ; from.Before(to); from = from.Add(longest) {
		for ids := range slices.Chunk(calendars, constraint.CalendarExpansionMax) {
			var items []item
			for _, id := range ids {
				items = append(items, item{id})
			}
			end := from.Add(longest)
			if end.After(to) {
				end = to
			}
			body, err := json.Marshal(struct {
				TimeMin string `json:"timeMin"`
				TimeMax string `json:"timeMax"`
				Items   []item `json:"items"`
			}{from.Format(time.RFC3339Nano), end.Format(time.RFC3339Nano), items})
			if err != nil {
				return nil, err
			}
			requests = append(requests, event.Request{Op: "freebusy.query", Body: body})
		}
	}
	return m.made(requests)
}

// withoutRepeated returns the distinct strings, in order of first occurrence.
func withoutRepeated(texts []string) (once []string) {
	seen := make(map[string]bool, len(texts))
	for _, text := range texts {
		if !seen[text] {
			once = append(once, text)
			seen[text] = true
		}
	}
	return once
}

// change returns the patch that changes a stored event to next, or nil if the two are equal. For an instance, series is the
// series to which it belongs.
func change(stored, next, series *event.Event) []event.Request {
	next = new(*next)
	next.ICalUID = stored.ICalUID // a cancelled instance may lack the iCalUID
	patch, _ := stored.PatchTo(next, diag.Documents)
	if string(patch) == "{}" {
		return nil
	}
	return []event.Request{{Op: operation.EventsPatch, Existing: stored, Series: series, Body: patch, IfMatch: stored.ETag}}
}

// create returns the request that inserts or imports an event.
func create(op operation.ID, e *event.Event) event.Request {
	if hasConference(e) {
		e.ConferenceData.CreateRequest = nil // the service has already created the conference
	}
	return event.Request{Op: op, Absent: true, Body: e.AppendJSON(nil)}
}

// remove returns the request that deletes an event, which may be an instance of a series.
func remove(e, series *event.Event) event.Request {
	return event.Request{Op: operation.EventsDelete, Existing: e, Series: series, IfMatch: e.ETag}
}

// made returns the requests ready to be sent: with names of the maker's dialect, the maker's facts, and the parameters that
// findings propose. made returns an error if the service would refuse a request or ignore a value.
func (m Maker) made(requests []event.Request) ([]event.Request, error) {
	for i := range requests {
		r := requests[i].WithDialect(m.Dialect)
		r.Params, r.Caller, r.Calendar = operation.Params{}, m.Caller, m.Calendar
		found := find(&r)
		for _, f := range found {
			fixed, ok := withParameter(&r, f)
			if !ok {
				continue
			}
			if after := find(fixed); len(after.OfKind(diag.Unspecified)) <= len(found.OfKind(diag.Unspecified)) {
				r, found = *fixed, after
			}
		}
		for i := range found {
			if found[i].Kind == diag.Ignore { // a request with an ignored value would not do what the user intends
				found[i].Kind = diag.Reject
			}
		}
		if err := found.Err(); err != nil {
			return nil, fmt.Errorf("%s would not do it: %w", r.Op, err)
		}
		requests[i] = r
	}
	return requests, nil
}

// withParameter returns the request with the parameter that a finding proposes, or false if there is none.
func withParameter(r *event.Request, f diag.Finding) (*event.Request, bool) {
	fix, ok := f.Propose()
	if !ok || !strings.HasPrefix(string(fix.Patch[0].Path), "/params/") {
		return nil, false
	}
	return new(event.Checker).Apply(r, fix.Patch)
}

// find returns the findings about a request, whose operation must exist.
func find(r *event.Request) diag.Findings {
	found, err := event.Find(r)
	if err != nil {
		panic(err)
	}
	return found
}
