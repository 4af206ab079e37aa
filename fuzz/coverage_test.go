package fuzz_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// coverage counts which values of which limits were drawn, by the names of [limits.Table].
type coverage map[string]map[string]int

func (c coverage) add(limit, value string) {
	if c[limit] == nil {
		c[limit] = map[string]int{}
	}
	c[limit][value]++
}

func (c coverage) number(n int64, limits ...string) {
	for _, limit := range limits {
		c.add(limit, strconv.FormatInt(n, 10))
	}
}

func (c coverage) length(text string, limits ...string) {
	c.number(int64(utf8.RuneCountInString(text)), limits...)
}

// form notes that a value was drawn which the predicate of that name holds for.
func (c coverage) form(predicate string, holds func(string) bool, value string) {
	if value != "" && holds(value) {
		c.add(predicate, "")
	}
}

// drawn returns many requests of every operation, the same in every run: what is counted does
// not depend on luck.
var drawn = sync.OnceValue(func() map[operation.ID][]*event.Request {
	requests := map[operation.ID][]*event.Request{}
	for _, op := range known {
		drawnOf := fuzz.Request(op)
		for seed := range max(draws[op], 200) {
			requests[op] = append(requests[op], drawnOf.Example(seed))
		}
	}
	return requests
})

// draws are how many requests are drawn where it takes more than 200: patches say little each.
var draws = map[operation.ID]int{
	operation.EventsInsert: 2000, operation.Response: 2000, operation.EventsUpdate: 1200, operation.EventsPatch: 3000,
}

// TestCoverage draws requests and counts: every value of every enumeration, every number that
// is a limit, and the one before a greatest, are reached. Each row of the table of limits has
// to be looked for, or to be left out for a reason.
func TestCoverage(t *testing.T) {
	seen := coverage{}
	for _, requests := range drawn() {
		for _, req := range requests {
			seen.request(req)
			if req.Body != nil {
				seen.event(decode(req.Body))
			}
		}
	}
	for _, limit := range limits.Table() {
		want, ok := goals()[limit.Name]
		if _, left := leftOut[limit.Name]; ok == left {
			t.Errorf("%s has goals: %t, is left out: %t", limit.Name, ok, left)
		}
		seen.miss(t, limit.Name, want)
	}
}

// miss reports the values that were not reached.
func (c coverage) miss(t *testing.T, limit string, want []string) {
	t.Helper()
	for _, value := range want {
		if c[limit][value] == 0 {
			t.Errorf("%s: %q is never drawn", limit, value)
		}
	}
}

// TestCoverageOfWrites reaches the same with each operation that writes a stored event, in what
// is stored afterwards, but for what such a write cannot do.
func TestCoverageOfWrites(t *testing.T) {
	for _, op := range []operation.ID{operation.EventsPatch, operation.EventsUpdate} {
		t.Run(string(op), func(t *testing.T) {
			seen := coverage{}
			for _, req := range drawn()[op] {
				seen.request(req)
				seen.event(decode(req.Body))
				seen.event(event.Check(req).Stored)
			}
			for name, want := range goals() {
				if !slices.Contains(ofOtherOperations, name) {
					seen.miss(t, name, want)
				}
			}
		})
	}
}

// ofOtherOperations are the limits of ids that a client chooses, and of parameters, that a write
// of a stored event knows nothing of.
var ofOtherOperations = []string{
	"EventIDAlphabet", "EventIDMinLength", "EventIDMaxLength", "MaxAttendeesMin", "SendUpdates",
}

// leftOut are the limits that no valid request of today's operations can show.
var leftOut = map[string]string{
	"PatchQuotaUnits": "is a price, no value",
	"ServiceVersion":  "is part of the address",
	"JSONMaxDepth":    "is reached by unknown members alone, which the documents do not list",
}

