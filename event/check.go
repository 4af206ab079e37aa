package event

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/resource"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
)

// DefaultMaxBytes is the default maximum length of a body, 4 MiB. The documents do not state a maximum.
const DefaultMaxBytes = constraint.JSONMaxBytes

// Checker checks requests. The zero value and a nil pointer are ready to use and follow the documents. A Checker is
// safe for concurrent use if its NewID function is.
type Checker struct {
	// Grading changes the kinds of findings. The rules of a grading must be in [Checker.Catalogue].
	Grading diag.Grading

	// MaxFindings is the maximum number of findings in a result. A result keeps the first findings in document order,
	// including at least one rejection if there is one. 0 means 1,000, which is also the upper limit.
	MaxFindings int

	// MaxBytes, MaxDepth and MaxElements limit the length of a body, the nesting depth of its arrays and objects, and
	// the number of its members and array elements. A body that exceeds a limit breaks the rule json.syntax. A value of
	// 0 means [DefaultMaxBytes], 100 levels or 250,000 elements. Elements of unknown members are not counted.
	// MaxFindings and the three limits must not be negative.
	MaxBytes, MaxDepth, MaxElements int

	// Dialect is the dialect of requests that do not specify a dialect.
	Dialect diag.Dialect

	// ShareMemory permits the events of a [Result] to be identical, or to share memory with each other and the request,
	// which saves time. The caller must not modify shared events, or call [ServerFields.Set], which modifies them.
	ShareMemory bool

	// NewID returns an id for a new event that is sent without an id. Ids may be random or reproducible. If NewID is nil, an
	// event that is sent without an id has none. The documents recommend a UUID in the alphabet of event ids:
	//
	//	strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(uuid[:]))
	NewID func() string

	own       *byOccasion     // the rules of [Checker.WithRules]; nil if there are none
	catalogue *diag.Catalogue // the catalogue of all rules; nil if own is nil
	texts     diag.Texts      // the texts given to [Checker.WithTexts]
}

// Check calls [Checker.Check] on the zero [Checker].
func Check(req *Request) (Result, error) { return new(Checker).Check(req) }

// Find calls [Checker.Find] on the zero [Checker].
func Find(req *Request) (diag.Findings, error) { return new(Checker).Find(req) }

// Check checks the request against all rules and returns every finding. If the request is accepted, the result also
// contains the events that the service would store and return. Check does not modify the request.
//
// Check returns an error if the request cannot be checked because it is nil, its operation or dialect is unknown, or
// the options of the checker are invalid. Check returns no error for a rejected request; use [Result.Err] instead.
func (c *Checker) Check(req *Request) (Result, error) {
	c = c.orZero()
	r := runs.Get().(*checkRun)
	defer r.release()
	if err := r.start(c, req); err != nil {
		return Result{}, err
	}
	r.check()
	result := Result{
		Accepted:  !r.report.Refused,
		Findings:  r.report.Findings,
		Truncated: r.report.Truncated,
		Dialect:   r.in.dialect,
	}
	if result.Accepted {
		answer(c, &r.in, &result)
	}
	if req.Answer != nil {
		result.AnswerFindings = r.checkAnswer(c, &result)
	}
	if result.Accepted {
		if r.in.decoded {
			r.body = nil // the events of the result may refer to the body
		}
	}
	return result, nil
}

// Find returns the same findings as [Checker.Check], but no events. Find does not allocate for a valid [Request.Event].
func (c *Checker) Find(req *Request) (diag.Findings, error) {
	c = c.orZero()
	r := runs.Get().(*checkRun)
	defer r.release()
	if err := r.start(c, req); err != nil {
		return nil, err
	}
	r.check()
	return r.report.Findings, nil
}

// orZero returns c, or a zero Checker if c is nil.
func (c *Checker) orZero() *Checker {
	if c == nil {
		return new(Checker)
	}
	return c
}

