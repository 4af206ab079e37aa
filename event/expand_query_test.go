package event_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/wire"
)

const nineDaily = nineToTen + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=5"]`

// The exceptions of nineDaily, which begins on 6 March 2026.
const (
	changedOne = `{"id":"a","originalStartTime":{"dateTime":"2026-03-07T14:00:00Z"},"start":{"dateTime":"2026-03-07T09:00:00-05:00"},"end":{"dateTime":"2026-03-07T12:00:00-05:00"}}`
	movedAway  = `{"originalStartTime":{"dateTime":"2026-03-08T09:00:00","timeZone":"America/New_York"},"start":{"dateTime":"2026-04-01T15:00:00+02:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-04-01T16:00:00+02:00","timeZone":"Europe/Berlin"}}`
	wholeDay   = `{"recurringEventId":"other","originalStartTime":{"dateTime":"2026-03-09T13:00:00Z"},"start":{"date":"2026-03-20"},"end":{"date":"2026-03-21"}}`
	dropped    = `{"status":"cancelled","originalStartTime":{"dateTime":"2026-03-10T13:00:00Z"}}`
)

// expandText expands a line and returns its answer as JSON, without the id.
func expandText(t *testing.T, members string) string {
	t.Helper()
	text, err := json.Marshal(wire.NewExpanded(nil, expandLine(t, members)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(text), `{"id":null,`, "{", 1)
}

func TestExpandExceptions(t *testing.T) {
	const all = `,"exceptions":[` + changedOne + "," + movedAway + "," + wholeDay + "," + dropped + "]"
	for _, test := range []struct{ name, members, want string }{
		{"all", nineDaily + all, "2026-03-06T09:00:00-05:00 2026-03-07T09:00:00-05:00 2026-03-20 2026-04-01T15:00:00+02:00"},
		{"moved out of the window", nineDaily + all + `,"to":"2026-03-15"`, "2026-03-06T09:00:00-05:00 2026-03-07T09:00:00-05:00"},
		{"moved into the window", nineDaily + all + `,"from":"2026-03-20","to":"2026-03-21"`, "2026-03-20"},
		{"a date begins at midnight in the zone", nineDaily + all + `,"from":"2026-03-20T04:00:00Z","to":"2026-03-20T04:00:01Z"`, "2026-03-20"},
		{"the limit", nineDaily + all + `,"limit":3`, "2026-03-06T09:00:00-05:00 2026-03-07T09:00:00-05:00 2026-03-20 …"},
		{"an exception under way", nineDaily + all + `,"window":"overlap","from":"2026-03-07T11:00:00-05:00","to":"2026-03-08"`, "2026-03-07T09:00:00-05:00"},
		{"the instance that it replaces is not", nineDaily + `,"exceptions":[` + movedAway + `],"window":"overlap","from":"2026-03-08","to":"2026-03-09"`, ""},
		{"none", nineDaily + `,"exceptions":[],"to":"2026-03-07"`, "2026-03-06T09:00:00-05:00"},
		{"null", nineDaily + `,"exceptions":null,"to":"2026-03-07"`, "2026-03-06T09:00:00-05:00"},
		{"a timed exception of days", twoDays + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=2"],"exceptions":[{"originalStartTime":{"date":"2026-03-07"},"start":{"dateTime":"2026-03-08T23:00:00-11:00"},"end":{"dateTime":"2026-03-08T23:30:00-11:00"}}],"to":"2026-03-09"`,
			"2026-03-06 2026-03-08T23:00:00-11:00"},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := expandLine(t, test.members)
			if got := starts(result); got != test.want || result.Error != "" || result.Instances == nil {
				t.Errorf("instances are %s (%s %v), want %s", got, result.Error, result.Findings, test.want)
			}
		})
	}
	got := expandText(t, nineDaily+`,"from":"2026-04-01","exceptions":[`+movedAway+`]`)
	want := `{"instances":[{"start":{"dateTime":"2026-04-01T15:00:00+02:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-04-01T16:00:00+02:00","timeZone":"Europe/Berlin"}}]}`
	if got != want {
		t.Errorf("the answer is %s, want %s", got, want)
	}
}

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
		var req wire.Expansion
		line := "{" + nineDaily + `,"exceptions":[` + dropped + "," + exceptions + "]}"
		if err := json.Unmarshal([]byte(line), &req); err != nil {
			if !strings.HasPrefix(err.Error(), "exceptions/1: ") || exceptions != "null" {
				t.Errorf("%s: %v", exceptions, err)
			}
			continue
		}
		result := event.Expand(&req.ExpandRequest)
		var found []string
		for _, f := range result.Findings {
			found = append(found, string(f.Path)+" "+f.Rule.ID)
		}
		if got := strings.Join(found, ", ") + result.Error; !strings.HasPrefix(got, want) || result.Instances != nil {
			t.Errorf("%s: %s, want %s", exceptions, got, want)
		}
	}
	result := event.Expand(&event.ExpandRequest{
		Start: &event.Time{Date: "2026-03-06"}, End: &event.Time{Date: "2026-03-07"}, Recurrence: []string{"RRULE:FREQ=DAILY"}, Exceptions: []*event.Event{nil},
	})
	if !strings.HasPrefix(result.Error, "exceptions/0 is missing") {
		t.Errorf("nil: %+v", result)
	}
}

