package fuzz_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// goal is a set of values that must be drawn at each of several places. It is about the JSON
// text, where an absent member has no value.
type goal struct {
	limit  string                 // its name in [limits.Table]
	values []string               // an empty one means the form
	of     func(p place) []string // the values that a place has
	at     []string               // paths as of [generic], or ?name of a parameter
}

// coverage counts the values that were drawn, by limit and place.
type coverage map[string]map[string]int

func (c coverage) add(limit, at string, values ...string) {
	key := limit + " at " + at
	if c[key] == nil {
		c[key] = map[string]int{}
	}
	for _, value := range values {
		c[key][value]++
	}
}

// document counts the values of a document for which there are goals.
func (c coverage) document(places []place, goals map[string][]goal) {
	for _, p := range places {
		path := generic(p)
		for _, g := range goals[path] {
			c.add(g.limit, path, g.of(p)...)
		}
	}
}

// request counts the query parameters and the body of a request.
func (c coverage) request(req *sample, goals map[string][]goal) {
	for name := range req.Params {
		value, _ := req.Params.Value(name)
		for _, g := range goals["?"+name] {
			c.add(g.limit, "?"+name, value)
		}
	}
	c.document(req.places, goals)
}

// miss reports the values that were not reached.
func (c coverage) miss(t *testing.T, goals []goal) {
	t.Helper()
	for _, g := range goals {
		for _, at := range g.at {
			for _, value := range g.values {
				if c[g.limit+" at "+at][value] == 0 {
					t.Errorf("%s: %q is never drawn at %s", g.limit, value, at)
				}
			}
		}
	}
}

// byPlace returns the goals of each place.
func byPlace(goals []goal) map[string][]goal {
	index := map[string][]goal{}
	for _, g := range goals {
		for _, at := range g.at {
			index[at] = append(index[at], g)
		}
	}
	return index
}

// sample is a request whose body is parsed once for all tests.
type sample struct {
	*event.Request
	document *node
	places   []place
}

func newSample(req *event.Request) *sample {
	s := &sample{Request: req}
	if req.Body != nil {
		s.document = mustParse(req.Body)
		s.places = places(s.document)
	}
	return s
}

// drawn returns many requests for every operation, the same in every run: most from the numbers of a
// seed, and some from those of rapid.
var drawn = sync.OnceValue(func() map[operation.ID][]*sample {
	requests := map[operation.ID][]*sample{}
	var group sync.WaitGroup
	for _, op := range known {
		list := make([]*sample, max(draws[op], 400))
		requests[op] = list
		of, numbered := fuzz.Request(diag.Documents, op), must(fuzz.Mix{Operations: []operation.ID{op}}.Payloads(1))
		for half := range 2 {
			group.Go(func() {
				for seed := half; seed < len(list); seed += 2 {
					if seed < len(list)/4 {
						list[seed] = newSample(of.Example(seed))
					} else {
						list[seed] = newSample(numbered(seed).Event)
					}
				}
			})
		}
	}
	group.Wait()
	return requests
})

// draws are the numbers of requests for operations that need more than 400. A patch contains few values.
var draws = map[operation.ID]int{
	operation.EventsInsert: 4000, operation.Response: 6000, operation.EventsUpdate: 6000, operation.EventsPatch: 4000,
	operation.EventsImport: 1500,
}

// TestCoverage draws requests and counts values: each value of each enumeration, each number
// that is a limit, and the number before a greatest one must be reached in each place with that
// limit. Each row of the table of limits must have a goal, or a reason for having none.
func TestCoverage(t *testing.T) {
	aboutValues(t)
	seen, all, ofIDs := coverage{}, byPlace(goals()), byPlace(idGoals())
	for op, requests := range drawn() {
		for _, req := range requests {
			seen.request(req, all)
			if op == operation.EventsInsert {
				seen.request(req, ofIDs)
			}
		}
	}
	wanted := slices.Concat(goals(), idGoals())
	seen.miss(t, wanted)
	for _, limit := range limits.Table() {
		ok := slices.ContainsFunc(wanted, func(g goal) bool { return g.limit == limit.Name })
		if _, left := leftOut[limit.Name]; ok == left {
			t.Errorf("%s has goals: %t, is left out: %t", limit.Name, ok, left)
		}
	}
}

