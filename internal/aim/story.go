package aim

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/fuzzhttp"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/lazyregexp"
	"github.com/calrules/calrules/operation"
)

// tree is a JSON object, with numbers as [json.Number].
type tree = map[string]any

// story is the sequence of requests for one verdict.
type story struct {
	name string // the name in reports: the rule and a number
	rule string
	path diag.Pointer // the path of the finding
	op   operation.ID

	made      []byte // the body of the insert that creates the stored event, or nil
	cancelled bool   // whether the stored event is deleted before the request
	was       tree   // the stored event as drawn
	ifMatch   string
	params    operation.Params
	body      []byte

	notTried string // the reason why the story cannot be run
}

// newStory returns the story for a payload.
func newStory(r *run, p gen.Payload) *story {
	s := &story{rule: p.Rule, path: p.Path, op: p.Event.Op, ifMatch: p.Event.IfMatch, body: bytes.Clone(p.Event.Body)}
	s.setParams(r, p.Event.Params)
	s.setStored(r, p.Event.Existing)
	if s.body == nil {
		s.body = gen.Body(s.op)
	}
	s.body, s.made = r.harmless(s.body, s), reserved(s.made)
	s.setOthers(r)
	return s
}

// setParams sets the query parameters, without drawn tokens and ids, which a server cannot know, and prevents the server from
// sending mail.
func (s *story) setParams(r *run, params operation.Params) {
	s.params = maps.Clone(params)
	if s.params == nil {
		s.params = operation.Params{}
	}
	isOf := func(name string) bool { return s.path == diag.Pointer("?"+name) }
	for _, name := range []string{"syncToken", "pageToken", "iCalUID", "sendNotifications"} {
		if !isOf(name) {
			delete(s.params, name)
		}
	}
	if s.op == operation.EventsQuickAdd { // the summary carries the mark of the run
		s.params["text"] = slices.Clone(s.params["text"])
		for i, text := range s.params["text"] {
			if text != "" {
				s.params["text"][i] = text + " " + r.prefix()
			}
		}
	}
	op, _ := operation.Lookup(s.op)
	isKnown := slices.ContainsFunc(op.ParamsIn(r.Dialect), func(p operation.Param) bool { return p.Name == "maxResults" })
	if most := s.params["maxResults"]; isKnown && !isOf("maxResults") && (len(most) == 0 || len(most[0]) > 1) {
		s.params["maxResults"] = []string{"9"} // keeps the answer short enough to read
	}
	if op.HasParam("sendNotifications") && !op.HasParam("sendUpdates") && !isOf("sendNotifications") {
		s.params["sendNotifications"] = []string{"false"}
	}
	switch values := s.params["sendUpdates"]; {
	case !isOf("sendUpdates") && op.HasParam("sendUpdates"):
		s.params["sendUpdates"] = []string{"none"}
	case !isOf("sendUpdates"):
		delete(s.params, "sendUpdates")
	case len(values) == 0 || slices.ContainsFunc(values, constraint.SendUpdates.Has):
		s.notTried = "a request that breaks the rule could send mail"
	}
}

// setOthers replaces the drawn calendar, owner and channel in a request.
func (s *story) setOthers(r *run) {
	for i, owner := range s.params["newDataOwner"] {
		s.params["newDataOwner"][i] = string(reserved([]byte(owner)))
	}
	if s.params["destination"] != nil && s.path != "?destination" {
		s.params["destination"] = []string{cmp.Or(r.Second, r.newID()+"@example.com")}
	}
	if strings.HasSuffix(string(s.op), ".watch") {
		if channel := s.tree(s.body); channel != nil {
			channel["id"] = r.newID()
			s.body = draw.EncodeJSON(channel)
		}
	}
}

// plain is the stored event for requests that need some event.
var plain = &event.Event{Summary: "Made by calrules aim", Start: &event.Time{Date: "2026-03-10"}, End: &event.Time{Date: "2026-03-11"}}