func TestExpandOverlap(t *testing.T) {
	for _, test := range []struct{ name, members, want string }{
		{"from within", nineDaily + `,"from":"2026-03-07T09:30:00-05:00","to":"2026-03-08"`, ""},
		{"under way", nineDaily + `,"window":"overlap","from":"2026-03-07T09:30:00-05:00","to":"2026-03-08"`, "2026-03-07T09:00:00-05:00"},
		{"ended", nineDaily + `,"window":"overlap","from":"2026-03-07T10:00:00-05:00","to":"2026-03-08"`, ""},
		{"begins at the end", nineDaily + `,"window":"overlap","from":"2026-03-07","to":"2026-03-07T09:00:00-05:00"`, ""},
		{"the second of two days", twoDays + `,` + everyDay + `,"window":"overlap","from":"2026-03-08","to":"2026-03-09"`, "2026-03-07 2026-03-08"},
		{"a time within the last day", twoDays + `,` + everyDay + `,"window":"overlap","from":"2026-03-07T12:00:00Z","to":"2026-03-07T13:00:00Z"`, "2026-03-06 2026-03-07"},
		{"a long period", nineDaily[:len(nineDaily)-1] + `,"RDATE;VALUE=PERIOD:20260307T000000Z/P30D"],"window":"overlap","from":"2026-03-20"`, "2026-03-06T19:00:00-05:00"},
		{"open", nineDaily + `,"window":"overlap","to":"2026-03-07"`, "2026-03-06T09:00:00-05:00"},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := expandLine(t, test.members)
			if got := starts(result); got != test.want || result.Error != "" || result.Instances == nil {
				t.Errorf("instances are %s (%s %v), want %s", got, result.Error, result.Findings, test.want)
			}
		})
	}
}

func TestExpandGap(t *testing.T) {
	const series = `"start":{"dateTime":"2024-03-09T02:30:00","timeZone":"America/New_York"},"end":{"dateTime":"2024-03-09T03:30:00","timeZone":"America/New_York"},"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`
	for gap, want := range map[string]string{
		"":               "2024-03-09T02:30:00-05:00 2024-03-11T02:30:00-04:00",
		`,"gap":"omit"`:  "2024-03-09T02:30:00-05:00 2024-03-11T02:30:00-04:00",
		`,"gap":"shift"`: "2024-03-09T02:30:00-05:00 2024-03-10T03:30:00-04:00",
	} {
		if got := starts(expandLine(t, series+gap)); got != want {
			t.Errorf("%s: instances are %s, want %s", gap, got, want)
		}
	}
}

