package tags_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/tags"
	"github.com/calrules/calrules/limits"
)

// registered returns a validator that knows the tags.
func registered(t testing.TB, options ...validator.Option) *validator.Validate {
	t.Helper()
	v := validator.New(options...)
	if err := tags.Register(v); err != nil {
		t.Fatal(err)
	}
	return v
}

// refusal is a value that a tag refuses, and the rules that it breaks; none stands for the
// tag's first.
type refusal struct {
	value any
	rules []string
}

// oneCase has values of one tag: just inside what it holds, and just outside. The property
// tests put the same values into events. A number stands for a list of so many for the tags of
// lists.
type oneCase struct {
	accept []any
	refuse []refusal
}

func refuse(values ...any) []refusal {
	list := make([]refusal, len(values))
	for i, value := range values {
		list[i] = refusal{value: value}
	}
	return list
}

func enumCase(values *limits.Constraint) oneCase {
	c := oneCase{refuse: refuse("", "x", strings.ToUpper(values.Values()[0]), values.Values()[0]+" ", " "+values.Values()[0], "\u200b"+values.Values()[0])}
	for _, value := range values.Values() {
		c.accept = append(c.accept, value)
	}
	return c
}

// lengthCase has texts of most characters, of one byte and of more, and of one more.
func lengthCase(most int) oneCase {
	return oneCase{
		accept: []any{"", "x", strings.Repeat("x", most), strings.Repeat("é", most), strings.Repeat("𝒳", most)},
		refuse: refuse(strings.Repeat("x", most+1), strings.Repeat("é", most+1), strings.Repeat("𝒳", most+1), strings.Repeat("x", 20*most)),
	}
}

func num(n int64) any { return n }

