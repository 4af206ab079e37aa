package resource

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/wording"
)

const sectionObserved = "observed"

var rules = []*diag.Rule{
	&calendarBody, &calendarLabels, &listEntryBody, &listEntryReadOnly, &listEntryColor, &aclBody, &freebusyBody, &freebusyRange,
	&watchChannel, &channelStop,
}

// Rules returns the rules of this package in the order in which they run.
func Rules() []*diag.Rule { return slices.Clone(rules) }

// input is a body with the request around it.
type input struct {
	on    diag.When
	query func(name string) string // the value of a query parameter, or ""
	body  any                      // a pointer to one of the types of this package
}

// check is the type of the functions that check the rules.
type check = func(*input, engine.Reporter)

// of makes a check of a function for bodies of type T. Bodies of other types keep the rule.
func of[T any](f func(in *input, body *T, r engine.Reporter)) check {
	return func(in *input, r engine.Reporter) {
		if body, ok := in.body.(*T); ok {
			f(in, body, r)
		}
	}
}

// text is a member that is a string.
type text struct {
	name, value string
	extra       *object.Extra // of the object that has the member
}

// require reports that a member is missing or empty, unless the operation does not require it.
func (in *input) require(r engine.Reporter, at diag.Pointer, t text, on diag.When) {
	if on.Has(in.on) && t.value == "" {
		constraint.ReportMissing(r, at.Member(t.name), t.name, t.extra.WasSent(t.name), nil)
	}
}

// allow reports a value that is present and that one of the constraints does not allow.
func allow(r engine.Reporter, at diag.Pointer, t text, constraints ...*constraint.Constraint) {
	if t.value == "" {
		return
	}
	for _, c := range constraints {
		if !c.Has(t.value) {
			c.Report(r, at.Member(t.name), t.name, t.value)
		}
	}
}

// request returns an example: a request with a body in the dialect of the public service.
func request(op, body string, members ...string) diag.Example {
	return diag.Example{Request: `{"op":"` + op + `","dialect":"google","body":` + body + strings.Join(append([]string{""}, members...), ",") + `}`}
}

// needSummary are the operations whose calendar has a summary.
const needSummary = diag.CalendarsInsert | diag.CalendarsUpdate

var calendarBody = diag.Rule{
	ID: "calendars.body", Kind: diag.Reject, When: needSummary | diag.CalendarsPatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "A calendar that is inserted or updated has a summary, and the timeZone of a calendar, if present, is a name of the IANA Time Zone Database.",
	Section: sectionObserved,
	Seen:    `An insert or an update without a summary gets 400: "Missing title."`,
	Reported: []string{
		"googleapis/google-api-nodejs-client#477", "googleapis/google-api-nodejs-client#1399", "googleapis/google-api-nodejs-client#481",
		"benjcunningham/googlecalendar#3",
	},
	OnlyIn: new(diag.Google),
	Good:   request("calendars.insert", `{"summary":"Team","timeZone":"Europe/Berlin"}`),
	Bad:    request("calendars.insert", `{"summary":"Team","timeZone":"Berlin"}`),
	Says:   slices.Concat(constraint.SaysRequired(nil), constraint.IANAZone.Says()),
	Check:  of(checkCalendar),
}

func checkCalendar(in *input, c *Calendar, r engine.Reporter) {
	if !c.extra.WasSent("summary") {
		in.require(r, "", text{"summary", c.Summary, &c.extra}, needSummary)
	}
	allow(r, "", text{"timeZone", c.TimeZone, &c.extra}, constraint.IANAZone)
}

var calendarLabels = diag.Rule{
	ID: "calendars.labels", Kind: diag.Reject, When: diag.CalendarsPatch | diag.CalendarsUpdate, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "A calendar has at most 200 event labels, each with a backgroundColor, an id of its own and a name of at most 50 characters.",
	Section:  sectionObserved,
	Seen:     "The reference states these limits.",
	Reported: []string{discoveryPage},
	Why:      "The labels that are sent replace those that are stored. A new label needs no id; to keep one, send its id.",
	OnlyIn:   new(diag.Google),
	Good:     request("calendars.patch", `{"summary":"Team","labelProperties":{"eventLabels":[{"name":"Travel","backgroundColor":"#039be5"}]}}`),
	Bad:      request("calendars.patch", `{"summary":"Team","labelProperties":{"eventLabels":[{"name":"Travel"}]}}`),
	Says: slices.Concat(constraint.SaysRequired(nil), constraint.CalendarLabelName.Says(), constraint.CalendarLabels.Says(), diag.Sentences{
		{Key: "repeated", Text: "The id {value} is already at {first}. Give each label an id of its own, or leave it out to have one generated."},
	}),
	Check: of(checkLabels),
}