// goals are the values that have to be reached. An empty one stands for the form.
func goals() map[string][]string {
	one := []string{""}
	return map[string][]string{
		"EventKind":              {limits.EventKind},
		"EventIDAlphabet":        one,
		"EventIDMinLength":       numbers(limits.EventIDMinLength),
		"EventIDMaxLength":       numbers(limits.EventIDMaxLength-1, limits.EventIDMaxLength),
		"Status":                 limits.Status.Values(),
		"RecurrenceLine":         limits.RecurrenceLine.Values(),
		"Transparency":           limits.Transparency.Values(),
		"Visibility":             limits.Visibility.Values(),
		"SequenceMin":            numbers(limits.SequenceMin, limits.SequenceMin+1),
		"PropertyKeyMaxLength":   numbers(limits.PropertyKeyMaxLength-1, limits.PropertyKeyMaxLength),
		"PropertyValueMaxLength": numbers(limits.PropertyValueMaxLength-1, limits.PropertyValueMaxLength),
		"GadgetSizeMin":          numbers(limits.GadgetSizeMin),
		"GadgetDisplay":          limits.GadgetDisplay.Values(),
		"AttachmentsMax":         numbers(0, limits.AttachmentsMax-1, limits.AttachmentsMax),
		"EventType":              append(limits.EventType.Values(), ""),

		"IsDate":     one,
		"IsDateTime": one,
		"IsZone":     one,

		"IsAddrSpec":          one,
		"ResponseStatus":      limits.ResponseStatus.Values(),
		"AdditionalGuestsMin": numbers(limits.AdditionalGuestsMin, limits.AdditionalGuestsMin+1),
		"AsyncOperation":      limits.AsyncOperation.Values(),

		"EntryPointsMin":               numbers(limits.EntryPointsMin),
		"CreateRequestStatus":          limits.CreateRequestStatus.Values(),
		"ConferenceSolutionType":       append(limits.ConferenceSolutionType.Values(), "holoDeck", ""),
		"ConferenceSolutionDeprecated": limits.ConferenceSolutionDeprecated.Values(),
		"IsMeetingCode":                one,
		"ConferenceNotesMaxLength":     numbers(limits.ConferenceNotesMaxLength-1, limits.ConferenceNotesMaxLength),
		"EntryPointType":               limits.EntryPointType.Values(),
		"EntryPointsOfTypeMax":         {"video", "sip", "more"},
		"EntryPointURIMaxLength":       numbers(limits.EntryPointURIMaxLength-1, limits.EntryPointURIMaxLength),
		"IsHTTPURL":                    one,
		"IsTelURI":                     one,
		"IsSIPURI":                     one,
		"EntryPointLabelMaxLength":     numbers(limits.EntryPointLabelMaxLength-1, limits.EntryPointLabelMaxLength),
		"EntryPointCodeMaxLength":      numbers(limits.EntryPointCodeMaxLength-1, limits.EntryPointCodeMaxLength),

		"ReminderOverridesMax": numbers(0, limits.ReminderOverridesMax-1, limits.ReminderOverridesMax),
		"ReminderMethod":       limits.ReminderMethod.Values(),
		"ReminderMinutesMin":   numbers(limits.ReminderMinutesMin),
		"ReminderMinutesMax":   numbers(limits.ReminderMinutesMax-1, limits.ReminderMinutesMax),

		"AutoDeclineMode":      limits.AutoDeclineMode.Values(),
		"ChatStatus":           limits.ChatStatus.Values(),
		"BirthdayType":         limits.BirthdayType.Values(),
		"BirthdayContactTypes": limits.BirthdayContactTypes.Values(),
		"IsContactName":        one,
		"WorkingLocationType":  limits.WorkingLocationType.Values(),

		"FeatureVersionMin": numbers(limits.FeatureVersionMin),
		"FeatureVersionMax": numbers(limits.FeatureVersionMax),
		"MaxAttendeesMin":   numbers(limits.MaxAttendeesMin),
		"SendUpdates":       limits.SendUpdates.Values(),
	}
}

func numbers(list ...int) []string {
	var texts []string
	for _, n := range list {
		texts = append(texts, strconv.Itoa(n))
	}
	return texts
}

func (c coverage) request(req *event.Request) {
	for _, name := range []string{"conferenceDataVersion", "eventLabelVersion"} {
		if value, ok := req.Params.Value(name); ok {
			c.add("FeatureVersionMin", value)
			c.add("FeatureVersionMax", value)
		}
	}
	if value, ok := req.Params.Value("maxAttendees"); ok {
		c.add("MaxAttendeesMin", value)
	}
	if value, ok := req.Params.Value("sendUpdates"); ok {
		c.add("SendUpdates", value)
	}
	if req.Op == operation.EventsInsert {
		c.insertOnly(decode(req.Body))
	}
}

// insertOnly notes what the limits say of a client's choice alone.
func (c coverage) insertOnly(e *event.Event) {
	if e.ID != "" && limits.IsEventID(e.ID) {
		c.add("EventIDAlphabet", "")
		c.length(e.ID, "EventIDMinLength", "EventIDMaxLength")
	}
}

