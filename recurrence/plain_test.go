package recurrence

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// comparePlain compares the reader of plain lines with that of all. It returns whether the line is plain.
func comparePlain(t *testing.T, text string) bool {
	var plain, want line
	if !plain.parsePlain(text) {
		return false
	}
	want.parseAny(text)
	if diff := cmp.Diff(want, plain, cmp.AllowUnexported(line{}, faults{}, fault{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%q is read differently (-any +plain):\n%s", text, diff)
	}
	return true
}

// plainLines says which lines are plain.
var plainLines = map[string]bool{
	"RRULE:FREQ=DAILY": true, "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;WKST=SU": true, "RRULE:FREQ=MONTHLY;COUNT=10": true,
	"RRULE:INTERVAL=2;FREQ=YEARLY;UNTIL=20280229T000000Z": true, "RRULE:FREQ=DAILY;UNTIL=20280131": true, "RRULE:FREQ=DAILY;UNTIL=20280131T235960": true,
	"RRULE:FREQ=DAILY;INTERVAL=999999999;COUNT=01": true,
	"": false, "RRULE": false, "RRULE:": false, "RRULE:FREQ": false, "RRULE:FREQ=": false, "RRULE:COUNT=1": false, "RRULE:FREQ=DAILY;": false, "RRULE:;FREQ=DAILY": false,
	"rrule:FREQ=DAILY": false, "RRULE:freq=DAILY": false, "RRULE:FREQ=daily": false, "RRULE:FREQ=HOURLY": false, "RRULE:FREQ=DAILY;FREQ=DAILY": false,
	"RRULE:FREQ=DAILY\n": false, "RRULE:FREQ=DAILY ": false, "RRULE:FREQ=DAILY;X-A=1": false, "RRULE:FREQ;BYDAY=MO": false, "RRULE:FREQ=DAILY=MO": false,
	"RRULE:FREQ=DAILY;COUNT=0": false, "RRULE:FREQ=DAILY;COUNT=1234567890": false, "RRULE:FREQ=DAILY;COUNT=-1": false, "RRULE:FREQ=DAILY;COUNT=1x": false, "RRULE:FREQ=DAILY;INTERVAL=": false,
	"RRULE:FREQ=WEEKLY;BYDAY=": false, "RRULE:FREQ=WEEKLY;BYDAY=M": false, "RRULE:FREQ=WEEKLY;BYDAY=MO,": false, "RRULE:FREQ=WEEKLY;BYDAY=MO,MO": false, "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,MO": false, "RRULE:FREQ=WEEKLY;BYDAY=MO;TU": false,
	"RRULE:FREQ=MONTHLY;BYDAY=1MO": false, "RRULE:FREQ=WEEKLY;BYDAY=MOxTU": false, "RRULE:FREQ=WEEKLY;BYDAY=XX": false, "RRULE:FREQ=DAILY;WKST=XX": false, "RRULE:FREQ=DAILY;WKST=": false,
	"RRULE:FREQ=MONTHLY;BYMONTHDAY=1": false, "RRULE:FREQ=DAILY;UNTIL=20280230": false, "RRULE:FREQ=DAILY;UNTIL=20280431": false, "RRULE:FREQ=DAILY;UNTIL=": false,
	"EXDATE:20260310T130000Z": true, "EXDATE:20260310T130000Z,20260311T130000Z": true, "EXDATE;TZID=America/New_York:20260402T090000,20260407T090000": true, "EXDATE;TZID=UTC:00000101T000000": true,
	"EXDATE": false, "EXDATE:": false, "EXDATE:20260310T130000": false, "EXDATE:20260310": false, "EXDATE:20260310T130000Z,": false, "EXDATE:20260310T130000Z,20260311": false, "EXDATE:20260310T130000Z;20260310T130000Z": false,
	"EXDATE;TZID=x:20260402T090000": false, "EXDATE;TZID=:20260402T090000": false, "EXDATE;TZID=UTC:20260402T090000Z": false, "EXDATE;TZID=UTC": false, "EXDATE;TZID=UTC:": false, "EXDATE;TZID=/UTC:20260402T090000": false,
	"EXDATE;VALUE=DATE:20260402": false, "EXDATE;TZID=UTC;X=1:20260402T090000": false, "EXDATES:20260310T130000Z": false, "EXDATE;TZID=UTC:20260402T090000x20260402T090000": false, "RDATE:20260310T130000Z": false, "exdate:20260310T130000Z": false,
}

func TestPlainLines(t *testing.T) {
	for text, want := range plainLines {
		if got := comparePlain(t, text); got != want {
			t.Errorf("%q: plain %t", text, got)
		}
	}
}

func FuzzPlainLines(f *testing.F) {
	for text := range plainLines {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { comparePlain(t, text) })
}