// TestCoverageOfOperations does the same for each operation with an event as body, in what is
// sent and in what is stored afterwards, except for what such a request cannot contain.
func TestCoverageOfOperations(t *testing.T) {
	aboutValues(t)
	for op, cannot := range map[operation.ID]unreachable{
		operation.EventsInsert: {
			limits: []string{"AsyncOperation", "CreateRequestStatus", "DeprecatedConferenceType", "BirthdayTypeWithContact", "ContactName"},
			values: []string{"fromMail", "anniversary", "custom", "other", "self", "eventVideo", "eventNamedVideo", "holoDeck"},
			places: []string{
				"/created", "/updated", "/organizer/email",
				"/originalStartTime/date", "/originalStartTime/dateTime", "/originalStartTime/timeZone",
			},
		},
		operation.EventsPatch:  {limits: []string{"MaxAttendees", "SendUpdates"}},
		operation.EventsUpdate: {limits: []string{"MaxAttendees", "SendUpdates"}},
		operation.Response:     {limits: []string{"FeatureVersion", "SendUpdates"}},
	} {
		t.Run(string(op), func(t *testing.T) {
			wanted := cannot.without(goals())
			seen, all := coverage{}, byPlace(wanted)
			for _, req := range drawn()[op] {
				seen.request(req, all)
				if req.Existing != nil {
					seen.document(places(mustParse(must(event.Check(req.Request)).Stored.AppendJSON(nil))), all)
				}
			}
			seen.miss(t, wanted)
		})
	}
}

// unreachable is what the valid requests of an operation cannot contain: whole limits, values and places.
type unreachable struct{ limits, values, places []string }

func (u unreachable) without(all []goal) (left []goal) {
	in := func(list []string) func(string) bool { return func(s string) bool { return slices.Contains(list, s) } }
	for _, g := range all {
		if in(u.limits)(g.limit) {
			continue
		}
		g.values = slices.DeleteFunc(slices.Clone(g.values), in(u.values))
		g.at = slices.DeleteFunc(slices.Clone(g.at), in(u.places))
		left = append(left, g)
	}
	return left
}

// leftOut are the limits that no valid request can reach.
var leftOut = map[string]string{
	"CalendarLabels":      "in the bodies of other resources than events",
	"CalendarLabelName":   "in the bodies of other resources than events",
	"NotificationMethod":  "in the bodies of other resources than events",
	"NotificationType":    "in the bodies of other resources than events",
	"ACLRole":             "in the bodies of other resources than events",
	"ACLScopeType":        "in the bodies of other resources than events",
	"FreebusyTime":        "in the bodies of other resources than events",
	"CalendarExpansion":   "in the bodies of other resources than events",
	"GroupExpansion":      "in the bodies of other resources than events",
	"ChannelIDLength":     "in the bodies of other resources than events",
	"ChannelIDCharacters": "in the bodies of other resources than events",
	"ChannelType":         "in the bodies of other resources than events",
	"ChannelAddress":      "in the bodies of other resources than events",
	"ChannelToken":        "in the bodies of other resources than events",
	"PatchQuotaUnits":     "is a price, no value",
	"ServiceVersion":      "is part of the address",
}

// idGoals are the goals for an id that a client chooses, which only an insert has.
func idGoals() []goal {
	return slices.DeleteFunc(slices.Clone(declared()), func(g goal) bool { return g.at[0] != "/id" })
}

// goals are the goals for all requests with an event, and for their parameters.
func goals() []goal {
	return slices.Concat(slices.DeleteFunc(slices.Clone(declared()), func(g goal) bool { return g.at[0] == "/id" }), ofParams(), beyond())
}