// input is the input to this package's rules: a request, and the change that it makes.
type input struct {
	change
	req        *Request
	dialect    diag.Dialect
	options    operation.Options
	start, end parsedTime // the start and end of the next event
	original   parsedTime // the originalStartTime in the request, if it is checked
	times      []timeMember
	members    [3]timeMember   // the backing array of times
	offsets    *object.Offsets // the offsets of members in the body, if it was decoded
	decoded    bool            // the event was decoded from a body, without meaningless nulls
	owned      bool            // the event was decoded from a body, and no caller's rule has seen it

	// Facts about the instances of a series; see [recurrence.Checked].
	isEmpty bool
	misses  []int

	firsts  map[string]int // scratch space for [findDuplicates], empty
	seasons zone.Offsets   // the offsets of the zone that was last used, by this check or an earlier one
}

// checkRun is the state of a check. Runs are pooled, because otherwise every check would allocate an input.
type checkRun struct {
	in       input
	op       *operation.Operation // nil for a response; between checks, the operation of the last check
	own      *byOccasion
	report   engine.Collector
	most     int // the maximum number of findings; 0 means as many as the report keeps
	limits   object.Limits
	problems []object.Problem
	unread   map[diag.Pointer]bool // the values of the wrong type
	body     *timedEvent           // reusable memory for a body, or nil; zero between checks
	times    []Time                // the unused times in body

	limitReport engine.Collector // reusable memory for [checkRun.checkLimits]

	buffer diag.Findings // scratch space for the findings
}

var runs = sync.Pool{New: func() any { return &checkRun{in: input{offsets: new(object.Offsets)}} }}

// release clears the state of a check, discards unusually large buffers, and returns the run to the pool.
func (r *checkRun) release() {
	const usual = 64 // findings
	buffer, problems := r.buffer, r.problems
	if cap(buffer) > usual {
		buffer = nil
	}
	if len(problems) > usual {
		problems = nil
	}
	clear(buffer)
	clear(problems)
	r.in.offsets.Release()
	op, offsets, body, firsts, seasons := r.op, r.in.offsets, r.body, r.in.firsts, r.in.seasons
	switch {
	case r.own != nil:
		body = nil // a caller's rule may have retained the event
	case r.in.decoded && body != nil:
		*body = timedEvent{}
	}
	*r = checkRun{} // clears in place; a composite literal with the fields below would not
	r.op, r.buffer, r.problems, r.body = op, buffer[:0], problems[:0], body
	r.in.offsets, r.in.firsts, r.in.seasons = offsets, firsts, seasons
	runs.Put(r)
}

// start prepares a run for a request, or returns an error if the request cannot be checked.
func (r *checkRun) start(c *Checker, req *Request) error {
	switch {
	case req == nil:
		return errors.New("event: the request is nil")
	case min(c.MaxFindings, c.MaxBytes, c.MaxDepth, c.MaxElements) < 0:
		return fmt.Errorf("MaxFindings is %d, MaxBytes %d, MaxDepth %d and MaxElements %d; none may be negative",
			c.MaxFindings, c.MaxBytes, c.MaxDepth, c.MaxElements)
	case max(req.Dialect, c.Dialect) > diag.Google:
		return fmt.Errorf("dialect is %v; it must be documents or google", max(req.Dialect, c.Dialect))
	}
	r.in.req = req
	r.in.dialect = cmp.Or(req.Dialect, c.Dialect)
	if !r.setOperation(req.Op) {
		return fmt.Errorf("op is %q; it must be an operation of the service or %q", req.Op, operation.Response)
	}
	r.report.Grading, r.most, r.own = c.Grading, c.MaxFindings, c.own
	r.report.Findings, r.report.Dialect, r.report.Texts = r.buffer, r.in.dialect, c.texts
	r.report.IsGo = req.Event != nil
	r.limits = object.Limits{Bytes: c.MaxBytes, Depth: c.MaxDepth, Elements: c.MaxElements}
	if err := req.Calendar.Validate(); err != nil {
		return err
	}
	if c.Grading.IsZero() {
		return nil // the usual case, in which the catalogue is not needed
	}
	return c.Grading.Validate(c.Catalogue())
}

// setOperation sets the operation and reports whether it exists. The operation is often the same as in the last check.
func (r *checkRun) setOperation(id operation.ID) bool {
	if id == operation.Response {
		r.op, r.in.on = nil, diag.Response
		return true
	}
	if r.op == nil || r.op.ID != id {
		op, ok := operation.Lookup(id)
		if !ok {
			return false
		}
		r.op = op
	}
	r.in.on = r.op.When
	return true
}