func TestExpandAsk(t *testing.T) {
	const exceptions = `,"exceptions":[` + movedAway + "," + dropped + "]"
	for _, test := range []struct{ name, members, want string }{
		{"next", nineDaily + `,"ask":"next","at":"2026-03-07"`, "2026-03-07T09:00:00-05:00"},
		{"next after a start", nineDaily + `,"ask":"next","at":"2026-03-07T09:00:00-05:00"`, "2026-03-08T09:00:00-04:00"},
		{"next is an exception", nineDaily + exceptions + `,"ask":"next","at":"2026-03-09T23:00:00Z"`, "2026-03-29T00:00:00Z"},
		{"next within the window", nineDaily + `,"ask":"next","at":"2026-03-07","from":"2026-03-09","to":"2026-03-10"`, "2026-03-09T09:00:00-04:00"},
		{"no next", nineDaily + `,"ask":"next","at":"2026-03-11"`, ""},
		{"next day", twoDays + "," + everyDay + `,"ask":"next","at":"2026-03-07"`, "2026-03-08"},
		{"next day after a time", twoDays + "," + everyDay + `,"ask":"next","at":"2026-03-07T12:00:00Z"`, "2026-03-08"},
		{"before", nineDaily + `,"ask":"before","at":"2026-03-08T09:00:00-04:00"`, "2026-03-07T09:00:00-05:00"},
		{"before an exception", nineDaily + exceptions + `,"ask":"before","at":"2026-04-01T15:00:00+02:00"`, "2026-03-09T09:00:00-04:00"},
		{"before is an exception", nineDaily + exceptions + `,"ask":"before","at":"2026-04-02"`, "2026-03-29T00:00:00Z"},
		{"before, after an exception", nineDaily + `,"exceptions":[{"originalStartTime":{"dateTime":"2026-03-06T14:00:00Z"},"start":{"date":"2026-03-01"},"end":{"date":"2026-03-02"}}],"ask":"before","at":"2026-03-08"`, "2026-03-07T09:00:00-05:00"},
		{"before within the window", nineDaily + `,"ask":"before","at":"2030-01-01","from":"2026-03-07","to":"2026-03-09"`, "2026-03-08T09:00:00-04:00"},
		{"none before", nineDaily + `,"ask":"before","at":"2026-03-06T09:00:00-05:00"`, ""},
		{"none before, but an exception", nineDaily + `,"exceptions":[{"originalStartTime":{"dateTime":"2026-03-06T14:00:00Z"},"start":{"date":"2026-03-01"},"end":{"date":"2026-03-02"}}],"ask":"before","at":"2026-03-06T09:00:00-05:00"`, "2026-03-01"},
		{"none before, and a cancelled one", nineDaily + `,"exceptions":[{"status":"cancelled","originalStartTime":{"dateTime":"2026-03-06T14:00:00Z"}}],"ask":"before","at":"2026-03-07"`, ""},
		{"day before a time", twoDays + "," + everyDay + `,"ask":"before","at":"2026-03-07T12:00:00Z"`, "2026-03-07"},
		{"contains", nineDaily + `,"ask":"contains","at":"2026-03-07T14:00:00Z"`, "2026-03-07T09:00:00-05:00 true"},
		{"does not contain", nineDaily + `,"ask":"contains","at":"2026-03-07T14:00:01Z"`, " false"},
		{"does not contain what is cancelled", nineDaily + exceptions + `,"ask":"contains","at":"2026-03-10T13:00:00Z"`, " false"},
		{"contains the day of a time", twoDays + "," + everyDay + `,"ask":"contains","at":"2026-03-07T12:00:00Z"`, "2026-03-07 true"},
		{"contains the first day", firstDays + "," + everyDay + `,"ask":"contains","at":"0001-01-01"`, "0001-01-01 true"},
		{"contains within the window", nineDaily + `,"ask":"contains","at":"2026-03-07T14:00:00Z","from":"2026-03-08"`, " false"},
		{"is under way", nineDaily + `,"ask":"contains","window":"overlap","at":"2026-03-07T14:59:59Z"`, "2026-03-07T09:00:00-05:00 true"},
		{"is not under way", nineDaily + `,"ask":"contains","window":"overlap","at":"2026-03-07T15:00:00Z"`, " false"},
		{"a day is under way", twoDays + "," + everyDay + `,"ask":"contains","window":"overlap","at":"2026-03-06T12:00:00Z"`, "2026-03-06 true"},
		{"count", nineDaily + `,"ask":"count"`, " 5"},
		{"count exceptions", nineDaily + exceptions + `,"ask":"count"`, " 4"},
		{"count before", nineDaily + `,"ask":"count","at":"2026-03-08T09:00:00-04:00"`, " 2"},
		{"count in the window", nineDaily + `,"ask":"count","from":"2026-03-07","to":"2026-03-09"`, " 2"},
		{"count what is under way", nineDaily + `,"ask":"count","window":"overlap","from":"2026-03-07T09:30:00-05:00","to":"2026-03-09"`, " 2"},
		{"count none", nineDaily + `,"ask":"count","to":"2026-03-01"`, " 0"},
		{"count at most", nineDaily + `,"ask":"count","limit":3`, "… 3"},
		{"count up to the limit", nineDaily + `,"ask":"count","limit":5`, " 5"},
		{"count thousands", nineToTen + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=20000"],"ask":"count"`, " 20000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.members = strings.ReplaceAll(test.members, "2026-04-01T15:00:00+02:00", "2026-03-29T00:00:00Z")
			result := expandLine(t, test.members)
			got := starts(result)
			for _, answer := range []any{result.Contains, result.Count} {
				if text, _ := json.Marshal(answer); string(text) != "null" {
					got += " " + string(text)
				}
			}
			if got != test.want || result.Error != "" || (result.Instances == nil) != (result.Count != nil) {
				t.Errorf("the answer is %q (%s %v), want %q", got, result.Error, result.Findings, test.want)
			}
		})
	}
	for members, want := range map[string]string{
		`,"ask":"count","limit":2`:                   `{"count":2,"truncated":true}`,
		`,"ask":"contains","at":"2026-03-01"`:        `{"instances":[],"contains":false}`,
		`,"ask":"next","at":"2026-03-11"`:            `{"instances":[]}`,
		`,"ask":"next","at":"2026-03-06","limit":77`: `{"instances":[{"start":{"dateTime":"2026-03-06T09:00:00-05:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-06T10:00:00-05:00","timeZone":"America/New_York"}}]}`,
	} {
		if got := expandText(t, nineDaily+members); got != want {
			t.Errorf("%s: the answer is %s, want %s", members, got, want)
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
		if diff := cmp.Diff(want, last.Instances); diff != "" || last.Error != "" {
			r.Fatalf("from %s before %s, with %s: %s (-list +last):\n%s", from, at, chosen, last.Error, diff)
		}
	})
}

