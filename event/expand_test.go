package event_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/wire"
)

// The series that the tests expand.
const (
	nineToTen = `"start":{"dateTime":"2026-03-06T09:00:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-06T10:00:00","timeZone":"America/New_York"}`
	evenings  = `"start":{"dateTime":"2026-03-06T22:30:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-06T23:00:00","timeZone":"America/New_York"}`
	firstDays = `"start":{"date":"0001-01-01"},"end":{"date":"0001-01-02"}`
	twoDays   = `"start":{"date":"2026-03-06"},"end":{"date":"2026-03-08"}`
	everyDay  = `"recurrence":["RRULE:FREQ=DAILY"]`
)

// expandLine expands a line of input with the members.
func expandLine(t *testing.T, members ...string) event.ExpandResult {
	t.Helper()
	var req wire.Expansion
	if err := req.UnmarshalJSON([]byte("{" + strings.Join(members, ",") + "}")); err != nil {
		t.Fatal(err)
	}
	return event.Expand(&req.ExpandRequest)
}

// starts returns the starts of the instances, with … at the end if the list is truncated.
func starts(result event.ExpandResult) string {
	var list []string
	for _, i := range result.Instances {
		list = append(list, i.Start.Date+i.Start.DateTime)
	}
	if result.Truncated {
		list = append(list, "…")
	}
	return strings.Join(list, " ")
}

func TestExpandWindow(t *testing.T) {
	for _, test := range []struct{ name, series, window, want string }{
		{"limit", nineToTen, `"limit":2`, "2026-03-06T09:00:00-05:00 2026-03-07T09:00:00-05:00 …"},
		{"half-open", nineToTen, `"from":"2026-03-07T09:00:00-05:00","to":"2026-03-08T09:00:00-04:00"`, "2026-03-07T09:00:00-05:00"},
		{"limit reached but not exceeded", nineToTen, `"to":"2026-03-07","limit":1`, "2026-03-06T09:00:00-05:00"},
		{"dates are midnights of the zone", nineToTen, `"from":"2026-03-08","to":"2026-03-09"`, "2026-03-08T09:00:00-04:00"},
		{"midnights of the zone, not of UTC", evenings, `"from":"2026-03-08","to":"2026-03-09"`, "2026-03-08T22:30:00-04:00"},
		{"another offset", nineToTen, `"from":"2026-03-08T13:00:00Z","to":"2026-03-08T13:00:01Z"`, "2026-03-08T09:00:00-04:00"},
		{"null is unbounded", nineToTen, `"from":null,"to":null,"limit":1`, "2026-03-06T09:00:00-05:00 …"},
		{"before the start", nineToTen, `"to":"0001-01-01"`, ""},
		{"from the first possible day", nineToTen, `"from":"0001-01-01","limit":1`, "2026-03-06T09:00:00-05:00 …"},
		{"empty window", nineToTen, `"from":"2026-03-08","to":"2026-03-07"`, ""},
		{"days", twoDays, `"from":"2026-03-07","to":"2026-03-09"`, "2026-03-07 2026-03-08"},
		{"days before the first", twoDays, `"to":"0001-01-01"`, ""},
		{"the days that start at or after a time", twoDays, `"from":"2026-03-07T23:30:00-11:00","to":"2026-03-08T00:30:00+14:00"`, "2026-03-08"},
		{"a second after midnight", twoDays, `"from":"2026-03-07T00:00:01Z","to":"2026-03-08T00:00:01Z"`, "2026-03-08"},
		{"a part of a second after midnight", twoDays, `"from":"2026-03-07T00:00:00.5Z","to":"2026-03-08T00:00:00.5Z"`, "2026-03-08"},
		{"the first possible day", firstDays, `"from":"0001-01-01","to":"0001-01-02"`, "0001-01-01"},
		{"before the first possible day", firstDays, `"to":"0001-01-01"`, ""},
		{"midnight in its own offset", twoDays, `"from":"2026-03-07T00:00:00-11:00","to":"2026-03-08T00:00:00+14:00"`, "2026-03-07"},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := expandLine(t, test.series, everyDay, test.window)
			if got := starts(result); got != test.want || result.Error != "" || result.Instances == nil {
				t.Errorf("instances are %s (%s), want %s", got, result.Error, test.want)
			}
		})
	}
}

