package batch_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/batch"
)

const nineDaily = nineToTen + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=5"]`

// The exceptions of nineDaily, which begins on 6 March 2026.
const (
	changedOne = `{"id":"a","originalStartTime":{"dateTime":"2026-03-07T14:00:00Z"},"start":{"dateTime":"2026-03-07T09:00:00-05:00"},"end":{"dateTime":"2026-03-07T12:00:00-05:00"}}`
	movedAway  = `{"originalStartTime":{"dateTime":"2026-03-08T09:00:00","timeZone":"America/New_York"},"start":{"dateTime":"2026-04-01T15:00:00+02:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-04-01T16:00:00+02:00","timeZone":"Europe/Berlin"}}`
	wholeDay   = `{"recurringEventId":"other","originalStartTime":{"dateTime":"2026-03-09T13:00:00Z"},"start":{"date":"2026-03-20"},"end":{"date":"2026-03-21"}}`
	dropped    = `{"status":"cancelled","originalStartTime":{"dateTime":"2026-03-10T13:00:00Z"}}`
)

func TestExpandBadExceptions(t *testing.T) {
	for exceptions, want := range map[string]string{
		`{"originalStartTime":{"dateTime":"soon"},"start":{"dateTime":"2026-03-07T09:00:00"},"end":{"date":"2026-13-01"}}`: "/exceptions/1/end/date time.date.format, /exceptions/1/originalStartTime/dateTime time.datetime.format",
		`{"originalStartTime":{"dateTime":"2026-03-07T14:00:00Z"},"status":"gone"}`:                                        "/exceptions/1/status event.status.enum",
		`null`:                   "exceptions/1 ",
		`{"status":"cancelled"}`: "exceptions/1 has no originalStartTime",
		`{}`:                     "exceptions/1 has no originalStartTime",
		`{"originalStartTime":{"dateTime":"2026-03-07T14:00:00"},"status":"cancelled"}`:           "exceptions/1 has no originalStartTime",
		`{"originalStartTime":{"dateTime":"2026-03-07T14:00:00Z"}}`:                               "exceptions/1 has no start and end",
		`{"originalStartTime":{"dateTime":"2026-03-07T14:00:00Z"},"start":{"date":"2026-03-07"}}`: "exceptions/1 has no start and end",
	} {
		var req batch.Expansion
		line := "{" + nineDaily + `,"exceptions":[` + dropped + "," + exceptions + "]}"
		if err := json.Unmarshal([]byte(line), &req); err != nil {
			if !strings.HasPrefix(err.Error(), "exceptions/1: ") || exceptions != "null" {
				t.Errorf("%s: %v", exceptions, err)
			}
			continue
		}
		result := batch.Expand(&req)
		var found []string
		for _, f := range result.Findings {
			found = append(found, string(f.Path)+" "+f.Rule.ID)
		}
		if got := strings.Join(found, ", ") + result.Error; !strings.HasPrefix(got, want) || result.Instances != nil {
			t.Errorf("%s: %s, want %s", exceptions, got, want)
		}
	}
}

// The last occurrence before an instant is the last of the list up to there.
func TestExpandBeforeIsLastOfList(t *testing.T) {
	exceptions := []string{changedOne, movedAway, wholeDay, dropped,
		`{"originalStartTime":{"dateTime":"2026-03-09T13:00:00Z"},"start":{"dateTime":"2026-03-08T13:00:00Z"},"end":{"dateTime":"2026-03-08T13:30:00Z"}}`}
	rapid.Check(t, func(r *rapid.T) {
		chosen := rapid.SliceOfDistinct(rapid.SampledFrom(exceptions), rapid.ID).Draw(r, "exceptions")
		day := func(label string) string {
			return time.Date(2026, 3, rapid.IntRange(5, 35).Draw(r, label), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		}
		from, at := day("from"), day("at")
		members := nineDaily + `,"exceptions":[` + strings.Join(chosen, ",") + `],"from":"` + from + `"`
		list, last := expandLine(t, members+`,"to":"`+at+`"`), expandLine(t, members+`,"ask":"before","at":"`+at+`"`)
		want := list.Instances[max(0, len(list.Instances)-1):]
		if diff := cmp.Diff(want, last.Instances, cmpopts.IgnoreUnexported(batch.Instance{})); diff != "" || last.Error != "" {
			r.Fatalf("from %s before %s, with %s: %s (-list +last):\n%s", from, at, chosen, last.Error, diff)
		}
	})
}

func TestExpandBadMembers(t *testing.T) {
	for members, want := range map[string]string{
		`"ask":"next"`:                    `at is missing`,
		`"ask":"before"`:                  `at is missing`,
		`"ask":"contains"`:                `at is missing`,
		`"at":"2026-03-06"`:               `at belongs to a question`,
		`"ask":"next","at":"soon"`:        `at is "soon"; it must be a date`,
		`"ask":"count","at":"2026-02-30"`: `at is "2026-02-30"; it must be a date`,
		`"ask":"next","at":"2026-03-06","window":"overlap"`:   `window is overlap and ask "next" is about starts`,
		`"ask":"before","at":"2026-03-06","window":"overlap"`: `window is overlap and ask "before" is about starts`,
	} {
		result := expandLine(t, nineDaily+","+members)
		if !strings.HasPrefix(result.Error, want) || result.Instances != nil || result.Count != nil {
			t.Errorf("%s: the answer is %+v, want the error %s", members, result, want)
		}
	}
}

// Where the budget ends a search, Next goes on. A search that cannot go on has no Next.
func TestExpandGoesOn(t *testing.T) {
	hours := `0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23`
	sparse := nineToTen + `,"recurrence":["RRULE:FREQ=SECONDLY;INTERVAL=7","EXRULE:FREQ=DAILY;BYMONTH=3;BYHOUR=` + hours +
		`;BYMINUTE=` + minutes60 + `;BYSECOND=` + minutes60 + `","RDATE:20260320T130000Z"]`
	var got []string
	from := ""
	for range 100 {
		result := expandLine(t, sparse+`,"to":"2026-03-12","from":`+`"`+from+`"`)
		for _, i := range result.Instances {
			got = append(got, i.Start.DateTime)
		}
		if result.Error == "" {
			break
		}
		if result.Next <= from {
			t.Fatalf("from %q the search ends with %s and goes on from %q", from, result.Error, result.Next)
		}
		from = result.Next
	}
	if len(got) != 0 || from == "" {
		t.Errorf("instances are %q, and the last search begins at %q", got, from)
	}
}

var minutes60 = func() string {
	list := "0"
	for i := 1; i < 60; i++ {
		text, _ := json.Marshal(i)
		list += "," + string(text)
	}
	return list
}()
