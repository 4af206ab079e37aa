package emulator

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"

	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
)

// resource is a resource other than an event. The documents do not list the members of resources other than events, so the
// emulator stores all members that a client sends, and interprets only the members that it needs.
type resource map[string]any

// decode decodes a stored resource.
func decode(text []byte) resource {
	r, _ := parse(text) // always valid, because this package encoded the text
	return r
}

// parse decodes a request body.
func parse(text []byte) (r resource, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&r)
	if _, end := d.Token(); err != nil || r == nil || end != io.EOF {
		return nil, refused(http.StatusBadRequest, "parseError", "The body must be one JSON object.")
	}
	return r, nil
}

// text returns the value of a string member, or "".
func (r resource) text(name string) string {
	s, _ := r[name].(string)
	return s
}

// object returns the value of an object member, or an empty object.
func (r resource) object(name string) resource {
	o, _ := r[name].(map[string]any)
	return o
}

// reply returns a reply with the resource.
func (r resource) reply(kind string, revision state.Revision) reply {
	r = r.shown(kind, revision)
	return reply{etag: r.text("etag"), body: encode(r)}
}

// shown returns the resource with its kind and its entity tag.
func (r resource) shown(kind string, revision state.Revision) resource {
	shown := resource{"kind": kind, "etag": etag(revision)}
	for name, value := range r {
		if name != "kind" && name != "etag" {
			shown[name] = value
		}
	}
	return shown
}

// body decodes the request body as a resource.
func (c *call) body() (resource, error) {
	if len(bytes.TrimSpace(c.Request.Body)) == 0 {
		return resource{}, nil
	}
	return parse(c.Request.Body)
}

// enter checks a request that does not refer to an event, and opens the calendar in the path of the request.
func (s *Server) enter(v *state.View, c *call, needs role) (calendar, error) {
	cal, err := s.open(v, c, needs)
	if err != nil {
		return calendar{}, err
	}
	s.tell(v, c, cal, found{})
	return cal, c.Check(&s.checker, nil)
}

// checkedBody checks a request that does not refer to a calendar, and decodes its body.
func (s *Server) checkedBody(c *call) (resource, error) {
	if err := c.Check(&s.checker, nil); err != nil {
		return nil, err
	}
	return c.body()
}

// readResource handles an operation that reads a resource in a calendar.
func (s *Server) readResource(c *call, needs role, read func(*state.View, calendar) (reply, error)) (reply, error) {
	v := s.state.View()
	cal, err := s.enter(v, c, needs)
	if err != nil {
		return reply{}, err
	}
	return read(v, cal)
}

// writeResource handles an operation that writes a calendar or one of its resources. The operation requires the owner role.
func (s *Server) writeResource(c *call, write func(*state.Tx, calendar) (reply, error)) (answer reply, err error) {
	err = s.change(func(tx *state.Tx) error {
		cal, err := s.enter(tx.View, c, owner)
		if err == nil {
			answer, err = write(tx, cal)
		}
		return err
	})
	return answer, err
}

// change describes a patch or an update to a resource.
type change struct {
	kind, owner, id string
	tag             state.Revision                  // the revision in the entity tag, if later than the stored revision
	keep            []string                        // members that clients cannot change
	shows           string                          // the kind in the response
	check           func(sent, next resource) error // or nil
}

// apply merges the body into the stored resource (PATCH) or replaces the resource.
func (c *call) apply(tx *state.Tx, how change) (reply, error) {
	stored, ok := tx.Get(how.kind, how.owner, how.id)
	if !ok {
		return reply{}, refused(http.StatusNotFound, "notFound", "There is no such resource.")
	}
	if err := c.ifMatch(max(stored.Revision, how.tag)); err != nil {
		return reply{}, err
	}
	sent, err := c.body()
	if err != nil {
		return reply{}, err
	}
	next := maps.Clone(sent)
	was := decode(stored.Value)
	if c.http.Method == http.MethodPatch {
		text, err := event.MergeJSON(nil, stored.Value, encode(sent))
		if err != nil {
			return reply{}, refused(http.StatusBadRequest, "parseError", "The patch cannot be applied: %v.", err)
		}
		next = decode(text)
	}
	for _, name := range how.keep {
		if delete(next, name); was[name] != nil {
			next[name] = was[name]
		}
	}
	if how.check != nil {
		if err := how.check(sent, next); err != nil {
			return reply{}, err
		}
	}
	tx.Put(how.kind, how.owner, how.id, encode(next))
	return next.reply(how.shows, tx.Next()), nil
}

// ifMatch refuses a request if its If-Match condition is not met.
func (c *call) ifMatch(tag state.Revision) error {
	return c.ifMatchTag(etag(tag))
}

func (c *call) ifMatchTag(tag string) error {
	if fields := c.http.Header.Values("If-Match"); strings.Join(fields, "") != "" && !names(fields, tag) {
		return refused(http.StatusPreconditionFailed, "conditionNotMet", "The entity tag of the resource is %s, and If-Match does not name it.", tag)
	}
	return nil
}