// An expansion rejects what an insert rejects, and nothing else.
func TestExpandRejects(t *testing.T) {
	for _, test := range []struct{ members, want string }{
		{nineToTen + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=1;UNTIL=20260310T000000Z"]`, "/recurrence/0 recurrence.rule.count-until"},
		{nineToTen + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=1","RRULE:FREQ=DALY"]`, "/recurrence/1 recurrence.rule.part"},
		{nineToTen + `,"recurrence":["RRULE:FREQ=DAILY;UNTIL=20250101T000000Z"]`, "/recurrence recurrence.no-instance"},
		{`"start":{"date":"2026-03-06"},` + everyDay, "/end event.end.required"},
		{`"start":{"dateTime":"2026-03-06T09:00:00-05:00"},"end":{"dateTime":"2026-03-06T10:00:00-05:00"},` + everyDay, "/start/timeZone time.zone.recurring, /end/timeZone time.zone.recurring"},
		{`"start":{"date":"2026-02-30"},"end":{"date":"2026-03-08"},` + everyDay, "/start/date time.date.format"},
		{twoDays + `,"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260307T000000Z"]`, ""}, // only advice
	} {
		result := expandLine(t, test.members, `"id":1`)
		var got []string
		for _, f := range result.Findings {
			got = append(got, string(f.Path)+" "+f.Rule.ID)
			if f.Kind != diag.Reject {
				t.Errorf("%s: %v does not reject", test.members, f)
			}
		}
		if strings.Join(got, ", ") != test.want || (result.Instances == nil) != (test.want != "") {
			t.Errorf("%s: findings are %v, want %s", test.members, result.Findings, test.want)
		}
	}
}

func TestExpandIsBounded(t *testing.T) {
	for members, want := range map[string]int{
		nineToTen + "," + everyDay:                    constraint.InstancesDefault,
		nineToTen + "," + everyDay + `,"limit":99999`: constraint.InstancesMax,
	} {
		if result := expandLine(t, members); len(result.Instances) != want || !result.Truncated {
			t.Errorf("%d instances, truncated %t; want %d, truncated", len(result.Instances), result.Truncated, want)
		}
	}
}

func TestExpandErrors(t *testing.T) {
	for members, want := range map[string]string{
		nineToTen:                          "there is no recurrence",
		nineToTen + `,"recurrence":[]`:     "there is no recurrence",
		`"from":"x"`:                       "there is no recurrence",
		`"from":"2026-03-06T09:00:00"`:     `from is "2026-03-06T09:00:00"; it must be a date such as`,
		`"to":"tomorrow"`:                  `to is "tomorrow"; it must be`,
		`"limit":-1`:                       "limit is -1; it must not be negative",
		`"from":"2026-02-30","limit":1000`: `from is "2026-02-30"`,
	} {
		if !strings.Contains(want, "there is no") {
			members += "," + nineToTen + "," + everyDay
		}
		result := expandLine(t, members)
		if !strings.HasPrefix(result.Error, want) || result.Instances != nil || result.Findings != nil {
			t.Errorf("%s: the answer is %+v, want the error %s", members, result, want)
		}
	}
}

// An instance ends in the form and the zone of the end.
func TestExpandInstances(t *testing.T) {
	result := expandLine(t,
		`"start":{"dateTime":"2026-03-06T22:30:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-07T05:00:00","timeZone":"Europe/Paris"}`,
		`"recurrence":["RRULE:FREQ=DAILY;INTERVAL=2;COUNT=2","RDATE;TZID=America/New_York:20260307T120000,20260306T223000,20260308T223000"]`)
	var got []string
	for _, i := range result.Instances {
		got = append(got, strings.Join([]string{
			i.Start.DateTime, i.Start.TimeZone, i.End.DateTime, i.End.TimeZone,
			i.At.Format(time.Kitchen), i.Until.Format(time.Kitchen), string(i.Origin),
		}, " "))
	}
	want := []string{
		"2026-03-06T22:30:00-05:00 America/New_York 2026-03-07T05:00:00+01:00 Europe/Paris 10:30PM 11:00PM start",
		"2026-03-07T12:00:00-05:00 America/New_York 2026-03-07T18:30:00+01:00 Europe/Paris 12:00PM 12:30PM RDATE",
		"2026-03-08T22:30:00-04:00 America/New_York 2026-03-09T04:00:00+01:00 Europe/Paris 10:30PM 11:00PM rule",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("instances (-want +got):\n%s", diff)
	}
}

// Only the first instance moves if its start falls into a gap of the clock. The others have the
// time of day as written.
func TestExpandStartInGap(t *testing.T) {
	const series = `"start":{"dateTime":"2024-03-10T02:30:00","timeZone":"America/New_York"},"end":{"dateTime":"2024-03-10T04:30:00","timeZone":"America/New_York"}`
	want := "2024-03-10T03:30:00-04:00 2024-03-11T02:30:00-04:00 2024-03-12T02:30:00-04:00"
	for _, rule := range []string{"RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY;BYHOUR=2;BYMINUTE=30;COUNT=3"} {
		if got := starts(expandLine(t, series, `"recurrence":["`+rule+`"]`)); got != want {
			t.Errorf("%s gives %s, want %s", rule, got, want)
		}
	}
}
