package fuzz_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/operation"
)

// calendarServer stands for the server that you test: it reads the body of an insert, and
// answers with the event that it stored. This one is careless about what it stores.
func calendarServer() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var stored struct {
			Start, End event.Time
			Summary    string `json:"summary,omitempty"`
			Reminders  struct {
				UseDefault bool `json:"useDefault,omitempty"` // false is lost
			} `json:"reminders"`
		}
		if err := json.NewDecoder(r.Body).Decode(&stored); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_ = json.NewEncoder(w).Encode(stored)
	})
}

// In a test of yours, put the property into [rapid.Check] and draw with Draw, as the package
// comment shows: rapid then shrinks what fails. An example has no test to fail, so this one
// goes through seeds.
func Example() {
	server := httptest.NewServer(calendarServer())
	defer server.Close()

	for seed := range 100 {
		req := fuzz.Request(operation.EventsInsert).Example(seed)
		address := server.URL + "/calendars/primary/events?" + url.Values(req.Params).Encode()
		resp, err := http.Post(address, "application/json", bytes.NewReader(req.Body))
		if err != nil {
			fmt.Println(err)
			return
		}
		answer, _ := io.ReadAll(resp.Body)
		resp.Body.Close()

		want := event.Check(req).Event // what a correct server stores
		var got event.Event
		if err := json.Unmarshal(answer, &got); err != nil {
			fmt.Println("the answer is no event:", err)
			return
		}
		if r := want.Reminders; r != nil && r.UseDefault != nil && got.Reminders.UseDefault == nil {
			fmt.Println("useDefault false is sent and lost")
			return
		}
	}
	// Output: useDefault false is sent and lost
}

func ExampleEvent() {
	// Of every event type that a client can create, or of one.
	for seed := range 3 {
		e := fuzz.Event(fuzz.Options{EventType: "focusTime"}).Example(seed)
		result := event.Check(&event.Request{
			Op:    operation.EventsInsert,
			Event: e,
			Params: operation.Params{
				"conferenceDataVersion": {"1"}, "eventLabelVersion": {"1"}, "supportsAttachments": {"true"},
			},
		})
		fmt.Println(e.EventType, result.Accepted)
	}
	// Output:
	// focusTime true
	// focusTime true
	// focusTime true
}

func ExampleRequest() {
	// A client has to read whatever a server may return.
	requests := fuzz.Request(operation.Response)
	statuses := map[string]bool{}
	for seed := range 100 {
		var e event.Event
		if err := json.Unmarshal(requests.Example(seed).Body, &e); err != nil {
			fmt.Println(err)
		}
		statuses[e.Status] = true
	}
	fmt.Println("cancelled events without a start among them:", statuses["cancelled"])
	// Output: cancelled events without a start among them: true
}