// checkOther checks the body of a request about a resource other than an event.
func (r *checkRun) checkOther() {
	query := func(name string) string {
		value, _ := r.in.req.Params.Value(name)
		return value
	}
	request := resource.Request{On: r.in.on, Dialect: r.in.dialect, Body: r.text(), Query: query, Elsewhere: r.elsewhere, Limits: r.limits}
	r.report.Join("", request.Check())
}

// check decodes the body and checks all rules.
func (r *checkRun) check() {
	in := &r.in
	in.stored, in.existing = &noEvent, existingFor(in.on, in.req)
	if in.existing == knownEvent {
		in.stored = in.withServiceDefaults(in.req.Existing)
	}
	in.sent, in.next = in.stored, in.stored
	in.present, in.changed = object.All, object.All
	if r.op == nil {
		in.options = in.req.Params.Options()
	} else {
		request := operation.Request{
			Operation: r.op, Params: in.req.Params, Caller: in.caller(), Calendar: in.req.Calendar,
			HasBody: in.req.hasBody(), Body: in.req.text(), HasMember: r.hasMember(), Dialect: in.dialect,
		}
		options, found := request.Check()
		in.options = options
		r.report.Join("", found)
	}
	switch {
	case (diag.Write | diag.Response).Has(in.on):
		if !r.decode() {
			in.next = nil
			break
		}
		in.prepare()
		r.checkEvent()
		r.checkWhole()
		r.checkLimits()
	case diag.OtherBodies.Has(in.on):
		r.checkOther()
	default: // no rule of this package is about operations on other resources
		r.checkRules()
	}
	r.checkMixed()
	r.settle()
}

// hasMember returns a function that reports whether the body can have the named member in any dialect, or nil if the request
// has no body or the members are unknown.
func (r *checkRun) hasMember() func(name string) bool {
	switch {
	case diag.Write.Has(r.in.on):
		return hasName
	case diag.OtherBodies.Has(r.in.on) && r.in.dialect == diag.Google:
		return resource.Members(r.in.on)
	default:
		return nil
	}
}

// hasName reports whether events have a member with the given name in any dialect. A function is used because a method value
// would allocate.
func hasName(name string) bool { return tables().event.HasName(name) }

// caller returns the facts about the caller, with the scope base of the dialect if the request does not specify one.
func (in *input) caller() *operation.Caller {
	known := in.req.Caller
	if base := in.dialect.ScopeBase(); base != "" && known != nil && known.ScopeBase == "" {
		withBase := *known
		withBase.ScopeBase = base
		return &withBase
	}
	return known
}

// decode decodes the body, reports JSON problems, and returns false if the body is not an event.
func (r *checkRun) decode() bool {
	if r.in.req.Event != nil {
		r.in.sent, r.in.present = r.in.req.Event, tables().event.Present(r.in.req.Event)
		return true
	}
	nulls := object.NullIsDropped
	switch r.in.on {
	case diag.Response:
		nulls = object.NullIsWrong
	case diag.Patch:
		nulls = object.NullIsKept // a null clears the member
	}
	if r.body == nil {
		r.body = new(timedEvent)
	}
	body := r.body
	r.times = body.times[:]
	r.problems = tables().event.Decode(r.in.req.text(), &body.Event, object.Reading{
		Nulls: nulls, Limits: r.limits, Dialect: r.in.dialect, Lenient: r.in.on != diag.Response, Offsets: r.in.offsets, Memory: &r.times,
		Problems: r.problems,
	})
	r.in.decoded, r.in.owned, r.in.present = true, r.own == nil, r.in.offsets.Present()
	for i := range r.problems {
		r.reportProblem(&r.problems[i])
	}
	if n := len(r.problems); n > 0 {
		if r.unread = wrongTypes(r.problems); r.unread != nil {
			r.report.Suppress = r.suppress
		}
		if r.problems[n-1].Fault == object.Syntax {
			return false
		}
	}
	r.in.sent = &body.Event
	return true
}

// reportProblem reports a decoding problem at a path with the documents' names.
func (r *checkRun) reportProblem(p *object.Problem) {
	at := tables().event.Place(r.in.dialect, p.Path)
	rule := jsonrule.Of(p, r.in.on)
	if report := r.report.For(rule, ""); rule.When.Has(r.in.on) && !p.ReportElsewhere(report, at, r.elsewhere) {
		p.Report(report, at)
	}
	p.Path = at
}

