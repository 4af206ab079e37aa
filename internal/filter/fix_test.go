package filter_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Each request is the line, and the body is what is left of it. Where a person must say what is meant, the body stays.
func TestFixBest(t *testing.T) {
	const line = `{"op":"events.insert","params":{"supportsAttachments":"true"},"calendar":{"timeZone":"Europe/Berlin"},"bodyText":`
	const times = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	for _, test := range []struct{ name, body, want string }{
		{"value", `{"location":"x","visibility":"team",` + times + `}`, `{"location":"x",` + times + `}`},
		{"fix first", `{"visibility":"pubic",` + times + `}`, `{"visibility":"public",` + times + `}`},
		{"element around a missing member", `{"attachments":[{"title":"a"},{"fileUrl":"https://a.example"}],` + times + `}`, `{"attachments":[{"fileUrl":"https://a.example"}],` + times + `}`},
		{"too many", `{"reminders":{"useDefault":false,"overrides":[` + sixReminders + `]},` + times + `}`, `{"reminders":{"useDefault":false,"overrides":[` + fiveReminders + `]},` + times + `}`},
		{"not an array", `{"recurrence":"RRULE:FREQ=DAILY;COUNT=3",` + times + `}`, `{"recurrence":["RRULE:FREQ=DAILY;COUNT=3"],` + times + `}`},
		{"zone of the calendar", `{"start":{"dateTime":"2026-03-10T09:00:00"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`,
			`{"start":{"dateTime":"2026-03-10T09:00:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`},
		{"two forms", `{"start":{"date":"2026-03-10","dateTime":"2026-03-10T09:00:00Z"},"end":{"date":"2026-03-11"}}`, `{` + times + `}`},
		{"text after the object", `{` + times + `} {}`, `{` + times + `}`},
		{"comma before the end", `{` + times + `,}`, `{` + times + `}`},
		{"array of one", `[{"visibility":"team",` + times + `}]`, `{` + times + `}`},
		{"no end", `{"start":{"date":"2026-03-10"}}`, `{"start":{"date":"2026-03-10"}}`},
		{"no start of an all-day event", `{"start":{},"end":{"date":"2026-03-11"}}`, `{"start":{},"end":{"date":"2026-03-11"}}`},
		{"no JSON", `summary`, `summary`},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := jsonscan.AppendQuote([]byte(line), test.body)
			var req batch.Request
			if err := req.UnmarshalJSON(append(text, '}')); err != nil {
				t.Fatal(err)
			}
			fixed, _, err := filter.Fix(&req, text, []byte(`"best"`))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(fixed.Body)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

const (
	fiveReminders = `{"method":"popup","minutes":1},{"method":"popup","minutes":2},{"method":"popup","minutes":3},{"method":"popup","minutes":4},{"method":"popup","minutes":5}`
	sixReminders  = fiveReminders + `,{"method":"popup","minutes":6}`
)

// A wrong parameter is left out, and what is made has the removal.
func TestFixBestParameter(t *testing.T) {
	req := batch.Request{}
	if err := req.UnmarshalJSON([]byte(`{"op":"events.list","dialect":"google","params":{"maxResults":"many","timeZone":"UTC"}}`)); err != nil {
		t.Fatal(err)
	}
	fixed, made, err := filter.Fix(&req, nil, []byte(`"best"`))
	if err != nil {
		t.Fatal(err)
	}
	if len(fixed.Params) != 1 || len(made) != 1 || made[0].Fix.Safe || made[0].Fix.Patch[0].Path != "/params/maxResults" {
		t.Errorf("the parameters are %v after %v", fixed.Params, made)
	}
}
