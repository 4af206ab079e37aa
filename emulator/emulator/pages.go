package emulator

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/calrules/calrules/emulator/internal/page"
	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/eventhttp"
)

// The pages request their data from the service on behalf of the reader, and therefore show only data that the reader may see.

// wholePage is the largest effective value of maxResults for any list.
const wholePage = "2500"

const (
	eventPage = "/event"               // followed by ?eid=, as in htmlLink
	monthPage = "/emulator/calendars/" // followed by a calendar id and ?month=
)

// newPages returns the handler for pages.
func (s *Server) newPages() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, monthOf(r, primaryCalendar, nil), http.StatusFound)
	})
	m.HandleFunc("GET "+eventPage, func(w http.ResponseWriter, r *http.Request) { show(w, r, s.eventDetails) })
	m.HandleFunc("GET "+monthPage+"{calendarId}", func(w http.ResponseWriter, r *http.Request) { show(w, r, s.month) })
	return m
}

// isPage reports whether a request is for a page.
func (s *Server) isPage(r *http.Request) bool {
	_, pattern := s.pages.Handler(r)
	return pattern != ""
}

// show serves a page or, if the page does not exist, the reason.
func show[P any](w http.ResponseWriter, r *http.Request, of func(http.ResponseWriter, *http.Request) (P, error)) {
	shown, err := of(w, r)
	if err == nil {
		page.Write(w, http.StatusOK, shown)
		return
	}
	status, text := http.StatusBadRequest, err.Error()
	if refusal, ok := errors.AsType[*eventhttp.Error](err); ok {
		status, text = refusal.Status, refusal.Message
	}
	if status == http.StatusUnauthorized {
		text += " Add access_token with a token to the address."
	}
	page.Write(w, status, page.Message{Title: http.StatusText(status), Text: text})
}