// elsewhere returns the key of the message about a member of the body that belongs in the query or the path, or "".
func (r *checkRun) elsewhere(name string) string {
	switch {
	case r.op == nil:
		return ""
	case r.op.HasParam(name):
		return "in-query"
	case r.op.HasInPath(name):
		return "in-path"
	default:
		return ""
	}
}

// checkEvent checks the event against the rules of all packages.
func (r *checkRun) checkEvent() {
	in := &r.in
	r.checkMembers()
	if in.next.Recurrence != nil && in.changed.Has(ofSeries) {
		r.checkLines()
	}
	r.checkRules()
	if in.present.Has(ofConferenceData) || in.stored.ConferenceData != nil {
		r.report.Join("/conferenceData", in.conference().Check())
	}
}

// checkRules checks the rules of this package and the caller's rules.
func (r *checkRun) checkRules() {
	for _, rules := range [...]*byOccasion{checkedRules, r.own} {
		if rules == nil {
			continue
		}
		bound := rules.on(r.in.on)
		for i := range bound {
			r.checkBound(&bound[i])
		}
	}
}

// checkBound checks the rules that read at least one of the changed members.
func (r *checkRun) checkBound(bound *boundRules) {
	for s := bound.readingAny(r.in.changed | always); s != 0; s &= s - 1 {
		rule := &bound.rules[bits.TrailingZeros64(s)]
		rule.check(&r.in, r.report.For(rule.Rule, ""))
	}
}

// checkMembers checks the declared constraints on members, and whether clients may write them.
func (r *checkRun) checkMembers() {
	in := &r.in
	checking := object.Checking{On: in.on, Report: &r.report, Partial: in.isPartial(), Unknown: in.existing == unknownEvent}
	if diag.Write.Has(in.on) && in.existing != unknownEvent {
		tables().event.CheckIgnored(checking, in.sent, in.withIcons(in.storedAsSenderSeesIt()), in.sentToType()&in.present&^in.ignored())
	}
	if in.decoded {
		checking.Offsets = in.offsets
	}
	stored := in.stored
	if in.on == diag.Response {
		stored = nil // a representation is checked as a whole
	}
	values, members := in.next, in.changed
	if in.isPartial() {
		values = in.sent // the values as sent, including nulls
	} else if written := in.written(); written != in.next {
		values, members = written, members|tables().event.ChangedText(in.stored, written, object.All)
	}
	members &^= in.ignored()
	if in.takesOneResponse() {
		members &^= ofAttendees
		response := checking
		response.NoneAdded = true
		tables().event.CheckConstraints(response, in.sent, stored, "", ofAttendees)
	}
	tables().event.CheckConstraints(checking, values, stored, "", members)
}

// storedAsSenderSeesIt returns the stored event with the organizer marked among the attendees. The service marks the
// organizer even in a new event.
func (in *input) storedAsSenderSeesIt() *Event {
	switch {
	case !in.present.Has(ofAttendees):
		return in.stored
	case !diag.Create.Has(in.on):
		return withOrganizerFlag(in.stored)
	}
	if email := in.organizer(in.sent); findAttendee(in.sent.Attendees, email) != nil {
		return &Event{Attendees: []Attendee{{Email: email, Organizer: true}}}
	}
	return &noEvent
}

// sentToType returns the members that the request can send. An import first drops the properties of other event types.
func (c *change) sentToType() object.Set {
	if c.on == diag.Import && changesType(c.sent) {
		return ^ofBirthdayProperties
	}
	return object.All
}

// seriesStart returns the start of the series, or the zero start if it is unknown. If a patch sends a start without a
// zone, the stored event may have the zone.
func (in *input) seriesStart() recurrence.Start {
	if in.start.form == timed && in.next.Start.TimeZone == "" && in.mayHaveZone(in.sent.Start) {
		return recurrence.Start{}
	}
	return in.start.startIn(in.calendarZone())
}

