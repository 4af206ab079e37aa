package event_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// times returns a body with the values of start and end.
func times(start, end string) string { return `{"start":` + start + `,"end":` + end + `}` }

// dates returns an all-day body.
func dates(start, end string) string {
	return times(`{"date":"`+start+`"}`, `{"date":"`+end+`"}`)
}

// moments returns a timed body.
func moments(start, end string) string {
	return times(`{"dateTime":"`+start+`"}`, `{"dateTime":"`+end+`"}`)
}

// zoned returns a dateTime in a zone.
func zoned(dateTime, zone string) string {
	return `{"dateTime":"` + dateTime + `","timeZone":"` + zone + `"}`
}

// written is the other finding about an insert with an originalStartTime.
const written = "event.recurring-id.written /originalStartTime"

func TestStartRequired(t *testing.T) {
	checkRule(t, "event.start.required", diag.Reject, []ruleCase{
		{name: "accept/given"},
		{name: "reject/missing", body: object(timedEnd), want: []string{"/start"}},
		{name: "reject/null", body: object(`"start":null`, timedEnd), want: []string{"/start"}},
		{name: "reject/other-case", body: object(`"Start":{"date":"2026-03-10"}`, timedEnd), want: []string{"/start", "json.unknown-field /Start"}},
		{name: "reject/cancelled", body: object(`"status":"cancelled"`, timedEnd), want: []string{"/start"}},
		{name: "accept/response-of-cancelled", op: operation.Response, body: `{"status":"cancelled","id":"abc12"}`},
	})
}

func TestEndRequired(t *testing.T) {
	checkRule(t, "event.end.required", diag.Reject, []ruleCase{
		{name: "accept/given"},
		{name: "accept/unspecified-with-end", members: `"endTimeUnspecified":true`},
		{name: "reject/missing", body: object(timedStart), want: []string{"/end"}},
		{name: "reject/null", body: object(timedStart, `"end":null`), want: []string{"/end"}},
		{name: "reject/unspecified", body: object(timedStart, `"endTimeUnspecified":true`), want: []string{"/end"}},
		{name: "reject/both-missing", body: `{}`, want: []string{"event.start.required /start", "/end"}},
	})
}

func TestTimeDateFormat(t *testing.T) {
	cases := []ruleCase{
		{name: "accept/plain", body: dates("2026-03-10", "2026-03-11")},
		{name: "accept/leap-day", body: dates("2024-02-29", "2024-03-01")},
		{name: "accept/leap-day-of-2000", body: dates("2000-02-29", "2000-03-01")},
		{name: "accept/year-0001", body: dates("0001-01-01", "9999-12-31")},
		{name: "accept/null", body: times(`{"date":null,"dateTime":"2026-03-10T09:00:00Z"}`, `{"dateTime":"2026-03-10T10:00:00Z"}`)},
		{name: "accept/original-start", members: `"originalStartTime":{"date":"2026-03-10"}`, want: []string{written}},
		{name: "reject/end", body: dates("2026-03-10", "2026-02-30"), want: []string{"/end/date"}},
		{name: "reject/both", body: dates("2026-03-32", "2026-04-31"), want: []string{"/start/date", "/end/date"}},
		{name: "reject/original-start", members: `"originalStartTime":{"date":"2026-3-10"}`, want: []string{written, "/originalStartTime/date"}},
		{name: "reject/beside-date-time", body: times(`{"date":"","dateTime":"2026-03-10T09:00:00Z"}`, `{"dateTime":"2026-03-10T10:00:00Z"}`),
			want: []string{"time.one-form /start", "/start/date"}},
		{name: "accept/response", op: operation.Response, body: object(stored, `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`)},
		{name: "reject/response", op: operation.Response, body: object(stored, `"start":{"date":"2026-02-29"},"end":{"date":"2026-03-11"}`), want: []string{"/start/date"}},
		{name: "reject/response-empty", op: operation.Response, members: `"originalStartTime":{"date":""}`, want: []string{"/originalStartTime/date"}},
	}
	for name, date := range map[string]string{
		"empty": "", "blank": " ", "no-leap-year": "2026-02-29", "century": "1900-02-29", "month-13": "2026-13-01", "month-00": "2026-00-10",
		"day-00": "2026-03-00", "day-31-of-april": "2026-04-31", "one-digit": "2026-3-1", "two-digit-year": "26-03-10", "five-digit-year": "12026-03-09",
		"plus": "+2026-03-09", "minus": "-2026-03-09", "basic": "20260310", "slashes": "2026/03/10", "date-time": "2026-03-10T00:00:00Z",
		"blank-after": "2026-03-10 ", "ordinal": "2026-069", "week": "2026-W11-2", "other-digits": "２０２６-03-10", "words": "tomorrow",
	} {
		cases = append(cases, ruleCase{name: "reject/" + name, body: dates(date, "2026-03-11"), want: []string{"/start/date"}})
	}
	checkRule(t, "time.date.format", diag.Reject, cases)
}

