package batch_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/engine"
)

func TestExpanded(t *testing.T) {
	const days = `"start":{"date":"2026-03-06"},"end":{"date":"2026-03-08"}`
	for members, want := range map[string]string{
		days + `,"recurrence":["RRULE:FREQ=DAILY"],"limit":1,"id":"a"`: `{"id":"a","instances":[{"start":{"date":"2026-03-06"},"end":{"date":"2026-03-08"}}],"truncated":true}`,
		days + `,"recurrence":["RRULE:FREQ=DAILY"],"to":"2026-01-01"`:  `{"id":null,"instances":[]}`,
		days: `{"id":null,"error":"there is no recurrence: the event takes place once, at its start"}`,
	} {
		var req batch.Expansion
		if err := json.Unmarshal([]byte("{"+members+"}"), &req); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(batch.Expand(&req))
		if err != nil || string(got) != want {
			t.Errorf("the answer to {%s} is %s, %v\nwant %s", members, got, err, want)
		}
	}
}

// The error names the member, and the id is decoded for the answer.
func TestExpansionErrors(t *testing.T) {
	for line, want := range map[string]string{
		`{"id":7,"start":{"date":5}}`:                  `start: /date: `,
		`{"id":7,"end":"2026-03-06"}`:                  `end: `,
		`{"id":7,"start":{},"start":{}}`:               `start appears twice`,
		`{"id":7,"recurence":[]}`:                      `"recurence" is not a member of a request; did you mean recurrence?`,
		`{"id":7,"next":"2026-03-03"}`:                 `"next" is not a member of a request; did you mean ask?`,
		`{"id":7,"countStart":true}`:                   `"countStart" is not a member of a request; did you mean options?`,
		`{"id":7,"timeMin":"2026-03-03"}`:              `"timeMin" is not a member of a request; did you mean from?`,
		`{"id":7,"recurringEvent":{}}`:                 `"recurringEvent" is not a member of a request; did you mean recurrence?`,
		`{"id":7,"zzz":1}`:                             `"zzz" is not a member of a request; did you mean id?`,
		`{"id":7,"options":{"shift":true}}`:            `"shift" is not a member of options; did you mean gap?`,
		`{"id":7,"options":{"countstart":true}}`:       `"countstart" is not a member of options; did you mean countStart?`,
		`{"id":7,"options":{"months":"each"}}`:         `options.months is an unknown word; it must be start or all`,
		`{"id":7,"recurrence":"RRULE"}`:                `recurrence is a string; it must be an array`,
		`{"id":7,"limit":1.5}`:                         `limit is a number; it must be a whole number, in digits and within range`,
		`{"id":7,"from":20260306}`:                     `from is a number; it must be a string`,
		`{"id":7,"start":{"date":"2026-03-0`:           `the line is not JSON`,
		`{"id":7,"exceptions":{}}`:                     `exceptions is an object; it must be an array`,
		`{"id":7,"exceptions":[{},5]}`:                 `exceptions/1: `,
		`{"id":7,"exceptions":[{"start":{"date":5}}]}`: `exceptions/0: /start/date: `,
		`{"id":7,"ask":{"next":1}}`:                    `ask is an object; it must be a string`,
		`{"id":7,"at":5}`:                              `at is a number; it must be a string`,
		`{"id":7,"gap":true}`:                          `gap is a boolean; it must be a string`,
		`{"id":7,"gap":"skip"}`:                        `gap is an unknown word; it must be omit or shift`,
		`{"id":7,"gap":""}`:                            `gap is an unknown word; it must be omit or shift`,
		`{"id":7,"window":"starts"}`:                   `window is an unknown word; it must be overlap`,
		`{"id":7,"ask":"Next"}`:                        `ask is an unknown word; it must be next, before, contains or count`,
		`{"id":7,"limit":-1}`:                          `limit is negative; it must be 0 or more`,
		`{"id":7,"split":""}`:                          `split is empty; leave it out if it is unknown`,
		`{"id":7,"recurrence":["a",null]}`:             `a value in recurrence is null; it must be a string`,
		`{"id":7,"window":["overlap"]}`:                `window is an array; it must be a string`,
	} {
		var req batch.Expansion
		err := req.UnmarshalJSON([]byte(line))
		if err == nil || !strings.HasPrefix(err.Error(), want) || string(req.ID) != "7" {
			t.Errorf("%s: id %s, error %v, want %s", line, req.ID, err, want)
		}
	}
}

// The findings about exceptions are as many as those about an event.
func TestExpandCapsFindings(t *testing.T) {
	series := event.Event{Start: &event.Time{Date: "2026-03-06", TimeZone: "UTC"}, End: &event.Time{Date: "2026-03-07", TimeZone: "UTC"}}
	var lines []string // each with one finding
	for i := range engine.Most + 1 {
		lines = append(lines, "RRULE:FREQ=NEVER"+strconv.Itoa(i))
	}
	for n, isTruncated := range map[int]bool{engine.Most: false, engine.Most + 1: true} {
		for name, req := range map[string]batch.Expansion{
			"exceptions": {Recurrence: []string{"RRULE:FREQ=DAILY"}, Exceptions: slices.Repeat([]*event.Event{{Start: &event.Time{Date: "x"}}}, n)},
			"lines":      {Recurrence: lines[:n]},
		} {
			req.Start, req.End = series.Start, series.End
			result := batch.Expand(&req)
			if len(result.Findings) != engine.Most || result.Truncated != isTruncated {
				t.Errorf("%d %s: %d findings, truncated %t; want %d, truncated %t", n, name, len(result.Findings), result.Truncated, engine.Most, isTruncated)
			}
		}
	}
}

// An expansion that is no answer has the form of a request that is refused, and an error after a part of the answer does not
// hide that part.
func TestAppendExpanded(t *testing.T) {
	n := 1
	for want, result := range map[string]batch.Expanded{
		`{"id":null,"accepted":false,"error":"wrong"}`: {Error: "wrong"},
		`{"id":null,"count":1,"error":"wrong"}`:        {Error: "wrong", Count: &n},
		`{"id":null,"instances":[],"error":"wrong"}`:   {Error: "wrong", Instances: []batch.Instance{}},
		`{"id":null,"instances":[],"contains":false}`:  {Instances: []batch.Instance{}, Contains: new(bool)},
	} {
		if got := string(batch.AppendExpanded(nil, result)); got != want {
			t.Errorf("the answer is %s, want %s", got, want)
		}
	}
}