// declared are the goals for what the members declare.
var declared = sync.OnceValue(func() (all []goal) {
	add := func(g goal) {
		i := slices.IndexFunc(all, func(other goal) bool { return other.at[0] == g.at[0] && other.limit == g.limit })
		if i < 0 {
			all = append(all, g)
			return
		}
		all[i].values = append(all[i].values, g.values...)
	}
	for _, f := range event.Fields() {
		path := pathOf(f)
		for _, c := range f.Constraints {
			if notOfOneValue[c.Name] == "" {
				add(goalOf(constraint.Named(c.Name), path))
			}
		}
		for _, c := range f.KeyConstraints {
			g := goalOf(constraint.Named(c.Name), path)
			g.of = keyLengths
			add(g)
		}
		for _, c := range f.ValueConstraints {
			add(goalOf(constraint.Named(c.Name), path+"/*"))
		}
	}
	return all
})

// pathOf returns the path of a member, as of [generic].
func pathOf(f event.Field) string {
	return "/" + strings.NewReplacer(".", "/", "[]", "/*").Replace(f.Path)
}

// goalOf returns the goal of a constraint at a place: each value, each boundary, or the form.
func goalOf(c *constraint.Constraint, at string) goal {
	low, high := c.Range()
	var boundaries []string
	if low > math.MinInt64 {
		boundaries = numbers(int(low))
	}
	if high < math.MaxInt64 {
		boundaries = append(boundaries, upTo(int(high))...)
	} else {
		boundaries = append(boundaries, from(int(low))...)
	}
	switch {
	case c.Values() != nil:
		return goal{c.Name, c.Values(), word, []string{at}}
	case c.Subject == constraint.Count:
		return goal{c.Name, boundaries, elementCount, []string{at}}
	case c.Subject == constraint.Int:
		return goal{c.Name, boundaries, number, []string{at}}
	case high < math.MaxInt64:
		return goal{c.Name, slices.DeleteFunc(boundaries, func(n string) bool { return n == "0" }), length, []string{at}}
	default:
		return goal{c.Name, isThere, hasForm(c.Has), []string{at}}
	}
}

// notOfOneValue are the constraints whose goals are not those of one value, each with the reason.
var notOfOneValue = map[string]string{
	"RecurrenceLine":          "is the name of a line, in any case",
	"EntryPointsOfType":       "counts the entry points of each type",
	"EntryPointsWithSolution": "is about a number of elements, but has no upper limit",
}

// ofParams are the goals for the query parameters. [TestEveryParameterIsDrawn] checks each operation.
func ofParams() (all []goal) {
	for op := range operation.All() {
		for _, p := range op.Params {
			if p.LimitName != "" {
				all = append(all, goal{p.LimitName, valuesOf(p), nil, []string{"?" + p.Name}})
			}
		}
	}
	return all
}

// beyond are the goals for what no single member declares.
func beyond() []goal {
	const conference = "/conferenceData"
	return []goal{
		{"RecurrenceLine", constraint.RecurrenceLine.Values(), lineName, []string{"/recurrence/*"}},
		{"ConferenceType", []string{"holoDeck"}, word, []string{
			conference + "/createRequest/conferenceSolutionKey/type", conference + "/conferenceSolution/key/type"}},
		{"DeprecatedConferenceType", constraint.DeprecatedConferenceType.Values(), word, []string{
			conference + "/createRequest/conferenceSolutionKey/type", conference + "/conferenceSolution/key/type"}},
		{"EntryPointsWithSolution", numbers(constraint.EntryPointsMin), elementCount, []string{conference + "/entryPoints"}},
		{"EntryPointsOfType", []string{
			"0 video", "1 video", "0 sip", "1 sip", "0 more", "1 more", "0 phone", "1 phone", "2 phone", "5 phone", "video and sip", "video and more",
		}, typesOfEntries, []string{conference + "/entryPoints"}},
		{"BirthdayTypeWithContact", constraint.BirthdayTypeWithContact.Values(), typeWithContact, []string{"/birthdayProperties"}},
		{"EventDateTime", isThere, hasForm(form.IsDateTime), []string{"/created", "/updated"}},

		// Two objects enclose it.
		{"JSONMaxDepth", upTo(constraint.JSONMaxDepth - 2), levels, []string{"/workingLocationProperties/homeOffice"}},
	}
}

