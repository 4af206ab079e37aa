// Command embed is a calendar server on one page. It stores new events, refuses events that
// break the rules, and explains why in application/problem+json (RFC 9457).
//
//	go run ./examples/embed &
//	curl -i 'localhost:8080/calendars/primary/events?supportsAttachments=true' \
//	    --data-binary @examples/events/broken/ten-faults.json
package main

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

func main() {
	server := http.Server{
		Addr:        "localhost:8080",
		Handler:     newServer().routes(),
		ReadTimeout: 10 * time.Second,
	}
	log.Fatal(server.ListenAndServe())
}

// maxBody is the maximum size of a body in bytes. The documents do not name a limit, so this
// one is our own.
const maxBody = 1 << 20

// server keeps events in memory.
type server struct {
	checker event.Checker
	now     func() time.Time

	mu        sync.Mutex
	calendars map[string]map[string]*event.Event // by calendar id and event id
}

func newServer() *server {
	return &server{
		checker:   event.Checker{NewID: newID},
		now:       time.Now,
		calendars: map[string]map[string]*event.Event{},
	}
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /calendars/{calendarId}/events", s.insert)
	return mux
}

// insert handles events.insert. It answers 200 with the stored event, or 400 with the problem.
// The documents do not name status codes; these are the usual ones.
func (s *server) insert(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the body is too large or incomplete", http.StatusRequestEntityTooLarge)
		return
	}
	// URL.Query silently drops malformed pairs, so use ParseQuery.
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		http.Error(w, "the query is malformed", http.StatusBadRequest)
		return
	}

	result, err := s.store(r.PathValue("calendarId"), &event.Request{
		Op:     operation.EventsInsert,
		Params: operation.FromQuery(query),
		Body:   body,
	})
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case !result.Accepted:
		answer(w, http.StatusBadRequest, diag.ProblemContentType, result.Findings.Problem(http.StatusBadRequest))
	default:
		answer(w, http.StatusOK, "application/json", result.Answer)
	}
}

// store checks the request and stores the event if the request is accepted. The events of
// [event.Result] have an id and no members that a client cannot write. The library does not
// read the clock, so the server sets the times.
func (s *server) store(calendar string, req *event.Request) (event.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := s.calendars[calendar]
	taken := func(id string) bool { return events[id] != nil }
	req.Calendar = &operation.Calendar{IDs: operation.IDFunc(taken)} // ids are unique in a calendar
	result, err := s.checker.Check(req)
	if err != nil || !result.Accepted {
		return result, err
	}
	now := s.now().UTC().Format(time.RFC3339)
	for _, e := range []*event.Event{result.Stored, result.Answer} {
		e.Created, e.Updated = now, now
	}
	if events == nil {
		events = map[string]*event.Event{}
		s.calendars[calendar] = events
	}
	events[result.Stored.ID] = result.Stored
	return result, nil
}

// newID makes an event id from a random UUID.
func newID() string {
	var uuid [16]byte
	rand.Read(uuid[:])            // never fails
	uuid[6] = uuid[6]&0x0f | 0x40 // version 4
	uuid[8] = uuid[8]&0x3f | 0x80 // the variant of RFC 4122
	return event.NewID(uuid)
}

func answer(w http.ResponseWriter, status int, contentType string, v any) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		log.Printf("writing the answer: %v", err)
	}
}