func (c coverage) event(e *event.Event) {
	c.add("EventKind", e.Kind)
	c.add("Status", e.Status)
	c.add("Transparency", e.Transparency)
	c.add("Visibility", e.Visibility)
	c.add("EventType", e.EventType)
	c.number(e.Sequence, "SequenceMin")
	for _, line := range e.Recurrence {
		for _, name := range limits.RecurrenceLine.Values() {
			if len(line) > len(name) && line[:len(name)] == name {
				c.add("RecurrenceLine", name)
			}
		}
	}
	for _, at := range []*event.Time{e.Start, e.End, e.OriginalStartTime} {
		if at != nil {
			c.form("IsDate", limits.IsDate, at.Date)
			c.form("IsDateTime", limits.IsDateTime, at.DateTime)
			c.form("IsZone", limits.IsZone, at.TimeZone)
		}
	}
	c.attendees(e)
	c.parts(e)
	c.properties(e)
	if e.ConferenceData != nil {
		c.conference(e.ConferenceData)
	}
}

func (c coverage) attendees(e *event.Event) {
	for _, a := range e.Attendees {
		c.form("IsAddrSpec", limits.IsAddrSpec, a.Email)
		c.add("ResponseStatus", a.ResponseStatus)
		c.add("AsyncOperation", a.AsyncOperation)
		c.number(a.AdditionalGuests, "AdditionalGuestsMin")
	}
}

func (c coverage) parts(e *event.Event) {
	c.number(int64(len(e.Attachments)), "AttachmentsMax")
	if p := e.ExtendedProperties; p != nil {
		for _, list := range []map[string]string{p.Private, p.Shared} {
			for key, value := range list {
				c.length(key, "PropertyKeyMaxLength")
				c.length(value, "PropertyValueMaxLength")
			}
		}
	}
	if g := e.Gadget; g != nil {
		c.add("GadgetDisplay", g.Display)
		if g.Width != nil && g.Height != nil {
			c.number(min(*g.Width, *g.Height), "GadgetSizeMin")
		}
	}
	if r := e.Reminders; r != nil {
		c.number(int64(len(r.Overrides)), "ReminderOverridesMax")
		for _, o := range r.Overrides {
			c.add("ReminderMethod", o.Method)
			c.number(*o.Minutes, "ReminderMinutesMin", "ReminderMinutesMax")
		}
	}
}

func (c coverage) properties(e *event.Event) {
	if f := e.FocusTimeProperties; f != nil {
		c.add("AutoDeclineMode", f.AutoDeclineMode)
		c.add("ChatStatus", f.ChatStatus)
	}
	if w := e.WorkingLocationProperties; w != nil {
		c.add("WorkingLocationType", w.Type)
	}
	if b := e.BirthdayProperties; b != nil {
		c.add("BirthdayType", b.Type)
		c.form("IsContactName", limits.IsContactName, b.Contact)
		if b.Contact != "" {
			c.add("BirthdayContactTypes", b.Type)
		}
	}
}

func (c coverage) conference(d *conference.Data) {
	c.length(d.Notes, "ConferenceNotesMaxLength")
	if r := d.CreateRequest; r != nil && r.Status != nil {
		c.add("CreateRequestStatus", r.Status.Code)
	}
	if s := d.Solution; s != nil && s.Key != nil {
		c.add("ConferenceSolutionType", s.Key.Type)
		c.add("ConferenceSolutionDeprecated", s.Key.Type)
		c.number(int64(len(d.EntryPoints)), "EntryPointsMin")
		if s.Key.Type == "videoMeet" {
			c.form("IsMeetingCode", limits.IsMeetingCode, d.ID)
		}
	}
	for _, p := range d.EntryPoints {
		c.add("EntryPointType", p.Type)
		c.add("EntryPointsOfTypeMax", p.Type)
		c.form("IsHTTPURL", limits.IsHTTPURL, p.URI)
		c.form("IsTelURI", limits.IsTelURI, p.URI)
		c.form("IsSIPURI", limits.IsSIPURI, p.URI)
		c.length(p.URI, "EntryPointURIMaxLength")
		c.length(p.Label, "EntryPointLabelMaxLength")
		for _, code := range p.Codes() {
			c.length(code, "EntryPointCodeMaxLength")
		}
	}
}