// isThere is the goal of a form: some value must have it.
var isThere = []string{""}

func numbers(list ...int) []string {
	var texts []string
	for _, n := range list {
		texts = append(texts, strconv.Itoa(n))
	}
	return texts
}

// upTo returns the values at an upper limit: the limit and the number before it.
func upTo(most int) []string { return numbers(most-1, most) }

// from returns the values at a lower limit, and the greatest of the type.
func from(least int) []string { return append(numbers(least, least+1), "9223372036854775807") }

// word returns the text of a string.
func word(p place) []string {
	if text, ok := stringOf(p.node); ok {
		return []string{text}
	}
	return nil
}

func stringOf(n *node) (text string, ok bool) {
	if n == nil || n.object || n.array || n.text[0] != '"' {
		return "", false
	}
	return text, json.Unmarshal([]byte(n.text), &text) == nil
}

// lineName returns the name of a line of a recurrence.
func lineName(p place) []string {
	line, _ := stringOf(p.node)
	end := strings.IndexAny(line, ":;")
	return []string{strings.ToUpper(line[:max(0, end)])}
}

// number returns an integer, in whichever form it is written.
func number(p place) []string {
	if n, ok := new(big.Rat).SetString(p.node.text); ok {
		return []string{n.RatString()}
	}
	return nil
}

// length returns the number of characters of a string.
func length(p place) []string {
	if text, ok := stringOf(p.node); ok {
		return numbers(utf8.RuneCountInString(text))
	}
	return nil
}

// keyLengths returns the numbers of characters of the names of an object.
func keyLengths(p place) (lengths []string) {
	for _, name := range p.node.names {
		lengths = append(lengths, strconv.Itoa(utf8.RuneCountInString(name)))
	}
	return lengths
}

func elementCount(p place) []string {
	if !p.node.array {
		return nil
	}
	return numbers(len(p.node.children))
}

// hasForm returns a function that reports whether a string has a form.
func hasForm(holds func(string) bool) func(place) []string {
	return func(p place) []string {
		if text, ok := stringOf(p.node); ok && holds(text) {
			return isThere
		}
		return nil
	}
}

// typesOfEntries returns how many entry points of each type there are, and which occur together.
func typesOfEntries(p place) (counts []string) {
	count := map[string]int{}
	for _, entry := range p.node.children {
		typ, _ := stringOf(entry.member("entryPointType"))
		count[typ]++
	}
	for _, typ := range constraint.EntryPointType.Values() {
		counts = append(counts, fmt.Sprintf("%d %s", count[typ], typ))
	}
	for _, other := range []string{"sip", "more"} {
		if len(p.node.children) == 2 && count["video"] == 1 && count[other] == 1 {
			counts = append(counts, "video and "+other)
		}
	}
	return counts
}

// typeWithContact returns the type of a birthday with a contact.
func typeWithContact(p place) []string {
	typ, ok := stringOf(p.node.member("type"))
	if !ok || p.node.member("contact") == nil {
		return nil
	}
	return []string{typ}
}

// levels returns how deep arrays and objects are nested.
func levels(p place) []string {
	var depth func(n *node) int
	depth = func(n *node) (most int) {
		for _, child := range n.children {
			most = max(most, depth(child))
		}
		if n.object || n.array {
			most++
		}
		return most
	}
	return numbers(depth(p.node))
}