func checkLabels(in *input, c *Calendar, r engine.Reporter) {
	const at diag.Pointer = "/labelProperties/eventLabels"
	if c.LabelProperties == nil {
		return
	}
	labels := c.LabelProperties.EventLabels
	if n := int64(len(labels)); !constraint.CalendarLabels.HasInt(n) {
		constraint.CalendarLabels.ReportInt(r, at, "eventLabels", n)
	}
	firsts := make(map[string]int, len(labels))
	for i := range labels {
		l := &labels[i]
		if l.extra.Element() {
			continue
		}
		in.require(r, at.Index(i), text{"backgroundColor", l.BackgroundColor, &l.extra}, in.on)
		allow(r, at.Index(i), text{"name", l.Name, &l.extra}, constraint.CalendarLabelName)
		if first, again := firsts[l.ID]; again && l.ID != "" {
			r.Report(at.Index(i).Member("id"), "repeated", diag.Value("value", l.ID), wording.Text("first", string(at.Index(first))))
		} else {
			firsts[l.ID] = i
		}
	}
}

// listEntryWrites are the operations that write an entry of the calendar list.
const listEntryWrites = diag.CalendarListInsert | diag.CalendarListPatch | diag.CalendarListUpdate

var listEntryBody = diag.Rule{
	ID: "calendar-list.body", Kind: diag.Reject, When: listEntryWrites, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "A calendar that is inserted into the list has an id; each default reminder has a method, email or popup, and 0 to 40320 minutes; " +
		"each notification has the method email and one of the types.",
	Section:  sectionObserved,
	Seen:     "The reference states what is required and the values.",
	Reported: []string{discoveryPage},
	OnlyIn:   new(diag.Google),
	Good:     request("calendarList.insert", `{"id":"team@example.com","defaultReminders":[{"method":"popup","minutes":10}]}`),
	Bad:      request("calendarList.insert", `{"id":"team@example.com","defaultReminders":[{"method":"popup"}]}`),
	Says:     slices.Concat(constraint.SaysRequired(nil), constraint.ReminderMethod.Says(), constraint.ReminderMinutes.Says()),
	Check:    of(checkListEntry),
}

func checkListEntry(in *input, e *CalendarListEntry, r engine.Reporter) {
	in.require(r, "", text{"id", e.ID, &e.extra}, diag.CalendarListInsert)
	for i := range e.DefaultReminders {
		in.checkReminder(&e.DefaultReminders[i], r, diag.Pointer("/defaultReminders").Index(i))
	}
	if e.NotificationSettings == nil {
		return
	}
	for i := range e.NotificationSettings.Notifications {
		n, at := &e.NotificationSettings.Notifications[i], diag.Pointer("/notificationSettings/notifications").Index(i)
		if n.extra.Element() {
			continue
		}
		in.requireOneOf(r, at, text{"method", n.Method, &n.extra}, constraint.NotificationMethod)
		in.requireOneOf(r, at, text{"type", n.Type, &n.extra}, constraint.NotificationType)
	}
}

func (in *input) checkReminder(m *Reminder, r engine.Reporter, at diag.Pointer) {
	if m.extra.Element() {
		return
	}
	in.requireOneOf(r, at, text{"method", m.Method, &m.extra}, constraint.ReminderMethod)
	switch {
	case m.Minutes == nil:
		constraint.ReportMissing(r, at.Member("minutes"), "minutes", false, nil)
	case !constraint.ReminderMinutes.HasInt(*m.Minutes):
		constraint.ReminderMinutes.ReportInt(r, at.Member("minutes"), "minutes", *m.Minutes)
	}
}

// requireOneOf reports a member of an element of an array that is missing, or that has a value outside its list.
func (in *input) requireOneOf(r engine.Reporter, at diag.Pointer, t text, c *constraint.Constraint) {
	in.require(r, at, t, in.on)
	allow(r, at, t, c)
}

