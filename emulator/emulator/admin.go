package emulator

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/eventhttp"
)

// newAdmin returns the handler for the emulator's own addresses.
func (s *Server) newAdmin() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /emulator/faults", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		json.NewEncoder(w).Encode(&s.faults) // fails only if the client has disconnected
	})
	m.HandleFunc("POST /emulator/faults", func(w http.ResponseWriter, r *http.Request) {
		var fault *Fault
		d := json.NewDecoder(io.LimitReader(r.Body, event.DefaultMaxBytes))
		d.DisallowUnknownFields()
		err := d.Decode(&fault)
		switch {
		case err != nil:
		case fault == nil:
			err = errors.New("null is not a fault")
		default:
			err = fault.check()
		}
		if err != nil {
			eventhttp.WriteError(w, refused(http.StatusBadRequest, "badRequest", "The fault cannot be read: %v.", err))
			return
		}
		s.faults.add(fault)
		w.WriteHeader(http.StatusNoContent)
	})
	m.HandleFunc("DELETE /emulator/faults", func(w http.ResponseWriter, _ *http.Request) {
		s.faults.clear()
		w.WriteHeader(http.StatusNoContent)
	})
	m.HandleFunc("POST /emulator/reset", func(w http.ResponseWriter, _ *http.Request) {
		done(w, s.Reset())
	})
	m.HandleFunc("PUT /emulator/calendars/{calendarId}/events/{eventId}", s.putEvent)
	return m
}

// administer handles requests to the emulator's own addresses. If the emulator has tokens, administer requires a token.
func (s *Server) administer(w http.ResponseWriter, r *http.Request) {
	system, _ := splitQuery(r.URL.RawQuery)
	if _, err := s.authenticate(r, system); err != nil {
		s.refuse(w, r, err)
		return
	}
	s.admin.ServeHTTP(w, r)
}

// putEvent stores an event without checking it. The event uses the documents' names or, with ?dialect=google, the public
// service's names.
func (s *Server) putEvent(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("calendarId") == primaryCalendar && s.tokens != nil {
		eventhttp.WriteError(w, refused(http.StatusBadRequest, "badRequest", "It is not known whose primary calendar you mean. Use its id, the email address of the user."))
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, event.DefaultMaxBytes))
	if err != nil {
		eventhttp.WriteError(w, refused(http.StatusRequestEntityTooLarge, "uploadTooLarge", "The body is too large."))
		return
	}
	dialect := bases["/v3"]
	if r.URL.Query().Get("dialect") == "google" {
		dialect = bases["/calendar/v3"]
	}
	e, findings := event.Decode(text, dialect)
	if err := findings.Err(); err != nil {
		eventhttp.WriteError(w, refused(http.StatusBadRequest, "parseError", "The body is not an event: %v", err))
		return
	}
	e.ID = r.PathValue("eventId")
	done(w, s.Put(r.PathValue("calendarId"), e))
}

func done(w http.ResponseWriter, err error) {
	if err != nil {
		eventhttp.WriteError(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
