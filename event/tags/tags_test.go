package tags_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/tags"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/limits"
)

// registered returns a validator with the tags.
func registered(t testing.TB, options ...validator.Option) *validator.Validate {
	t.Helper()
	v := validator.New(options...)
	if err := tags.Register(v); err != nil {
		t.Fatal(err)
	}
	return v
}

// rejection is a value that a tag rejects, and the rules that it breaks: if there are none, the first rule of the tag.
type rejection struct {
	value any
	rules []string
}

// oneCase has values just inside and just outside what a tag accepts. The agreement tests put
// the same values into events. For tags of lists, an int is the number of elements.
type oneCase struct {
	accept []any
	reject []rejection
}

func reject(values ...any) []rejection {
	list := make([]rejection, len(values))
	for i, value := range values {
		list[i] = rejection{value: value}
	}
	return list
}

func enumCase(values *constraint.Constraint) oneCase {
	first := values.Values()[0]
	c := oneCase{reject: reject("", "x", strings.ToUpper(first), first+" ", " "+first, "\u200b"+first)}
	for _, value := range values.Values() {
		c.accept = append(c.accept, value)
	}
	return c
}

// lengthCase has strings of most characters and of one more, with characters of one byte and of several.
func lengthCase(most int) oneCase {
	return oneCase{
		accept: []any{"", "x", strings.Repeat("x", most), strings.Repeat("é", most), strings.Repeat("𝒳", most)},
		reject: reject(strings.Repeat("x", most+1), strings.Repeat("é", most+1), strings.Repeat("𝒳", most+1), strings.Repeat("x", 20*most)),
	}
}

func num(n int64) any { return n }

