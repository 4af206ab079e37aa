package aim

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// stored is the state of a server according to its responses to the writes in a story: an event and, for a series, its
// exceptions.
type stored struct {
	event      *event.Event
	isGone     bool           // the event was deleted
	exceptions []*event.Event // including cancelled instances
	others     []*event.Event // other events of the story, which the writes must not change
	changed    []string       // the ids that the last write changed
}

// all returns the events that a list without instances must contain.
func (s *stored) all() []*event.Event {
	return slices.Concat([]*event.Event{s.event}, s.exceptions, s.others)
}

// isCancelled reports whether an event has been deleted or cancelled.
func (s *stored) isCancelled(e *event.Event) bool {
	return e.Status == constraint.StatusCancelled || s.isGone && !slices.Contains(s.others, e)
}

// isOver reports whether a story has found a fault, or can no longer find one.
func (o *outcome) isOver() bool { return o.fault != "" || o.notTried+o.unclear != "" }

// lose records that a response lacks the effect of an earlier write.
func (o *outcome) lose(x *sent, path diag.Pointer, message string) {
	o.status, o.server, o.rule, o.place = x.status, x.says(), ruleid.AnswerEffect, namesOf(path)
	o.differ(Lost, fmt.Sprintf("%s: %s", x.exchange.Op, message))
}

// followUp compares the response to an accepted write, and all later reads of the event, with the effect of the write.
func (r *run) followUp(o *outcome, x *sent, req *event.Request, existing *event.Event) {
	effect := operationOf(req.Op).Effect
	if o.isOver() || x.rejection() != nil || !x.succeeded() || !effect.Writes() || x.params("fields") != "" {
		return
	}
	if effect.Creates|effect.Changes|effect.Deletes != operation.OneEvent || req.Op == operation.EventsMove {
		return
	}
	s, ok := r.judgeWrite(o, x, req, existing)
	if ok {
		r.read(o, s)
	}
}

// refusal checks the state of the server after a refusal: the event must be unchanged, and no new event may exist.
func (r *run) refusal(o *outcome, x *sent, req *event.Request, was *event.Event) {
	if o.isOver() || x.rejection() == nil || x.status < 400 {
		return
	}
	effect := operationOf(req.Op).Effect
	id := r.idIn(x)
	switch {
	case was != nil && effect.Writes():
		r.readEach(o, &stored{event: was, changed: []string{was.ID}})
	case was == nil && effect.Creates == operation.OneEvent && id != "":
		if is := r.reading(o, &event.Request{Op: operation.EventsGet, Existing: &event.Event{ID: id}}); is != nil && is.status == http.StatusOK {
			o.lose(is, "", "the server refused the request but stored the event.")
		}
	}
}

// control repeats a refused request with its faults corrected. If the server also refuses the corrected request, the reason
// for the first refusal may be unrelated to the faults.
func (r *run) control(o *outcome, x *sent, req *event.Request, existing *event.Event) {
	if o.isOver() || x.rejection() == nil || x.status < 400 || r.Dialect != diag.Google {
		return
	}
	broken := *req
	broken.Existing, broken.Dialect = existing, r.Dialect
	fixed, made, err := r.Checker.Fix(&broken, func(f diag.Finding) bool { return f.Certain == diag.Reject })
	if err != nil || len(made) == 0 {
		return
	}
	if !r.accepts(fixed) {
		return
	}
	again := *req
	again.Body, again.Params = fixed.Body, fixed.Params
	if operationOf(req.Op).EventBody && existing == nil && !bytes.Contains(again.Body, []byte(r.prefix())) { // it could not be deleted
		if req.Op != operation.EventsInsert {
			return
		}
		again.Body = draw.EncodeJSON(with(decoded(again.Body), "id", r.newID()))
	}
	second := r.request(r.ctx, o, &again)
	if second == nil || second.problem != "" || second.exchange.Unchecked != "" || second.rejection() != nil || second.isUnspecified() {
		return
	}
	if second.status >= 400 && second.status < 500 && !isNoVerdict(second.status) && !isAbsent(second.status) && second.status != http.StatusConflict {
		o.rule, o.status, o.server = "", second.status, second.says()
		o.differ(Refused, fmt.Sprintf("No rule rejects the request after the fix for %s.", made[0].Rule.ID))
	}
}

