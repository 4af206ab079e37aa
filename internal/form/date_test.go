package form_test

import (
	"testing"
	"time"

	"github.com/calrules/calrules/internal/form"
)

func TestIsDate(t *testing.T) {
	verdict(t, "IsDate", form.IsDate,
		[]string{
			"2025-03-01", "2025-01-31", "2025-04-30", "2025-12-31",
			"2024-02-29", "2000-02-29", "0000-02-29", // RFC 3339 appendix C
			"0000-01-01", "9999-12-31",
		},
		[]string{
			"", "2025", "2025-03", "2025-3-01", "2025-03-1", "20250301", "2025/03/01", "2025-03-01 ", " 2025-03-01",
			"2025-02-29", "1900-02-29", "2100-02-29", "2025-02-30", "2024-02-30",
			"2025-04-31", "2025-06-31", "2025-09-31", "2025-11-31", "2025-01-32",
			"2025-00-01", "2025-13-01", "2025-01-00", "-025-01-01", "+025-01-01", "10000-01-01",
			"2025-+1-01", "2025-01-0x", "２025-01-01", "2025-03-01T", "2025-W09-6", "2025-060",
		})
}

func TestParseDate(t *testing.T) {
	if d, ok := form.ParseDate("2024-02-29"); !ok || d != (form.Date{Year: 2024, Month: 2, Day: 29}) {
		t.Errorf("ParseDate = %+v, %t", d, ok)
	}
	if d, ok := form.ParseDate("2025-02-29"); ok || d != (form.Date{}) {
		t.Errorf("ParseDate = %+v, %t, want the zero value", d, ok)
	}
}

// TestDateDays compares every day of the first, the present and the last 400 years with package time: the calendar
// repeats itself after 400 years.
func TestDateDays(t *testing.T) {
	for _, first := range []int{0, 1800, 9600} {
		day := time.Date(first, 1, 1, 0, 0, 0, 0, time.UTC)
		before := form.Date{Year: first - 1, Month: 12, Day: 31}
		for want := day.Unix() / 86400; day.Year() < first+400; want++ {
			d := form.Date{Year: day.Year(), Month: int(day.Month()), Day: day.Day()}
			if got := d.Days(); got != int(want) {
				t.Fatalf("%v.Days() = %d, want %d", d, got, want)
			}
			if d.Compare(before) != 1 || before.Compare(d) != -1 || d.Compare(d) != 0 {
				t.Fatalf("%v is not after %v", d, before)
			}
			day, before = day.AddDate(0, 0, 1), d
		}
	}
}

