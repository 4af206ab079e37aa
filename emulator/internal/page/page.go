// Package page writes the web pages that show the calendars of the emulator. The pages have no scripts, load no resources,
// and show all stored values as text.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
	"time"
)

//go:embed page.css
var style string

//go:embed page.html
var source string

var pages = template.Must(template.New("").Funcs(template.FuncMap{"style": func() template.CSS { return template.CSS(style) }}).Parse(source))

// policy is a content security policy that allows only the style of the page.
var policy = func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// Link is a hyperlink.
type Link struct {
	Name, Address string
	IsHere        bool // whether it links to the current page
}

// Month is a page with the events in a calendar for one month.
type Month struct {
	Title      string // the name of the calendar
	Zone       string
	First      time.Time // the first day of the month
	Today      time.Time
	Earlier    string // Earlier and Later are the addresses of the adjacent months
	Later      string
	Calendars  []Link
	Events     []Event
	Incomplete bool // whether there are more events
}

// Event is an event in a month. From and To are midnight in UTC on the first and last day.
type Event struct {
	Title, Address string
	Clock          string // the start, such as 09:30; empty for all-day events
	From, To       time.Time
	IsTentative    bool
}

// Day is a day in a week of the month, which may include days of adjacent months.
type Day struct {
	Date             time.Time
	IsOther, IsToday bool
	Events           []Event
}

// Weeks returns the weeks of the month, starting on Mondays, with the events on each day.
func (m Month) Weeks() (weeks [][]Day) {
	const week = 7
	at := m.First.AddDate(0, 0, -(int(m.First.Weekday())+week-int(time.Monday))%week)
	first := at
	for end := m.First.AddDate(0, 1, 0); at.Before(end); {
		days := make([]Day, week)
		for i := range days {
			days[i] = Day{Date: at, IsOther: at.Month() != m.First.Month(), IsToday: at.Equal(m.Today)}
			at = at.AddDate(0, 0, 1)
		}
		weeks = append(weeks, days)
	}
	for _, e := range m.Events {
		from, to := e.From, e.To
		if from.Before(first) {
			from = first
		}
		for ; !from.After(to) && from.Before(at); from = from.AddDate(0, 0, 1) {
			n := int(from.Sub(first).Hours()) / 24
			weeks[n/week][n%week].Events = append(weeks[n/week][n%week].Events, e)
		}
	}
	return weeks
}

// Details is a page about one event.
type Details struct {
	Title   string
	Month   string // the address of its month
	Lines   []Line
	Related []Link
	JSON    string // the event as the service returns it
}

// Line is a member of an event, with its values.
type Line struct {
	Name   string
	Values []string
	IsLink bool // whether the values are URLs; only web addresses become links
}

// Message is a page with a message.
type Message struct{ Title, Text string }

// Write writes a page, which is a [Month], [Details] or [Message].
func Write(w http.ResponseWriter, status int, what any) {
	name := "message"
	switch what.(type) {
	case Month:
		name = "month"
	case Details:
		name = "details"
	}
	var text bytes.Buffer
	if err := pages.ExecuteTemplate(&text, name, what); err != nil {
		panic(err) // cannot happen: the values are strings and times
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(text.Len()))
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer") // the address may contain a token
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(text.Bytes()) // fails only if the client has disconnected
}