// accepts reports whether the rules accept a request and determine the effect of the request.
func (r *run) accepts(req *event.Request) bool {
	found, err := r.Checker.Find(req)
	return err == nil && !slices.ContainsFunc(found, func(f diag.Finding) bool { return f.Certain == diag.Reject || f.Certain == diag.Unspecified })
}

// judgeWrite compares the response to a write with the expected effect, and returns the resulting stored event, or false if the
// response does not show the whole event.
func (r *run) judgeWrite(o *outcome, x *sent, req *event.Request, was *event.Event) (s *stored, ok bool) {
	asked := *req
	asked.Existing, asked.Dialect, asked.Status, asked.Answer = was, r.Dialect, x.status, x.answer
	asked.Absent = was == nil && operationOf(req.Op).Effect.Creates != 0
	result, err := r.Checker.Check(&asked)
	if err != nil {
		return nil, false
	}
	if len(x.answer) == 0 && req.Op != operation.EventsDelete {
		o.lose(x, "", "the response is empty.")
		return nil, false
	}
	if f := rejecting(result.AnswerFindings); f != nil && len(x.answer) > 0 && !isOpen(f, req.Body) {
		o.lose(x, f.Path, f.Message())
		return nil, false
	}
	if req.Op == operation.EventsDelete {
		return &stored{event: was, isGone: true, changed: []string{was.ID}}, true
	}
	is := x.event()
	if effect := operationOf(req.Op).Effect; effect.Creates != 0 && effect.Deletes == 0 && r.isOfAnother(is.ID, x) {
		o.lose(x, "/id", fmt.Sprintf("the new event has the id %s, which belongs to another event.", is.ID))
		return nil, false
	}
	if is.ID == "" {
		return nil, false
	}
	if is.AttendeesOmitted || result.Answer != nil && result.Answer.AttendeesOmitted {
		isKnown := was != nil || asked.Absent // else the rules know only the members of the request
		if !isKnown || result.Stored == nil {
			return nil, false
		}
		if is = r.readWhole(o, is, result.Stored); is == nil {
			return nil, false
		}
	}
	return &stored{event: is, isGone: is.Status == constraint.StatusCancelled, changed: []string{is.ID}}, true
}

// readWhole gets an event whose attendees are missing from a response, although they are stored, or returns nil if a get also
// omits attendees.
func (r *run) readWhole(o *outcome, cut, want *event.Event) *event.Event {
	x := r.reading(o, &event.Request{Op: operation.EventsGet, Existing: cut})
	if x == nil || x.status != http.StatusOK {
		return nil
	}
	is := x.event()
	if is.AttendeesOmitted || want.AttendeesOmitted {
		return nil
	}
	stored := *want
	stored.ID, stored.ETag, stored.Updated = is.ID, "", "" // members that the server sets
	if r.compareEvent(o, x, nil, is, &stored); o.fault != "" {
		return nil
	}
	return is
}

// isOpen reports whether a finding about a response depends on a zone that the server may have added to an earlier response.
// The rules do not determine whether an added zone is stored, or whether sending null instead changes the times.
func isOpen(f *diag.Finding, body []byte) bool {
	return f.Path == "/sequence" && bytes.Contains(body, []byte(`"timeZone":null`))
}

// rejecting returns the first finding that rejects the request, or nil.
func rejecting(found diag.Findings) *diag.Finding {
	if i := slices.IndexFunc(found, func(f diag.Finding) bool { return f.Certain == diag.Reject }); i >= 0 {
		return &found[i]
	}
	return nil
}

// event returns the event in the response, tolerating members that the server adds.
func (x *sent) event() *event.Event {
	e, _ := event.Decode(x.answer, x.dialect)
	return e
}

// read compares all reads of the stored events: each event, the list, the instances, and the changes since the last sync.
func (r *run) read(o *outcome, s *stored) {
	for _, step := range []func(*outcome, *stored){r.readEach, r.readList, r.readInstances, r.readChanges} {
		if step(o, s); o.isOver() || r.report.Stopped != "" {
			return
		}
	}
}