// TestEveryMemberIsDrawn: each member that the documents list stands in some body, and in some
// stored event.
func TestEveryMemberIsDrawn(t *testing.T) {
	seen, stored := map[string]bool{}, map[string]bool{}
	for _, op := range []operation.ID{operation.EventsInsert, operation.EventsUpdate, operation.Response} {
		for _, req := range drawn()[op] {
			addPlaces(seen, req.Body)
			if req.Existing != nil {
				addPlaces(stored, req.Existing.AppendJSON(nil))
			}
		}
	}
	for _, member := range members(event.Event{}) {
		if !seen[member] {
			t.Errorf("%s is never drawn", member)
		}
		if !stored[member] {
			t.Errorf("%s is never stored", member)
		}
	}
}

func addPlaces(seen map[string]bool, text []byte) {
	for _, p := range places(mustParse(text)) {
		seen[generic(p)] = true
	}
}

// TestEveryFormIsDrawn: what the table of limits does not number is drawn too. A pattern is
// looked for in the body of an insert.
func TestEveryFormIsDrawn(t *testing.T) {
	for name, pattern := range map[string]string{
		"offset alone":         `"start":\{"dateTime":"[^"]*[+-][0-9:]{5}"\}`,
		"zone alone":           `"start":\{"dateTime":"[0-9T:-]{19}","timeZone"`,
		"offset and zone":      `"start":\{"dateTime":"[^"]*[+-][0-9:]{5}","timeZone"`,
		"fraction":             `"start":\{"dateTime":"[0-9T:-]{19}\.[0-9]+`,
		"ten digits and more":  `"start":\{"dateTime":"[0-9T:-]{19}\.[0-9]{10}`,
		"lower case":           `"dateTime":"[0-9-]{10}t[^"]*z"`,
		"unknown local offset": `"dateTime":"[^"]*-00:00"`,
		"leap second":          `:59:60Z"`,
		"first year":           `"date":"0000-01-01"`,
		"last year":            `"date":"9999-12-31"`,
		"single all-day":       `"start":\{"date":[^}]*\},"end":\{[^}]*\},"[^r]`,
		"series all-day":       `"start":\{"date":[^}]*\},"end":\{[^}]*\}(,"endTimeUnspecified":true)?,"recurrence"`,
		"series timed":         `"start":\{"dateTime":[^}]*\},"end":\{[^}]*\}(,"endTimeUnspecified":true)?,"recurrence"`,
		"excluded day":         `"EXDATE;VALUE=DATE:`,
		"added period":         `"RDATE;VALUE=PERIOD:[0-9TZ]*/PT1H`,
		"quoted zone":          `;TZID=\\"`,
		"until":                `UNTIL=[0-9]{8}T[0-9]{6}Z`,
		"until a day":          `UNTIL=[0-9]{8}[;"]`,
		"lower case rule":      `"rrule:freq=`,
		"null":                 `:null[,}]`,
		"several code points":  `🏳|\x{0301}`,
		"quoted local part":    `"email":"\\"[^@]*\\"@`,
		"domain literal":       `"email":"[a-z]*@\[`,
		"crowd":                `"guest256@example\.com"`,
		"request beside":       `"createRequest":.*"conferenceSolution":\{`,
	} {
		re := regexp.MustCompile(pattern)
		if !slices.ContainsFunc(drawn()[operation.EventsInsert], func(req *event.Request) bool { return re.Match(req.Body) }) {
			t.Errorf("%s is never drawn: %s", name, pattern)
		}
	}
	for _, frequency := range []string{"SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"} {
		if !slices.ContainsFunc(drawn()[operation.EventsInsert], func(req *event.Request) bool { return strings.Contains(string(req.Body), "FREQ="+frequency) }) {
			t.Errorf("%s is never drawn", frequency)
		}
	}
}

// TestEveryParameterIsDrawn: each parameter of each operation is sent, with each of its values
// or with its limits, and left out unless it is required.
func TestEveryParameterIsDrawn(t *testing.T) {
	for op := range operation.All() {
		for _, p := range op.Params {
			values := map[string]int{}
			absent := 0
			for _, req := range drawn()[op.ID] {
				if value, ok := req.Params.Value(p.Name); ok {
					values[value]++
				} else {
					absent++
				}
			}
			if (absent > 0) == p.Required || len(values) == 0 {
				t.Errorf("%s: %s is absent %d times and has %d values", op.ID, p.Name, absent, len(values))
			}
			for _, value := range valuesOf(p) {
				if values[value] == 0 {
					t.Errorf("%s: %s is never %q", op.ID, p.Name, value)
				}
			}
		}
	}
}

