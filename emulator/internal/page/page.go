// Package page writes the pages on which people see the calendars of the emulator. They have no scripts, load nothing, and
// show all stored values as text.
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

// policy lets a browser apply the style of the page, and nothing else.
var policy = func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// Link is a name with an address.
type Link struct {
	Name, Address string
	IsHere        bool // whether it leads to its own page
}

// Month shows the events of a calendar in a month.
type Month struct {
	Title      string // of the calendar
	Zone       string
	First      time.Time // the first day of the month
	Today      time.Time
	Earlier    string // the addresses of the months before and after
	Later      string
	Calendars  []Link
	Events     []Event
	Incomplete bool // whether there are more events
}

// Event is an event in a month. Its days are dates, at midnight in UTC.
type Event struct {
	Title, Address string
	Clock          string // when it starts, such as 09:30; empty for whole days
	From, To       time.Time
	IsTentative    bool
}

// Day is a day of a month, or of its first or last week.
type Day struct {
	Date             time.Time
	IsOther, IsToday bool
	Events           []Event
}

// Weeks returns the weeks of the month, from Monday, with the events of each day.
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

// Details shows one event.
type Details struct {
	Title   string
	Month   string // the address of its month
	Lines   []Line
	Related []Link
	JSON    string // the event as the service answers it
}

// Line is a member of an event, with its values.
type Line struct {
	Name   string
	Values []string
	IsLink bool // whether the values are addresses; only web addresses become links
}

// Message shows a sentence.
type Message struct{ Title, Text string }

// Write answers with a page, which is a [Month], [Details] or a [Message].
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
		panic(err) // a bug: the values are texts and times
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(text.Len()))
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer") // an address may contain a token
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(text.Bytes()) // fails only if the client is gone
}
