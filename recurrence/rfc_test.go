package recurrence_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/recurrence"
)

// TestRFC5545Examples has all examples of RFC 5545 section 3.8.5.3, in the same order. Each has a
// DTSTART in America/New_York and the instances as the RFC lists them: dates without a time
// are at 9:00, and "..." is at the end of an incomplete list.
func TestRFC5545Examples(t *testing.T) {
	for _, e := range rfcExamples {
		at, err := time.ParseInLocation("20060102T150405", e.start, newYork)
		if err != nil {
			t.Fatal(err)
		}
		set, err := recurrence.Parse(strings.Split(e.lines, "\n"))
		if err != nil {
			t.Errorf("%s: %v", e.lines, err)
			continue
		}
		s := compile(t, set, recurrence.StartTime(at))
		want := rfcList(e.want)
		limit, endless := len(want), want[len(want)-1] == "..."
		if endless {
			limit--
			want = want[:limit]
		}
		var got []string
		for at, err := range s.All() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, at.Format("20060102T1504"))
			if endless && len(got) == limit {
				break
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s (-RFC +got):\n%s", e.name, e.lines, diff)
		}
	}
}

// rfcList expands a list such as "1997 Sep 2,3 Oct 1@0930": a year, months, days with ranges, and
// times that are not 9:00.
func rfcList(text string) []string {
	var list []string
	var year, month string
	for _, word := range strings.Fields(text) {
		switch {
		case word == "...":
			return append(list, word)
		case len(word) == 4 && !strings.ContainsAny(word, "-,@"):
			year = word
		case word[0] > '9':
			m, err := time.Parse("Jan", word)
			if err != nil {
				panic(err)
			}
			month = m.Format("01")
		default:
			for day := range strings.SplitSeq(word, ",") {
				list = append(list, rfcDays(year+month, day)...)
			}
		}
	}
	return list
}

func rfcDays(month, day string) []string {
	day, hour, ok := strings.Cut(day, "@")
	if !ok {
		hour = "0900"
	}
	first, last, ok := strings.Cut(day, "-")
	if !ok {
		last = first
	}
	var list []string
	for d := range 32 {
		text := time.Date(2000, 1, max(d, 1), 0, 0, 0, 0, time.UTC).Format("02")
		if d > 0 && text >= pad(first) && text <= pad(last) {
			list = append(list, month+text+"T"+hour)
		}
	}
	return list
}