func TestTimeDateTimeFormat(t *testing.T) {
	const end = "2026-12-31T23:59:59Z"
	cases := []ruleCase{
		{name: "accept/leap-second", body: moments("2016-12-31T23:59:60Z", end)},
		{name: "accept/leap-second-with-offset", body: moments("2016-12-31T18:59:60-05:00", end)},
		{name: "accept/null", body: times(`{"date":"2026-03-10","dateTime":null}`, `{"date":"2026-03-11"}`)},
		{name: "reject/end", body: moments("2026-03-10T09:00:00Z", "2026-03-10T25:00:00Z"), want: []string{"/end/dateTime"}},
		{name: "reject/original-start", members: `"originalStartTime":{"dateTime":"2026-03-10"}`, want: []string{written, "/originalStartTime/dateTime"}},
		{name: "reject/with-zone", body: times(zoned("2026-03-10 09:00", "UTC"), zoned("2026-03-10T10:00:00", "UTC")), want: []string{"/start/dateTime"}},
		{name: "reject/response", op: operation.Response, body: object(stored, `"start":{"dateTime":"2026-03-10T09:00Z"}`, timedEnd), want: []string{"/start/dateTime"}},
		{name: "reject/response-empty", op: operation.Response, body: object(stored, `"start":{"dateTime":""}`, timedEnd), want: []string{"/start/dateTime"}},
	}
	for name, dateTime := range map[string]string{
		"utc": "2026-03-10T09:00:00Z", "offset": "2026-03-10T09:00:00-04:00", "offset-with-minutes": "2026-03-10T09:00:00+05:45",
		"fraction": "2026-03-10T09:00:00.5Z", "long-fraction": "2026-03-10T09:00:00.123456789012Z", "lower-case": "2026-03-10t09:00:00z",
		"unknown-offset": "2026-03-10T09:00:00-00:00", "last-offset": "2026-03-10T09:00:00+23:59", "midnight": "2026-03-10T00:00:00Z",
	} {
		cases = append(cases, ruleCase{name: "accept/" + name, body: moments(dateTime, end), ignored: []string{"time.fraction"}})
	}
	for name, dateTime := range map[string]string{
		"empty": "", "date": "2026-03-10", "no-seconds": "2026-03-10T09:00Z", "blank-for-t": "2026-03-10 09:00:00Z", "hour-24": "2026-03-10T24:00:00Z",
		"minute-60": "2026-03-10T09:60:00Z", "second-61": "2026-03-10T09:00:61Z", "no-leap-second": "2026-03-10T09:00:60Z", "comma": "2026-03-10T09:00:00,5Z",
		"bare-point": "2026-03-10T09:00:00.Z", "one-digit-hour": "2026-03-10T9:00:00Z", "offset-hour-24": "2026-03-10T09:00:00+24:00",
		"offset-minute-60": "2026-03-10T09:00:00+01:60", "offset-without-colon": "2026-03-10T09:00:00+0100", "offset-hours": "2026-03-10T09:00:00+01",
		"offset-seconds": "2026-03-10T09:00:00+01:00:00", "minus-sign": "2026-03-10T09:00:00−04:00", "blank-before": " 2026-03-10T09:00:00Z",
		"zone-name": "2026-03-10T09:00:00[Europe/Berlin]", "basic": "20260310T090000Z", "february-30": "2026-02-30T09:00:00Z",
		"plus-year": "+2026-03-10T09:00:00Z", "unix": "1773133200", "bracketed-suffix": "2026-03-10T09:00:00Z[UTC]",
	} {
		cases = append(cases, ruleCase{name: "reject/" + name, body: moments(dateTime, end), want: []string{"/start/dateTime"}})
	}
	checkRule(t, "time.datetime.format", diag.Reject, cases)
}