// withToken returns an escaped path with a query. If the URL of the request contains a token, the query includes the token.
func withToken(r *http.Request, path string, query url.Values) string {
	if query == nil {
		query = url.Values{}
	}
	if token := r.URL.Query().Get("access_token"); token != "" {
		query.Set("access_token", token)
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// monthOf returns the address of a calendar's page.
func monthOf(r *http.Request, calendarID string, query url.Values) string {
	return withToken(r, monthPage+url.PathEscape(calendarID), query)
}

// ask sends a request to the service on behalf of the reader of a page. The path elements must not be escaped.
func (s *Server) ask(w http.ResponseWriter, r *http.Request, into any, query url.Values, path ...string) error {
	for i, element := range path {
		path[i] = url.PathEscape(element)
	}
	u, err := url.Parse(withToken(r, "/calendar/v3/"+strings.Join(path, "/"), query))
	if err != nil {
		return err
	}
	asked := r.Clone(r.Context())
	asked.Method, asked.URL, asked.Body = http.MethodGet, u, http.NoBody
	for _, field := range []string{"If-Match", "If-None-Match", "Content-Encoding"} {
		asked.Header.Del(field)
	}
	c, err := s.read(w, asked)
	if err != nil {
		return err
	}
	answer, err := s.answer(c)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer.body, into)
}

// The members of responses that pages show.
type (
	shownTime struct{ Date, DateTime, TimeZone string }

	shownEvent struct {
		ID, Summary, Description, Location, Status, HTMLLink, HangoutLink, ICalUID, RecurringEventID, EventType, Created, Updated string
		Start, End, OriginalStartTime                                                                                             shownTime
		Recurrence                                                                                                                []string
		Organizer, Creator                                                                                                        struct{ Email string }
		Attendees                                                                                                                 []struct{ Email, ResponseStatus, Comment string }
	}

	shownList struct {
		Summary, TimeZone, NextPageToken string
		Items                            []shownEvent
	}
)

// month returns the page for a month. Without the month parameter, the page shows the month of the event that changed last.
func (s *Server) month(w http.ResponseWriter, r *http.Request) (page.Month, error) {
	id := r.PathValue("calendarId")
	var cal struct{ ID, Summary, TimeZone string }
	if err := s.ask(w, r, &cal, nil, "calendars", id); err != nil {
		return page.Month{}, err
	}
	in := (calendar{value: resource{"timeZone": cal.TimeZone}}).zone()
	first, err := s.firstOfMonth(r.URL.Query().Get("month"), cal.ID, in)
	if err != nil {
		return page.Month{}, err
	}
	at := func(days int) string { // midnight in the zone, some days from the first of the month
		return time.Date(first.Year(), first.Month(), 1+days, 0, 0, 0, 0, in).UTC().Format(time.RFC3339)
	}
	const before, after = -7, 31 + 7
	var list shownList
	query := url.Values{"singleEvents": {"true"}, "orderBy": {"startTime"}, "maxResults": {wholePage}, "timeMin": {at(before)}, "timeMax": {at(after)}}
	if err := s.ask(w, r, &list, query, "calendars", id, "events"); err != nil {
		return page.Month{}, err
	}
	var all struct {
		Items []struct{ ID, Summary string }
	}
	if err := s.ask(w, r, &all, url.Values{"maxResults": {wholePage}}, "users", "me", "calendarList"); err != nil {
		return page.Month{}, err
	}
	name := func(t time.Time) string {
		if t.Year() < minYear || t.Year() > maxYear {
			return ""
		}
		return monthOf(r, id, url.Values{"month": {t.Format("2006-01")}})
	}
	m := page.Month{
		Title: cal.Summary, Zone: in.String(), First: first, Today: dateOf(s.now().In(in)), Earlier: name(first.AddDate(0, -1, 0)), Later: name(first.AddDate(0, 1, 0)),
		Incomplete: list.NextPageToken != "",
	}
	for _, entry := range all.Items {
		m.Calendars = append(m.Calendars, page.Link{Name: entry.Summary, Address: monthOf(r, entry.ID, nil), IsHere: entry.ID == cal.ID})
	}
	for _, e := range list.Items {
		if shown, ok := e.inMonth(in); ok {
			shown.Address = withToken(r, eventPage, url.Values{"eid": {eid(e.ID, cal.ID)}})
			m.Events = append(m.Events, shown)
		}
	}
	return m, nil
}

// The range of years with pages. RFC 3339 can represent all days in the range, and some days before and after.
const minYear, maxYear = 1, 9998

// firstOfMonth parses the month parameter, such as 2026-03. If the parameter is empty, firstOfMonth returns the month of the
// event that changed last or, if there are no events, the current month.
func (s *Server) firstOfMonth(text, calendarID string, in *time.Location) (time.Time, error) {
	if text != "" {
		first, err := time.Parse("2006-01", text)
		if err != nil || first.Year() < minYear || first.Year() > maxYear {
			return first, refused(http.StatusBadRequest, "invalid", "The parameter month is %q; it must be a month such as 2026-03.", text)
		}
		return first, nil
	}
	at, last := s.now().In(in), state.Revision(0)
	for e := range s.state.View().Calendar(calendarID).All() {
		if e.Revision <= last || e.Event.Status == cancelled || e.Event.Start == nil {
			continue
		}
		if start, err := e.Event.Start.Instant(in); err == nil && start.Year() >= minYear && start.Year() <= maxYear {
			at, last = start.In(in), e.Revision
		}
	}
	return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC), nil
}

// dateOf returns the date of t as midnight in UTC.
func dateOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// inMonth returns the event as shown in a month, or false if the event has no start.
func (e shownEvent) inMonth(in *time.Location) (page.Event, bool) {
	shown := page.Event{Title: e.title(), IsTentative: e.Status == "tentative"}
	from, err := e.Start.instant(in)
	if err != nil {
		return shown, false
	}
	shown.From, shown.To = dateOf(from), dateOf(from)
	if e.Start.Date == "" {
		shown.Clock = from.Format("15:04")
	}
	if to, err := e.End.instant(in); err == nil && to.After(from) {
		shown.To = dateOf(to.Add(-time.Nanosecond)) // the end is exclusive
	}
	return shown, true
}

