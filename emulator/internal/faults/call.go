package faults

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/operation"
)

// object is a JSON object, with numbers of type [json.Number].
type object = map[string]any

// bases maps the base paths of the emulator to their dialects.
var bases = map[string]diag.Dialect{"/calendar/v3": diag.Google, "/v3": diag.Documents}

// call is a request for an operation and, once the request has been served, the response.
type call struct {
	next http.Handler
	r    *http.Request
	base string
	op   operation.ID
	in   string // the calendar in the path
	id   string // the event in the path
	body []byte // the request body
	sent object // the body, or nil if it is not an object

	status int
	header http.Header
	text   []byte // the response body
	answer object // the response body, or nil if it is not an object
}

// newCall reads a request and returns false if the request is not for an operation.
func newCall(next http.Handler, r *http.Request) (*call, bool) {
	for base := range bases {
		path, ok := strings.CutPrefix(r.URL.EscapedPath(), base)
		match, found := operation.Resolve(r.Method, path)
		if !ok || !found {
			continue
		}
		var body []byte
		if r.Body != nil {
			var err error
			if body, err = io.ReadAll(r.Body); err != nil {
				return nil, false // the client has disconnected
			}
		}
		r = r.Clone(r.Context())
		r.Header.Del("Accept-Encoding")
		return &call{
			next: next, r: r, base: base, op: match.Operation.ID, in: match.Params["calendarId"], id: match.Params["eventId"], body: body, sent: decode(body),
		}, true
	}
	return nil, false
}

// decode decodes a JSON object, or returns nil for any other text.
func decode(text []byte) (o object) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&o) != nil {
		return nil
	}
	return o
}

func encode(o object) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(o) // cannot fail: the object was decoded from JSON
	return bytes.TrimSpace(b.Bytes())
}

// clone returns a deep copy of an object.
func clone(o object) object { return decode(encode(o)) }

// query returns the query of the request.
func (c *call) query() url.Values { return c.r.URL.Query() }

// setQuery sets the values of a query parameter, or removes the parameter if there are no values.
func (c *call) setQuery(name string, values ...string) {
	q := c.query()
	if q[name] = values; len(values) == 0 {
		q.Del(name)
	}
	c.r.URL.RawQuery = q.Encode()
}

// pass passes the request to the emulator and stores the response.
func (c *call) pass() { c.passBody(c.body) }

// passBody is like pass, but with the given request body.
func (c *call) passBody(body []byte) {
	r := c.r.Clone(c.r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	w := httptest.NewRecorder()
	c.next.ServeHTTP(w, r)
	c.status, c.header, c.text = w.Code, w.Header(), w.Body.Bytes()
	c.answer = decode(c.text)
}

// ask sends an additional request to the emulator, and returns the response, or nil if the request fails or the response is not
// an object.
func (c *call) ask(method, path string, body object) object {
	r := httptest.NewRequest(method, path, nil)
	if body != nil {
		text := encode(body)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		r.Header.Set("Content-Type", "application/json")
	}
	r.Host = c.r.Host
	w := httptest.NewRecorder()
	if c.next.ServeHTTP(w, r); w.Code/100 != 2 {
		return nil
	}
	return decode(w.Body.Bytes())
}

// path returns the path of the events in a calendar or, if id is not empty, of one event.
func (c *call) path(calendar, id string) string {
	path := c.base + "/calendars/" + url.PathEscape(calendar) + "/events"
	if id != "" {
		path += "/" + url.PathEscape(id)
	}
	return path
}

// dialect returns the dialect of the request.
func (c *call) dialect() diag.Dialect { return bases[c.base] }

// event returns an event in the calendar, as events.get does, or nil if there is none.
func (c *call) event(id string) object {
	if id == "" {
		return nil
	}
	return c.ask(http.MethodGet, c.path(c.in, id), nil)
}

// exceptions returns the changed or cancelled instances of a series.
func (c *call) exceptions(id string) []object {
	all := objects(c.ask(http.MethodGet, c.path(c.in, "")+"?showDeleted=true&maxResults=2500", nil)["items"])
	return slices.DeleteFunc(all, func(e object) bool { return e["recurringEventId"] != id })
}

// put stores an event in the calendar without checking it.
func (c *call) put(id string, e object) {
	path := "/emulator/calendars/" + url.PathEscape(c.in) + "/events/" + url.PathEscape(id)
	c.ask(http.MethodPut, path+"?dialect="+c.dialect().String(), e)
}

// ok reports whether the emulator accepted the request.
func (c *call) ok() bool { return c.status/100 == 2 }

// restore changes the stored event with the given id.
func (c *call) restore(id string, change func(object)) {
	stored := c.event(id)
	if stored == nil {
		return
	}
	next := clone(stored)
	if change(next); !reflect.DeepEqual(stored, next) {
		c.put(id, next)
	}
}

// alter changes the event returned by an accepted write, both in the store and in the response.
func (c *call) alter(change func(object)) {
	if !c.ok() || c.answer == nil {
		return
	}
	id, _ := c.answer["id"].(string)
	c.restore(id, change)
	if !c.query().Has("fields") {
		change(c.answer)
	}
}

// items returns all items in the response that are objects.
func (c *call) items() []object { return objects(c.answer["items"]) }

// setItems replaces the items in the response, if the response has items.
func (c *call) setItems(items []object) {
	if c.answer != nil && c.answer["items"] != nil {
		c.answer["items"] = list(items)
	}
}

// objects returns the objects in an array.
func objects(array any) (all []object) {
	elements, _ := array.([]any)
	for _, e := range elements {
		if o, ok := e.(object); ok {
			all = append(all, o)
		}
	}
	return all
}

// list is the inverse of objects.
func list(all []object) []any {
	array := []any{}
	for _, o := range all {
		array = append(array, o)
	}
	return array
}

// text returns the value of a string member, or "". Several names form the path to a nested member.
func text(o object, names ...string) string {
	for _, name := range names[:len(names)-1] {
		o, _ = o[name].(object)
	}
	s, _ := o[names[len(names)-1]].(string)
	return s
}

// refuse sets the response to a refusal.
func (c *call) refuse(status int, reason, message string) {
	w := httptest.NewRecorder()
	eventhttp.WriteError(w, &eventhttp.Error{Status: status, Reason: reason, Message: message})
	c.status, c.header, c.text, c.answer = w.Code, w.Header(), w.Body.Bytes(), nil
}

// write writes the response.
func (c *call) write(w http.ResponseWriter) {
	if c.answer != nil {
		c.text = encode(c.answer)
	}
	h := w.Header()
	for name, values := range c.header {
		h[name] = slices.Clone(values)
	}
	if etag := text(c.answer, "etag"); etag != "" && h.Get("ETag") != "" {
		h.Set("ETag", etag)
	}
	if c.status != http.StatusNoContent {
		h.Set("Content-Length", strconv.Itoa(len(c.text)))
	}
	w.WriteHeader(c.status)
	w.Write(c.text) // fails only if the client has disconnected
}