func TestTimeOffset(t *testing.T) {
	const later = `{"dateTime":"2026-12-31T00:00:00Z"}`
	checkRule(t, "time.offset", diag.Reject, []ruleCase{
		{name: "accept/offset", body: times(`{"dateTime":"2026-03-10T09:00:00+01:00"}`, later)},
		{name: "accept/z", body: times(`{"dateTime":"2026-03-10T09:00:00Z"}`, later)},
		{name: "accept/lower-case-z", body: times(`{"dateTime":"2026-03-10t09:00:00z"}`, later)},
		{name: "accept/no-offset-but-zone", body: times(zoned("2026-03-10T09:00:00", "Europe/Berlin"), later)},
		{name: "accept/both", body: times(zoned("2026-03-10T09:00:00+01:00", "Europe/Berlin"), later)},
		{name: "accept/date", body: dates("2026-03-10", "2026-03-11")},
		{name: "reject/neither", body: times(`{"dateTime":"2026-03-10T09:00:00"}`, later), want: []string{"/start/dateTime"}},
		{name: "reject/zone-is-null", body: times(`{"dateTime":"2026-03-10T09:00:00","timeZone":null}`, later), want: []string{"/start/dateTime"}},
		{name: "reject/with-fraction", body: times(`{"dateTime":"2026-03-10T09:00:00.5"}`, later), want: []string{"/start/dateTime", "time.fraction /start/dateTime"}},
		{name: "reject/zone-of-the-other", body: times(zoned("2026-03-10T09:00:00", "Europe/Berlin"), `{"dateTime":"2026-03-10T10:00:00"}`), want: []string{"/end/dateTime"}},
		{name: "reject/end-before-start", body: moments("2026-03-10T09:00:00", "2026-03-10T08:00:00"), want: []string{"/start/dateTime", "/end/dateTime"}},
		{name: "reject/original-start", members: `"originalStartTime":{"dateTime":"2026-03-10T09:00:00"}`, want: []string{written, "/originalStartTime/dateTime"}},
		{name: "accept/unknown-zone", body: times(zoned("2026-03-10T09:00:00", "Mars/Olympus"), later), want: []string{"time.zone.iana /start/timeZone"}},
		{name: "accept/empty-zone", body: times(zoned("2026-03-10T09:00:00", ""), later), want: []string{"time.zone.iana /start/timeZone"}},
		{name: "accept/response", op: operation.Response, body: object(stored, `"start":{"dateTime":"2026-03-10T09:00:00"}`, timedEnd)},
	})
}

func TestTimeZoneIANA(t *testing.T) {
	cases := []ruleCase{
		{name: "accept/null", body: times(`{"date":"2026-03-10","timeZone":null}`, `{"date":"2026-03-11"}`)},
		{name: "accept/beside-date", body: times(`{"date":"2026-03-10","timeZone":"Asia/Kolkata"}`, `{"date":"2026-03-11"}`)},
		{name: "accept/other-than-offset", body: times(zoned("2026-03-10T09:00:00+09:00", "Europe/Berlin"), zoned("2026-03-10T09:00:00Z", "Asia/Tokyo"))},
		{name: "reject/end", body: object(timedStart, `"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"EDT"}`), want: []string{"/end/timeZone"}},
		{name: "reject/original-start", members: `"originalStartTime":{"date":"2026-03-10","timeZone":"Local"}`, want: []string{written, "/originalStartTime/timeZone"}},
		{name: "reject/beside-date", body: times(`{"date":"2026-03-10","timeZone":"Berlin"}`, `{"date":"2026-03-11"}`), want: []string{"/start/timeZone"}},
		{name: "reject/floating-in-both", body: times(zoned("2026-03-10T09:00:00", "CEST"), zoned("2026-03-10T08:00:00", "CEST")), want: []string{"/start/timeZone", "/end/timeZone"}},
		{name: "reject/response", op: operation.Response, body: object(stored, timedStart, `"end":{"dateTime":"2026-03-10T10:00:00Z","timeZone":"Z"}`), want: []string{"/end/timeZone"}},
		{name: "reject/response-empty", op: operation.Response, body: object(stored, timedStart, `"end":{"dateTime":"2026-03-10T10:00:00Z","timeZone":""}`), want: []string{"/end/timeZone"}},
	}
	zone := func(name string) string {
		return times(`{"dateTime":"2026-03-10T09:00:00Z","timeZone":`+quoted(name)+`}`, `{"dateTime":"2026-03-10T10:00:00Z"}`)
	}
	for _, name := range []string{"Europe/Berlin", "America/Argentina/Buenos_Aires", "US/Pacific", "UTC", "Etc/GMT+5", "GMT", "EST5EDT", "Asia/Calcutta", "Europe/Kyiv"} {
		cases = append(cases, ruleCase{name: "accept/" + name, body: zone(name)})
	}
	for _, name := range []string{"", "Local", "local", "Z", "PST", "CEST", "UTC+1", "GMT+01:00", "+01:00", "europe/berlin", "EUROPE/BERLIN", "Europe/Berlin ", " UTC",
		"Europe", "Europe/", "/Europe/Berlin", "../UTC", "Europe/../Europe/Berlin", "posix/UTC", "right/UTC", "posixrules", "zone.tab",
		"Eastern Standard Time", "America/New York", "Europe\\Berlin", "UTC\x00", "(UTC+01:00) Berlin", "tzone://Microsoft/Utc"} {
		cases = append(cases, ruleCase{name: "reject/" + quoted(name), body: zone(name), want: []string{"/start/timeZone"}})
	}
	checkRule(t, "time.zone.iana", diag.Reject, cases)
}

