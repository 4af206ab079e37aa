package operation

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
)

// listWith is a request for events.list with the given query parameters.
type listWith string

func (params listWith) Example() diag.Example {
	return requestWith{string(EventsList), string(params)}.Example()
}

var listOrderBy = diag.Rule{
	ID: "list.order-by", Kind: diag.Reject, When: diag.List | diag.EventsWatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The parameter orderBy must be startTime or updated, and startTime requires singleEvents=true.",
	Section:  sectionObserved,
	Seen:     `400: "The requested ordering is not available for the particular query."`,
	Reported: []string{"googleworkspace/java-samples#52", "googleapis/google-api-nodejs-client#771"},
	Why: "The public service returns 400 for other orders. A recurring event has no single start time to order by, so startTime requires " +
		"the expansion of recurring events into their instances.",
	Says: diag.Sentences{
		{Key: "order", Text: "The parameter orderBy is {value}; it must be {limit}."},
		{Key: "not-single", Text: "The parameter orderBy is startTime without singleEvents=true. Send singleEvents=true, or order by updated.", Fix: diag.Proposal{At: "?singleEvents", Value: `"true"`}},
	},
	Good:  listWith(`"orderBy":"startTime","singleEvents":"true"`),
	Bad:   listWith(`"orderBy":"startTime"`),
	Check: check(checkOrderBy),
}

var orders = []string{"startTime", "updated"}

func checkOrderBy(in *input, r engine.Reporter) {
	order, given := in.query.only("orderBy")
	single, _ := in.query.only("singleEvents")
	switch {
	case !given:
	case !slices.Contains(orders, order):
		r.Report("?orderBy", "order", diag.Value("value", order), diag.Names("limit", orders))
	case order == "startTime" && single != "true" && !in.query.ambiguous("singleEvents"):
		r.Report("?orderBy", "not-single", diag.Name("value", "startTime"))
	}
}

var listTimeParam = diag.Rule{
	ID: "list.time-param", Kind: diag.Reject, When: diag.List | diag.Instances | diag.EventsWatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The parameters timeMin, timeMax and updatedMin must be RFC 3339 timestamps with an offset.",
	Section:  sectionObserved,
	Seen:     "A time without an offset gets 400.",
	Reported: []string{"google/googleapis.dart#14", "openclaw/openclaw#104"},
	Why: "The public service returns 400 for a date, and for a time without an offset. In a query, a plus sign that is not written as " +
		"%2B means a space. The operation events.instances has no updatedMin, so the rule does not check it there.",
	Says: diag.Sentences{
		{Key: "form", Text: "The parameter {parameter} is {value}; it must be {limit}, such as 2026-03-10T09:00:00Z."},
		{Key: "timestamp", Text: "an RFC 3339 timestamp with an offset"},
		{Key: "plus", Text: "Write the plus sign as %2B."},
	},
	Good:  listWith(`"updatedMin":"2026-03-10T09:00:00-04:00"`),
	Bad:   listWith(`"updatedMin":"2026-03-10T09:00:00"`),
	Check: check(checkTimeParams),
}

func checkTimeParams(in *input, r engine.Reporter) {
	for _, name := range [...]string{"timeMin", "timeMax", "updatedMin"} {
		value, given := in.query.only(name)
		if !given || !in.operation.HasParam(name) || form.IsDateTime(value) {
			continue
		}
		args := append(make([]diag.Arg, 0, 4), diag.Name("parameter", name), diag.Value("value", value), wording.Part("limit", "timestamp"))
		r.Report(diag.Pointer("?"+name), "form", appendPlus(args, value)...)
	}
}

var listTimeRange = diag.Rule{
	ID: "list.time-range", Kind: diag.Reject, When: diag.List | diag.Instances | diag.EventsWatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The parameter timeMax must be after timeMin.",
	Section:  sectionObserved,
	Seen:     "If timeMin and timeMax are equal, the request gets 400 with the reason timeRangeEmpty.",
	Reported: []string{"googleworkspace/add-ons-samples#34"},
	Reason:   "timeRangeEmpty",
	Why: "The public service returns 400 for an empty range: events that end at timeMin and events that start at timeMax are not in " +
		"the range.",
	Says:  diag.Sentences{{Key: "empty", Text: "The parameter timeMax is not after timeMin, so the range is empty. Send a later timeMax or an earlier timeMin."}},
	Good:  listWith(`"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-10T00:00:01Z"`),
	Bad:   listWith(`"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-10T00:00:00Z"`),
	Check: check(checkTimeRange),
}

