package eventhttp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/eventhttp"
)

// A handler checks every request before it stores anything.
func Example() {
	events := map[string]*event.Event{"lunch2026": {ID: "lunch2026", Start: &event.Time{Date: "2026-03-10"}, End: &event.Time{Date: "2026-03-11"}}}
	stored := func(_ context.Context, _, eventID string) (*event.Event, error) { return events[eventID], nil }

	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call, err := eventhttp.Read(r, "/calendar/v3", 0)
		if err == nil {
			err = call.Check(nil, stored)
		}
		if err != nil {
			eventhttp.WriteError(w, err) // or WriteProblem
			return
		}
		if next := call.Result.Stored; next != nil {
			events[next.ID] = next
		}
		w.Write(call.Result.Answer.AppendJSON(nil))
	})

	for _, patch := range []string{`{"summary":"Lunch"}`, `{"visibility":"hidden"}`} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("PATCH", "/calendar/v3/calendars/primary/events/lunch2026", strings.NewReader(patch)))
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 {"id":"lunch2026","status":"confirmed","summary":"Lunch","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}
	// 400 {"error":{"code":400,"message":"/visibility: The visibility is \"hidden\"; it must be default, public, private or confidential.","errors":[{"domain":"global","reason":"invalid","message":"/visibility: The visibility is \"hidden\"; it must be default, public, private or confidential."}]}}
}