var listEntryReadOnly = diag.Rule{
	ID: "calendar-list.read-only", Kind: diag.Ignore, When: diag.CalendarListInsert | diag.CalendarListPatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "The members accessRole, primary, deleted, summary, description, location, timeZone, dataOwner and autoAcceptInvitations of an entry " +
		"of the calendar list are the service's.",
	Section:  sectionObserved,
	Seen:     "The reference marks them as read-only.",
	Reported: []string{discoveryPage},
	Why:      "The summary of a list is summaryOverride. An update sends the whole entry back, so it may have them.",
	OnlyIn:   new(diag.Google),
	Good:     request("calendarList.insert", `{"id":"team@example.com","summaryOverride":"Us"}`),
	Bad:      request("calendarList.insert", `{"id":"team@example.com","summary":"Us"}`),
	Says: diag.Sentences{
		{Key: "ignored", Text: "Only the service writes {member}, so the value sent has no effect. Leave it out."},
		{Key: "override", Text: "Only the service writes summary, so the value sent has no effect. Send summaryOverride instead."},
	},
	Check: of(checkListEntryReadOnly),
}

func checkListEntryReadOnly(_ *input, e *CalendarListEntry, r engine.Reporter) {
	tables := made()
	for _, name := range tables.listEntry.NamesOf(tables.listEntry.Present(e) & tables.listEntryService) {
		if name == "summary" {
			r.Report("/summary", "override")
			continue
		}
		r.Report(diag.Pointer("").Member(name), "ignored", diag.Name("member", name))
	}
}

var listEntryColor = diag.Rule{
	ID: "calendar-list.color", Kind: diag.Ignore, When: diag.CalendarListInsert | diag.CalendarListPatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The backgroundColor and the foregroundColor of an entry of the calendar list are sent with colorRgbFormat=true.",
	Section:  sectionObserved,
	Seen:     "Without the parameter the request succeeds, and the color stays.",
	Reported: []string{"google/google-api-javascript-client#425"},
	OnlyIn:   new(diag.Google),
	Good:     request("calendarList.insert", `{"id":"team@example.com","backgroundColor":"#0088aa","foregroundColor":"#ffffff"}`, `"params":{"colorRgbFormat":"true"}`),
	Bad:      request("calendarList.insert", `{"id":"team@example.com","backgroundColor":"#0088aa","foregroundColor":"#ffffff"}`),
	Says:     diag.Sentences{{Key: "ignored", Text: "The {member} changes nothing without colorRgbFormat=true. Add the parameter, or send a colorId."}},
	Check:    of(checkListEntryColor),
}

func checkListEntryColor(in *input, e *CalendarListEntry, r engine.Reporter) {
	if in.query("colorRgbFormat") == "true" {
		return
	}
	for _, c := range []text{{"backgroundColor", e.BackgroundColor, &e.extra}, {"foregroundColor", e.ForegroundColor, &e.extra}} {
		if c.value != "" {
			r.Report(diag.Pointer("").Member(c.name), "ignored", diag.Name("member", c.name))
		}
	}
}

// needScope are the operations whose rule of access control has a scope with a type.
const needScope = diag.ACLInsert | diag.ACLUpdate

var aclBody = diag.Rule{
	ID: "acl.body", Kind: diag.Reject, When: diag.ACLInsert | diag.ACLPatch | diag.ACLUpdate, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "The role of a rule of access control is one of the list; an insert has a role, an insert or an update has a scope with a type, " +
		"and a scope has a value unless its type is default.",
	Section:  sectionObserved,
	Seen:     `An insert without a scope gets 400: "Missing scope type."`,
	Reported: []string{"google/google-api-javascript-client#70"},
	OnlyIn:   new(diag.Google),
	Good:     request("acl.insert", `{"role":"reader","scope":{"type":"user","value":"ada@example.com"}}`),
	Bad:      request("acl.insert", `{"role":"editor","scope":{"type":"user","value":"ada@example.com"}}`),
	Says: slices.Concat(constraint.SaysRequired(nil), constraint.ACLRole.Says(), diag.Sentences{
		{Key: "no-value", Text: "The scope of type {type} has no value; send the address of the user or the group, or the name of the domain."},
	}),
	Check: of(checkACL),
}

func checkACL(in *input, a *ACLRule, r engine.Reporter) {
	in.require(r, "", text{"role", a.Role, &a.extra}, diag.ACLInsert)
	allow(r, "", text{"role", a.Role, &a.extra}, constraint.ACLRole)
	s := a.Scope
	if s == nil {
		if needScope.Has(in.on) {
			constraint.ReportMissing(r, "/scope", "scope", false, nil)
		}
		return
	}
	in.require(r, "/scope", text{"type", s.Type, &s.extra}, needScope)
	allow(r, "/scope", text{"type", s.Type, &s.extra}, constraint.ACLScopeType)
	if needScope.Has(in.on) && s.Value == "" && s.Type != constraint.ScopeDefault && constraint.ACLScopeType.Has(s.Type) {
		r.Report("/scope/value", "no-value", diag.Name("type", s.Type))
	}
}