func checkTimeRange(in *input, r engine.Reporter) {
	low, hasLow := in.query.instant("timeMin")
	high, hasHigh := in.query.instant("timeMax")
	if hasLow && hasHigh && !high.After(low) {
		r.Report("?timeMax", "empty")
	}
}

// instant returns the value of a parameter as a time, or false if the value is not an RFC 3339 timestamp with an offset.
func (p Params) instant(name string) (time.Time, bool) {
	value, _ := p.only(name)
	t, _ := form.ParseDateTime(value)
	return t.Time(), t.HasOffset
}

var listSyncToken = diag.Rule{
	ID: "list.sync-token.alone", Kind: diag.Reject, When: diag.List | diag.EventsWatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "The parameter syncToken cannot be combined with iCalUID, orderBy, privateExtendedProperty, q, sharedExtendedProperty, " +
		"timeMin, timeMax or updatedMin or, in the public service, with showDeleted=false.",
	Section:  sectionObserved,
	Seen:     "The service refuses a syncToken with timeMin, timeMax, updatedMin, orderBy or q.",
	Reported: []string{"receptron/mulmoclaude#2182"},
	Why: "A sync token continues an earlier list, so a request with a token cannot select other events. The public service returns 400. " +
		"The documents mention incremental requests with showDeleted=false, so only the public service refuses them. The rule ignores " +
		"empty values, because it is not known whether they count.",
	Says:  diag.Sentences{saysBeside},
	Good:  listWith(`"syncToken":"CPDAlvWDx70CEPDAlvWDx70CGAU=","showDeleted":"true"`),
	Bad:   listWith(`"syncToken":"CPDAlvWDx70CEPDAlvWDx70CGAU=","iCalUID":"abc12def@calendar.example.com"`),
	Check: check(checkSyncToken),
}

func checkSyncToken(in *input, r engine.Reporter) {
	if !in.query.isSet(syncToken) {
		return
	}
	var others []string
	for _, name := range named(params, syncToken).Excludes {
		if in.query.isSet(name) && in.operation.HasParam(name) {
			others = append(others, name)
		}
	}
	for _, name := range named(params, syncToken).ExcludesFalse {
		if value, _ := in.query.only(name); value == "false" && in.operation.HasParam(name) && r.Dialect() == diag.Google {
			others = append(others, name+"=false")
		}
	}
	if others != nil {
		r.Report("?syncToken", "beside", diag.Plain("others", strings.Join(others, ", ")))
	}
}

// saysBeside is the sentence about a syncToken that is combined with other parameters.
var saysBeside = diag.Sentence{Key: "beside", Text: "The parameter syncToken cannot be combined with {others}. Leave out syncToken, or send it without the others."}

var listUpdatedMinAge = diag.Rule{
	ID: "list.updated-min.age", Kind: diag.Advise, When: diag.List | diag.EventsWatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The parameter updatedMin should not be far in the past.",
	Section:  sectionObserved,
	Seen:     "The service returns an error for an updatedMin of more than about twenty days ago.",
	Reported: []string{"googleapis/google-api-dotnet-client#239"},
	Status:   410, Reason: "updatedMinTooLongAgo",
	Why: "The public service keeps changes for a few weeks and returns 410 for an earlier updatedMin; a list without updatedMin is " +
		"a full synchronization. The library reads no clock, so the rule reports only times before 2026, which were long past when " +
		"the rule was written.",
	Says: diag.Sentences{{
		Key:  "old",
		Text: "The parameter updatedMin is in the year {year}, and the public service refuses a time so far in the past. Leave the parameter out for a full synchronization.",
	}},
	Good:  listWith(`"updatedMin":"2026-03-10T00:00:00Z"`),
	Bad:   listWith(`"updatedMin":"2011-03-10T00:00:00Z"`),
	Check: check(checkUpdatedMinAge),
}

// longPast is a time for which the public service no longer keeps changes.
var longPast = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

func checkUpdatedMinAge(in *input, r engine.Reporter) {
	if from, ok := in.query.instant("updatedMin"); ok && from.Before(longPast) {
		r.Report("?updatedMin", "old", diag.Plain("year", strconv.Itoa(from.Year())))
	}
}

// pages is the set of operations with the maxResults parameter.
const pages = diag.List | diag.Instances | diag.EventsWatch |
	diag.ACLList | diag.ACLWatch | diag.CalendarListList | diag.CalendarListWatch | diag.SettingsList | diag.SettingsWatch

