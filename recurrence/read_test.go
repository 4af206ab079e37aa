package recurrence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/recurrence"
)

func TestRead(t *testing.T) {
	for _, test := range []struct{ text, start, lines, advice string }{
		{"DTSTART;TZID=Europe/Berlin:20260310T090000\nRRULE:FREQ=WEEKLY;COUNT=3", "2026-03-10T09:00:00+01:00", "RRULE:FREQ=WEEKLY;COUNT=3", ""},
		{"DTSTART:20120201T093000Z\nRRULE:FREQ=WEEKLY;INTERVAL=5;UNTIL=20130130T230000Z;BYDAY=MO,FR", "2012-02-01T09:30:00Z", "RRULE:FREQ=WEEKLY;INTERVAL=5;UNTIL=20130130T230000Z;BYDAY=MO,FR", ""},
		{`DTSTART:20120201T093000Z\nRRULE:FREQ=WEEKLY;COUNT=2`, "2012-02-01T09:30:00Z", "RRULE:FREQ=WEEKLY;COUNT=2", ""},
		{"FREQ=WEEKLY;DTSTART=20120201T093000Z;COUNT=2", "2012-02-01T09:30:00Z", "RRULE:FREQ=WEEKLY;COUNT=2", ""},
		{"FREQ=WEEKLY;DTSTART=20120201T093000;TZID=America/New_York;COUNT=2", "2012-02-01T09:30:00-05:00", "RRULE:FREQ=WEEKLY;COUNT=2", ""},
		{"RRULE:FREQ=WEEKLY;COUNT=2", "", "RRULE:FREQ=WEEKLY;COUNT=2", ""},
		{"freq=weekly;byday=mo", "", "RRULE:FREQ=WEEKLY;BYDAY=MO", ""},
		{"RRULE:FREQ=WEEKLY;", "", "RRULE:FREQ=WEEKLY", ""},
		{"RRULE:FREQ=WEEKLY; BYDAY = MO, TU ;", "", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU", `"BYDAY=MO, TU" was read as BYDAY=MO,TU.`},
		{"RRULE:FREQ=WEEKLY;BYDAY=MO;TU", "", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU", "TU was read as another weekday of BYDAY."},
		{"RRULE:FREQ=MONTHLY;BYWEEKDAY=MO(+2)", "", "RRULE:FREQ=MONTHLY;BYDAY=+2MO", `"BYWEEKDAY=MO(+2)" was read as BYDAY=+2MO.`},
		{"RRULE:FREQ=MONTHLY;BYDAY=LAST FR", "", "RRULE:FREQ=MONTHLY;BYDAY=-1FR", `"BYDAY=LAST FR" was read as BYDAY=-1FR.`},
		{"RRULE:FREQ=BIWEEKLY", "", "RRULE:FREQ=WEEKLY;INTERVAL=2", `"FREQ=BIWEEKLY" was read as FREQ=WEEKLY;INTERVAL=2.`},
		{"RRULE:FREQ=DAILY,COUNT=2", "", "RRULE:FREQ=DAILY;COUNT=2", `"FREQ=DAILY,COUNT=2" was read as FREQ=DAILY;COUNT=2.`},
		{"RRULE:FREQ=DAILY;X-EVOLUTION-ENDDATE=20260312", "", "RRULE:FREQ=DAILY", `"X-EVOLUTION-ENDDATE=20260312" was left out.`},
		{"RRULE:FREQ=DAILY;UNTIL=2026-04-01", "", "RRULE:FREQ=DAILY;UNTIL=20260401", `"UNTIL=2026-04-01" was read as UNTIL=20260401.`},
		{"DTSTART;TZID=America/New_York:20260310T090000\nRRULE:FREQ=DAILY;UNTIL=20260312T090000", "2026-03-10T09:00:00-04:00", "RRULE:FREQ=DAILY;UNTIL=20260312T130000Z",
			`"FREQ=DAILY;UNTIL=20260312T090000" was read as FREQ=DAILY;UNTIL=20260312T130000Z.`},
		{"DTSTART;VALUE=DATE:20260310\nRRULE:FREQ=DAILY;UNTIL=20260312T000000Z", "2026-03-10", "RRULE:FREQ=DAILY;UNTIL=20260312", `"FREQ=DAILY;UNTIL=20260312T000000Z" was read as FREQ=DAILY;UNTIL=20260312.`},
		{"DTSTART:20260310\nRRULE:FREQ=WEEKLY;COUNT=2;BYHOUR=0;BYMINUTE=0;BYSECOND=0", "2026-03-10", "RRULE:FREQ=WEEKLY;COUNT=2",
			`"FREQ=WEEKLY;COUNT=2;BYHOUR=0;BYMINUTE=0;"… (50 characters) was read as FREQ=WEEKLY;COUNT=2.`},
		{"DTSTART;TZID=Eastern Standard Time:20260310T090000\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE;TZID=Eastern Standard Time:20260311T090000", "2026-03-10T09:00:00-04:00",
			"RRULE:FREQ=DAILY;COUNT=2|EXDATE;TZID=America/New_York:20260311T090000", ""},
		{"DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20260310T090000\nRRULE:FREQ=DAILY;COUNT=2", "2026-03-10T09:00:00+01:00", "RRULE:FREQ=DAILY;COUNT=2", ""},
		{"DTSTART:20260310T090000\nRRULE:FREQ=DAILY;COUNT=2", "2026-03-10T09:00:00Z", "RRULE:FREQ=DAILY;COUNT=2", "The start 20260310T090000 has no zone and was read as UTC."},
		{"DTSTART:20260310T090000Z\nRRULE:\nRDATE:20260312T090000Z", "2026-03-10T09:00:00Z", "RDATE:20260312T090000Z", "An empty RRULE was left out."},
		{"DTSTART;VALUE=DATE:20260310\nRRULE:FREQ=DAILY;COUNT=5\nEXDATE:20260311,20260312", "2026-03-10", "RRULE:FREQ=DAILY;COUNT=5|EXDATE;VALUE=DATE:20260311,20260312",
			"20260311,20260312 of EXDATE is written with VALUE=DATE."},
		{"DTSTART:20260310T090000Z\nRRULE:FREQ=DAILY;COUNT=5;EXDATE=20260311T090000Z", "2026-03-10T09:00:00Z", "RRULE:FREQ=DAILY;COUNT=5|EXDATE:20260311T090000Z",
			`"EXDATE=20260311T090000Z" was read as a line of its own.`},
		{"DTSTART:20260310T090000Z\nRRULE:FREQ=DAILY;COUNT=5\nEXDATE;TZID=Europe/Berlin:20260311T090000Z", "2026-03-10T09:00:00Z", "RRULE:FREQ=DAILY;COUNT=5|EXDATE:20260311T090000Z",
			"20260311T090000Z of EXDATE is in UTC, so TZID was left out."},
		{"DTSTART:20260310T090000Z\nRRULE:FREQ=DAILY;COUNT=5\nEXDATE:", "2026-03-10T09:00:00Z", "RRULE:FREQ=DAILY;COUNT=5", "An empty EXDATE was left out."},
		{"DTSTART:20260310T090000Z\nRRULE:FREQ=DAILY;COUNT=5;UNTIL=20260311T090000Z", "2026-03-10T09:00:00Z", "RRULE:FREQ=DAILY;UNTIL=20260311T090000Z",
			`"FREQ=DAILY;COUNT=5;UNTIL=20260311T090000"… (41 characters) was read as FREQ=DAILY;UNTIL=20260311T090000Z.`},
		{"DTSTART:20260310T090000Z\nRRULE:FREQ=DAILY;COUNT=5;UNTIL=20270311T090000Z", "2026-03-10T09:00:00Z", "RRULE:FREQ=DAILY;COUNT=5",
			`"FREQ=DAILY;COUNT=5;UNTIL=20270311T090000"… (41 characters) was read as FREQ=DAILY;COUNT=5.`},
		{"DTSTART:20260310T090000Z\nRRULE:FREQ=WEEKLY;BYDAY=1MO,2MO;COUNT=5", "2026-03-10T09:00:00Z", "RRULE:FREQ=WEEKLY;COUNT=5;BYDAY=MO",
			`"FREQ=WEEKLY;COUNT=5;BYDAY=1MO,2MO" was read as FREQ=WEEKLY;COUNT=5;BYDAY=MO.`},
		{"BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n" +
			"BEGIN:VEVENT\r\nSUMMARY:Standup\r\nDTSTART;TZID=Europe/Berlin:20260310T090000\r\nDTEND;TZID=Europe/Berlin:20260310T100000\r\nRRULE:FREQ=WEEKLY;BYDAY=T\r\n U;COUNT=3\r\n" +
			"BEGIN:VALARM\r\nDURATION:PT15M\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", "2026-03-10T09:00:00+01:00", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3", ""},
		{"\n\t\tDTSTART:20260310T090000Z\n\t\tRRULE:FREQ=DAILY;COUNT=2\n\t", "2026-03-10T09:00:00Z", "RRULE:FREQ=DAILY;COUNT=2", ""},
		{"RRULE:FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=OMIT;COUNT=2", "", "RRULE:FREQ=MONTHLY;COUNT=2", ""},
	} {
		r, err := recurrence.Read(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		start := ""
		switch at := r.Start.Time(); {
		case r.Start.AllDay():
			start = at.Format(time.DateOnly)
		case !r.Start.IsZero():
			start = at.Format(time.RFC3339)
		}
		got := []string{start, strings.Join(r.Lines, "|"), strings.Join(r.Advice, " ")}
		if diff := cmp.Diff([]string{test.start, test.lines, test.advice}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
}

// What Read reads, Parse accepts; and what Parse accepts is read as it is.
func TestReadLength(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"DTSTART:20260310T090000Z\nDTEND:20260310T103000Z\nRRULE:FREQ=DAILY;COUNT=2":                                     90 * time.Minute,
		"DTEND:20260310T103000Z\nDTSTART:20260310T090000Z\nRRULE:FREQ=DAILY;COUNT=2":                                     90 * time.Minute,
		"DTSTART:20260310T090000Z\nDURATION:PT45M\nRRULE:FREQ=DAILY;COUNT=2":                                             45 * time.Minute,
		"DTSTART;VALUE=DATE:20260310\nDTEND;VALUE=DATE:20260312\nRRULE:FREQ=WEEKLY;COUNT=2":                              48 * time.Hour,
		"DTSTART;TZID=Europe/Berlin:20260310T090000\nDTEND;TZID=Europe/London:20260310T090000\nRRULE:FREQ=DAILY;COUNT=2": time.Hour,
	} {
		r, err := recurrence.Read(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		series, err := r.Set.Compile(r.Start)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := series.EndOf(r.Start.Time()).Sub(r.Start.Time()); got != want {
			t.Errorf("%q: an instance takes %s, want %s", text, got, want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"DTSTART:soon\nRRULE:FREQ=DAILY":                                  `the start "soon" is neither a date nor a time`,
		"DTSTART;TZID=Mars/Olympus:20260310T090000\nRRULE:FREQ=DAILY":     `the zone "Mars/Olympus" is not in the IANA Time Zone Database`,
		"RRULE:FREQ=SOMETIMES":                                            `FREQ="SOMETIMES" is not a frequency`,
		"RRULE:FREQ=DAILY\nEXDATE:tomorrow":                               `"TOMORROW" in EXDATE is neither a date nor a time`,
		"DTSTART:20260310T090000Z\nRRULE:FREQ=MONTHLY;BYWEEKNO=3;COUNT=2": "BYWEEKNO appears with FREQ=MONTHLY",
	} {
		r, err := recurrence.Read(text)
		if err == nil || !strings.Contains(strings.ToUpper(err.Error()), strings.ToUpper(want)) || r == nil {
			t.Errorf("%q: the error is %v, want %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("DTSTART;TZID=Europe/Berlin:20260310T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO;TU;UNTIL=2026-04-01\nEXDATE:20260311")
	f.Add("BEGIN:VEVENT\nRRULE;X=\"a:FREQ=DAILY\n b")
	f.Add("FREQ=WEEKLY;DTSTART=20120201T093000;TZID=America/New_York;COUNT=2;UNTIL=20130101")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := recurrence.Read(text)
		if err != nil {
			return
		}
		again, err := recurrence.Parse(r.Lines)
		if err != nil || again.String() != r.Set.String() {
			t.Errorf("%q is read as %q, which is not: %v", text, r.Lines, err)
		}
	})
}