// setStored sets the event that must be stored before the request.
func (s *story) setStored(r *run, e *event.Event) {
	op, _ := operation.Lookup(s.op)
	if !strings.Contains(op.Path, "{eventId}") {
		return
	}
	if e == nil {
		e = plain
	}
	if s.path == "?maxResults" { // small instances, because the answer may contain many
		e = &event.Event{Start: e.Start, End: e.End, Recurrence: e.Recurrence}
	}
	switch {
	case e.Locked:
		s.notTried = "no request can create a locked event"
	case e.EventType == constraint.TypeFromMail:
		s.notTried = "no request can create an event from mail"
	case e.RecurringEventID != "" || e.OriginalStartTime != nil:
		s.notTried = "the stored event is an exception of a series"
	}
	s.was, s.cancelled = decoded(e.AppendIn(r.Dialect, nil)), e.Status == constraint.StatusCancelled
	body, _ := (*event.Event)(nil).PatchTo(e, r.Dialect)
	made := decoded(body)
	delete(made, "status")
	delete(made, "attendeesOmitted") // an answer without all attendees would not show the whole stored event
	if e.EventType != "" {
		made["eventType"] = s.was["eventType"]
	}
	if b := s.was["birthdayProperties"]; b != nil {
		made["birthdayProperties"] = b
	}
	s.known(made)
	s.made = draw.EncodeJSON(made)
}

// harmless returns a copy of a body with new ids, with attendees in reserved domains, and without references that a server
// cannot know. The copy retains the fault of the story.
func (r *run) harmless(body []byte, s *story) []byte {
	object := s.tree(body)
	if object == nil {
		return reserved(body)
	}
	if s.was == nil {
		if id, ok := object["id"].(string); ok && form.IsEventID(id) && s.path != "/id" {
			object["id"] = r.newID()
		}
		if uid, ok := object["iCalUID"].(string); ok && uid != "" && s.path != "/iCalUID" {
			object["iCalUID"] = r.newID() + "@example.com"
		}
	}
	s.known(object)
	return reserved(draw.EncodeJSON(object))
}

// tree returns a body as an object, or nil if the body is not an object or if the fault is in its syntax.
func (s *story) tree(body []byte) tree {
	if s.rule == ruleid.JSONSyntax || s.rule == ruleid.JSONDuplicateName {
		return nil
	}
	return decoded(body)
}

// isAbout reports whether the finding is about the given member.
func (s *story) isAbout(name string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(string(s.path), "/"), "/")
	return first == name
}

// known replaces the ids of colors and labels, which depend on the calendar.
func (s *story) known(object tree) {
	if color, ok := object["colorId"].(string); ok && !s.isAbout("colorId") {
		if object["colorId"] = "1"; color == "" {
			delete(object, "colorId")
		}
	}
	if label, ok := object["eventLabelId"].(string); ok && label != "" && !s.isAbout("eventLabelId") {
		delete(object, "eventLabelId")
	}
}

var address = lazyregexp.New(`@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*`)

// reserved returns text with all email addresses moved to domains that cannot be registered (RFC 2606, RFC 6761).
func reserved(text []byte) []byte {
	return address().ReplaceAllFunc(text, func(at []byte) []byte {
		domain := strings.ToLower(string(at[1:]))
		for _, end := range []string{"example.com", "example.net", "example.org", "example", "test", "invalid", "localhost"} {
			if domain == end || strings.HasSuffix(domain, "."+end) {
				return at
			}
		}
		return []byte("@example.com")
	})
}

type outcome struct {
	story    *story
	requests []*sent

	notTried string // the reason why the rules have no verdict
	unclear  string // the reason why the server has no verdict
	fault    Fault  // "" if the server agrees with the rules
	rule     string // the rule about which there is a disagreement
	place    string // the path of the lost member
	status   int

	rejections int    // the number of findings that refuse the request
	message    string // the message from the rules
	server     string // the message from the server
}

// tell sends the requests in a story, and deletes the created resources.
func (r *run) tell(s *story) *outcome {
	o := &outcome{story: s, notTried: s.notTried}
	if o.notTried == "" {
		r.act(o)
	}
	r.tidy(o)
	return o
}