func TestTimeZoneRecurring(t *testing.T) {
	const (
		daily    = `"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`
		zoneless = `{"dateTime":"2026-03-10T13:00:00Z"}`
		later    = `{"dateTime":"2026-03-10T14:00:00Z"}`
	)
	start, end := zoned("2026-03-10T09:00:00-04:00", "America/New_York"), zoned("2026-03-10T10:00:00-04:00", "America/New_York")
	recurring := func(start, end, recurrence string) string {
		return object(`"start":`+start, `"end":`+end, recurrence)
	}
	checkRule(t, "time.zone.recurring", diag.Reject, []ruleCase{
		{name: "reject/series-without-instance", body: object(`"start":{"dateTime":"2026-03-10T09:00:00Z"}`, `"end":{"dateTime":"2026-03-10T10:00:00Z"}`, `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20200101T000000Z"]`),
			want: []string{"/start/timeZone", "/end/timeZone", "recurrence.no-instance /recurrence"}},
		{name: "accept/both", body: recurring(start, end, daily)},
		{name: "accept/two-zones", body: recurring(start, zoned("2026-03-10T15:00:00+01:00", "Europe/Berlin"), daily)},
		{name: "accept/single-event", body: recurring(zoneless, later, "")},
		{name: "accept/no-lines", body: recurring(zoneless, later, `"recurrence":[]`)},
		{name: "accept/null", body: recurring(zoneless, later, `"recurrence":null`)},
		{name: "reject/start", body: recurring(zoneless, end, daily), want: []string{"/start/timeZone"}},
		{name: "reject/end", body: recurring(start, later, daily), want: []string{"/end/timeZone"}},
		{name: "reject/neither", body: recurring(zoneless, later, daily), want: []string{"/start/timeZone", "/end/timeZone"}},
		{name: "reject/offset-is-not-a-zone", body: recurring(`{"dateTime":"2026-03-10T09:00:00-04:00"}`, end, daily), want: []string{"/start/timeZone"}},
		{name: "reject/dates-only", body: recurring(zoneless, later, `"recurrence":["RDATE:20260312T130000Z"]`), want: []string{"/start/timeZone", "/end/timeZone"}},
		{name: "accept/empty-is-not-a-name", body: recurring(zoned("2026-03-10T13:00:00Z", ""), end, daily), want: []string{"time.zone.iana /start/timeZone"}},
		{name: "accept/response", op: operation.Response, body: object(stored, `"start":`+zoneless, `"end":`+later, daily)},
	})
}

func TestTimeZoneRecurringAllDay(t *testing.T) {
	const daily = `"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`
	checkRule(t, "time.zone.recurring-all-day", diag.Advise, []ruleCase{
		{name: "accept/both", base: allDay, members: daily},
		{name: "accept/single-event", body: dates("2026-03-10", "2026-03-11")},
		{name: "advise/neither", body: object(`"start":{"date":"2026-03-10"}`, `"end":{"date":"2026-03-11"}`, daily), want: []string{"/start/timeZone", "/end/timeZone"}},
		{name: "advise/end", body: object(`"start":{"date":"2026-03-10","timeZone":"UTC"}`, `"end":{"date":"2026-03-11"}`, daily), want: []string{"/end/timeZone"}},
		{name: "advise/null", body: object(`"start":{"date":"2026-03-10","timeZone":null}`, `"end":{"date":"2026-03-11","timeZone":"UTC"}`, daily), want: []string{"/start/timeZone"}},
		{name: "accept/response", op: operation.Response, body: object(stored, `"start":{"date":"2026-03-10"}`, `"end":{"date":"2026-03-11"}`, daily)},
	})
}

