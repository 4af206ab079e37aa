package event

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/resource"
	"github.com/calrules/calrules/internal/wording"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
)

// checkAnswer returns the findings about the response to the request, as a new slice that is never nil.
func (r *checkRun) checkAnswer(c *Checker, result *Result) diag.Findings {
	a := answerRun{checkRun: r, checker: *c, result: result}
	a.checker.MaxFindings = 0
	a.found = engine.Collector{Grading: c.Grading, Dialect: r.in.dialect, Texts: c.texts}
	req := r.in.req
	limits := r.limits
	limits.Depth = cmp.Or(limits.Depth, constraint.JSONMaxDepth) + 2 // events in a list are nested more deeply
	whole := resource.Answer{
		On: r.in.on, Dialect: r.in.dialect, Failed: req.Status >= 400, Text: req.Answer, Limits: limits,
		Report: a.found.For(&resource.AnswerRule, ""), Event: a.checkEvent, Rejects: func(f diag.Finding) { a.add("", f) },
	}
	if r.op == nil { // a check of a representation has no response
		return diag.Findings{}
	}
	whole.Check()
	for _, name := range [...]string{"fields", "$fields"} {
		if selected, _ := req.Params.Value(name); selected != "" && selected != "*" {
			a.keepSingle()
		}
	}
	stage().Settle(&a.found, c.MaxFindings, a.locate)
	return append(diag.Findings{}, a.found.Findings...)
}

// answerRun is the state of a check of a response.
type answerRun struct {
	*checkRun
	checker Checker
	result  *Result
	found   engine.Collector
	guests  []Attendee // the attendees of the compared event in the response
}

// locate sets the offsets of the findings in the response.
func (a *answerRun) locate(found diag.Findings) {
	for i := range found {
		found[i].Offset = -1 // it may be relative to a part of the answer
	}
	locate(a.in.req.Answer, found)
}

// keepSingle keeps only the findings about single values in the response. Because the fields parameter selects members, a
// missing member is not a fault, and rules about several members do not apply.
func (a *answerRun) keepSingle() {
	whole := new(jsonscan.Index).Of(a.in.req.Answer)
	a.found.Findings = slices.DeleteFunc(a.found.Findings, func(f diag.Finding) bool {
		value, has := valueAt(whole, f.Path)
		isWrong := f.Rule.ID == ruleid.JSONType || f.Cause != nil && f.Cause.ID == ruleid.JSONType
		return !isWrong && (!has || value.IsObject() || value.Text[0] == '[')
	})
}

// valueAt returns the value at the given path within v, or false if there is none.
func valueAt(v jsonscan.Value, path diag.Pointer) (jsonscan.Value, bool) {
	for token := range path.Tokens() {
		child, has := childOf(v, token)
		if !has {
			return v, false
		}
		v = child
	}
	return v, true
}

// childOf returns the member or element of v that the path token identifies, or false if there is none.
func childOf(v jsonscan.Value, token string) (jsonscan.Value, bool) {
	for name, member := range v.Members() {
		if name.String() == token {
			return member, true
		}
	}
	i := 0
	for element := range v.Elements() {
		if strconv.Itoa(i) == token {
			return element, true
		}
		i++
	}
	return v, false
}

// add adds a finding about the part of the response at the given place. If a rule of the library rejects that part, the
// response is reported as malformed.
func (a *answerRun) add(at diag.Pointer, f diag.Finding) {
	if f.Kind == diag.Reject && !isOwn(f.Rule) {
		f.Rule, f.Cause, f.Basis = &resource.AnswerRule, f.Rule, resource.AnswerRule.Basis
	}
	a.found.Join(at, diag.Findings{f})
}

// checkEvent checks an event in the response, both as a representation and against the effect of the request.
func (a *answerRun) checkEvent(at diag.Pointer, text []byte) {
	series := a.in.req.Series
	switch {
	case series == nil && a.in.on == diag.Instances:
		series = a.in.req.Existing
	case a.in.on == diag.Import:
		series = nil // an imported occurrence may have an iCalUID of its own
	}
	of := &Request{Op: operation.Response, Dialect: a.in.dialect, Params: a.in.req.Params, Body: text, Series: series}
	checked, err := a.checker.Check(of)
	if err != nil {
		return // cannot happen, because the checker's options are valid
	}
	for _, f := range checked.Findings {
		if f.Path.InBody() {
			a.add(at, f)
		}
	}
	got, problems := Decode(text, a.in.dialect)
	if problems.Rejected() {
		return
	}
	if a.in.on == diag.Instances && series != nil && !got.isInstance() { // the rule checks only events that refer to a series
		found := engine.Collector{Grading: a.checker.Grading, Dialect: a.in.dialect, Texts: a.checker.texts}
		checkInstanceOf(series, got, found.For(&instanceOfSeries, ""))
		for _, f := range found.Findings {
			a.add(at, f)
		}
	}
	a.checkEffect(at, got)
}

