package between

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/refusal"
)

// Options configure a [Watcher]. With the zero value, a watcher watches the public service and servers that imitate it, using
// the public service's dialect, all rules and the default limits.
type Options struct {
	// Checker checks requests and responses. The checker's dialect is ignored.
	Checker event.Checker

	// Base is the URL to which the paths of operations are relative. If Base is empty, the watcher uses the path of the public
	// service on any host.
	Base string

	// Documents means that clients use the documented names instead of the public service's names. Setting Documents requires a
	// Base, because the documentation does not specify a base URL.
	Documents bool

	// MaxEvents is the maximum number of events to remember; 0 means 10,000. MaxRemembered is the maximum memory for
	// remembered events, in bytes; 0 means 64 MiB.
	MaxEvents, MaxRemembered int

	// MaxBytes is the maximum length of a body to check, in bytes; 0 means [event.DefaultMaxBytes].
	MaxBytes int

	// MaxChecking is the maximum memory for the bodies of exchanges in progress and for checking them, in bytes. A body
	// for which there is no room is not checked. MaxChecking must be at least 32 times MaxBytes; 0 means 48 times
	// MaxBytes, which is 192 MiB by default.
	MaxChecking int
}

// A Watcher checks exchanges with the service, and remembers the events in responses. A Watcher is safe for concurrent use.
type Watcher struct {
	checker      event.Checker
	dialect      diag.Dialect
	origin, path string // the origin and path of the service; an empty origin means any host
	maxBytes     int
	room         *room

	mutex  sync.Mutex
	memory *memory
}

// New returns a watcher, or an error if an option is invalid.
func New(o Options) (*Watcher, error) {
	dialect := diag.Google
	if o.Documents {
		dialect = diag.Documents
	}
	base, err := url.Parse(cmp.Or(o.Base, dialect.BaseURL()))
	if err != nil || base.Host == "" || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("between: the base is %s; it must be an absolute URL such as %s", engine.Quote(o.Base), diag.Google.BaseURL())
	}
	if min(o.MaxEvents, o.MaxRemembered, o.MaxBytes) < 0 {
		return nil, fmt.Errorf("between: MaxEvents is %d, MaxRemembered %d and MaxBytes %d; none may be negative", o.MaxEvents, o.MaxRemembered, o.MaxBytes)
	}
	maxBytes := cmp.Or(o.MaxBytes, event.DefaultMaxBytes)
	checking := cmp.Or(o.MaxChecking, 48*maxBytes)
	if checking < 32*maxBytes {
		return nil, fmt.Errorf("between: MaxChecking is %d; it must be at least %d, which is 32 times MaxBytes", checking, 32*maxBytes)
	}
	o.Checker.ShareMemory = true // a watcher uses only the findings
	origin := ""
	if o.Base != "" {
		origin = originOf(base)
	}
	return &Watcher{
		checker: o.Checker, dialect: dialect, origin: origin, path: strings.TrimSuffix(base.EscapedPath(), "/"),
		maxBytes: maxBytes, room: newRoom(checking, reserved*maxBytes), memory: newMemory(cmp.Or(o.MaxEvents, 10_000), cmp.Or(o.MaxRemembered, 64<<20)),
	}, nil
}

// A Finding is a finding about an exchange.
type Finding struct {
	diag.Finding

	// Remembered reports whether the finding depends on a previously seen event that may since have changed.
	Remembered bool
}

// A Reason explains why a request or response is not checked, for example "the response contains only a range of bytes". A
// Reason never quotes a body or header.
type Reason string

// tooLong returns the reason for not checking a body that is longer than MaxBytes.
func (w *Watcher) tooLong() Reason {
	return Reason(fmt.Sprintf("the body is longer than %d bytes", w.maxBytes))
}

// Answered describes the response to a part of a batch.
type Answered struct {
	Status    int
	Findings  diag.Findings
	Unchecked Reason // as returned by [Exchange.Answer]
}