// cases are by tag. Those of the tags that read a second field are in [TestSiblings] too.
var cases = map[string]oneCase{
	"present":   {accept: []any{"x", " "}, refuse: refuse("")},
	"eventkind": {accept: []any{limits.EventKind}, refuse: refuse("", "calendar#events", "Calendar#event")},
	"eventid": {
		accept: []any{"abcde", "01289", "vvvvv", strings.Repeat("v", 1024)},
		refuse: []refusal{
			{"abcd", []string{"event.id.length"}},
			{"", []string{"event.id.length"}},
			{strings.Repeat("a", 1025), []string{"event.id.length"}},
			{"abcdw", []string{"event.id.alphabet"}},
			{"Abcde", []string{"event.id.alphabet"}},
			{"abcé0", []string{"event.id.alphabet"}},
			{"ab-", []string{"event.id.alphabet", "event.id.length"}},
			{strings.Repeat("é", 1025), []string{"event.id.alphabet", "event.id.length"}},
		},
	},
	"eventstatus": enumCase(limits.EventStatus),
	"rruleline": {
		accept: []any{"RRULE:FREQ=DAILY", "rrule:freq=weekly;byday=tu;count=3", "EXDATE:20260311T130000Z", "RDATE;VALUE=DATE:20260311",
			"EXRULE:FREQ=YEARLY", "RRULE:FREQ=DAILY;UNTIL=20260602T090000", "RRULE:FREQ=HOURLY;X-A=1"},
		refuse: []refusal{
			{"", []string{"recurrence.line.syntax"}},
			{"FREQ=DAILY", []string{"recurrence.line.name"}},
			{"DTSTART:20260310T090000", []string{"recurrence.line.dtstart"}},
			{"RRULE:FREQ=DAILY\r\n", []string{"recurrence.line.syntax"}},
			{"RRULE:FREQ=DAILY;BYMONTHDAY=32", []string{"recurrence.rule.part"}},
			{"RRULE:FREQ=DAILY;COUNT=0", []string{"recurrence.rule.count-until"}},
			{"RRULE:FREQ=DAILY;COUNT=1;UNTIL=20260602", []string{"recurrence.rule.count-until"}},
			{"RRULE:FREQ=WEEKLY;BYMONTHDAY=1", []string{"recurrence.rule.by-part"}},
			{"EXDATE;TZID=America/New_York:20260311T130000Z", []string{"recurrence.dates.form"}},
			{"RRULE:FREQ=WEEKLY;COUNT=0;BYMONTHDAY=40;BYWEEKNO=1", []string{"recurrence.rule.by-part", "recurrence.rule.count-until", "recurrence.rule.part"}},
		},
	},
	"transparency":        enumCase(limits.Transparency),
	"visibility":          enumCase(limits.Visibility),
	"icalsequence":        {accept: []any{num(0), num(1), num(1 << 62)}, refuse: refuse(num(-1), num(-1<<63))},
	"propertykey":         lengthCase(44),
	"propertyvalue":       lengthCase(1024),
	"gadgetsize":          {accept: []any{num(1), num(1 << 62)}, refuse: refuse(num(0), num(-1))},
	"gadgetdisplay":       enumCase(limits.GadgetDisplay),
	"attachmentsmax":      {accept: []any{0, 1, 25}, refuse: refuse(26, 60)},
	"eventtype":           enumCase(limits.EventType),
	"neweventtype":        {accept: []any{"", "default", "birthday", "x"}, refuse: refuse("fromMail")},
	"fulldate":            {accept: []any{"2024-02-29", "0000-01-01", "9999-12-31"}, refuse: refuse("", "2026-02-29", "2026-2-09", "2026-03-10T00:00:00Z", "２026-03-10")},
	"rfc3339":             {accept: []any{"2026-03-10T09:00:00Z", "2026-03-10t09:00:00.5z", "2016-12-31T23:59:60Z"}, refuse: refuse("", "2026-03-10T09:00:00", "2026-03-10T24:00:00Z", "2026-03-10T09:00:00,5Z")},
	"eventdatetime":       {accept: []any{"2026-03-10T09:00:00Z", "2026-03-10T09:00:00", "2026-03-10T09:00:00+23:59"}, refuse: refuse("", "2026-03-10", "2026-03-10 09:00:00Z", "2026-03-10T09:00Z", "2026-03-10T09:00:60Z")},
	"ianazone":            {accept: []any{"Europe/Berlin", "US/Pacific", "UTC", "EST"}, refuse: refuse("", "Local", "europe/berlin", "Eastern Standard Time", "Europe/Berlin ", "../etc/localtime", "+02:00")},
	"addrspec":            {accept: []any{"ada@example.com", `"a b"@example.com`, "a@[127.0.0.1]"}, refuse: refuse("", "ada", "Ada <ada@example.com>", " ada@example.com", "a@b@c", "a..b@example.com", "é@example.com")},
	"responsestatus":      enumCase(limits.ResponseStatus),
	"additionalguests":    {accept: []any{num(0), num(9)}, refuse: refuse(num(-1))},
	"asyncoperation":      enumCase(limits.AsyncOperation),
	"conferencestatus":    enumCase(limits.CreateRequestStatus),
	"conferencetype":      enumCase(limits.ConferenceType),
	"newconferencetype":   {accept: []any{"", "videoMeet", "addOn", "x"}, refuse: refuse("eventVideo", "eventNamedVideo")},
	"meetingcode":         {accept: []any{"abc-mnop-xyz", "ABC-mnop-xyz"}, refuse: refuse("", "abcmnopxyz", "abc-mno-xyz", "abc-mn1p-xyz", "abc-mnop-xyzz")},
	"conferencenotes":     lengthCase(2048),
	"entrypointtype":      enumCase(limits.EntryPointType),
	"httpurl":             {accept: []any{"https://example.com/", "HTTP://example.com"}, refuse: refuse("", "ftp://example.com/", "https://", "https:/example.com", "https://example.com/a b")},
	"teluri":              {accept: []any{"tel:+15550100", "TEL:+15550100,,,1#"}, refuse: refuse("", "tel:", "+15550100", "sip:a@example.com")},
	"sipuri":              {accept: []any{"sip:a@example.com"}, refuse: refuse("", "sip:", "sips:a@example.com", "tel:+15550100")},
	"entrylabel":          lengthCase(512),
	"entrycode":           lengthCase(128),
	"overridesmax":        {accept: []any{0, 1, 5}, refuse: refuse(6, 30)},
	"remindermethod":      enumCase(limits.ReminderMethod),
	"reminderminutes":     {accept: []any{num(0), num(1), num(40320)}, refuse: refuse(num(-1), num(40321), num(1<<62))},
	"autodeclinemode":     enumCase(limits.AutoDeclineMode),
	"featureversion":      {accept: []any{num(0), num(1)}, refuse: refuse(num(-1), num(2), num(1<<62))},
	"maxattendees":        {accept: []any{num(1), num(1 << 40)}, refuse: refuse(num(0), num(-1))},
	"sendupdates":         enumCase(limits.SendUpdates),
	"chatstatus":          enumCase(limits.ChatStatus),
	"birthdaytype":        enumCase(limits.BirthdayType),
	"newbirthdaytype":     {accept: []any{"", "birthday", "x"}, refuse: refuse("self", "anniversary", "custom", "other")},
	"contactname":         {accept: []any{"people/c12", "people/é"}, refuse: refuse("", "people/", "people/a/b", "c12", "people/a b")},
	"workinglocationtype": enumCase(limits.WorkingLocationType),

	"offset": {accept: []any{"2026-03-10T09:00:00Z", "", "x"}, refuse: refuse("2026-03-10T09:00:00")},
	"entryuri": {
		accept: []any{"https://example.com/", "tel:+15550100", "sip:a@example.com", "https://example.com/" + strings.Repeat("x", limits.EntryPointURIMaxLength-len("https://example.com/"))},
		refuse: refuse("https://example.com/"+strings.Repeat("x", limits.EntryPointURIMaxLength+1-len("https://example.com/")), "tel:"+strings.Repeat("é", limits.EntryPointURIMaxLength)),
	},
}