// checkLines checks the recurrence against the rules of package recurrence. Lines that may already be stored are not
// refused for having no instances.
func (r *checkRun) checkLines() {
	in := &r.in
	mayBeStored := in.existing == unknownEvent || in.changesSeries() && slices.Equal(in.stored.Recurrence, in.next.Recurrence)
	lines := recurrence.Lines{Texts: in.next.Recurrence, Start: in.seriesStart(), On: in.on, Dialect: in.dialect, Stored: mayBeStored}
	checked := lines.Check()
	in.isEmpty, in.misses = checked.Empty, checked.Unmatched
	r.report.Join("/recurrence", checked.Findings)
}

// conference returns the change that the request makes to the conference data.
func (in *input) conference() conference.Change {
	asked := in.stored
	if in.on != diag.Patch || in.present.Has(ofConferenceData) {
		asked = in.asked()
	}
	return conference.Change{
		On:        in.on,
		Dialect:   in.dialect,
		IsGo:      in.req.Event != nil,
		Stored:    in.stored.ConferenceData,
		Unknown:   in.existing == unknownEvent,
		Sent:      in.sent.ConferenceData,
		Present:   in.sent.ConferenceData != nil || in.present.Has(ofConferenceData),
		Next:      asked.ConferenceData,
		Version:   in.options.ConferenceDataVersion,
		Cancelled: in.sent.Status == constraint.StatusCancelled,
	}
}

// settle drops redundant findings and sorts the others in document order.
func (r *checkRun) settle() {
	r.buffer = r.report.Findings // keeps the slice for the next check
	if len(r.buffer) == 0 {
		r.report.Findings = nil
		return
	}
	stage().Settle(&r.report, r.most, r.place)
	if r.in.req.text() == nil {
		for i := range r.report.Findings {
			r.report.Findings[i].Offset = -1
		}
	}
}

// stage returns the stage that runs after the rules.
var stage = sync.OnceValue(func() *engine.Stage {
	// Findings about parameters keep the order of the parameters.
	return engine.NewStage(operation.Rules(), slices.Concat(rules, recurrence.Rules(), seriesRules, conference.Rules()),
		"", "/start", "/end", "/originalStartTime", "/recurrence")
})

// place translates the paths of the findings from the documents' names to the dialect's, and sets the offsets.
func (r *checkRun) place(found diag.Findings) {
	if in := r.in.dialect; in == diag.Google {
		for i := range found {
			found[i].Path = tables().event.Place(in, found[i].Path)
		}
	}
	r.locate(found)
}

// locate sets the offsets of findings that decoding did not set.
func (r *checkRun) locate(found diag.Findings) {
	switch {
	case r.in.decoded && tables().event.Locate(r.in.req.text(), r.in.dialect, r.in.offsets, found):
	case len(found) > 1 || r.in.req.Event == nil:
		locate(r.text(), found)
	}
}

// locate sets the offsets of the findings that have none.
func locate(text []byte, found diag.Findings) {
	places := make([]jsonscan.Place, len(found))
	for i := range found {
		places[i].Path = found[i].Path
	}
	jsonscan.Locate(text, places)
	for i := range found {
		if found[i].Offset < 0 {
			found[i].Offset = places[i].Offset
		}
	}
}

// text returns the body as JSON, encoding it if it is a Go value.
func (r *checkRun) text() []byte {
	if r.in.req.Event == nil {
		return r.in.req.Body
	}
	return r.in.req.Event.AppendIn(r.in.dialect, make([]byte, 0, 1<<10)) // enough for most events
}

// wrongTypes returns the paths of values of the wrong type.
func wrongTypes(problems []object.Problem) map[diag.Pointer]bool {
	var places map[diag.Pointer]bool
	for _, p := range problems {
		if p.Fault == object.WrongType {
			if places == nil {
				places = map[diag.Pointer]bool{}
			}
			places[p.Path] = true
		}
	}
	return places
}

// suppress reports whether a finding's path is at or within a value of the wrong type. A suppressed finding would
// wrongly describe the value as missing.
func (r *checkRun) suppress(_ *diag.Rule, path diag.Pointer) bool {
	for at := len(path); at > 0; at = strings.LastIndexByte(string(path[:at]), '/') {
		if r.unread[path[:at]] {
			return true
		}
	}
	return false
}

// seriesRules lists the rules about the consequences of a change for a stored series.
var seriesRules = []*diag.Rule{&recurrenceEmptied, &recurrenceReanchored}