// An Exchange is a request to the service and the response.
type Exchange struct {
	// Op is the operation, or "" if the request does not address a known operation. A request without an operation has findings
	// only if the URL is below the base URL of the service.
	Op operation.ID

	// Findings contains the findings about the request.
	Findings []Finding

	// Parts contains the exchanges for the parts of a batch. The batch itself has no operation.
	Parts []*Exchange

	// Unchecked is the reason for not checking the request, or "".
	Unchecked Reason

	// Stored is the reason why the stored event was unknown, or [Known].
	Stored Stored

	// Answered describes the response if the exchange is a part of a batch.
	Answered Answered

	// Verdict compares the response with the findings, and Refused explains the response if it is an error. [Exchange.Answer] sets
	// Verdict and Refused. For a batch, the verdicts are in its parts, unless the batch is refused as a whole.
	Verdict Verdict
	Refused *refusal.Explanation

	watcher   *Watcher
	isBatch   bool
	contentID string // the Content-ID of a part of a batch
	target    target
	at        place         // the place of the event, if the request contains its id
	existing  []byte        // the JSON text of the stored event, if it is known
	body      *Body         // the request body without its content coding, until the exchange ends
	request   event.Request // the parsed parts of the request
	certain   bool          // the request is rejected regardless of the stored event
	selected  Reason        // the reason for not checking the response if it will not be a complete representation, or ""
	matches   bool          // If-Match equals the entity tag of the remembered event
	span      *span
	abandoned runtime.Cleanup
}

// Request checks a request. The caller must end the exchange with [Exchange.Answer], [Exchange.Fail] or [Exchange.Cancel].
// Until the exchange ends, the event that the request changes is treated as unknown. An exchange that is garbage collected
// before its end is treated as failed.
func (w *Watcher) Request(m Message) *Exchange {
	if w.isBatch(m) {
		x := &Exchange{watcher: w, span: new(span)}
		x.batch(m)
		x.endIfAbandoned()
		return x
	}
	return w.single(m, [5][]string{})
}

// single checks a request that is not a batch. A part of a batch inherits missing credentials from the batch.
func (w *Watcher) single(m Message, outer [5][]string) *Exchange {
	x := &Exchange{watcher: w, span: new(span)}
	m = m.effective()
	t, found, ok := w.targetOf(m.Method, m.URL)
	x.findPath(found)
	if !ok {
		return x
	}
	x.Op, x.target, x.selected = t.Operation.ID, t, t.selected(m.Header)
	own := credentials(m.Header, t.query)
	for i := range own {
		if len(own[i]) == 0 {
			own[i] = outer[i]
		}
	}
	credential := w.memory.hash(t.origin, own)
	w.mutex.Lock()
	x.at = place{credential, t.Params["calendarId"], t.Params["eventId"]}
	if x.at.id != "" {
		x.existing, x.Stored = w.memory.get(x.at)
	}
	x.span = w.memory.begin(x.changes())
	w.mutex.Unlock()
	x.body, x.Unchecked = w.decoded(m.Header, m.Body, m.Unread)
	x.endIfAbandoned()
	switch {
	case x.Unchecked != "":
	case t.unread != "":
		x.Unchecked = t.unread
	default:
		x.check(m, x.body.Text)
	}
	return x
}

// check checks a request both with and without the remembered event, to determine which findings depend on that event.
func (x *Exchange) check(m Message, body []byte) {
	req := &event.Request{
		Op: x.Op, Dialect: x.watcher.dialect, Params: withoutCredentials(x.target.query), IfMatch: strings.Join(m.Header.values("If-Match"), ", "),
	}
	if x.target.Operation.Method != "GET" && (len(body) > 0 || x.target.Operation.EventBody) {
		req.Body = body[:len(body):len(body)]
	}
	if x.target.IsPrimary() {
		req.Calendar = &operation.Calendar{Primary: new(true)}
	}
	x.request = *req
	defer x.work(body)()
	alone, err := x.watcher.checker.Check(req)
	if err != nil {
		x.Unchecked = Reason(err.Error())
		return
	}
	x.certain = isCertain(alone.Findings)
	findings := alone.Findings
	if x.existing != nil {
		req.Existing = x.stored()
		x.matches = req.IfMatch != "" && req.IfMatch == req.Existing.ETag
		if result, err := x.watcher.checker.Check(req); err == nil {
			findings = result.Findings
		}
	}
	for _, f := range findings {
		isAlone := slices.ContainsFunc(alone.Findings, f.Equal)
		x.Findings = append(x.Findings, Finding{f, !isAlone})
	}
}