func pad(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

// everyDay lists all days of some months.
func everyDay(year string, months ...string) string {
	var b strings.Builder
	for _, m := range months {
		first, err := time.Parse("2006 Jan", year+" "+m)
		if err != nil {
			panic(err)
		}
		b.WriteString(" " + year + " " + m + " 1-" + first.AddDate(0, 1, -1).Format("2"))
	}
	return b.String()
}

// times lists times on one day of September 1997.
func times(day string, clocks ...string) string {
	all := slices.Clone(clocks)
	for i := range all {
		all[i] = day + "@" + all[i]
	}
	return " " + strings.Join(all, ",")
}

// every20 returns the times from 9:00 to 16:40, every 20 minutes.
func every20() []string {
	var all []string
	for at := time.Date(1997, 9, 2, 9, 0, 0, 0, time.UTC); at.Hour() < 17; at = at.Add(20 * time.Minute) {
		all = append(all, at.Format("1504"))
	}
	return all
}

const sept2 = "19970902T090000"

var rfcExamples = []struct{ name, start, lines, want string }{
	{"Daily for 10 occurrences", sept2, "RRULE:FREQ=DAILY;COUNT=10", "1997 Sep 2-11"},
	{"Daily until December 24, 1997", sept2, "RRULE:FREQ=DAILY;UNTIL=19971224T000000Z",
		"1997 Sep 2-30" + everyDay("1997", "Oct", "Nov") + " 1997 Dec 1-23"},
	{"Every other day - forever", sept2, "RRULE:FREQ=DAILY;INTERVAL=2",
		"1997 Sep 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 Oct 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 " +
			"Nov 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29 Dec 1,3 ..."},
	{"Every 10 days, 5 occurrences", sept2, "RRULE:FREQ=DAILY;INTERVAL=10;COUNT=5", "1997 Sep 2,12,22 Oct 2,12"},
	{"Every day in January, for 3 years (yearly)", "19980101T090000",
		"RRULE:FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
		everyDay("1998", "Jan") + everyDay("1999", "Jan") + everyDay("2000", "Jan")},
	{"Every day in January, for 3 years (daily)", "19980101T090000", "RRULE:FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
		everyDay("1998", "Jan") + everyDay("1999", "Jan") + everyDay("2000", "Jan")},
	{"Weekly for 10 occurrences", sept2, "RRULE:FREQ=WEEKLY;COUNT=10", "1997 Sep 2,9,16,23,30 Oct 7,14,21,28 Nov 4"},
	{"Weekly until December 24, 1997", sept2, "RRULE:FREQ=WEEKLY;UNTIL=19971224T000000Z",
		"1997 Sep 2,9,16,23,30 Oct 7,14,21,28 Nov 4,11,18,25 Dec 2,9,16,23"},
	{"Every other week - forever", sept2, "RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU",
		"1997 Sep 2,16,30 Oct 14,28 Nov 11,25 Dec 9,23 1998 Jan 6,20 Feb 3,17 ..."},
	{"Weekly on Tuesday and Thursday for five weeks (until)", sept2,
		"RRULE:FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", "1997 Sep 2,4,9,11,16,18,23,25,30 Oct 2"},
	{"Weekly on Tuesday and Thursday for five weeks (count)", sept2,
		"RRULE:FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", "1997 Sep 2,4,9,11,16,18,23,25,30 Oct 2"},
	{"Every other week on Monday, Wednesday, and Friday until December 24, 1997", "19970901T090000",
		"RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
		"1997 Sep 1,3,5,15,17,19,29 Oct 1,3,13,15,17,27,29,31 Nov 10,12,14,24,26,28 Dec 8,10,12,22"},
	{"Every other week on Tuesday and Thursday, for 8 occurrences", sept2,
		"RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "1997 Sep 2,4,16,18,30 Oct 2,14,16"},
	{"Monthly on the first Friday for 10 occurrences", "19970905T090000", "RRULE:FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
		"1997 Sep 5 Oct 3 Nov 7 Dec 5 1998 Jan 2 Feb 6 Mar 6 Apr 3 May 1 Jun 5"},
	{"Monthly on the first Friday until December 24, 1997", "19970905T090000",
		"RRULE:FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "1997 Sep 5 Oct 3 Nov 7 Dec 5"},
	{"Every other month on the first and last Sunday of the month for 10 occurrences", "19970907T090000",
		"RRULE:FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
		"1997 Sep 7,28 Nov 2,30 1998 Jan 4,25 Mar 1,29 May 3,31"},
	{"Monthly on the second-to-last Monday of the month for 6 months", "19970922T090000",
		"RRULE:FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "1997 Sep 22 Oct 20 Nov 17 Dec 22 1998 Jan 19 Feb 16"},
	{"Monthly on the third-to-the-last day of the month, forever", "19970928T090000",
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=-3", "1997 Sep 28 Oct 29 Nov 28 Dec 29 1998 Jan 29 Feb 26 ..."},
	{"Monthly on the 2nd and 15th of the month for 10 occurrences", sept2,
		"RRULE:FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", "1997 Sep 2,15 Oct 2,15 Nov 2,15 Dec 2,15 1998 Jan 2,15"},
	{"Monthly on the first and last day of the month for 10 occurrences", "19970930T090000",
		"RRULE:FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "1997 Sep 30 Oct 1,31 Nov 1,30 Dec 1,31 1998 Jan 1,31 Feb 1"},
	{"Every 18 months on the 10th thru 15th of the month for 10 occurrences", "19970910T090000",
		"RRULE:FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "1997 Sep 10-15 1999 Mar 10-13"},
	{"Every Tuesday, every other month", sept2, "RRULE:FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
		"1997 Sep 2,9,16,23,30 Nov 4,11,18,25 1998 Jan 6,13,20,27 Mar 3,10,17,24,31 ..."},
	{"Yearly in June and July for 10 occurrences", "19970610T090000", "RRULE:FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
		"1997 Jun 10 Jul 10 1998 Jun 10 Jul 10 1999 Jun 10 Jul 10 2000 Jun 10 Jul 10 2001 Jun 10 Jul 10"},
	{"Every other year on January, February, and March for 10 occurrences", "19970310T090000",
		"RRULE:FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
		"1997 Mar 10 1999 Jan 10 Feb 10 Mar 10 2001 Jan 10 Feb 10 Mar 10 2003 Jan 10 Feb 10 Mar 10"},
	{"Every third year on the 1st, 100th, and 200th day for 10 occurrences", "19970101T090000",
		"RRULE:FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
		"1997 Jan 1 Apr 10 Jul 19 2000 Jan 1 Apr 9 Jul 18 2003 Jan 1 Apr 10 Jul 19 2006 Jan 1"},
	{"Every 20th Monday of the year, forever", "19970519T090000", "RRULE:FREQ=YEARLY;BYDAY=20MO",
		"1997 May 19 1998 May 18 1999 May 17 ..."},
	{"Monday of week number 20, forever", "19970512T090000", "RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
		"1997 May 12 1998 May 11 1999 May 17 ..."},
	{"Every Thursday in March, forever", "19970313T090000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
		"1997 Mar 13,20,27 1998 Mar 5,12,19,26 1999 Mar 4,11,18,25 ..."},
	{"Every Thursday, but only during June, July, and August, forever", "19970605T090000",
		"RRULE:FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
		"1997 Jun 5,12,19,26 Jul 3,10,17,24,31 Aug 7,14,21,28 1998 Jun 4,11,18,25 Jul 2,9,16,23,30 Aug 6,13,20,27 " +
			"1999 Jun 3,10,17,24 Jul 1,8,15,22,29 Aug 5,12,19,26 ..."},
	{"Every Friday the 13th, forever", sept2,
		"EXDATE;TZID=America/New_York:19970902T090000\nRRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
		"1998 Feb 13 Mar 13 Nov 13 1999 Aug 13 2000 Oct 13 ..."},
	{"The first Saturday that follows the first Sunday of the month, forever", "19970913T090000",
		"RRULE:FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
		"1997 Sep 13 Oct 11 Nov 8 Dec 13 1998 Jan 10 Feb 7 Mar 7 Apr 11 May 9 Jun 13 ..."},
	{"U.S. Presidential Election day, forever", "19961105T090000",
		"RRULE:FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "1996 Nov 5 2000 Nov 7 2004 Nov 2 ..."},
	{"The third instance of Tuesday, Wednesday, or Thursday in the month, for the next 3 months", "19970904T090000",
		"RRULE:FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997 Sep 4 Oct 7 Nov 6"},
	{"The second-to-last weekday of the month", "19970929T090000", "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
		"1997 Sep 29 Oct 30 Nov 27 Dec 30 1998 Jan 29 Feb 26 Mar 30 ..."},
	// Erratum 3883: UNTIL is 17:00 in New York, 21:00 in UTC, for the list that the RFC gives.
	{"Every 3 hours from 9:00 AM to 5:00 PM on a specific day", sept2, "RRULE:FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z",
		"1997 Sep" + times("2", "0900", "1200", "1500")},
	{"Every 15 minutes for 6 occurrences", sept2, "RRULE:FREQ=MINUTELY;INTERVAL=15;COUNT=6",
		"1997 Sep" + times("2", "0900", "0915", "0930", "0945", "1000", "1015")},
	{"Every hour and a half for 4 occurrences", sept2, "RRULE:FREQ=MINUTELY;INTERVAL=90;COUNT=4",
		"1997 Sep" + times("2", "0900", "1030", "1200", "1330")},
	{"Every 20 minutes from 9:00 AM to 4:40 PM every day (daily)", sept2,
		"RRULE:FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
		"1997 Sep" + times("2", every20()...) + times("3", every20()...) + " ..."},
	{"Every 20 minutes from 9:00 AM to 4:40 PM every day (minutely)", sept2,
		"RRULE:FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
		"1997 Sep" + times("2", every20()...) + times("3", every20()...) + " ..."},
	{"The days selected make a difference because of WKST (Monday)", "19970805T090000",
		"RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997 Aug 5,10,19,24"},
	{"The days selected make a difference because of WKST (Sunday)", "19970805T090000",
		"RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997 Aug 5,17,19,31"},
	{"An invalid date (February 30) is ignored", "20070115T090000", "RRULE:FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
		"2007 Jan 15,30 Feb 15 Mar 15,30"},
}