var freebusyBody = diag.Rule{
	ID: "freebusy.body", Kind: diag.Reject, When: diag.FreebusyQuery, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "A free/busy query has timeMin and timeMax, RFC 3339 timestamps with an offset, timeMax after timeMin; its items have an id; " +
		"its timeZone is a name of the IANA Time Zone Database; it expands at most 50 calendars and 100 members of a group.",
	Section:  sectionObserved,
	Seen:     `A query without timeMin gets 400: "Missing timeMin parameter."; times without an offset, and dates, get 400 too.`,
	Reported: []string{"aaronsb/google-workspace-mcp#98", "googleapis/google-api-nodejs-client#3145", "kewisch/gdata-provider#246"},
	Why:      "The timeZone only shapes the answer: it does not give the times an offset.",
	OnlyIn:   new(diag.Google),
	Good:     request("freebusy.query", `{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-17T00:00:00Z","items":[{"id":"primary"}]}`),
	Bad:      request("freebusy.query", `{"timeMax":"2026-03-17T00:00:00Z","items":[{"id":"primary"}]}`),
	Says: slices.Concat(constraint.SaysRequired(nil), constraint.FreebusyTime.Says(), constraint.IANAZone.Says(),
		constraint.CalendarExpansion.Says(), diag.Sentences{
			{Key: "order", Text: "The timeMax is not after timeMin, so the range is empty; send a later timeMax or an earlier timeMin."},
		}),
	Check: of(checkFreebusy),
}

func checkFreebusy(in *input, q *FreeBusy, r engine.Reporter) {
	for _, t := range []text{{"timeMin", q.TimeMin, &q.extra}, {"timeMax", q.TimeMax, &q.extra}} {
		in.require(r, "", t, in.on)
		allow(r, "", t, constraint.FreebusyTime)
	}
	if first, last, ok := q.bounds(); ok && last.Compare(first) <= 0 {
		r.Report("/timeMax", "order")
	}
	allow(r, "", text{"timeZone", q.TimeZone, &q.extra}, constraint.IANAZone)
	for i := range q.Items {
		if item := &q.Items[i]; !item.extra.Element() {
			in.require(r, diag.Pointer("/items").Index(i), text{"id", item.ID, &item.extra}, in.on)
		}
	}
	advise := r.WithKind(diag.Advise)
	if n := q.CalendarExpansionMax; n != nil && !constraint.CalendarExpansion.HasInt(*n) {
		constraint.CalendarExpansion.ReportInt(advise, "/calendarExpansionMax", "calendarExpansionMax", *n)
	}
	if n := q.GroupExpansionMax; n != nil && !constraint.GroupExpansion.HasInt(*n) {
		constraint.GroupExpansion.ReportInt(advise, "/groupExpansionMax", "groupExpansionMax", *n)
	}
}

// bounds returns the range of the query, and false if one of the times cannot be read.
func (q *FreeBusy) bounds() (first, last time.Time, ok bool) {
	from, okFrom := form.ParseDateTime(q.TimeMin)
	to, okTo := form.ParseDateTime(q.TimeMax)
	if !okFrom || !okTo || !from.HasOffset || !to.HasOffset {
		return first, last, false
	}
	return from.Time(), to.Time(), true
}

var freebusyRange = diag.Rule{
	ID: "freebusy.range", Kind: diag.Advise, When: diag.FreebusyQuery, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The range of a free/busy query is at most about 90 days.",
	Section:  sectionObserved,
	Reason:   "timeRangeTooLong",
	Seen:     `A query of three months gets 400: "The requested time range is too long." 90 days is what those who hit the limit found.`,
	Reported: []string{"calcom/cal.diy#11696", "calcom/cal.diy#11962", "calcom/cal.diy#18237"},
	OnlyIn:   new(diag.Google),
	Good:     request("freebusy.query", `{"timeMin":"2026-03-01T00:00:00Z","timeMax":"2026-05-30T00:00:00Z","items":[{"id":"primary"}]}`),
	Bad:      request("freebusy.query", `{"timeMin":"2026-03-01T00:00:00Z","timeMax":"2026-06-01T00:00:00Z","items":[{"id":"primary"}]}`),
	Says: diag.Sentences{{Key: "long", Text: "The range has {n|day|days}; the public service refuses one of more than about {limit} days. " +
		"Send several queries."}},
	Check: of(checkFreebusyRange),
}