// value is what the validator is given for a value of a case.
func value(v any) any {
	if n, isList := v.(int); isList {
		return make([]string, n)
	}
	return v
}

func TestTags(t *testing.T) {
	v := registered(t)
	for _, tag := range tags.Table() {
		c, ok := cases[tag.Name]
		if !ok || len(c.accept) == 0 || len(c.refuse) == 0 {
			t.Errorf("%s has no cases on both sides", tag.Name)
			continue
		}
		name, want := tag.Name, tag.Rules
		switch {
		case tag.Name == "present":
			name, want = "present=attendee.email.required", []string{"attendee.email.required"}
		case tag.Param != "":
			name += "=None"
		}
		for _, accept := range c.accept {
			if err := v.Var(value(accept), name); err != nil {
				t.Errorf("%s refuses %.60q: %v", tag.Name, accept, tags.Findings(err))
			}
		}
		for _, refuse := range c.refuse {
			rules := refuse.rules
			if rules == nil {
				rules = want[:1]
			}
			findings := tags.Findings(v.Var(value(refuse.value), name))
			if diff := cmp.Diff(rules, ruleIDs(findings)); diff != "" {
				t.Errorf("%s of %.60q (-want +got):\n%s", tag.Name, refuse.value, diff)
			}
			for _, id := range ruleIDs(findings) {
				if !slices.Contains(want, id) {
					t.Errorf("%s became %s, which its row does not have", tag.Name, id)
				}
			}
		}
	}
	for name := range cases {
		if !slices.ContainsFunc(tags.Table(), func(tag tags.Tag) bool { return tag.Name == name }) {
			t.Errorf("there are cases of %s, which is no tag", name)
		}
	}
}