// act creates the stored event and sends the request.
func (r *run) act(o *outcome) {
	s := o.story
	existing, ok := r.makeStored(o)
	if !ok {
		return
	}
	calendar := r.Calendar
	if s.spendsCalendar() {
		if calendar = r.makeCalendar(o); calendar == "" {
			return
		}
	}
	req := &event.Request{Op: s.op, Params: s.params, Body: r.marked(s, s.body), IfMatch: s.ifMatch}
	if s.was != nil {
		req.Existing = existing
		req.Body = s.about(treeOf(existing, r.Dialect))
		req.IfMatch = s.condition(existing)
	}
	x := r.requestIn(r.ctx, calendar, o, req)
	if x == nil {
		return
	}
	o.compare(x, existing)
	if s.spendsCalendar() {
		r.readCalendar(o, x, calendar)
		return
	}
	r.followUp(o, x, req, existing)
	r.refusal(o, x, req, existing)
	r.control(o, x, req, existing)
}

// condition returns the value of the request's If-Match header. The value is * while a conference is being created, which may
// change the entity tag at any time.
func (s *story) condition(existing *event.Event) string {
	switch {
	case s.ifMatch == "" || s.ifMatch != textAt(s.was, "etag"):
		return s.ifMatch
	case isPending(existing):
		return "*"
	}
	return existing.ETag
}

// request sends a request and adds it to the story, or returns nil if the request cannot be built.
func (r *run) request(ctx context.Context, o *outcome, req *event.Request) *sent {
	return r.requestIn(ctx, r.Calendar, o, req)
}

// requestIn is like request, but for the given calendar.
func (r *run) requestIn(ctx context.Context, calendar string, o *outcome, req *event.Request) *sent {
	message, err := fuzzhttp.NewRequest(r.Base, calendar, req)
	if err != nil {
		o.notTried = err.Error()
		return nil
	}
	x := r.send(ctx, message)
	o.requests = append(o.requests, x)
	return x
}

// makeStored creates the stored event, and returns the event in the server's response.
func (r *run) makeStored(o *outcome) (existing *event.Event, ok bool) {
	s := o.story
	if s.was == nil {
		return nil, true
	}
	body := decoded(s.made)
	body["id"] = r.newID()
	params := operation.Params{"sendUpdates": {"none"}, "conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}}
	x := r.request(r.ctx, o, &event.Request{Op: operation.EventsInsert, Params: params, Body: draw.EncodeJSON(body)})
	switch existing = x.event(); {
	case x.problem != "":
		o.unclear = x.problem
	case x.rejection() != nil:
		o.notTried = "no request can create the stored event: " + x.rejection().Rule.ID
	case !x.succeeded():
		o.unclear = fmt.Sprintf("the server did not store an event that a request needs: %s", x.says())
	case existing.ID == "":
		o.unclear = "the server stored an event that a request needs, but the response does not contain its id"
	}
	if o.unclear+o.notTried != "" {
		return nil, false
	}
	if s.cancelled {
		return r.cancel(o, existing)
	}
	return existing, true
}

// cancel deletes the stored event, and returns the cancelled event that remains.
func (r *run) cancel(o *outcome, stored *event.Event) (existing *event.Event, ok bool) {
	x := r.request(r.ctx, o, &event.Request{Op: operation.EventsDelete, Params: operation.Params{"sendUpdates": {"none"}}, Existing: stored})
	if !x.succeeded() {
		o.unclear = "the server did not delete an event that a request needs as cancelled: " + x.says()
		return nil, false
	}
	x = r.request(r.ctx, o, &event.Request{Op: operation.EventsGet, Existing: stored})
	if existing = x.event(); x.status != http.StatusOK || existing.Status != constraint.StatusCancelled {
		o.notTried = "the server does not return a cancelled event"
		return nil, false
	}
	return existing, true
}

// about returns the body with the server's values in members that repeat the stored event.
func (s *story) about(existing tree) []byte {
	object := s.tree(s.body)
	if object == nil {
		return s.body
	}
	for name, value := range object {
		if value == nil || !reflect.DeepEqual(value, s.was[name]) {
			continue
		}
		if stored, ok := existing[name]; ok {
			object[name] = stored
		} else {
			delete(object, name)
		}
	}
	return draw.EncodeJSON(object)
}

// decoded returns text decoded as a JSON object, or nil.
func decoded(text []byte) (object tree) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&object) != nil || d.More() {
		return nil
	}
	return object
}

func textAt(object tree, name string) string {
	text, _ := object[name].(string)
	return text
}