// reading sends a read request, and returns the request with its response, or nil if the server lacks the operation or the
// response is not a verdict.
func (r *run) reading(o *outcome, req *event.Request) *sent {
	if r.lacks[req.Op] {
		return nil
	}
	x := r.request(r.ctx, o, req)
	switch {
	case x == nil:
		return nil
	case x.problem != "":
		o.unclear = x.problem
		return nil
	case x.status == http.StatusNotImplemented || x.status == http.StatusMethodNotAllowed:
		r.lacks[req.Op] = true
		return nil
	case isNoVerdict(x.status):
		o.unclear = "a response neither accepts nor refuses the request: " + x.says()
		return nil
	case x.status >= 500:
		o.lose(x, "", "the server failed.")
		return nil
	}
	if x.status == http.StatusOK {
		o.status, o.server = x.status, x.says()
		o.compareAnswer(x, nil)
	}
	if o.fault != "" {
		return nil
	}
	return x
}

// readEach gets each event that the last write changed.
func (r *run) readEach(o *outcome, s *stored) {
	for _, e := range s.all() {
		if !slices.Contains(s.changed, e.ID) {
			continue
		}
		x := r.reading(o, &event.Request{Op: operation.EventsGet, Existing: e})
		if x == nil {
			return
		}
		if r.judgeGet(o, x, e, s.isCancelled(e)); o.fault != "" {
			return
		}
	}
}

func (r *run) judgeGet(o *outcome, x *sent, e *event.Event, isGone bool) {
	is := x.event()
	isThere := x.status == http.StatusOK && is.Status != constraint.StatusCancelled
	switch {
	case isGone && isThere:
		o.lose(x, "/status", "the event still exists after its deletion.")
	case isGone && x.status != http.StatusOK:
		o.lose(x, "/status", "get does not return the deleted event with the status cancelled.")
	case isGone:
	case !isThere:
		o.lose(x, "/status", "the server does not return the stored event.")
	default:
		r.compareEvent(o, x, nil, is, e)
	}
}

// compareEvent records the first difference between an event in a response and the stored event or instance that the response
// must show. The parameters affect the representation of the event in the response to a get.
func (r *run) compareEvent(o *outcome, x *sent, params operation.Params, is, want *event.Event) {
	result, err := r.Checker.Check(&event.Request{
		Op: operation.EventsGet, Dialect: r.Dialect, Params: params, Existing: want, Status: http.StatusOK, Answer: is.AppendIn(r.Dialect, nil),
	})
	if err != nil {
		return
	}
	if f := rejecting(result.AnswerFindings); f != nil {
		o.lose(x, f.Path, fmt.Sprintf("in the event %s: %s", is.ID, f.Message()))
		return
	}
	for _, c := range []struct {
		path     diag.Pointer
		is, want string
	}{
		{"/etag", is.ETag, want.ETag}, {"/created", is.Created, want.Created}, {"/updated", is.Updated, want.Updated}, {"/iCalUID", is.ICalUID, want.ICalUID},
		{"/creator/email", addressOf(is.Creator), addressOf(want.Creator)}, {"/organizer/email", addressOf(is.Organizer), addressOf(want.Organizer)},
	} {
		if c.is != c.want && c.is != "" && c.want != "" && !isPending(want) {
			o.lose(x, c.path, fmt.Sprintf("in the event %s: %s is %q and was %q, although no request changed the event.", is.ID, c.path[1:], c.is, c.want))
			return
		}
	}
}

// addressOf returns the address of a person, or "".
func addressOf(p *event.Person) string {
	if p == nil {
		return ""
	}
	return p.Email
}

// isPending reports whether the service is creating a conference for an event, and may therefore change the event at any time.
func isPending(e *event.Event) bool {
	return e.ConferenceData != nil && e.ConferenceData.CreateRequest != nil
}

// mostPages is the maximum number of pages to read in a list.
const mostPages = 20

// pages is a list that has been read page by page.
type pages struct {
	sent    []*sent
	read    []*event.Page           // the decoded answers
	entries map[string]*event.Event // the events, by id
	of      map[string]*sent        // the pages of the entries, by id
	isWhole bool
	token   string // the token for the next sync
}

func (p *pages) last() *sent { return p.sent[len(p.sent)-1] }