func TestIsDateTime(t *testing.T) {
	verdict(t, "IsDateTime", form.IsDateTime,
		[]string{
			"1985-04-12T23:20:50.52Z", "1996-12-19T16:39:57-08:00", "1990-12-31T23:59:60Z",
			"1990-12-31T15:59:60-08:00", "1937-01-01T12:00:27.87+00:20", // RFC 3339 section 5.8
			"2025-03-01t09:30:00z", "2025-03-01T09:30:00-00:00", "2025-03-01T00:00:00+23:59",
			"2025-03-01T23:59:59-23:59", "2025-03-01T09:30:00.0Z", "2025-03-01T09:30:00.12345678901234567890Z",
			"2016-12-31T23:59:60.5Z", "2017-01-01T05:29:60+05:30", "2015-06-30T23:59:60Z", "2024-02-29T23:59:60Z",
			"2017-01-01T23:58:60+23:59", "2016-12-31T00:00:60-23:59",
		},
		[]string{
			"", "2025-03-01", "2025-03-01T", "2025-03-01T09:30Z", "2025-03-01T09:30:00", // no offset
			"2025-03-01 09:30:00Z", "2025-03-01_09:30:00Z", "2025-03-01\x5409:30:00ZZ", "2025-03-01T09:30:00Zz",
			"2025-03-01T9:30:00Z", "2025-03-01T09:30:0Z", "2025-03-01T09-30-00Z", "2025-03-01T09-30:00Z", "2025-03-01T09:30-00Z", "20250301T093000Z",
			"2025-03-01T24:00:00Z", "2025-03-01T09:60:00Z", "2025-03-01T09:30:61Z", "2025-02-29T09:30:00Z",
			"2025-03-01T09:30:00,5Z", "2025-03-01T09:30:00.Z", "2025-03-01T09:30:00.", "2025-03-01T09:30:00.5.5Z",
			"2025-03-01T09:30:00+24:00", "2025-03-01T09:30:00+09:60", "2025-03-01T09:30:00+0900", "2025-03-01T09:30:00+09-00",
			"2025-03-01T09:30:00+09", "2025-03-01T09:30:00+9:00", "2025-03-01T09:30:00+09:00Z", "2025-03-01T09:30:00\u221209:00",
			"2025-03-01T09:30:00Z ", " 2025-03-01T09:30:00Z", "2025-03-01T09:30:00UTC", "2025-03-01T-1:30:00Z",
			"2025-03-01T09:59:60Z", "2016-12-30T23:59:60Z", "2016-12-31T23:58:60Z", "2016-12-31T22:59:60Z",
			"2016-12-31T23:59:60+01:00", "2017-01-01T23:59:60Z", "2025-02-28T23:59:60-00:01", "2024-02-28T23:59:60Z",
		})
}

func TestParseDateTime(t *testing.T) {
	for s, want := range map[string]form.DateTime{
		"2025-03-01T09:30:05":                   {Date: form.Date{Year: 2025, Month: 3, Day: 1}, Hour: 9, Minute: 30, Second: 5},
		"2025-03-01T09:30:00-05:30":             {Date: form.Date{Year: 2025, Month: 3, Day: 1}, Hour: 9, Minute: 30, Offset: -19800, HasOffset: true},
		"2025-03-01T09:30:00.05z":               {Date: form.Date{Year: 2025, Month: 3, Day: 1}, Hour: 9, Minute: 30, Nanosecond: 50e6, HasOffset: true},
		"2025-03-01T09:30:00.9999999999Z":       {Date: form.Date{Year: 2025, Month: 3, Day: 1}, Hour: 9, Minute: 30, Nanosecond: 999999999, HasOffset: true},
		"2025-03-01T09:59:60":                   {Date: form.Date{Year: 2025, Month: 3, Day: 1}, Hour: 9, Minute: 59, Second: 60}, // can be a leap second, depending on the offset
		"2025-03-01T09:58:60":                   {},
		"2025-03-01T09:30:00+24:00":             {},
		"2025-03-01T09:30:00.5 ":                {},
		"not a date-time, but of a fair length": {},
	} {
		got, ok := form.ParseDateTime(s)
		if got != want || ok != (want != form.DateTime{}) {
			t.Errorf("ParseDateTime(%q) = %+v, %t", s, got, ok)
		}
	}
}

func TestDateTimeTime(t *testing.T) {
	for s, want := range map[string]string{
		"1985-04-12T23:20:50.52Z":      "1985-04-12T23:20:50.52Z",
		"1996-12-19T16:39:57-08:00":    "1996-12-20T00:39:57Z", // RFC 3339 section 5.8
		"1990-12-31T23:59:60Z":         "1991-01-01T00:00:00Z",
		"1990-12-31T15:59:60.5-08:00":  "1991-01-01T00:00:00.5Z",
		"1937-01-01T12:00:27.87+00:20": "1937-01-01T11:40:27.87Z",
	} {
		d, ok := form.ParseDateTime(s)
		if got := d.Time(); !ok || got.Format(time.RFC3339Nano) != want || got.Location() != time.UTC {
			t.Errorf("ParseDateTime(%q).Time() = %v, want %s", s, got, want)
		}
	}
}
