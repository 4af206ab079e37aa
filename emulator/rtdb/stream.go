package rtdb

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/rtdbauth"
	"github.com/calrules/calrules/rtdbauth/rtdbhttp"
)

// An update is the effect of a write on a database.
type update struct {
	path      []string // the path of the request
	locations []location
	isPatch   bool
	old, new  any // the whole tree before and after
}

// A stream sends changes at a location to a client. If the request contains a query, the stream covers only the selected
// children.
type stream struct {
	in      *request
	query   *query
	updates chan update
	lost    chan struct{} // closed if updates were lost
	shown   any
}

// maxUpdates is the maximum number of updates queued for a slow client. If more updates are queued, the stream ends, and the
// client must reconnect.
const maxUpdates = 256

// send queues an update. The database must be locked.
func (s *stream) send(u update) {
	select {
	case s.updates <- u:
	default:
		select {
		case <-s.lost:
		default:
			close(s.lost)
		}
	}
}

// stream serves a client that accepts text/event-stream, until the client disconnects or loses access.
func (d *Database) stream(w http.ResponseWriter, in *request, q *query) error {
	s := &stream{in: in, query: q, updates: make(chan update, maxUpdates), lost: make(chan struct{})}
	d.mu.Lock()
	data := at(d.trees[in.decision.Database], in.path)
	full := len(d.streams) >= maxStreams
	allowed := d.allows(Access{Decision: in.decision, Path: in.path, Data: data})
	if allowed && !full {
		d.streams[s] = true
	}
	d.mu.Unlock()
	switch {
	case !allowed:
		return denied
	case full:
		return failure{http.StatusServiceUnavailable, fmt.Sprintf("There are %d streams already", maxStreams)}
	}
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.streams, s)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	s.shown = s.view(data)
	out := eventWriter{w, http.NewResponseController(w)}
	out.control.SetReadDeadline(time.Time{}) // the server's read deadline would end the stream
	if out.send("put", encode(pathAndData(nil, s.shown))) {
		d.follow(out, s)
	}
	return nil
}

// follow sends changes until the stream ends.
func (d *Database) follow(out eventWriter, s *stream) {
	alive := time.NewTicker(d.options.KeepAlive)
	defer alive.Stop()
	for {
		var events []serverEvent
		select {
		case <-s.in.Context().Done():
			return
		case <-d.closed:
			return
		case <-s.lost:
			return
		case u := <-s.updates:
			if end := d.whyEnds(s.in, at(u.new, s.in.path)); end != nil {
				out.send(end.name, end.data)
				return
			}
			events = s.events(u)
		case <-alive.C:
			d.mu.RLock()
			data := at(d.trees[s.in.decision.Database], s.in.path)
			d.mu.RUnlock()
			if end := d.whyEnds(s.in, data); end != nil {
				out.send(end.name, end.data)
				return
			}
			events = []serverEvent{{"keep-alive", []byte("null")}}
		}
		for _, e := range events {
			if !out.send(e.name, e.data) {
				return
			}
		}
	}
}

// whyEnds returns the final event for a client that has lost access, or nil if the client still has access.
func (d *Database) whyEnds(in *request, data any) *serverEvent {
	o := &d.options
	decision, _ := rtdbauth.Authenticate(in.Context(), rtdbhttp.Message(in.Request), o.Verifier, o.Policy, o.Now()) // cannot fail: the policy is valid
	switch {
	case !decision.Granted():
		return &serverEvent{"auth_revoked", []byte(`"credential is no longer valid"`)}
	case !d.allows(Access{Decision: in.decision, Path: in.path, Data: data}):
		return &serverEvent{"cancel", []byte("null")}
	}
	return nil
}

// view returns the part of the data selected by the stream's query, or all of the data if there is no query.
func (s *stream) view(data any) any {
	if s.query != nil {
		return s.query.apply(data)
	}
	return data
}

// events returns the events that inform a client of an update, or no events if the stream's data stays the same.
func (s *stream) events(u update) []serverEvent {
	data := at(u.new, s.in.path)
	next := s.view(data)
	if reflect.DeepEqual(s.shown, next) {
		return nil
	}
	s.shown = next
	n := len(s.in.path)
	isWithin := len(u.path) >= n && slices.Equal(u.path[:n], s.in.path)
	switch {
	case s.query != nil || !isWithin:
		return []serverEvent{{"put", encode(pathAndData(nil, next))}}
	case u.isPatch:
		changed := named{}
		for _, l := range u.locations {
			changed[strings.Join(l.path[len(u.path):], "/")] = l.value
		}
		return []serverEvent{{"patch", encode(pathAndData(u.path[n:], changed))}}
	}
	l := u.locations[0]
	return []serverEvent{{"put", encode(pathAndData(l.path[n:], l.value))}}
}

func pathAndData(path []string, data any) named {
	return named{"path": "/" + strings.Join(path, "/"), "data": data}
}

// A serverEvent is a server-sent event, as defined by the HTML standard.
type serverEvent struct {
	name string
	data []byte // JSON without line breaks
}

type eventWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

// send writes an event and returns false if the client has disconnected.
func (w eventWriter) send(name string, data []byte) bool {
	w.control.SetWriteDeadline(time.Now().Add(time.Minute)) // extends any server deadline
	if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data); err != nil {
		return false
	}
	return w.control.Flush() == nil
}