var listMaxResults = diag.Rule{
	ID: "list.max-results", Kind: diag.Advise, When: pages,
	Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The parameter maxResults should be an integer from 1 to 2500 for events, and from 1 to 250 for other lists.",
	Section:  sectionObserved,
	Seen:     "A page has at most 2500 events, even if the request asks for more.",
	Reported: []string{"wanasit/google-calendar#6"},
	Why: "The service reduces a page size that is too large instead of refusing it. A page may have fewer entries than maxResults, or " +
		"even none, so clients should continue while there is a nextPageToken.",
	Says: diag.Sentences{
		{Key: "not-a-number", Text: "The parameter maxResults is {value}; it must be an integer from {low} to {high}."},
		{Key: "too-small", Text: "The parameter maxResults is {value}; it must be at least {low}."},
		{Key: "too-large", Text: "The parameter maxResults is {value}, but the public service returns at most {high} {things} at a time. Send at most {high}, and follow nextPageToken."},
		{Key: "range", Text: "{low} to {high}"},
		{Key: "events", Text: "events"},
		{Key: "entries", Text: "entries"},
	},
	Good:  listWith(`"maxResults":"2500"`),
	Bad:   listWith(`"maxResults":"2501"`),
	Check: check(checkMaxResults),
}

// The maximum numbers of events and of other list entries that the public service returns in one response.
const (
	maxEvents  = 2500
	maxEntries = 250
)

// largestPage returns the maximum number of entries on a page of the operation's list.
func (op *Operation) largestPage() int {
	if (diag.List | diag.Instances | diag.EventsWatch).Has(op.When) {
		return maxEvents
	}
	return maxEntries
}

// PageSize returns the maximum number of entries that the public service returns on a list page for the requested value of
// maxResults. PageSize reduces a value that is too large to the maximum, as the service does, and replaces a value that is
// absent, too small or not a number with the service's default. If the operation has no maxResults parameter, PageSize
// returns 0.
func (op *Operation) PageSize(asked string) int {
	p := op.known(maxResults)
	if p == nil {
		return 0
	}
	n, _ := strconv.Atoi(asked) // on overflow, n is the largest int
	if n < 1 {
		n, _ = strconv.Atoi(p.Default)
	}
	return min(n, op.largestPage())
}

func checkMaxResults(in *input, r engine.Reporter) {
	value, given := in.query.only(maxResults)
	if !given {
		return
	}
	most, things := in.operation.largestPage(), "entries"
	if most == maxEvents {
		things = "events"
	}
	n, err := strconv.ParseInt(value, 10, 64) // on error, n is 0 or, on overflow, the nearest int64
	if 1 <= n && n <= int64(most) {
		return
	}
	key := "too-large"
	switch {
	case err != nil && n == 0:
		key = "not-a-number"
	case n <= 0:
		key = "too-small"
	}
	r.Report("?maxResults", key, diag.Value("value", value), wording.Part("limit", "range"), diag.Number("low", 1), diag.Number("high", most), wording.Part("things", things))
}

var listExtendedProperty = diag.Rule{
	ID: "list.extended-property-param", Kind: diag.Reject, When: diag.List | diag.EventsWatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "The parameters privateExtendedProperty and sharedExtendedProperty must have the form name=value.",
	Section: sectionObserved,
	Seen: "A list with userId=55 works, and the service's guide shows the form propertyName=value. No report shows the service's " +
		"behavior for other values.",
	Reported: []string{"googleapis/google-api-nodejs-client#441", "https://developers.google.com/workspace/calendar/api/guides/extended-properties"},
	Why: "Such a parameter selects the events that have the property. If it is sent several times, an event must have all the " +
		"properties. The value may be empty, but the name may not.",
	Says:  diag.Sentences{{Key: "form", Text: "The parameter {parameter} is {value}; it must have the form {limit}."}},
	Good:  listWith(`"privateExtendedProperty":["team=blue","petName=Rex"]`),
	Bad:   listWith(`"privateExtendedProperty":"team"`),
	Check: check(checkExtendedProperties),
}

func checkExtendedProperties(in *input, r engine.Reporter) {
	malformed := func(value string) bool { return strings.IndexByte(value, '=') < 1 }
	for _, name := range [...]string{"privateExtendedProperty", "sharedExtendedProperty"} {
		if i := slices.IndexFunc(in.query[name], malformed); i >= 0 {
			r.Report(diag.Pointer("?"+name), "form", diag.Name("parameter", name), diag.Value("value", in.query[name][i]), wording.Text("limit", "name=value"))
		}
	}
}
