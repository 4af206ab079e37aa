package aim

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/lazyregexp"
	"github.com/calrules/calrules/operation"
)

// cleaning is the maximum time for cleanup after an interrupt, not counting the wait for responses.
const cleaning = 10 * time.Second

// clean returns a context for requests that must be sent even after an interrupt.
func (r *run) clean(requests int) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(r.ctx), cleaning+time.Duration(requests)*(r.Timeout+r.Every))
}

// tidy deletes the resources created by the requests in a story.
func (r *run) tidy(o *outcome) {
	ctx, cancel := r.clean(len(o.requests))
	defer cancel()
	for _, x := range o.requests {
		if undo := r.undo(ctx, x); undo != nil {
			r.remove(ctx, undo)
		}
	}
}

// look records the events that are in the calendar before the run, including cancelled events. The run must not delete existing
// events.
func (r *run) look() {
	p := r.list(&outcome{story: &story{}}, operation.EventsList, nil, operation.Params{"showDeleted": {"true"}})
	if p == nil || !p.isWhole {
		return
	}
	r.before = map[string]bool{}
	for id := range p.entries {
		r.before[id] = true
	}
}

// isOfAnother reports whether the id in the response to a creating request is the id of an event that already existed.
func (r *run) isOfAnother(id string, x *sent) bool {
	sent := textAt(decoded(x.body), "id")
	isOther := id != sent && (sent != "" || r.before[id] || r.made[id])
	r.made[id] = true
	return isOther && x.exchange.Op != operation.EventsImport // an import may find the event with the iCalUID
}

// isOwn reports whether the id or a value of an event contains the run's mark, which proves that the run created the event. An
// id in a response proves nothing, since a server may return any id.
func (r *run) isOwn(ctx context.Context, calendar, id string) bool {
	if strings.HasPrefix(id, r.prefix()) {
		return true
	}
	get, _ := operation.Lookup(operation.EventsGet)
	x := r.send(ctx, request(get.Method, r.address(get, calendar, id), nil))
	return bytes.Contains(x.answer, []byte(r.prefix()))
}

// marked returns the body of a request that creates an event without an id, with the mark of the run added: in a private
// property or, if the event cannot have private properties, in an id.
func (r *run) marked(s *story, body []byte) []byte {
	object := s.tree(body)
	id, hasID := object["id"]
	if isOwn := strings.HasPrefix(textAt(object, "id"), r.prefix()); isOwn || object == nil || s.was != nil || !operationOf(s.op).EventBody {
		return body
	}
	kind := object["eventType"]
	properties, isObject := object["extendedProperties"].(tree)
	private, hasPrivate := properties["private"].(tree)
	switch {
	case kind != nil && kind != constraint.TypeDefault, object["extendedProperties"] != nil && !isObject,
		properties["private"] != nil && !hasPrivate, s.isAbout("extendedProperties"):
		if object["id"] = r.newID(); hasID || s.path == "/id" {
			object["id"] = id
		}
	default:
		object["extendedProperties"] = with(maps.Clone(properties), "private", with(maps.Clone(private), "calrulesaim", r.prefix()))
	}
	return draw.EncodeJSON(object)
}

// with returns a copy of an object with the given member added.
func with(object tree, name string, value any) tree {
	if object == nil {
		object = tree{}
	}
	object[name] = value
	return object
}