// A backward search that exceeds its budget has no answer.
func TestExpandBeforeOverBudget(t *testing.T) {
	hostile := nineToTen + `,"recurrence":["RRULE:FREQ=SECONDLY","EXRULE:FREQ=SECONDLY;BYSECOND=` + minutes60 + `"],"exceptions":[` + movedAway + "]"
	result := expandLine(t, hostile+`,"ask":"before","at":"2036-01-01"`)
	if result.Error == "" || result.Instances == nil || len(result.Instances) > 0 {
		t.Errorf("the answer is %+v, want an error and no instance", result)
	}
}

func TestExpandBadMembers(t *testing.T) {
	for members, want := range map[string]string{
		`"gap":"skip"`:                    `gap is "skip"; it must be omit or shift`,
		`"window":"starts"`:               `window is "starts"; it must be overlap`,
		`"ask":"first"`:                   `ask is "first"; it must be next, before, contains or count`,
		`"ask":"Next","at":"2026-03-06"`:  `ask is "Next"; it must be next, before, contains or count`,
		`"ask":"next"`:                    `at is missing`,
		`"ask":"before"`:                  `at is missing`,
		`"ask":"contains"`:                `at is missing`,
		`"at":"2026-03-06"`:               `at belongs to a question`,
		`"ask":"next","at":"soon"`:        `at is "soon"; it must be a date`,
		`"ask":"count","at":"2026-02-30"`: `at is "2026-02-30"; it must be a date`,
		`"ask":"count","limit":-1`:        `limit is -1`,
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