// valuesOf returns the values of a parameter that have to be reached.
func valuesOf(p operation.Param) []string {
	switch {
	case len(p.Values) > 0:
		return p.Values
	case p.Type == operation.Boolean:
		return []string{"false", "true"}
	case p.Type != operation.Integer:
		return nil
	case p.Max > 0:
		return numbers(p.Min, p.Max)
	default:
		return numbers(p.Min)
	}
}

// TestRequestsAreWhole: what a request of each operation comes with, at times.
func TestRequestsAreWhole(t *testing.T) {
	for name, test := range map[string]struct {
		ops []operation.ID
		has func(req *event.Request) bool
	}{
		"a caller":    {known[1:], func(req *event.Request) bool { return req.Caller != nil }},
		"a calendar":  {known[1:], func(req *event.Request) bool { return req.Calendar != nil }},
		"known ids":   {withBody[1:], func(req *event.Request) bool { return req.Calendar != nil && req.Calendar.IDs != nil }},
		"known color": {withBody[1:], func(req *event.Request) bool { return req.Calendar != nil && req.Calendar.Colors != nil }},
		"existing":    {ofStored, func(req *event.Request) bool { return req.Existing != nil }},
		"a series":    {ofStored, func(req *event.Request) bool { return req.Existing != nil && len(req.Existing.Recurrence) > 0 }},
		"an instance": {ofStored[1:], func(req *event.Request) bool { return req.Existing != nil && req.Existing.RecurringEventID != "" }},
		"its series":  {ofStored[1:], func(req *event.Request) bool { return req.Series != nil }},
		"cancelled":   {ofStored[1:], func(req *event.Request) bool { return req.Existing != nil && req.Existing.Status == "cancelled" }},
		"locked":      {ofStored, func(req *event.Request) bool { return req.Existing != nil && req.Existing.Locked }},
		"unknown members": {ofStored, func(req *event.Request) bool {
			return req.Existing != nil && strings.Contains(req.Existing.String(), "hangoutLink")
		}},
		"the tag": {[]operation.ID{operation.EventsPatch, operation.EventsUpdate, operation.EventsDelete}, func(req *event.Request) bool {
			return req.IfMatch != "" && req.IfMatch == req.Existing.ETag
		}},
		"nothing stored": {[]operation.ID{operation.EventsPatch, operation.EventsUpdate, operation.EventsGet, operation.EventsList}, func(req *event.Request) bool {
			return req.Existing == nil
		}},
	} {
		for _, op := range test.ops {
			if !slices.ContainsFunc(drawn()[op], test.has) {
				t.Errorf("no request of %s has %s", op, name)
			}
		}
	}
}

// ofStored are the operations that are about a stored event; the first one is about a series.
var ofStored = []operation.ID{
	operation.EventsInstances, operation.EventsPatch, operation.EventsUpdate, operation.EventsMove,
	operation.EventsDelete, operation.EventsGet, operation.EventsList,
}

// TestEveryTypeIsStored: events of each type are stored, written and asked for.
func TestEveryTypeIsStored(t *testing.T) {
	for _, op := range ofStored {
		for _, typ := range limits.EventType.Values() {
			if op == operation.EventsMove && typ != "default" {
				continue // which alone is moved
			}
			if !slices.ContainsFunc(drawn()[op], func(req *event.Request) bool { return req.Existing != nil && req.Existing.EventType == typ }) {
				t.Errorf("no request of %s is about an event of type %s", op, typ)
			}
		}
	}
}

// TestSameSeedSameRequest draws with one generator in several goroutines at once.
func TestSameSeedSameRequest(t *testing.T) {
	for _, op := range slices.Concat(ofStored, withBody) {
		requests := fuzz.Request(op)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for seed := range 20 {
					want, got := fuzz.Request(op).Example(seed), requests.Example(seed)
					if diff := cmp.Diff(marshal(t, want), marshal(t, got)); diff != "" {
						t.Errorf("seed %d draws different requests:\n%s", seed, diff)
					}
				}
			})
		}
		group.Wait()
	}
}

func TestRequestOfUnknownOperationPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Request of an operation that does not exist does not panic")
		}
	}()
	fuzz.Request("events.inserted")
}