// cases has the cases of all tags. [TestSiblings] has more of the tags that read a second field.
var cases = map[string]oneCase{
	"cal_present": {accept: []any{"x", " "}, reject: reject("")},
	"cal_kind":    {accept: []any{constraint.EventKind}, reject: reject("", "calendar#events", "Calendar#event")},
	"cal_eventid": {
		accept: []any{"abcde", "01289", "vvvvv", strings.Repeat("v", 1024)},
		reject: []rejection{
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
	"cal_eventstatus": enumCase(constraint.EventStatus),
	"cal_rruleline": {
		accept: []any{"RRULE:FREQ=DAILY", "rrule:freq=weekly;byday=tu;count=3", "EXDATE:20260311T130000Z", "RDATE;VALUE=DATE:20260311",
			"EXRULE:FREQ=YEARLY", "RRULE:FREQ=DAILY;UNTIL=20260602T090000", "RRULE:FREQ=HOURLY;X-A=1"},
		reject: []rejection{
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
	"cal_transparency":            enumCase(constraint.Transparency),
	"cal_visibility":              enumCase(constraint.Visibility),
	"cal_icalsequence":            {accept: []any{num(0), num(1), num(1 << 62)}, reject: reject(num(-1), num(-1<<63))},
	"cal_propertykey":             lengthCase(44),
	"cal_propertyvalue":           lengthCase(1024),
	"cal_gadgetsize":              {accept: []any{num(1), num(1 << 62)}, reject: reject(num(0), num(-1))},
	"cal_gadgetdisplay":           enumCase(constraint.GadgetDisplay),
	"cal_attachments":             {accept: []any{0, 1, 25}, reject: reject(26, 60)},
	"cal_eventtype":               enumCase(constraint.EventType),
	"cal_neweventtype":            {accept: []any{"", "default", "birthday", "x"}, reject: reject("fromMail")},
	"cal_fulldate":                {accept: []any{"2024-02-29", "0000-01-01", "9999-12-31"}, reject: reject("", "2026-02-29", "2026-2-09", "2026-03-10T00:00:00Z", "２026-03-10")},
	"cal_rfc3339":                 {accept: []any{"2026-03-10T09:00:00Z", "2026-03-10t09:00:00.5z", "2016-12-31T23:59:60Z"}, reject: reject("", "2026-03-10T09:00:00", "2026-03-10T24:00:00Z", "2026-03-10T09:00:00,5Z")},
	"cal_eventdatetime":           {accept: []any{"2026-03-10T09:00:00Z", "2026-03-10T09:00:00", "2026-03-10T09:00:00+23:59"}, reject: reject("", "2026-03-10", "2026-03-10 09:00:00Z", "2026-03-10T09:00Z", "2026-03-10T09:00:60Z")},
	"cal_ianazone":                {accept: []any{"Europe/Berlin", "US/Pacific", "UTC", "EST"}, reject: reject("", "Local", "europe/berlin", "Eastern Standard Time", "Europe/Berlin ", "../etc/localtime", "+02:00")},
	"cal_addrspec":                {accept: []any{"ada@example.com", `"a b"@example.com`, "a@[127.0.0.1]"}, reject: reject("", "ada", "Ada <ada@example.com>", " ada@example.com", "a@b@c", "a..b@example.com", "é@example.com")},
	"cal_responsestatus":          enumCase(constraint.ResponseStatus),
	"cal_additionalguests":        {accept: []any{num(0), num(9)}, reject: reject(num(-1))},
	"cal_timestamp":               {accept: []any{"2026-03-10T09:00:00Z", "2026-03-10t09:00:00.5z"}, reject: reject("", "2026-03-10T09:00:00", "yesterday")},
	"cal_asyncoperation":          enumCase(constraint.AsyncOperation),
	"cal_createrequeststatus":     enumCase(constraint.CreateRequestStatus),
	"cal_conferencetype":          enumCase(constraint.ConferenceType),
	"cal_googleeventtype":         {accept: []any{"default", "fromGmail"}, reject: reject("fromMail", "x")},
	"cal_googleneweventtype":      {accept: []any{"default", "x"}, reject: reject("fromGmail")},
	"cal_googleconferencetype":    {accept: []any{"hangoutsMeet", "eventHangout", "addOn"}, reject: reject("videoMeet", "eventVideo")},
	"cal_googlenewconferencetype": {accept: []any{"hangoutsMeet", "x"}, reject: reject("eventHangout", "eventNamedHangout")},
	"cal_newconferencetype":       {accept: []any{"", "videoMeet", "addOn", "x"}, reject: reject("eventVideo", "eventNamedVideo")},
	"cal_meetingcode":             {accept: []any{"abc-mnop-xyz", "ABC-mnop-xyz"}, reject: reject("", "abcmnopxyz", "abc-mno-xyz", "abc-mn1p-xyz", "abc-mnop-xyzz")},
	"cal_conferencenotes":         lengthCase(2048),
	"cal_entrypointtype":          enumCase(constraint.EntryPointType),
	"cal_httpurl":                 {accept: []any{"https://example.com/", "HTTP://example.com"}, reject: reject("", "ftp://example.com/", "https://", "https:/example.com", "https://example.com/a b")},
	"cal_httpscheme":              {accept: []any{"https://example.com/", "HTTP:"}, reject: reject("", "ftp://example.com/", "https", "//example.com")},
	"cal_telscheme":               {accept: []any{"tel:+15550100", "TEL:+1 555"}, reject: reject("", "tel", "+15550100", "sip:a@example.com")},
	"cal_sipscheme":               {accept: []any{"sip:a@example.com", "sip:"}, reject: reject("", "sip", "sips:a@example.com", "tel:+15550100")},
	"cal_entrypointlabel":         lengthCase(512),
	"cal_entrypointcode":          lengthCase(128),
	"cal_reminderoverrides":       {accept: []any{0, 1, 5}, reject: reject(6, 30)},
	"cal_remindermethod":          enumCase(constraint.ReminderMethod),
	"cal_reminderminutes":         {accept: []any{num(0), num(1), num(40320)}, reject: reject(num(-1), num(40321), num(1<<62))},
	"cal_autodeclinemode":         enumCase(constraint.AutoDeclineMode),
	"cal_featureversion":          {accept: []any{num(0), num(1)}, reject: reject(num(-1), num(2), num(1<<62))},
	"cal_maxattendees":            {accept: []any{num(1), num(1 << 40)}, reject: reject(num(0), num(-1))},
	"cal_sendupdates":             enumCase(constraint.SendUpdates),
	"cal_chatstatus":              enumCase(constraint.ChatStatus),
	"cal_birthdaytype":            enumCase(constraint.BirthdayType),
	"cal_newbirthdaytype":         {accept: []any{"", "birthday", "x"}, reject: reject("self", "anniversary", "custom", "other")},
	"cal_contactname":             {accept: []any{"people/c12", "people/é"}, reject: reject("", "people/", "people/a/b", "c12", "people/a b")},
	"cal_workinglocationtype":     enumCase(constraint.WorkingLocationType),

	"cal_offset": {accept: []any{"2026-03-10T09:00:00Z"}, reject: reject("2026-03-10T09:00:00", "", "x")},
	"cal_entryuri": {
		accept: []any{"https://example.com/", "tel:+15550100", "sip:a@example.com", "https://example.com/" + strings.Repeat("x", constraint.EntryPointURIMaxLength-len("https://example.com/"))},
		reject: reject("https://example.com/"+strings.Repeat("x", constraint.EntryPointURIMaxLength+1-len("https://example.com/")), "tel:"+strings.Repeat("é", constraint.EntryPointURIMaxLength)),
	},
}

// value returns the value to validate for a value of a case.
func value(v any) any {
	if n, isList := v.(int); isList {
		return make([]string, n)
	}
	return v
}

// boundaryCase derives the case of a tag from the range of its constraint.
func boundaryCase(tag tags.Tag) oneCase {
	for _, f := range event.Fields() {
		for _, c := range f.Constraints {
			low, high := constraint.Named(c.Name).Range()
			switch {
			case !slices.Contains(tag.Limits, c.Name) || high == math.MaxInt64:
			case c.Subject == constraint.Text:
				return lengthCase(int(high))
			case c.Subject == constraint.Count:
				return oneCase{accept: []any{int(high)}, reject: reject(int(high) + 1)}
			default:
				return oneCase{accept: []any{num(low), num(high)}, reject: reject(num(low-1), num(high+1))}
			}
		}
	}
	return oneCase{}
}

func TestTags(t *testing.T) {
	v := registered(t)
	for _, tag := range tags.Table() {
		c, listed := cases[tag.Name]
		if !listed {
			c = boundaryCase(tag)
		}
		if len(c.accept) == 0 || len(c.reject) == 0 {
			t.Errorf("%s lacks cases", tag.Name)
			continue
		}
		name, want := tag.Name, tag.Rules
		switch {
		case tag.Name == "cal_present":
			name, want = "cal_present=attendee.email.required", []string{"attendee.email.required"}
		case tag.Param != "":
			name += "=None"
		}
		for _, accept := range c.accept {
			if err := v.Var(value(accept), name); err != nil {
				t.Errorf("%s rejects %.60q: %v", tag.Name, accept, tags.Translate(err))
			}
		}
		for _, reject := range c.reject {
			rules := reject.rules
			if rules == nil {
				rules = want[:1]
			}
			findings := tags.Translate(v.Var(value(reject.value), name))
			if diff := cmp.Diff(rules, ruleIDs(findings)); diff != "" {
				t.Errorf("%s of %.60q (-want +got):\n%s", tag.Name, reject.value, diff)
			}
			for _, id := range ruleIDs(findings) {
				if !slices.Contains(want, id) {
					t.Errorf("%s became %s, which is not in its row", tag.Name, id)
				}
			}
		}
	}
	for name := range cases {
		if _, ok := rows[name]; !ok {
			t.Errorf("there are cases of %s, which is not a tag", name)
		}
	}
}

// ruleIDs returns the sorted ids of the rules of findings, without duplicates.
func ruleIDs(findings diag.Findings) []string {
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.Rule.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// TestSiblings tests the tags that read a second field.
func TestSiblings(t *testing.T) {
	type moment struct {
		At   string  `json:"at" validate:"cal_offset=Zone"`
		Zone *string `json:"zone"`
	}
	type entry struct {
		URI  string `json:"uri" validate:"cal_entryuri=Type"`
		Type string `json:"type"`
	}
	const local = "2026-03-10T09:00:00"
	v := registered(t)
	for _, c := range []struct {
		name  string
		value any
		rule  string
	}{
		{"cal_offset", moment{At: local + "Z"}, ""},
		{"zone", moment{At: local, Zone: new("Europe/Berlin")}, ""},
		{"unreadable", moment{At: "x"}, "time.offset"},
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
		if c.rule != "" {
			want = []string{c.rule}
		}
		if diff := cmp.Diff(want, ruleIDs(tags.Translate(v.Struct(c.value)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// notTags are the rows of limits.Table that no tag checks, with the reasons.
var notTags = map[string]string{
	"EntryPointsWithSolution": "depends on conferenceSolution",
	"EntryPointsOfType":       "counts entries by their types",
	"PatchQuotaUnits":         "is about requests",
	"ServiceVersion":          "is part of the address",
	"JSONMaxDepth":            "is about the text",
	"CalendarLabels":          "is about another resource than an event",
	"CalendarLabelName":       "is about another resource than an event",
	"NotificationMethod":      "is about another resource than an event",
	"NotificationType":        "is about another resource than an event",
	"ACLRole":                 "is about another resource than an event",
	"ACLScopeType":            "is about another resource than an event",
	"FreebusyTime":            "is about another resource than an event",
	"CalendarExpansion":       "is about another resource than an event",
	"GroupExpansion":          "is about another resource than an event",
	"ChannelIDLength":         "is about another resource than an event",
	"ChannelIDCharacters":     "is about another resource than an event",
	"ChannelType":             "is about another resource than an event",
	"ChannelAddress":          "is about another resource than an event",
	"ChannelToken":            "is about another resource than an event",
}

func TestTableHasAllLimits(t *testing.T) {
	missing := map[string]bool{}
	for _, limit := range limits.Table() {
		missing[limit.Name] = true
	}
	for _, tag := range tags.Table() {
		for _, limit := range tag.Limits {
			if _, known := missing[limit]; !known {
				t.Errorf("%s checks %s, which is not in limits.Table", tag.Name, limit)
			}
			missing[limit] = false
		}
	}
	for name, is := range missing {
		if is != (notTags[name] != "") {
			t.Errorf("%s lacks a tag: %t; the reason for it: %q", name, is, notTags[name])
		}
	}
}

func TestTableRows(t *testing.T) {
	seen := map[string]bool{}
	for _, tag := range tags.Table() {
		if seen[tag.Name] || tag.Want == "" || len(tag.Rules) == 0 && tag.Param == "" {
			t.Errorf("the row of %s is repeated or incomplete", tag.Name)
		}
		seen[tag.Name] = true
		if rules := slices.Sorted(slices.Values(tag.Rules)); len(slices.Compact(rules)) < len(tag.Rules) {
			t.Errorf("%s repeats a rule: %q", tag.Name, tag.Rules)
		}
		for _, rule := range tag.Rules {
			if event.Catalogue().Lookup(rule) == nil {
				t.Errorf("%s becomes %s, which is not a rule", tag.Name, rule)
			}
		}
	}
}

// TestNamesAreFree checks that no tag replaces one of the validator's own.
func TestNamesAreFree(t *testing.T) {
	for _, tag := range tags.Table() {
		if !panics(func() { validator.New().Var("", tag.Name) }) {
			t.Errorf("the validator has a tag %s", tag.Name)
		}
	}
}

func panics(do func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	do()
	return false
}

func TestTableIsACopy(t *testing.T) {
	row := tags.Table()[1]
	row.Rules[0], row.Limits[0] = "x", "x"
	if got := tags.Table()[1]; got.Rules[0] == "x" || got.Limits[0] == "x" {
		t.Error("a caller can modify the table")
	}
}

func TestKinds(t *testing.T) {
	type text string
	type sizes struct {
		ID      *text    `validate:"cal_eventid"`
		Small   int8     `validate:"cal_reminderminutes"`
		Large   uint64   `validate:"cal_reminderminutes"`
		List    [6]int   `validate:"cal_reminderoverrides"`
		Missing *[]int   `validate:"cal_reminderoverrides"`
		Zone    *string  `validate:"cal_ianazone"`
		Any     any      `validate:"cal_present=event.start.required"`
		Lines   []*text  `validate:"dive,cal_rruleline"`
		Line    *string  `validate:"cal_rruleline"`
		Minutes *float64 `validate:"omitempty,cal_reminderminutes"`
	}
	v := registered(t)
	err := v.Struct(sizes{ID: new(text("W")), Small: -1, Large: 1 << 63, Lines: []*text{new(text("x")), nil}})
	want := []string{
		"/ID: event.id.alphabet", "/ID: event.id.length", "/Small: reminders.minutes", "/Large: reminders.minutes",
		"/List: reminders.overrides.max", "/Missing: reminders.overrides.max", "/Zone: time.zone.iana", "/Any: event.start.required",
		"/Lines/0: recurrence.line.name", "/Lines/1: recurrence.line.name", "/Line: recurrence.line.name",
	}
	if diff := cmp.Diff(want, places(tags.Translate(err))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, misfit := range []any{1, 1.5, []string{}, true} {
		if !panics(func() { v.Var(misfit, "cal_eventid") }) {
			t.Errorf("a tag of strings accepts a field of type %T", misfit)
		}
	}
	for _, present := range []any{"x", 0, false, new(0), []int{}, map[string]int{}, struct{}{}, new(new(0))} {
		if err := v.Var(present, "cal_present"); err != nil {
			t.Errorf("a %T is not present: %v", present, err)
		}
	}
	for _, absent := range []any{"", new(""), nil, (*int)(nil), []int(nil), map[string]int(nil), new((*int)(nil))} {
		if err := v.Var(absent, "cal_present"); err == nil {
			t.Errorf("an empty %T is cal_present", absent)
		}
	}
	if !panics(func() { v.Var("x", "cal_reminderoverrides") }) || !panics(func() { v.Var(1.5, "cal_reminderminutes") }) {
		t.Error("a tag accepts a field of a wrong type")
	}
	if !panics(func() { v.Var("x", "cal_present=attende.email.required") }) || !panics(func() { v.Var("a@b.c", "cal_addrspec=event.organiser.email") }) {
		t.Error("a tag accepts a parameter that is not a rule")
	}
}

// places returns findings as "path: rule".
func places(findings diag.Findings) []string {
	var list []string
	for _, f := range findings {
		list = append(list, string(f.Path)+": "+f.Rule.ID)
	}
	return list
}