func TestTimeOneForm(t *testing.T) {
	const both = `{"date":"2026-03-10","dateTime":"2026-03-10T09:00:00Z"}`
	checkRule(t, "time.one-form", diag.Reject, []ruleCase{
		{name: "accept/date", base: allDay},
		{name: "accept/date-time", base: timed},
		{name: "accept/other-is-null", body: times(`{"date":null,"dateTime":"2026-03-10T09:00:00Z"}`, `{"date":null,"dateTime":"2026-03-10T10:00:00Z"}`)},
		{name: "reject/start-has-both", body: object(`"start":`+both, timedEnd), want: []string{"/start"}},
		{name: "reject/end-has-both", body: object(timedStart, `"end":`+both), want: []string{"/end"}},
		{name: "reject/original-start-has-both", members: `"originalStartTime":` + both, want: []string{"/originalStartTime"}, ignored: []string{"event.recurring-id.written"}},
		{name: "reject/empty", body: object(`"start":{}`, timedEnd), want: []string{"/start"}},
		{name: "reject/both-empty", body: `{"start":{},"end":{}}`, want: []string{"/start", "/end"}},
		{name: "reject/zone-only", body: object(`"start":{"timeZone":"UTC"}`, timedEnd), want: []string{"/start"}},
		{name: "reject/nulls", body: object(`"start":{"date":null,"dateTime":null}`, timedEnd), want: []string{"/start"}},
		{name: "reject/original-start-empty", members: `"originalStartTime":{}`, want: []string{"/originalStartTime"}, ignored: []string{"event.recurring-id.written"}},
		{name: "accept/response", op: operation.Response, body: object(stored, `"start":`+both, timedEnd)},
	})
}

func TestTimeSameForm(t *testing.T) {
	checkRule(t, "time.same-form", diag.Reject, []ruleCase{
		{name: "accept/all-day", base: allDay},
		{name: "accept/timed", base: timed},
		{name: "accept/original-start-of-other-form", members: `"originalStartTime":{"date":"2026-03-10"}`, want: []string{written}},
		{name: "reject/date-then-time", body: object(`"start":{"date":"2026-03-10"}`, timedEnd), want: []string{"/end"}},
		{name: "reject/time-then-date", body: object(timedStart, `"end":{"date":"2026-03-11"}`), want: []string{"/end"}},
		{name: "reject/without-offset", body: times(`{"date":"2026-03-10"}`, zoned("2026-03-10T09:00:00", "UTC")), want: []string{"/end"}},
		{name: "accept/response", op: operation.Response, body: object(stored, `"start":{"date":"2026-03-10"}`, timedEnd)},
	})
}