// checkEffect checks an event in the response against the expected event, if the request is accepted and the stored event is
// known.
func (a *answerRun) checkEffect(at diag.Pointer, got *Event) {
	in, r := &a.in, a.found.For(&answerEffect, at)
	isList := in.on == diag.List
	switch {
	case !a.result.Accepted || in.existing == unknownEvent:
		return
	case in.on == diag.Instances && got.Status == constraint.StatusCancelled && !in.asksForDeleted():
		r.Report("", "unlisted")
		return
	case isList && (in.existing != knownEvent || got.ID != in.stored.ID):
		return // the response lists a different event
	case a.result.Answer == nil && isList:
		r.Report("", "unlisted")
		return
	case a.result.Answer == nil:
		return
	}
	a.guests = got.Attendees
	want, members := a.expected(got)
	if want.AttendeesOmitted && !got.AttendeesOmitted {
		a.found.For(&answerLimits, at).Report("/attendeesOmitted", "omitted")
	}
	seen := got.WithDefaults()
	names := namesIn(in.dialect, members)
	tables().event.Diff(in.dialect, want, seen, func(d object.Difference) {
		if first, _, _ := strings.Cut(string(d.Path[1:]), "/"); slices.Contains(names, first) && !a.isOpen(want, d) {
			reportDifference(r, d)
		}
	})
}

// asksForDeleted reports whether the request asks for cancelled events.
func (in *input) asksForDeleted() bool {
	value, _ := in.req.Params.Value("showDeleted")
	return value == "true"
}

// namesIn returns the names of the members in a dialect.
func namesIn(in diag.Dialect, members object.Set) []string {
	names := tables().event.NamesOf(members)
	for i := range names {
		names[i] = in.Name(names[i])
	}
	return names
}

// reportDifference reports a difference between the response and the expected event. A missing array element is reported at the
// path of the array, because the element has no path in the response.
func reportDifference(r engine.Reporter, d object.Difference) {
	at := d.Path
	if around, last := at.Split(); d.New == nil && isIndex(last) {
		at = around
	}
	value, want := wording.JSON("value", string(d.New)), wording.JSON("want", string(d.Old))
	switch {
	case d.New == nil:
		r.Report(at, "lost", want)
	case d.Old == nil:
		r.Report(at, "added", value)
	default:
		r.Report(at, "changed", value, want)
	}
}

// expected returns the event that the response must match, and the set of members that the rules determine. The event includes
// defaults and, for members that the rules do not determine, the values in got.
func (a *answerRun) expected(got *Event) (want *Event, members object.Set) {
	in := &a.in
	want, members = a.result.Answer.WithDefaults(), ^(tables().service | a.open(got))
	tables().event.KeepWithin(want, got, object.All)
	for _, pair := range [...]struct{ is, was **Time }{
		{&want.Start, &got.Start}, {&want.End, &got.End}, {&want.OriginalStartTime, &got.OriginalStartTime},
	} {
		if agrees(*pair.is, *pair.was) && (in.dialect != diag.Google || hasOffsetOrDate(*pair.was)) {
			*pair.is = *pair.was
		}
	}
	if in.sameSeries(want, got.Recurrence) {
		want.Recurrence = got.Recurrence
	}
	if want.Visibility == "confidential" && got.Visibility == "private" {
		want.Visibility = got.Visibility
	}
	want.Attendees = a.inOrderOf(got.Attendees, want.Attendees)
	if want.Reminders != nil && got.Reminders != nil && sameReminders(want.Reminders.Overrides, got.Reminders.Overrides) {
		want.Reminders = &Reminders{UseDefault: want.Reminders.UseDefault, Overrides: got.Reminders.Overrides}
	}
	if in.dialect == diag.Google && in.on == diag.Move {
		members &^= ofStatus // responses with either status have been observed
	}
	if in.on == diag.Move && in.keepsOrganizer(got) {
		members |= ofOrganizer
	}
	return want, members
}

// keepsOrganizer reports whether an event that was moved to a calendar with another address still has its old organizer.
func (in *input) keepsOrganizer(moved *Event) bool {
	was, to := organizerEmail(in.stored), destination(in)
	return was != "" && to != "" && !form.SameAddress(was, to) && form.SameAddress(was, organizerEmail(moved))
}

// open returns the members that the rules do not determine.
func (a *answerRun) open(got *Event) (open object.Set) {
	in, e := &a.in, a.result.Answer
	isNew := diag.Create.Has(in.on)
	open = when(ofID, isNew && !in.sends(ofID, "/id")) |
		when(ofICalUID, e.ICalUID == "") |
		when(ofSequence, diag.Write.Has(in.on) && in.dialect != diag.Google && !in.sendsSequence()) |
		when(ofReminders, isNew && (e.Reminders == nil || tables().reminders.Equal(e.Reminders, new(Reminders)) || in.start.form == allDay)) |
		when(ofSource, !isNew && in.req.Caller == nil) |
		when(ofColorID, e.EventLabelID != nil) |
		when(ofAttendeesOmitted, e.AttendeesOmitted) |
		when(ofAttendees, e.AttendeesOmitted && !(hasSelf(e.Attendees) && len(got.Attendees) == 1)) | // see the rule answer.limits
		when(^(tables().event.Present(got)|ofStatus|membersNamed(e.StatusMeaning().Guaranteed()...)), mayLackDetails(e))
	for _, f := range a.result.Findings {
		if name, isMember := strings.CutPrefix(string(f.Path), "/"); isMember && f.Kind == diag.Unspecified && !isAboutValue(f) {
			first, _, _ := strings.Cut(name, "/")
			open |= tables().event.Where(func(d *object.Declaration) bool { return in.dialect.Name(d.Name) == first })
		}
	}
	return open
}

