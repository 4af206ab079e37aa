package batch_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/constraint"
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
func expandLine(t *testing.T, members ...string) batch.Expanded {
	t.Helper()
	var req batch.Expansion
	if err := req.UnmarshalJSON([]byte("{" + strings.Join(members, ",") + "}")); err != nil {
		t.Fatal(err)
	}
	return batch.Expand(&req)
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
			i.Span.Start.Format(time.Kitchen), i.Span.End.Format(time.Kitchen), string(i.Span.Origin),
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
