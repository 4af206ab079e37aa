package event_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// TestOffsets compares what begins at the offset of each finding. A finding that is not about a text has no offset.
func TestOffsets(t *testing.T) {
	const dates = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	for name, test := range map[string]struct {
		body, params string
		want         []string // path, and what begins at the offset
	}{
		"one":      {`{` + dates + `,"status": "x"}`, "", []string{`/status "x"}`}},
		"missing":  {` {"start":{"date":"2026-03-10"}}`, "", []string{`/end {"start":{"date":"2026-03-10"}}`}},
		"not body": {`{` + dates + `}`, "maxAttendees=x", []string{"?maxAttendees -"}},
		"both":     {`{` + dates + `,"status": "x"}`, "maxAttendees=x", []string{"?maxAttendees -", `/status "x"}`}},
		"elements": {
			`{` + dates + `,"attendees":[{"email":"a@b.org"},{"email":"a"}],"attachments":[{"fileUrl":"https://b.org/c"},{"title":"c"}]}`,
			"supportsAttachments=true&sendUpdates=none",
			[]string{`/attendees/1/email "a"}],"attachments":[{"fileUrl":"https://b.org/c"},{"title":"c"}]}`, `/attachments/1/fileUrl {"title":"c"}]}`},
		},
		"duplicate": {`{` + dates + `,"summary":"a","summary":"b","summary":"c"}`, "", []string{`/summary "b","summary":"c"}`, `/summary "c"}`}},
		"syntax":    {`{` + dates + `,"summary":tru}`, "", []string{"/summary }"}},
		"follows":   {`{` + dates + `} {}`, "", []string{" {}"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			result := must(event.Check(bodyRequest{body: test.body, params: test.params}.request(t)))
			for _, f := range result.Findings {
				at := "-"
				if f.Offset >= 0 {
					at = test.body[f.Offset:]
				}
				got = append(got, string(f.Path)+" "+at)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	value := &event.Event{Status: "x", Visibility: "y"}
	for _, f := range must(event.Check(&event.Request{Op: operation.EventsInsert, Event: value})).Findings {
		if f.Offset != -1 {
			t.Errorf("%s has the offset %d in a value", f.Path, f.Offset)
		}
	}
	text := strings.Repeat(" ", 9) + `{"a":1}`
	if _, findings := event.Decode([]byte(text), diag.Documents); len(findings) != 1 || findings[0].Offset != strings.Index(text, "1") {
		t.Errorf("findings are %v", findings)
	}
}