func checkFreebusyRange(_ *input, q *FreeBusy, r engine.Reporter) {
	const most = constraint.FreebusyDaysMax
	const day = 24 * 60 * 60
	first, last, ok := q.bounds()
	seconds := last.Unix() - first.Unix() // a time.Duration has at most 292 years
	if more := last.Nanosecond() - first.Nanosecond(); more > 0 {
		seconds++
	}
	if ok && seconds > most*day {
		r.Report("/timeMax", "long", diag.Number("n", (seconds+day-1)/day), diag.Number("limit", most))
	}
}

var watchChannel = diag.Rule{
	ID: "watch.channel", Kind: diag.Reject, When: watches,
	Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "A channel has an id of at most 64 of the characters A-Z a-z 0-9 - _ + / =, the type web_hook or webhook, an https address, " +
		"a token of at most 256 characters, and an expiration in Unix milliseconds.",
	Section:  sectionObserved,
	Seen:     "The push notifications guide states these limits.",
	Reported: []string{"https://developers.google.com/workspace/calendar/api/guides/push"},
	Why:      "An id is used once in a project; only the server can know whether it was.",
	OnlyIn:   new(diag.Google),
	Good:     request("events.watch", `{"id":"c-1","type":"web_hook","address":"https://example.com/notifications"}`),
	Bad:      request("events.watch", `{"id":"c-1","type":"web_hook","address":"http://example.com/notifications"}`),
	Says: slices.Concat(constraint.SaysRequired(nil), constraint.ChannelType.Says(), constraint.ChannelIDLength.Says(),
		constraint.ChannelAddress.Says(), diag.Sentences{
			{Key: "id-characters", Text: "The id is {value}; only A-Z, a-z, 0-9 and -_+/= are allowed. Use a UUID."},
			{Key: "expiration", Text: "The expiration is {value}; it must be the Unix time in milliseconds, in digits."},
		}),
	Check: of(checkChannel),
}

func checkChannel(in *input, c *Channel, r engine.Reporter) {
	for _, t := range []struct {
		text
		must *constraint.Constraint
	}{
		{text{"id", c.ID, &c.extra}, constraint.ChannelIDLength},
		{text{"type", c.Type, &c.extra}, constraint.ChannelType},
		{text{"address", c.Address, &c.extra}, constraint.ChannelAddress},
	} {
		in.require(r, "", t.text, in.on)
		allow(r, "", t.text, t.must)
	}
	if !constraint.ChannelIDCharacters.Has(c.ID) {
		r.Report("/id", "id-characters", diag.Value("value", c.ID))
	}
	allow(r, "", text{"token", c.Token, &c.extra}, constraint.ChannelToken)
	if v := c.Expiration; v != nil && !isMilliseconds(v) {
		r.Report("/expiration", "expiration", diag.Value("value", unquoted(v)))
	}
}

// isMilliseconds reports whether a JSON value is an int64 that is not negative, or a string of its digits.
func isMilliseconds(value json.RawMessage) bool {
	if jsonscan.Of(value).IsString() {
		_, err := strconv.ParseUint(unquoted(value), 10, 63)
		return err == nil
	}
	n, ok := object.ParseInt(value)
	return ok && n >= 0
}

// unquoted returns the text of a JSON string, and other values as they are written.
func unquoted(value json.RawMessage) string {
	if jsonscan.Of(value).IsString() {
		return string(jsonscan.Unquote(value))
	}
	return string(value)
}

var channelStop = diag.Rule{
	ID: "channels.stop.body", Kind: diag.Reject, When: diag.ChannelsStop, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The id and the resourceId name the channel to stop.",
	Section:  sectionObserved,
	Reason:   "required",
	Seen:     "The push notifications guide requires both.",
	Reported: []string{"https://developers.google.com/workspace/calendar/api/guides/push"},
	OnlyIn:   new(diag.Google),
	Good:     request("channels.stop", `{"id":"c-1","resourceId":"r-1"}`),
	Bad:      request("channels.stop", `{"id":"c-1"}`),
	Says:     constraint.SaysRequired(nil),
	Check:    of(checkStop),
}

func checkStop(in *input, c *Channel, r engine.Reporter) {
	in.require(r, "", text{"id", c.ID, &c.extra}, in.on)
	in.require(r, "", text{"resourceId", c.ResourceID, &c.extra}, in.on)
}