// TestEveryMemberIsDrawn checks that each documented member is in some body, and in some stored event.
func TestEveryMemberIsDrawn(t *testing.T) {
	aboutValues(t)
	seen, stored := map[string]bool{}, map[string]bool{}
	for _, op := range []operation.ID{operation.EventsInsert, operation.EventsUpdate, operation.Response} {
		for _, req := range drawn()[op] {
			addPlaces(seen, req.places)
			if req.Existing != nil {
				addPlaces(stored, places(mustParse(req.Existing.AppendJSON(nil))))
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

func addPlaces(seen map[string]bool, places []place) {
	for _, p := range places {
		seen[generic(p)] = true
	}
}

// TestEveryMemberIsLeftOut checks that an event of each type is inserted without each of its optional members.
func TestEveryMemberIsLeftOut(t *testing.T) {
	t.Parallel()
	needed := map[string][]string{"birthday": {"recurrence"}, "workingLocation": {"workingLocationProperties", "visibility", "transparency"}}
	for _, typ := range append(constraint.EventType.Values(), "") {
		if typ == "fromMail" {
			continue
		}
		for _, member := range members(event.Event{}) {
			name := member[1:]
			if name == "start" || name == "end" || name == "eventType" && typ != "" || slices.Contains(needed[typ], name) {
				continue
			}
			if !slices.ContainsFunc(drawn()[operation.EventsInsert], func(req *sample) bool {
				of, _ := stringOf(req.document.member("eventType"))
				return of == typ && req.document.member(name) == nil
			}) {
				t.Errorf("of events of the type %q %s is never left out", typ, name)
			}
		}
	}
}

// TestIntegersAreWrittenInEveryForm checks for forms such as 5.0, which is an integer in JSON.
func TestIntegersAreWrittenInEveryForm(t *testing.T) {
	t.Parallel()
	for _, op := range withBody {
		for _, form := range []string{`:[0-9]+\.0[,}]`, `:[0-9]+e0[,}]`, `:[0-9]+\.00E\+0[,}]`, `:[0-9]+\.0e-0[,}]`} {
			re := regexp.MustCompile(form)
			if !slices.ContainsFunc(drawn()[op], func(req *sample) bool { return re.Match(req.Body) }) {
				t.Errorf("%s: no number is written as %s", op, form)
			}
		}
	}
}

// TestBooleansAreWrittenOut checks that each boolean is true and false in some body: of an
// insert, an update or a patch or, if only the service writes it, of a representation.
func TestBooleansAreWrittenOut(t *testing.T) {
	aboutValues(t)
	seen := map[string]bool{}
	for _, op := range withBody {
		for _, req := range drawn()[op] {
			for _, p := range req.places {
				seen[generic(p)+" "+p.node.text] = true
			}
		}
	}
	for _, f := range event.Fields() {
		member := pathOf(f)
		if f.Type != "boolean" {
			continue
		}
		for _, value := range []string{"true", "false"} {
			if !seen[member+" "+value] {
				t.Errorf("%s is never %s", member, value)
			}
		}
	}
}

// TestEveryFormIsDrawn looks for patterns in the bodies of inserts, of forms that are not in the table of limits.
func TestEveryFormIsDrawn(t *testing.T) {
	t.Parallel()
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
		if !slices.ContainsFunc(drawn()[operation.EventsInsert], func(req *sample) bool { return re.Match(req.Body) }) {
			t.Errorf("%s is never drawn: %s", name, pattern)
		}
	}
	for _, frequency := range []string{"SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"} {
		if !slices.ContainsFunc(drawn()[operation.EventsInsert], func(req *sample) bool { return strings.Contains(string(req.Body), "FREQ="+frequency) }) {
			t.Errorf("%s is never drawn", frequency)
		}
	}
}

// TestEveryParameterIsDrawn checks that each parameter of each operation is sent with each of
// its values or with its limits, and left out unless it is required.
func TestEveryParameterIsDrawn(t *testing.T) {
	t.Parallel()
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

// valuesOf returns the values of a parameter that must be reached.
func valuesOf(p operation.Param) []string {
	switch {
	case p.Only != "":
		return []string{p.Only}
	case p.Type == "enum":
		return p.Values
	case p.Type == "boolean":
		return []string{"false", "true"}
	case p.Type != "integer":
		return nil
	}
	if p.Max == nil {
		return numbers(int(*p.Min))
	}
	return numbers(int(*p.Min), int(*p.Max))
}

// TestRequestsAreWhole checks that each part of a request is there for some requests of each operation.
func TestRequestsAreWhole(t *testing.T) {
	t.Parallel()
	ofInstances := slices.DeleteFunc(slices.Clone(ofStored[1:]), func(op operation.ID) bool { return op == operation.EventsMove }) // the public service moves none
	for name, test := range map[string]struct {
		ops []operation.ID
		has func(req *sample) bool
	}{
		"a caller":    {known[1:], func(req *sample) bool { return req.Caller != nil }},
		"a calendar":  {known[1:], func(req *sample) bool { return req.Calendar != nil }},
		"known ids":   {withBody[1:], func(req *sample) bool { return req.Calendar != nil && req.Calendar.IDs != nil }},
		"known color": {withBody[1:], func(req *sample) bool { return req.Calendar != nil && req.Calendar.Colors != nil }},
		"existing":    {ofStored, func(req *sample) bool { return req.Existing != nil }},
		"a series":    {ofStored, func(req *sample) bool { return req.Existing != nil && len(req.Existing.Recurrence) > 0 }},
		"an instance": {ofInstances, func(req *sample) bool { return req.Existing != nil && req.Existing.RecurringEventID != "" }},
		"its series":  {ofInstances, func(req *sample) bool { return req.Series != nil }},
		"cancelled":   {slices.DeleteFunc(slices.Clone(ofStored[1:]), func(op operation.ID) bool { return op == operation.EventsDelete }), func(req *sample) bool { return req.Existing != nil && req.Existing.Status == "cancelled" }},
		"locked":      {ofStored, func(req *sample) bool { return req.Existing != nil && req.Existing.Locked }},
		"unknown members": {ofStored, func(req *sample) bool {
			return req.Existing != nil && strings.Contains(req.Existing.String(), "previewLink")
		}},
		"the tag": {[]operation.ID{operation.EventsPatch, operation.EventsUpdate, operation.EventsDelete}, func(req *sample) bool {
			return req.IfMatch != "" && req.IfMatch == req.Existing.ETag
		}},
		"nothing stored": {[]operation.ID{operation.EventsPatch, operation.EventsUpdate, operation.EventsGet, operation.EventsList}, func(req *sample) bool {
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

// ofStored are the operations on a stored event; the first one is for a series.
var ofStored = []operation.ID{
	operation.EventsInstances, operation.EventsPatch, operation.EventsUpdate, operation.EventsMove,
	operation.EventsDelete, operation.EventsGet, operation.EventsList,
}

// TestEveryTypeIsStored checks that events of each type are stored.
func TestEveryTypeIsStored(t *testing.T) {
	t.Parallel()
	for _, op := range ofStored {
		for _, typ := range constraint.EventType.Values() {
			if op == operation.EventsMove && typ != "default" {
				continue // only default events are moved
			}
			if !slices.ContainsFunc(drawn()[op], func(req *sample) bool { return req.Existing != nil && req.Existing.EventType == typ }) {
				t.Errorf("no request of %s is about an event of type %s", op, typ)
			}
		}
	}
}

// TestSameSeedSameRequest draws from one generator in several goroutines.
func TestSameSeedSameRequest(t *testing.T) {
	for _, op := range slices.Concat(ofStored, withBody) {
		requests := fuzz.Request(diag.Documents, op)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for seed := range 20 {
					want, got := fuzz.Request(diag.Documents, op).Example(seed), requests.Example(seed)
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
	fuzz.Request(diag.Documents, "events.inserted")
}
