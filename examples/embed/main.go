// Command embed is a calendar server in a single file. The server creates, returns, changes and deletes events. The
// server refuses requests that break the rules, and explains the reasons in application/problem+json (RFC 9457).
//
//	go run ./examples/embed &
//	curl -i 'localhost:8080/calendars/primary/events?supportsAttachments=true' \
//	    -H 'Content-Type: application/json' --data-binary @examples/events/broken/ten-faults.json
package main

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"log"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/operation"
)

func main() {
	log.Fatal((&http.Server{Addr: "localhost:8080", Handler: newServer(), ReadTimeout: 10 * time.Second}).ListenAndServe())
}

// server is a calendar server that keeps events in memory.
type server struct {
	checker *event.Checker
	now     func() time.Time
	mu      sync.Mutex
	events  map[string]map[string]*event.Event // by calendar id and event id
}

func newServer() *server {
	return &server{checker: &event.Checker{NewID: newID}, now: time.Now, events: map[string]map[string]*event.Event{}}
}

// has lists the operations supported by the server.
var has = []operation.ID{operation.EventsInsert, operation.EventsGet, operation.EventsUpdate, operation.EventsPatch, operation.EventsDelete}

// ServeHTTP responds to an accepted request with the event, and to any other request with the reasons for the refusal.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	call, err := eventhttp.Read(r, "", 0)
	switch {
	case err == nil && !slices.Contains(has, call.Operation.ID):
		err = &eventhttp.Error{Status: http.StatusNotImplemented, Reason: "notImplemented", Message: "The server lacks this operation."}
	case err == nil:
		err = s.do(call)
	}
	if err != nil {
		eventhttp.WriteProblem(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(call.Result.Answer.AppendJSON(nil))
}

// do checks the request and stores its changes.
func (s *server) do(call *eventhttp.Call) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	calendar := call.Params["calendarId"]
	events := s.events[calendar]
	taken := func(id string) bool { return events[id] != nil }
	call.Request.Calendar = &operation.Calendar{IDs: operation.IDFunc(taken)} // ids are unique
	stored := func(_ context.Context, _, id string) (*event.Event, error) { return events[id], nil }
	if err := call.Check(s.checker, stored); err != nil {
		return err
	}
	if next := call.Result.Stored; next != nil { // nil for a get
		stamp := event.ServerFields{Now: s.now(), ETag: strconv.Quote(s.checker.NewID())} // only the server knows these values
		stamp.Set(&call.Result, call.Request.Existing)
		if events == nil {
			events = map[string]*event.Event{}
			s.events[calendar] = events
		}
		events[next.ID] = next
	}
	return nil
}

// newID returns an event id that encodes a random UUID (RFC 4122, version 4).
func newID() string {
	var uuid [16]byte
	rand.Read(uuid[:]) // never fails
	uuid[6], uuid[8] = uuid[6]&0x0f|0x40, uuid[8]&0x3f|0x80
	return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(uuid[:]))
}