func TestTimeOrder(t *testing.T) {
	checkRule(t, "time.order", diag.Reject, []ruleCase{
		{name: "accept/next-day", body: dates("2026-03-10", "2026-03-11")},
		{name: "accept/over-new-year", body: dates("2025-12-31", "2026-01-01")},
		{name: "reject/one-picosecond", body: moments("2026-03-10T09:00:00.000000000001Z", "2026-03-10T09:00:00Z"), want: []string{"time.fraction /start/dateTime", "/end"}},
		{name: "accept/within-leap-second", body: moments("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00Z"), want: []string{"time.fraction /start/dateTime"}},
		{name: "reject/back-to-leap-second", body: moments("2017-01-01T00:00:00Z", "2016-12-31T23:59:60.5Z"), want: []string{"/end", "time.fraction /end/dateTime"}},
		{name: "reject/before-leap-second", body: moments("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.9Z"), want: []string{"/end", "time.fraction /end/dateTime"}},
		{name: "accept/one-nanosecond", body: moments("2026-03-10T09:00:00Z", "2026-03-10T09:00:00.000000001Z"), want: []string{"time.fraction /end/dateTime"}},
		{name: "accept/earlier-clock-later-instant", body: moments("2026-03-10T09:00:00+01:00", "2026-03-10T08:30:00Z")},
		{name: "accept/offset-beats-zone", body: times(zoned("2026-03-10T09:00:00-07:00", "America/New_York"), zoned("2026-03-10T12:30:00-04:00", "America/New_York"))},
		{name: "accept/flight-west", body: times(zoned("2026-03-10T09:00:00", "Asia/Tokyo"), zoned("2026-03-10T02:00:00", "America/Los_Angeles"))},
		{name: "accept/over-the-date-line", body: times(zoned("2026-03-11T00:30:00", "Pacific/Auckland"), zoned("2026-03-10T12:00:00", "Pacific/Honolulu"))},
		{name: "accept/first-and-second-time-in-overlap", body: moments("2026-11-01T01:45:00-04:00", "2026-11-01T01:15:00-05:00")},
		{name: "accept/leap-second", body: moments("2016-12-31T23:59:59Z", "2016-12-31T23:59:60Z")},
		{name: "accept/offset-0-and-zone", body: times(`{"dateTime":"2026-03-10T10:00:00Z"}`, zoned("2026-03-10T09:00:00", "America/New_York"))},
		{name: "accept/second-after-other-offset", body: moments("2026-03-10T09:00:01+00:00", "2026-03-10T10:00:02+01:00")},
		{name: "accept/leap-second-and-next-other-offset", body: moments("2016-12-31T23:59:60Z", "2017-01-01T01:00:00+01:00")},
		{name: "reject/day-before", body: dates("2026-03-10", "2026-03-09"), want: []string{"/end"}},
		{name: "reject/year-before", body: dates("2026-01-01", "2025-12-31"), want: []string{"/end"}},
		{name: "reject/second-before", body: moments("2026-03-10T09:00:00Z", "2026-03-10T08:59:59Z"), want: []string{"/end"}},
		{name: "reject/fraction-before", body: moments("2026-03-10T09:00:00.5Z", "2026-03-10T09:00:00.25Z"), want: []string{"time.fraction /start/dateTime", "/end", "time.fraction /end/dateTime"}},
		{name: "reject/later-clock-earlier-instant", body: moments("2026-03-10T09:00:00Z", "2026-03-10T09:30:00+01:00"), want: []string{"/end"}},
		{name: "reject/zones", body: times(zoned("2026-03-10T09:00:00", "America/Los_Angeles"), zoned("2026-03-10T17:00:00", "Asia/Tokyo")), want: []string{"/end"}},
		{name: "reject/zone-and-offset", body: times(zoned("2026-03-10T09:00:00", "Europe/Berlin"), `{"dateTime":"2026-03-10T07:59:59Z"}`), want: []string{"/end"}},
		{name: "reject/end-unspecified", body: object(`"start":{"date":"2026-03-10"}`, `"end":{"date":"2026-03-09"}`, `"endTimeUnspecified":true`), want: []string{"/end"}},
		{name: "accept/response", op: operation.Response, body: object(stored, `"start":{"date":"2026-03-10"}`, `"end":{"date":"2026-03-09"}`)},
	})
}

func TestTimeEmpty(t *testing.T) {
	checkRule(t, "time.empty", diag.Advise, []ruleCase{
		{name: "accept/one-day", body: dates("2026-03-10", "2026-03-11")},
		{name: "advise/same-day", body: dates("2026-03-10", "2026-03-10"), want: []string{"/end"}},
		{name: "advise/same-instant", body: moments("2026-03-10T09:00:00Z", "2026-03-10T09:00:00Z"), want: []string{"/end"}},
		{name: "advise/same-instant-other-offset", body: moments("2026-03-10T09:00:00+01:00", "2026-03-10T03:00:00-05:00"), want: []string{"/end"}},
		{name: "advise/same-instant-other-zone", body: times(zoned("2026-03-10T09:00:00", "Asia/Tokyo"), zoned("2026-03-10T00:00:00", "UTC")), want: []string{"/end"}},
		{name: "advise/other-fraction-digits", body: moments("2026-03-10T09:00:00.5Z", "2026-03-10T09:00:00.500Z"), want: []string{"time.fraction /start/dateTime", "/end", "time.fraction /end/dateTime"}},
		{name: "advise/short-fraction-other-offset", body: moments("2026-03-10T08:00:00.0001Z", "2026-03-10T09:00:00.0001+01:00"), want: []string{"time.fraction /start/dateTime", "/end", "time.fraction /end/dateTime"}},
		{name: "advise/short-fraction-in-utc", body: moments("2026-03-10T09:00:00.0001+01:00", "2026-03-10T08:00:00.0001Z"), want: []string{"time.fraction /start/dateTime", "/end", "time.fraction /end/dateTime"}},
		{name: "advise/long-fraction-other-offset", body: moments("2026-03-10T09:00:00.1234567892Z", "2026-03-10T10:00:00.12345678920+01:00"), want: []string{"time.fraction /start/dateTime", "/end", "time.fraction /end/dateTime"}},
		{name: "accept/one-picosecond", body: moments("2026-03-10T09:00:00.000000000000Z", "2026-03-10T09:00:00.000000000001Z"), want: []string{"time.fraction /end/dateTime"}},
		{name: "accept/leap-second", body: moments("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z")},
		{name: "advise/same-leap-second", body: moments("2016-12-31T23:59:60Z", "2016-12-31T18:59:60-05:00"), want: []string{"/end"}},
		{name: "accept/same-clock-other-instant", body: moments("2026-03-10T09:00:00+01:00", "2026-03-10T09:00:00Z")},
		{name: "accept/response", op: operation.Response, body: object(stored, `"start":{"date":"2026-03-10"}`, `"end":{"date":"2026-03-10"}`)},
	})
}

