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
	path      []string // of the request
	locations []location
	isPatch   bool
	old, new  any // the whole trees
}

// A stream sends the changes of a location to a client. It shows the data or, with a query, the selected data.
type stream struct {
	in      *request
	query   *query
	updates chan update
	lost    chan struct{} // closed after too many updates
	shown   any
}

// maxUpdates is the maximum number of updates that wait for a slow client. With more, the stream ends, and the client reads
// again.
const maxUpdates = 256

// send queues an update. The database is locked.
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

// stream answers a client that accepts text/event-stream until the client leaves or loses access.
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
	out.control.SetReadDeadline(time.Time{}) // a server's deadline for the request would end the stream
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

// whyEnds returns the last event for a client that has lost access, or nil.
func (d *Database) whyEnds(in *request, data any) *serverEvent {
	o := &d.options
	decision, _ := rtdbauth.Authenticate(in.Context(), rtdbhttp.Message(in.Request), o.Verifier, o.Policy, o.Now()) // the policy is valid
	switch {
	case !decision.Granted():
		return &serverEvent{"auth_revoked", []byte(`"credential is no longer valid"`)}
	case !d.allows(Access{Decision: in.decision, Path: in.path, Data: data}):
		return &serverEvent{"cancel", []byte("null")}
	}
	return nil
}

// view returns the part of the data at its location that the stream shows.
func (s *stream) view(data any) any {
	if s.query != nil {
		return s.query.apply(data)
	}
	return data
}

// events returns the events that tell a client of an update, or none if the stream shows the same.
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

// A serverEvent is an event of a stream, as HTML defines them.
type serverEvent struct {
	name string
	data []byte // JSON, which has no line breaks
}

type eventWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

// send writes an event, and returns false if the client is gone.
func (w eventWriter) send(name string, data []byte) bool {
	w.control.SetWriteDeadline(time.Now().Add(time.Minute)) // if the server has deadlines
	if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data); err != nil {
		return false
	}
	return w.control.Flush() == nil
}