// stored returns the remembered event, or nil if there is none.
func (x *Exchange) stored() *event.Event {
	if x.existing == nil {
		return nil
	}
	e, _ := event.Decode(x.existing, x.watcher.dialect)
	return e
}

// work waits until there is room for checking a body together with the remembered event. The returned function releases
// the room.
func (x *Exchange) work(text []byte) (done func()) {
	return x.watcher.room.work(len(text) + len(x.existing))
}

// Fix applies safe fixes to the request and checks the result; x.Findings then describes the fixed request. Fix returns the
// message to send instead of m, which must be the original request, and the fixed findings, each with its Fix. Fix does not
// change a batch, an unchecked request, or a request that overrides its method.
func (x *Exchange) Fix(m Message) (Message, diag.Findings) {
	if x.Op == "" || x.Unchecked != "" || m.effective().Method != m.Method {
		return m, nil
	}
	req, fixed, made := x.fix()
	if len(made) == 0 {
		return m, nil
	}
	m = m.with(x.target.query, &req, fixed)
	t, found, ok := x.watcher.targetOf(m.Method, m.URL)
	if !ok {
		return m, made
	}
	x.target, x.Findings = t, nil
	x.findPath(found)
	x.check(m, fixed.Body)
	return m, made
}

// fix applies safe fixes to the request, and returns the request before and after the fixes.
func (x *Exchange) fix() (req event.Request, fixed *event.Request, made diag.Findings) {
	req = x.request
	defer x.work(req.Body)()
	req.Existing = x.stored()
	fixed, made, _ = x.watcher.checker.Fix(&req, diag.Finding.HasSafeFix) // a request that cannot be read is not fixed
	return req, fixed, made
}

// AddFixes sets the Fix field of the findings about the request, as [event.Checker.AddFixes] does.
func (x *Exchange) AddFixes() {
	if x.Op == "" || x.Unchecked != "" {
		return
	}
	req := x.request
	defer x.work(req.Body)()
	req.Existing = x.stored()
	found := make(diag.Findings, len(x.Findings))
	for i, f := range x.Findings {
		found[i] = f.Finding
	}
	x.watcher.checker.AddFixes(&req, found)
	for i := range found {
		x.Findings[i].Fix = found[i].Fix
	}
}

// findPath adds findings about the path.
func (x *Exchange) findPath(found diag.Findings) {
	for _, f := range found {
		x.Findings = append(x.Findings, Finding{f, false})
	}
}

// withoutCredentials returns the query parameters except credentials, to which no rules apply.
func withoutCredentials(query url.Values) operation.Params {
	params := operation.Params{}
	for name, values := range query {
		if name != "access_token" && name != "oauth_token" && name != "key" {
			params[name] = values
		}
	}
	return params
}

// Refusal returns the findings about a request that the service is certain to refuse, regardless of grading, or nil if a
// refusal is not certain. Refusal disregards findings that depend on a remembered event, unless If-Match equals the entity tag
// of that event.
func (x *Exchange) Refusal() diag.Findings {
	var list diag.Findings
	for _, f := range x.Findings {
		if !f.Remembered || x.matches {
			list = append(list, f.Finding)
		}
	}
	if x.certain || x.matches && isCertain(list) {
		return list
	}
	return nil
}

// isCertain reports whether the service is certain to refuse a request with the given findings, regardless of grading.
func isCertain(found diag.Findings) bool {
	return slices.ContainsFunc(found, func(f diag.Finding) bool { return f.Certain == diag.Reject })
}

// Fail ends an exchange without a response. The request may have changed an event.
func (x *Exchange) Fail() { x.end(false) }

// Cancel ends an exchange whose request was not sent and therefore changed nothing.
func (x *Exchange) Cancel() { x.end(true) }

// end ends an exchange without a response, unless it has already ended.
func (x *Exchange) end(refused bool) {
	for _, part := range x.Parts {
		part.end(refused)
	}
	x.abandoned.Stop()
	x.watcher.free(x.span, x.body, refused)
}