// undo returns the request that deletes the resource that x created, or nil.
func (r *run) undo(ctx context.Context, x *sent) *http.Request {
	made := operationOf(x.exchange.Op)
	if made.Effect.Creates == 0 {
		return nil
	}
	answer := decoded(x.answer)
	id := textAt(answer, "id")
	if !x.succeeded() || id == "" {
		id = r.ownID(x)
	}
	if id == "" {
		return nil
	}
	by, calendar := operation.Deleting(made.Effect.Creates), r.Calendar
	if made.ID == operation.EventsMove {
		calendar = x.params("destination")
	}
	switch {
	case made.Effect.Creates == operation.OneEvent && !r.isOwn(ctx, calendar, id):
		r.report.Left = append(r.report.Left, r.address(by, calendar, id))
		return nil
	case by == nil, made.Effect.Creates == operation.OneCalendar && id == r.Calendar: // existed before, despite the answer
		return nil
	case made.Effect.Creates == operation.OneChannel:
		return request(by.Method, r.address(by, calendar, id), draw.EncodeJSON(tree{"id": id, "resourceId": textAt(answer, "resourceId")}))
	}
	return request(by.Method, r.address(by, calendar, id), nil)
}

// address returns the URL of an operation. The last parameter in the path of the operation is replaced by id, and any
// other parameter by calendar.
func (r *run) address(op *operation.Operation, calendar, id string) string {
	path := op.Path
	if strings.Contains(path, "{") {
		path = strings.ReplaceAll(path[:strings.LastIndex(path, "{")], "{calendarId}", url.PathEscape(calendar)) + url.PathEscape(id)
	}
	if op.HasParam("sendUpdates") {
		path += "?sendUpdates=none"
	}
	return strings.TrimSuffix(r.Base, "/") + path
}

// ownID returns the result of idIn for a request that may have been carried out without a confirming response, or "" for any
// other request.
func (r *run) ownID(x *sent) string {
	isUnknown := x.problem != "" && x.isSent || 200 <= x.status && x.status <= 299
	if id := r.idIn(x); isUnknown {
		return id
	}
	return ""
}

// idIn returns the id in a request body if it has the mark of this run, or else "".
func (r *run) idIn(x *sent) string {
	if id := textAt(decoded(x.body), "id"); strings.HasPrefix(id, r.prefix()) {
		return id
	}
	return ""
}

func request(method, at string, body []byte) *http.Request {
	req, err := http.NewRequest(method, at, bytes.NewReader(body))
	if err != nil {
		panic(err) // impossible: the base is a valid URL, and the rest is escaped
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req
}

func (r *run) remove(ctx context.Context, undo *http.Request) {
	at := undo.URL.String()
	x := r.send(ctx, undo)
	if x.problem == "" && (x.status <= 299 || isAbsent(x.status)) {
		return
	}
	if len(x.body) > 0 {
		at += " " + string(x.body)
	}
	r.report.Left = append(r.report.Left, at)
}

// Tidy deletes the events in the calendar that carry the mark of any run, and reports the deleted events and the events that
// could not be deleted.
func Tidy(ctx context.Context, o Options) (*Report, error) {
	watcher, err := between.New(between.Options{Base: o.Base, Documents: o.Dialect == diag.Documents, MaxEvents: 100})
	if err != nil {
		return nil, err
	}
	r := &run{Options: o, watcher: watcher, ctx: ctx, secrets: secretsOf(o.Header), lacks: map[operation.ID]bool{}}
	found := &outcome{story: &story{}}
	p := r.list(found, operation.EventsList, nil, nil)
	if p == nil {
		return nil, errors.New("the events in the calendar cannot be listed: " + cmp.Or(found.unclear, found.message, r.report.Stopped))
	}
	for id, e := range p.entries {
		if ids().MatchString(id) || marks().Match(e.AppendJSON(nil)) {
			r.report.Tidied = append(r.report.Tidied, id)
			r.remove(ctx, request(http.MethodDelete, r.address(operation.Deleting(operation.OneEvent), o.Calendar, id), nil))
		}
	}
	slices.Sort(r.report.Tidied)
	r.hide()
	return &r.report, nil
}

// Patterns for the ids and marks of runs; see [run.newID].
var (
	ids   = lazyregexp.New(`^aim[a-v0-9]{12}[0-9]{5,}$`)
	marks = lazyregexp.New(`"calrulesaim":"aim[a-v0-9]{12}"`)
)
