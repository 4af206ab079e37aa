package emulator

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/internal/browser"
	"github.com/calrules/calrules/emulator/internal/oauth"
	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/emulator/store"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/form"
)

// Server is the emulator. In addition to the operations of the service, a Server handles
//
//	GET, POST, DELETE /emulator/faults   the active faults: see [Fault]
//	POST              /emulator/reset    removes all calendars, channels and faults
//	PUT               /emulator/calendars/{calendarId}/events/{eventId}
//	                                     stores an event without a check
//	GET               /emulator/calendars/{calendarId}
//	                                     a page with the events of a month, for people
type Server struct {
	options
	state  *state.State
	faults faults
	admin  *http.ServeMux
	pages  *http.ServeMux
	grants http.Handler // issues access tokens
	opened http.Handler // also responds to scripts on web pages

	isGrant func(*http.Request) bool // reports whether grants handles a request

	notifier notifier
	changing sync.Mutex // held until the notifications of a change are queued, so that they stay in order
	channels channels   // guarded by changing

	expanding sync.Mutex
	furthest  time.Time // the latest horizon; guarded by expanding
}

// New returns an emulator that stores its calendars in memory.
func New(opts ...Option) *Server {
	s, err := Open(nil, opts...)
	if err != nil {
		panic(err) // cannot happen: only stores return errors
	}
	return s
}

// Open returns an emulator with the calendars in a store, to which it writes all changes. Open returns an error if it
// cannot read the store.
func Open(in store.Store, opts ...Option) (*Server, error) {
	s := &Server{options: defaults()}
	for _, set := range opts {
		if set != nil {
			set(&s.options)
		}
	}
	if s.checker.NewID == nil {
		s.checker.NewID = func() string { return form.NewEventID(newUUID()) }
	}
	var err error
	if s.state, err = state.Open(in); err != nil {
		return nil, err
	}
	s.channels.load(s.state.View())
	s.notifier.client = sameOrigin(s.notify)
	s.faults.reseed(s.seed)
	s.admin, s.pages = s.newAdmin(), s.newPages()
	s.grants, s.isGrant = oauth.New(s.granting())
	s.opened = browser.Open(http.HandlerFunc(s.serve))
	return s, nil
}

// Close waits for the notifications that are being sent, and closes the store. Queued notifications are lost.
func (s *Server) Close() error {
	s.notifier.close()
	return s.state.Close()
}

// bases maps the path of each base URL to its dialect.
var bases = map[string]diag.Dialect{"/calendar/v3": diag.Google, "/v3": diag.Documents}

// ServeHTTP implements [http.Handler]. Responses allow access from web pages of any origin.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.opened.ServeHTTP(w, r) }

// serve handles a request or a part of a batch.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	grants := s.oauth && s.isGrant(r)
	if !grants && s.isPage(r) {
		s.pages.ServeHTTP(w, r)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/emulator/") {
		s.administer(w, r)
		return
	}
	r, err := override(w, r)
	if err == nil {
		err = s.faults.meet(w, r)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if grants {
		s.grants.ServeHTTP(w, r)
		return
	}
	if r.URL.Path == "/batch" || strings.HasPrefix(r.URL.Path, "/batch/") {
		s.serveBatch(w, r)
		return
	}
	if discoveryPaths[r.URL.Path] {
		s.serveDiscovery(w, r)
		return
	}
	c, err := s.read(w, r)
	var answer reply
	if err == nil {
		answer, err = s.answer(c)
	}
	if err != nil {
		s.refuse(w, r, err)
		drain(r)
		return
	}
	c.write(w, answer)
}

// drain reads the rest of a body, up to a limit. Otherwise, a client that is still sending a large body would see a connection
// reset instead of the response.
func drain(r *http.Request) {
	const most = 256 << 20
	if r.Body != nil {
		io.CopyN(io.Discard, r.Body, most) // fails if the body is shorter
	}
}

// Put stores an event in a calendar without checking it, as the initial state of a test. If the calendar does not exist,
// Put creates it. The id "primary" refers to the primary calendar of the user set by [WithUser].
func (s *Server) Put(calendarID string, e *event.Event) error {
	if calendarID == "" || e == nil || e.ID == "" {
		return errors.New("emulator: there is no calendar id, no event or no event id")
	}
	calendarID = s.named(calendarID)
	return s.change(func(tx *state.Tx) error {
		if _, ok := tx.Get(state.Calendars, "", calendarID); !ok {
			user := s.user
			if s.isUser(calendarID) {
				user = calendarID
			}
			s.makeCalendar(tx, calendarID, user, resource{"id": calendarID, "summary": calendarID, "timeZone": s.zone})
		}
		tx.PutEvent(calendarID, succeed(tx, tx.Calendar(calendarID).Get(e.ID), e.Clone()))
		return nil
	})
}

// named returns the id of the calendar to which an id or "primary" refers.
func (s *Server) named(calendarID string) string {
	if calendarID == primaryCalendar {
		return s.user
	}
	return calendarID
}

// isUser reports whether requests may act as the user with the given address.
func (s *Server) isUser(email string) bool {
	for _, token := range s.tokens {
		if token.Email == email {
			return true
		}
	}
	return email == s.user
}

// Event returns an event as stored, or nil if the event does not exist. Calendar ids are as in [Server.Put].
func (s *Server) Event(calendarID, eventID string) *event.Event {
	return find(s.state.View(), s.named(calendarID), eventID).event.Clone()
}

// Reset removes all calendars, channels and faults.
func (s *Server) Reset() error {
	s.faults.clear()
	s.changing.Lock()
	defer s.changing.Unlock()
	err := s.state.Change(func(tx *state.Tx) error {
		tx.Clear()
		return nil
	})
	s.channels.load(s.state.View())
	return err
}

// stored is the callback with which a check gets the stored event.
func (f found) stored(context.Context, string, string) (*event.Event, error) { return f.event, nil }