// mayLackDetails reports whether a response need contain only the guaranteed members of an event, because it is cancelled and not
// known to be in its organizer's calendar.
func mayLackDetails(e *Event) bool {
	return e.Status == constraint.StatusCancelled && !e.Organizer.orZero().Self
}

// sendsSequence reports whether the request sends a sequence that a server accepts: any sequence for a new event, and
// otherwise only a sequence higher than the stored sequence.
func (in *input) sendsSequence() bool {
	return in.sends(ofSequence, "/sequence") && (diag.Create.Has(in.on) || in.next.Sequence > in.stored.Sequence)
}

// sends reports whether the body contains a member with a value other than null. A null means that the member is absent.
func (in *input) sends(member object.Set, at diag.Pointer) bool {
	if in.req.Event != nil || !in.present.Has(member) {
		return in.present.Has(member)
	}
	value, has := valueAt(new(jsonscan.Index).Of(in.req.text()), at)
	return has && !value.IsNull()
}

// sentWithoutAnswer reports whether the body contains an attendee with the given address but without a responseStatus.
func (a *answerRun) sentWithoutAnswer(address string) bool {
	if !diag.Write.Has(a.in.on) {
		return false
	}
	sent := findAttendee(a.in.sent.Attendees, address)
	return sent != nil && sent.ResponseStatus == ""
}

// hasOffsetOrDate reports whether t has a date or an offset, as times in the public service's responses do.
func hasOffsetOrDate(t *Time) bool {
	p := parseTime(t)
	return !p.isDateTime || p.civil.HasOffset
}

// agrees reports whether got is the same time as want. The service may add a zone, and may omit the zone of a date.
func agrees(want, got *Time) bool {
	if want == nil || got == nil || !sameTime(want, got) {
		return false
	}
	return want.TimeZone == "" || got.TimeZone == want.TimeZone || got.TimeZone == "" && want.Date != ""
}

// hasSelf reports whether one of the attendees represents the calendar.
func hasSelf(attendees []Attendee) bool {
	return slices.ContainsFunc(attendees, func(a Attendee) bool { return a.Self })
}

// sameReminders reports whether two lists have the same reminders, in any order.
func sameReminders(a, b []Reminder) bool {
	sorted := func(list []Reminder) (texts []string) {
		for i := range list {
			texts = append(texts, list[i].String())
		}
		slices.Sort(texts)
		return texts
	}
	return slices.Equal(sorted(a), sorted(b))
}

// sameSeries reports whether recurrence lines have as many rules as the lines of the given event, and the same instances.
func (in *input) sameSeries(e *Event, others []string) bool {
	first, err := recurrence.Parse(e.Recurrence)
	second, otherErr := recurrence.Parse(others)
	if err != nil || otherErr != nil || len(first.Rules) != len(second.Rules) || len(first.ExRules) != len(second.ExRules) {
		return false
	}
	if first.String() == second.String() {
		return true
	}
	const fewSteps = 1 << 12 // answers may be hostile
	start := in.startOf(e).With(recurrence.Options{Budget: fewSteps})
	equal, _, err := first.Equal(second, start)
	return err == nil && equal
}

// inOrderOf returns the attendees in the order of others, with a missing id, name or response copied from others because the
// rules do not determine it. If the organizer was sent without a response, the organizer's response is also copied.
func (a *answerRun) inOrderOf(others, attendees []Attendee) []Attendee {
	pairs := pairAttendees(others, attendees)
	if pairs == nil {
		return attendees
	}
	var ordered []Attendee
	used := make([]bool, len(attendees))
	for i, k := range pairs {
		if k < 0 {
			continue
		}
		one, other := attendees[k], &others[i]
		if one.ID == "" {
			one.ID = other.ID
		}
		if one.DisplayName == "" {
			one.DisplayName = other.DisplayName
		}
		hasNone := one.ResponseStatus == "" && other.ResponseStatus == constraint.NeedsAction
		if hasNone || (one.Organizer || other.Organizer) && a.sentWithoutAnswer(one.Email) {
			one.ResponseStatus = other.ResponseStatus
		}
		ordered, used[k] = append(ordered, one), true
	}
	for k := range attendees {
		if !used[k] {
			ordered = append(ordered, attendees[k])
		}
	}
	return ordered
}