// endIfAbandoned arranges for the exchange to end when it becomes unreachable, since an unreachable exchange can no longer
// receive a response.
func (x *Exchange) endIfAbandoned() {
	type kept struct {
		watcher *Watcher
		span    *span
		body    *Body
	}
	x.abandoned = runtime.AddCleanup(x, func(k kept) { k.watcher.free(k.span, k.body, false) }, kept{x.watcher, x.span, x.body})
}

// free releases the resources of an exchange.
func (w *Watcher) free(s *span, body *Body, refused bool) {
	body.Release()
	if s == nil { // the zero Exchange has no span
		return
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.memory.end(s, refused)
	w.memory.close(s)
}

// changes returns the names of the subjects that the request changes.
func (x *Exchange) changes() []subjectName {
	effect := x.target.Operation.Effect
	changed := effect.Changes | effect.Deletes
	switch {
	case changed.Has(operation.AllEvents | operation.OneCalendar), changed.Has(operation.OneEvent) && x.at.id == "":
		return calendarNames(x.at.calendar)
	case changed.Has(operation.OneEvent):
		return []subjectName{{id: x.at.id}}
	}
	return nil
}

// Answer checks a response against its request, and remembers the complete events in the response. The argument unread is the
// reason why the body is missing or incomplete, as in [Message.Unread], or "". The result unchecked is the reason for not
// checking the response, or "". If the request does not address an operation, Answer returns no findings.
func (x *Exchange) Answer(status int, header Header, body []byte, unread Reason) (findings diag.Findings, unchecked Reason) {
	if x.isBatch {
		return x.answerParts(status, header, body, unread)
	}
	findings, unchecked = x.answer(status, header, body, unread)
	x.compare(status, header, body, findings, unchecked)
	return findings, unchecked
}

// answer implements [Exchange.Answer] for an exchange that is not a batch, except for the verdict.
func (x *Exchange) answer(status int, header Header, body []byte, unread Reason) (findings diag.Findings, unchecked Reason) {
	if x.Op == "" {
		return nil, ""
	}
	x.answered(status)
	defer x.Fail()
	isError := status >= 400 && strings.Contains(header.get("Content-Type"), "json") // other errors come from an intermediate server
	if !isSuccess(status) && !isError || len(body) == 0 && unread == "" {
		return nil, ""
	}
	text, unchecked := x.watcher.decoded(header, body, unread)
	defer text.Release()
	if unchecked == "" {
		unchecked = x.partial(status)
	}
	if unchecked != "" {
		return nil, unchecked
	}
	defer x.work(text.Text)()
	return x.judge(status, text.Text)
}

// answered marks the end of the changes made by a request with the given response status, and forgets the event if the status
// shows that the event has changed.
func (x *Exchange) answered(status int) {
	isStale := status == 404 || status == 410 || status == 412
	x.watcher.mutex.Lock()
	defer x.watcher.mutex.Unlock()
	x.watcher.memory.end(x.span, 400 <= status && status <= 429 && !isStale)
	if isStale {
		x.watcher.memory.forget(x.at)
	}
}

// partial returns the reason for not checking a response that is not a complete representation, or "".
func (x *Exchange) partial(status int) Reason {
	switch {
	case status == 206:
		return "the response contains only a range of bytes"
	case x.selected == selectedMembers && isSuccess(status):
		x.rememberPart()
	}
	return x.selected
}

func isSuccess(status int) bool { return status >= 200 && status <= 299 }

// answersEvent reports whether a successful response is an event.
func (x *Exchange) answersEvent() bool {
	return x.target.Operation.EventBody || (diag.Get | diag.Move | diag.QuickAdd).Has(x.target.Operation.When)
}

// judge checks a response, and remembers the events in it. The response is compared with the expected effect of the request on
// the remembered event only if the request specifies the event's entity tag, because the stored event may have changed.
func (x *Exchange) judge(status int, text []byte) (findings diag.Findings, unchecked Reason) {
	var items [][]byte
	isList := x.Op == operation.EventsList || x.Op == operation.EventsInstances
	switch {
	case !isSuccess(status):
	case isList:
		var err error
		if items, err = itemsOf(text); err != nil {
			return nil, Reason(fmt.Sprintf("the response is not a page of events: %v", err))
		}
	case x.answersEvent():
		items = [][]byte{text}
	}
	req := x.request
	req.Op, req.Dialect, req.Status, req.Answer = x.Op, x.watcher.dialect, status, text
	if req.Existing = nil; x.matches {
		req.Existing = x.stored()
	}
	result, err := x.watcher.checker.Check(&req)
	if err != nil {
		return nil, Reason(err.Error())
	}
	hasWrongForm := wrongForms(result.AnswerFindings, isList)
	for i, item := range items {
		if !hasWrongForm[i] {
			x.remember(item)
		}
	}
	if len(result.AnswerFindings) == 0 {
		return nil, ""
	}
	return result.AnswerFindings, ""
}

// wrongForms returns the indexes of the items in a page that do not have the form of an event. The only event in another
// response has index 0.
func wrongForms(found diag.Findings, isList bool) map[int]bool {
	indexes := map[int]bool{}
	for _, f := range found {
		if f.Kind != diag.Reject || !f.Is(ruleid.AnswerResource) {
			continue
		}
		if !isList {
			indexes[0] = true
		} else if rest, isItem := strings.CutPrefix(string(f.Path), "/items/"); isItem {
			token, _, _ := strings.Cut(rest, "/")
			if i, ok := jsonscan.ArrayIndex(token); ok {
				indexes[i] = true
			}
		}
	}
	return indexes
}

// Limits for a page of events. The public service sends at most 2,500 events per page.
const (
	maxItems   = 10_000
	maxNesting = 10_000 // the maximum nesting depth of arrays and objects, as in encoding/json; checking an event allows less
)

// itemsOf returns each event in a page, as JSON text.
func itemsOf(text []byte) (items [][]byte, err error) {
	var d jsonscan.Decoder
	d.Reset(text, maxNesting)
	if d.Kind() != '{' {
		d.Skip()
		return nil, cmp.Or[error](notNil(d.Err()), errors.New("it is not an object"))
	}
	d.Enter()
	for {
		name, _, ok := d.Member("")
		if !ok {
			break
		}
		if string(name) != "items" || d.Kind() == 'n' {
			d.Skip()
			continue
		}
		if d.Kind() != '[' {
			return nil, errors.New("its items are not an array")
		}
		items = nil // if the name is repeated, the last value counts
		for d.Enter(); d.More(); {
			if len(items) == maxItems {
				return nil, fmt.Errorf("it contains more than %d events", maxItems)
			}
			item, _ := d.Value()
			items = append(items, item)
		}
	}
	d.End()
	return items, notNil(d.Err())
}

// notNil converts a syntax error to an error that does not quote the input, or returns nil if there is no syntax error.
func notNil(err *jsonscan.SyntaxError) error {
	switch {
	case err == nil:
		return nil
	case err.Mistake == jsonscan.EarlyEnd:
		return errors.New("unexpected end of input")
	}
	return fmt.Errorf("it is not valid JSON (byte %d)", err.Offset+1)
}

// remember remembers an event from a response.
func (x *Exchange) remember(text []byte) {
	e, findings := event.Decode(text, x.watcher.dialect)
	if findings.Rejected() || e.ID == "" || x.Op == operation.EventsMove {
		return
	}
	if e.AttendeesOmitted {
		text = nil
	}
	x.put(e.ID, seriesOf(e), text)
}

// rememberPart records that a response contained only some members of the event that the request addressed.
func (x *Exchange) rememberPart() {
	if x.answersEvent() && x.at.id != "" {
		x.put(x.at.id, "", nil)
	}
}

func (x *Exchange) put(id, series string, text []byte) {
	at := place{x.at.credential, x.at.calendar, id}
	x.watcher.mutex.Lock()
	defer x.watcher.mutex.Unlock()
	if text == nil {
		if _, state := x.watcher.memory.get(at); state == Known {
			return
		}
	}
	x.watcher.memory.put(at, series, text, x.span)
}