// largeEvent is the size in bytes above which at most smallPage instances of an event are read at once.
const (
	largeEvent = 8 << 10
	smallPage  = "50"
)

// list reads the pages of a list, which may contain instances of the given event, and returns nil if a page cannot be read or
// if an event is listed twice.
func (r *run) list(o *outcome, op operation.ID, of *event.Event, params operation.Params) *pages {
	if of != nil && len(of.Recurrence) > 0 && params["maxResults"] == nil && len(of.AppendJSON(nil)) > largeEvent {
		params = withParam(params, "maxResults", smallPage)
	}
	all := &pages{entries: map[string]*event.Event{}, of: map[string]*sent{}}
	for range mostPages {
		x := r.reading(o, &event.Request{Op: op, Existing: of, Params: params})
		if x == nil || x.status != http.StatusOK {
			return nil
		}
		page, _ := event.DecodePage(x.answer, r.Dialect)
		for i := range page.Items {
			e := &page.Items[i]
			if all.entries[e.ID] != nil && e.ID != "" {
				o.lose(x, "/items", fmt.Sprintf("the list contains the event %s twice.", e.ID))
				return nil
			}
			all.entries[e.ID], all.of[e.ID] = e, x
		}
		all.sent, all.read = append(all.sent, x), append(all.read, page)
		if all.token = page.NextSyncToken; page.NextPageToken == "" {
			all.isWhole = true
			break
		}
		params = withParam(params, "pageToken", page.NextPageToken)
	}
	return all
}

// readList compares the list of all events with the stored events.
func (r *run) readList(o *outcome, s *stored) {
	p := r.list(o, operation.EventsList, nil, nil)
	if p == nil {
		return
	}
	r.next = p.token
	last := p.last()
	if p.isWhole && p.token == "" && r.Dialect == diag.Google {
		o.lose(last, "/nextSyncToken", "the last page of the list contains no nextSyncToken.")
		return
	}
	for _, e := range s.all() {
		is := p.entries[e.ID]
		isCancelled := s.isCancelled(e)
		switch {
		case isCancelled && is != nil && (is.Status != constraint.StatusCancelled || e == s.event):
			o.lose(last, "/items", fmt.Sprintf("the list contains the deleted event %s.", e.ID))
		case !isCancelled && is == nil && p.isWhole:
			o.lose(last, "/items", fmt.Sprintf("the list does not contain the event %s.", e.ID))
		case !isCancelled && is != nil:
			r.compareEvent(o, p.of[e.ID], nil, is, e)
		}
		if o.fault != "" {
			return
		}
	}
}

// readChanges reads the changes since the last sync, which must include the changes made by the last write.
func (r *run) readChanges(o *outcome, s *stored) {
	token := r.token
	r.token = r.next
	if token == "" {
		return
	}
	params := operation.Params{"syncToken": {token}}
	p := r.list(o, operation.EventsList, nil, params)
	if p == nil {
		return
	}
	r.token = p.token
	last := p.last()
	for _, e := range s.all() {
		is := p.entries[e.ID]
		isGone := s.isCancelled(e)
		switch {
		case !slices.Contains(s.changed, e.ID):
		case is == nil && p.isWhole && !(s.isGone && e != s.event): // the exceptions of a deleted series may be missing
			o.lose(last, "/items", fmt.Sprintf("the list does not contain the event %s, which has changed since the sync token.", e.ID))
		case is != nil && isGone != (is.Status == constraint.StatusCancelled):
			o.lose(last, "/items", fmt.Sprintf("in the changes since the sync token, the event %s has the status %q.", e.ID, is.Status))
		case is != nil && !isGone:
			r.compareEvent(o, p.of[e.ID], nil, is, e)
		}
		if o.fault != "" {
			return
		}
	}
}

// withParam returns a copy of params with an additional parameter.
func withParam(params operation.Params, name, value string) operation.Params {
	with := operation.Params{name: {value}}
	for n, values := range params {
		if n != name {
			with[n] = values
		}
	}
	return with
}

func operationOf(id operation.ID) *operation.Operation {
	op, ok := operation.Lookup(id)
	if !ok {
		return new(operation.Operation)
	}
	return op
}