// ruleIDs are the ids of the rules of findings, in order and each once.
func ruleIDs(findings diag.Findings) []string {
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.Rule.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// TestSiblings tests the tags that read the field beside theirs.
func TestSiblings(t *testing.T) {
	type moment struct {
		At   string  `json:"at" validate:"offset=Zone"`
		Zone *string `json:"zone"`
	}
	type entry struct {
		URI  string `json:"uri" validate:"entryuri=Type"`
		Type string `json:"type"`
	}
	const local = "2026-03-10T09:00:00"
	v := registered(t)
	for _, c := range []struct {
		name   string
		value  any
		refuse string
	}{
		{"offset", moment{At: local + "Z"}, ""},
		{"zone", moment{At: local, Zone: new("Europe/Berlin")}, ""},
		{"unreadable", moment{At: "x"}, ""},
		{"neither", moment{At: local}, "time.offset"},
		{"empty zone", moment{At: local, Zone: new("")}, "time.offset"},
		{"video", entry{"https://example.com/", "video"}, ""},
		{"more", entry{"tel:+15550100", "more"}, "conference.entry.uri"},
		{"phone", entry{"tel:+15550100", "phone"}, ""},
		{"phone by http", entry{"https://example.com/", "phone"}, "conference.entry.uri"},
		{"sip", entry{"sip:a@example.com", "sip"}, ""},
		{"sip by tel", entry{"tel:+15550100", "sip"}, "conference.entry.uri"},
		{"unknown", entry{"x", "fax"}, ""},
		{"too long", entry{strings.Repeat("x", 1301), "fax"}, "conference.entry.uri"},
	} {
		var want []string
		if c.refuse != "" {
			want = []string{c.refuse}
		}
		if diff := cmp.Diff(want, ruleIDs(tags.Findings(v.Struct(c.value)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// notTags are the rows of limits.Table that no tag is made of.
var notTags = map[string]string{
	"EntryPointsMin":       "depends on conferenceSolution",
	"EntryPointsOfTypeMax": "counts entries by their types",
	"BirthdayContactTypes": "depends on the contact beside it",
	"PatchQuotaUnits":      "is about requests",
	"ServiceVersion":       "is part of the address",
	"JSONMaxDepth":         "is about the text",
}

func TestTableHasAllLimits(t *testing.T) {
	left := map[string]bool{}
	for _, limit := range limits.Table() {
		left[limit.Name] = true
	}
	for _, tag := range tags.Table() {
		for _, limit := range tag.Limits {
			if _, known := left[limit]; !known {
				t.Errorf("%s is made of %s, which limits has not", tag.Name, limit)
			}
			left[limit] = false
		}
	}
	for name, missing := range left {
		if missing == (notTags[name] == "") {
			t.Errorf("%s: no tag is made of it: %t; reason: %q", name, missing, notTags[name])
		}
	}
}

func TestTableRows(t *testing.T) {
	known := map[string]bool{}
	for doc := range event.Catalogue().All() {
		known[doc.ID] = true
	}
	seen := map[string]bool{}
	for _, tag := range tags.Table() {
		if seen[tag.Name] || tag.Holds == "" || len(tag.Rules) == 0 && tag.Param == "" {
			t.Errorf("the row of %s stands twice or lacks something", tag.Name)
		}
		seen[tag.Name] = true
		for _, rule := range tag.Rules {
			if !known[rule] {
				t.Errorf("%s becomes %s, which is no rule", tag.Name, rule)
			}
		}
	}
}

// The validator's own tags keep their meaning.
func TestNamesAreFree(t *testing.T) {
	for _, tag := range tags.Table() {
		if !panics(func() { validator.New().Var("", tag.Name) }) {
			t.Errorf("%s is a tag of the validator's own", tag.Name)
		}
	}
}

func panics(do func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	do()
	return false
}

func TestTableIsTheCallersOwn(t *testing.T) {
	tags.Table()[1].Rules[0] = "x"
	if got := tags.Table()[1].Rules[0]; got == "x" {
		t.Error("the table can be written to")
	}
}

func TestKinds(t *testing.T) {
	type text string
	type sizes struct {
		ID      *text    `validate:"eventid"`
		Small   int8     `validate:"reminderminutes"`
		Large   uint64   `validate:"reminderminutes"`
		List    [6]int   `validate:"overridesmax"`
		Missing *[]int   `validate:"overridesmax"`
		Zone    *string  `validate:"ianazone"`
		Any     any      `validate:"present=event.start.required"`
		Lines   []*text  `validate:"dive,rruleline"`
		Line    *string  `validate:"rruleline"`
		Minutes *float64 `validate:"omitempty,reminderminutes"`
	}
	v := registered(t)
	err := v.Struct(sizes{ID: new(text("W")), Small: -1, Large: 1 << 63, Lines: []*text{new(text("x")), nil}})
	want := []string{
		"/ID: event.id.alphabet", "/ID: event.id.length", "/Small: reminders.minutes", "/Large: reminders.minutes",
		"/List: reminders.overrides.max", "/Missing: reminders.overrides.max", "/Zone: time.zone.iana", "/Any: event.start.required",
		"/Lines/0: recurrence.line.name", "/Lines/1: recurrence.line.name", "/Line: recurrence.line.name",
	}
	if diff := cmp.Diff(want, places(tags.Findings(err))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, misfit := range []any{1, 1.5, []string{}, true} {
		if !panics(func() { v.Var(misfit, "eventid") }) {
			t.Errorf("a tag of texts takes a %T", misfit)
		}
	}
	for _, present := range []any{"x", 0, false, new(0), []int{}, map[string]int{}, struct{}{}, new(new(0))} {
		if err := v.Var(present, "present"); err != nil {
			t.Errorf("a %T is not there: %v", present, err)
		}
	}
	for _, absent := range []any{"", new(""), nil, (*int)(nil), []int(nil), map[string]int(nil), new((*int)(nil))} {
		if err := v.Var(absent, "present"); err == nil {
			t.Errorf("a %T that is empty is there", absent)
		}
	}
	if !panics(func() { v.Var("x", "overridesmax") }) || !panics(func() { v.Var(1.5, "reminderminutes") }) {
		t.Error("a tag takes a field that it does not fit")
	}
	if !panics(func() { v.Var("x", "present=attende.email.required") }) || !panics(func() { v.Var("a@b.c", "addrspec=event.organiser.email") }) {
		t.Error("a tag takes a parameter that is no rule")
	}
}

// places gives findings as "path: rule".
func places(findings diag.Findings) []string {
	var list []string
	for _, f := range findings {
		list = append(list, string(f.Path)+": "+f.Rule.ID)
	}
	return list
}