func TestRecurrenceOnInstance(t *testing.T) {
	const instance = "event.recurring-id.written /recurringEventId"
	checkRule(t, "recurrence.on-instance", diag.Reject, []ruleCase{
		{name: "accept/series", base: series},
		{name: "accept/instance", members: `"recurringEventId":"abc12def"`, want: []string{instance}},
		{name: "accept/no-lines", members: `"recurringEventId":"abc12def","recurrence":[]`, want: []string{instance}},
		{name: "accept/null-lines", members: `"recurringEventId":"abc12def","recurrence":null`, want: []string{instance}},
		{name: "accept/null-series", base: series, members: `"recurringEventId":null`},
		{name: "reject/rule", base: series, members: `"recurringEventId":"abc12def"`, want: []string{"/recurrence", instance}},
		{name: "reject/date", members: `"recurringEventId":"abc12def","recurrence":["RDATE:20260312T130000Z"]`, want: []string{instance, "/recurrence"}},
		{name: "accept/response", op: operation.Response, members: `"recurringEventId":"abc12","recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`},
	})
}

func TestRecurringIDWritten(t *testing.T) {
	checkRule(t, "event.recurring-id.written", diag.Advise, []ruleCase{
		{name: "accept/neither"},
		{name: "accept/null", members: `"recurringEventId":null,"originalStartTime":null`},
		{name: "advise/recurring-id", members: `"recurringEventId":"abc12def"`, want: []string{"/recurringEventId"}},
		{name: "advise/original-start", members: `"originalStartTime":{"date":"2026-03-10"}`, want: []string{"/originalStartTime"}},
		{name: "advise/both", members: `"recurringEventId":"abc12def","originalStartTime":{"date":"2026-03-10"}`, want: []string{"/recurringEventId", "/originalStartTime"}},
		{name: "accept/response", op: operation.Response, members: `"recurringEventId":"abc12def","originalStartTime":{"date":"2026-03-10"}`},
	})
}