// instant returns the time in a zone. A date becomes midnight in UTC, since a zone may skip midnight.
func (t shownTime) instant(in *time.Location) (time.Time, error) {
	if t.Date != "" {
		return time.Parse(time.DateOnly, t.Date)
	}
	at, err := (&event.Time{DateTime: t.DateTime, TimeZone: t.TimeZone}).Instant(in)
	return at.In(in), err
}

const (
	dayForm  = "Monday, 2 January 2006"
	timeForm = dayForm + ", 15:04"
)

// local formats a time in the given zone and, if the time has a different zone, also in that zone. A date is formatted as a
// day.
func (t shownTime) local(in *time.Location) (values []string) {
	at, err := t.instant(in)
	if err != nil {
		return nil
	}
	if t.Date != "" {
		return []string{at.Format(dayForm)}
	}
	values = []string{at.Format(timeForm) + " in " + in.String()}
	if t.TimeZone != "" && t.TimeZone != in.String() {
		values = append(values, at.In(location(t.TimeZone)).Format(timeForm)+" in "+t.TimeZone)
	}
	return values
}

func (e shownEvent) title() string { return cmp.Or(e.Summary, "(No title)") }

// eid returns the value of the eid parameter, which identifies an event in the address of its page.
func eid(id, calendarID string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(id + " " + calendarID))
}

// eventDetails returns the page of an event.
func (s *Server) eventDetails(w http.ResponseWriter, r *http.Request) (page.Details, error) {
	text, err := base64.RawURLEncoding.DecodeString(r.URL.Query().Get("eid"))
	id, calendarID, ok := strings.Cut(string(text), " ")
	if err != nil || !ok {
		return page.Details{}, refused(http.StatusNotFound, "notFound", "The parameter eid does not name an event.")
	}
	var cal struct{ TimeZone string }
	if err := s.ask(w, r, &cal, nil, "calendars", calendarID); err != nil {
		return page.Details{}, err
	}
	var answer json.RawMessage
	if err := s.ask(w, r, &answer, nil, "calendars", calendarID, "events", id); err != nil {
		return page.Details{}, err
	}
	var e shownEvent
	var whole bytes.Buffer
	if err := errors.Join(json.Unmarshal(answer, &e), json.Indent(&whole, answer, "", "  ")); err != nil {
		return page.Details{}, err
	}
	in, query := location(cal.TimeZone), url.Values{}
	if from, err := e.Start.instant(in); err == nil {
		query.Set("month", from.Format("2006-01"))
	}
	shown := page.Details{Title: e.title(), Month: monthOf(r, calendarID, query), Lines: e.lines(in), JSON: whole.String()}
	if e.RecurringEventID != "" {
		shown.Related = []page.Link{{Name: "Series", Address: withToken(r, eventPage, url.Values{"eid": {eid(e.RecurringEventID, calendarID)}})}}
	}
	return shown, nil
}

// lines returns the lines of the page about an event, with times in the given zone. Absent members are omitted.
func (e shownEvent) lines(in *time.Location) (lines []page.Line) {
	add := func(name string, values ...string) {
		if strings.Join(values, "") != "" {
			lines = append(lines, page.Line{Name: name, Values: values, IsLink: name == "Conference"})
		}
	}
	end := "End"
	if e.End.Date != "" {
		end = "End, not included"
	}
	add("Status", e.Status)
	add("Start", e.Start.local(in)...)
	add(end, e.End.local(in)...)
	add("Recurrence", e.Recurrence...)
	add("Start by the recurrence", e.OriginalStartTime.local(in)...)
	add("Location", e.Location)
	add("Description", e.Description)
	add("Conference", e.HangoutLink)
	add("Organizer", e.Organizer.Email)
	add("Creator", e.Creator.Email)
	var guests []string
	for _, a := range e.Attendees {
		guests = append(guests, strings.TrimSpace(a.Email+" "+a.ResponseStatus+" "+a.Comment))
	}
	add("Guests", guests...)
	add("Type", e.EventType)
	add("Id", e.ID)
	add("iCalUID", e.ICalUID)
	add("Created", shownTime{DateTime: e.Created}.local(in)...)
	add("Updated", shownTime{DateTime: e.Updated}.local(in)...)
	return lines
}