func TestOriginalStartMember(t *testing.T) {
	const (
		days     = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3","EXDATE;VALUE=DATE:20260311","RDATE;VALUE=DATE:20260401"]`
		mornings = `"start":{"dateTime":"2026-03-06T09:00:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-06T10:00:00","timeZone":"America/New_York"},"recurrence":["RRULE:FREQ=DAILY;COUNT=5"]`
	)
	cases := []ruleCase{
		{name: "accept/series-unknown", members: `"originalStartTime":{"date":"2030-01-01"}`},
		{name: "accept/no-original-start", series: days},
		{name: "accept/no-day", series: days, members: `"originalStartTime":{"date":"2026-02-30"}`, want: []string{"time.date.format /originalStartTime/date"}},
		{name: "accept/no-start-of-the-series", series: `"recurrence":["RRULE:FREQ=DAILY"]`, members: `"originalStartTime":{"date":"2026-03-10"}`},
	}
	for _, c := range []struct{ name, series, original string }{
		{"accept/first-day", days, `{"date":"2026-03-10"}`},
		{"accept/last-day", days, `{"date":"2026-03-12"}`},
		{"accept/added-day", days, `{"date":"2026-04-01"}`},
		{"advise/excluded-day", days, `{"date":"2026-03-11"}`},
		{"advise/day-after", days, `{"date":"2026-03-13"}`},
		{"advise/day-before", days, `{"date":"2026-03-09"}`},
		{"advise/moment-of-days", days, `{"dateTime":"2026-03-10T00:00:00Z"}`},
		{"accept/first-moment", mornings, `{"dateTime":"2026-03-06T09:00:00-05:00"}`},
		{"accept/after-clock-change", mornings, `{"dateTime":"2026-03-09T09:00:00-04:00"}`},
		{"accept/in-utc", mornings, `{"dateTime":"2026-03-09T13:00:00Z"}`},
		{"accept/without-offset", mornings, `{"dateTime":"2026-03-09T09:00:00","timeZone":"America/New_York"}`},
		{"advise/offset-before-clock-change", mornings, `{"dateTime":"2026-03-09T09:00:00-05:00"}`},
		{"advise/other-time", mornings, `{"dateTime":"2026-03-09T09:30:00-04:00"}`},
		{"advise/fraction", mornings, `{"dateTime":"2026-03-09T09:00:00.5-04:00"}`},
		{"accept/fraction-of-the-start", strings.ReplaceAll(mornings, "T09:00:00", "T09:00:00.5"), `{"dateTime":"2026-03-09T09:00:00.5-04:00"}`},
		{"advise/fraction-cut-off", strings.ReplaceAll(mornings, "T09:00:00", "T09:00:00.5"), `{"dateTime":"2026-03-09T09:00:00-04:00"}`},
		{"advise/day-of-moments", mornings, `{"date":"2026-03-06"}`},
	} {
		test := ruleCase{name: c.name, series: c.series, members: `"originalStartTime":` + c.original}
		if c.name[0:6] == "advise" {
			test.want = []string{"/originalStartTime"}
		}
		cases = append(cases, test)
	}
	for i := range cases {
		cases[i].ignored = []string{"event.recurring-id.written"}
	}
	checkRule(t, "event.original-start.member", diag.Advise, cases)
}

func TestTimeFraction(t *testing.T) {
	at := func(start, end string) string {
		return object(`"start":{"dateTime":` + quoted(start) + `},"end":{"dateTime":` + quoted(end) + `}`)
	}
	const whole = "2026-03-10T10:00:00Z"
	checkRule(t, "time.fraction", diag.Advise, []ruleCase{
		{name: "accept/whole", body: at("2026-03-10T09:00:00Z", whole)},
		{name: "accept/zeros", body: at("2026-03-10T09:00:00.000Z", whole)},
		{name: "accept/zeros-without-offset", body: object(`"start":{"dateTime":"2026-03-10T09:00:00.0","timeZone":"UTC"},"end":{"dateTime":"2026-03-10T10:00:00.00","timeZone":"UTC"}`)},
		{name: "accept/all-day", base: allDay},
		{name: "accept/not-a-time", body: at("2026-03-10T09.5", whole), want: []string{"time.datetime.format /start/dateTime"}},
		{name: "accept/response", op: operation.Response, body: object(`"id":"abc12","start":{"dateTime":"2026-03-10T09:00:00.5Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`)},
		{name: "advise/start", body: at("2026-03-10T09:00:00.5Z", whole), want: []string{"/start/dateTime"}},
		{name: "advise/end", body: at("2026-03-10T09:00:00Z", "2026-03-10T10:00:00.001+00:00"), want: []string{"/end/dateTime"}},
		{name: "advise/beyond-nanoseconds", body: at("2026-03-10T09:00:00.0000000000001Z", whole), want: []string{"/start/dateTime"}},
	})
	checkChange(t, "time.fraction", diag.Advise, []changeCase{
		{name: "accept/stored", stored: `"summary":"a"`, sent: `"summary":"b"`},
		{name: "accept/null", sent: `"location":null`},
		{name: "advise/patch", sent: `"start":{"dateTime":"2026-03-10T09:00:00.25-04:00"}`, want: []string{"/start/dateTime"}},
	})
}

// A change of the originalStartTime is refused, whatever it sends, so that is all that is said of it.
func TestOriginalStartIsToldOnce(t *testing.T) {
	const series = `"series":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`
	_, result := answerLine(t, event.Checker{}, `{"op":"events.patch",`+series+`,"existing":{"id":"a_20260311","recurringEventId":"a",
		"originalStartTime":{"date":"2026-03-11"},"start":{"date":"2026-03-11"},"end":{"date":"2026-03-12"}},
		"body":{"originalStartTime":{"date":"2026-03-20"}}}`)
	if diff := cmp.Diff([]string{"event.original-start.immutable /originalStartTime"}, describe(result.Findings, nil)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
