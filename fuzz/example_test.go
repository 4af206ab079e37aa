package fuzz_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/operation"
)

// calendarServer is the server under test. It reads the body of an insert, and answers with the event
// that it stored. This one loses a value.
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

// In your own test, put the property into [rapid.Check] and draw with Draw, as in the package comment:
// rapid then shrinks a failing case. An example cannot fail like a test, so it uses fixed seeds.
func Example() {
	server := httptest.NewServer(calendarServer())
	defer server.Close()

	for seed := range 100 {
		req := fuzz.Request(diag.Documents, operation.EventsInsert).Example(seed)
		address := server.URL + "/calendars/primary/events?" + url.Values(req.Params).Encode()
		resp, err := http.Post(address, "application/json", bytes.NewReader(req.Body))
		if err != nil {
			fmt.Println(err)
			return
		}
		answer, _ := io.ReadAll(resp.Body)
		resp.Body.Close()

		result, err := event.Check(req) // what a correct server answers
		if err != nil {
			log.Fatal(err)
		}
		want := result.Answer
		var got event.Event
		if err := json.Unmarshal(answer, &got); err != nil {
			fmt.Println("the answer is not an event:", err)
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
	// Events of every type that a client can create, or of one.
	for seed := range 3 {
		e := fuzz.Event("focusTime").Example(seed)
		result := must(event.Check(&event.Request{
			Op:    operation.EventsInsert,
			Event: e,
			Params: operation.Params{
				"conferenceDataVersion": {"1"}, "eventLabelVersion": {"1"}, "supportsAttachments": {"true"},
			},
		}))
		fmt.Println(e.EventType, result.Accepted)
	}
	// Output:
	// focusTime true
	// focusTime true
	// focusTime true
}

func ExampleRequest() {
	// A client must read whatever a server may return.
	requests := fuzz.Request(diag.Documents, operation.Response)
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

// A patch is drawn for a stored event. The result breaks no rule, so that a server that refuses the patch is wrong.
func ExamplePatch() {
	stored := &event.Event{
		ID: "abc12def", Summary: "Standup", EventType: "default", Locked: true,
		Start: &event.Time{DateTime: "2026-03-10T09:00:00-04:00", TimeZone: "America/New_York"},
		End:   &event.Time{DateTime: "2026-03-10T10:00:00-04:00", TimeZone: "America/New_York"},
	}
	patches := fuzz.Patch(diag.Documents, stored)
	refused, cleared := 0, 0
	for seed := range 200 {
		patch := patches.Example(seed)
		result, err := event.Check(&event.Request{
			Op:       operation.EventsPatch,
			Existing: stored,
			Body:     patch,
			Params: operation.Params{
				"conferenceDataVersion": {"1"}, "eventLabelVersion": {"1"}, "supportsAttachments": {"true"},
			},
		})
		if err != nil {
			log.Fatal(err)
		}
		switch {
		case !result.Accepted:
			refused++
		case result.Stored.Summary != stored.Summary: // a locked event keeps it
			fmt.Printf("%s changes the summary\n", patch)
		case bytes.Contains(patch, []byte("null")):
			cleared++
		}
	}
	fmt.Println("refused:", refused)
	fmt.Println("some clear a member:", cleared > 0)
	// Output:
	// refused: 0
	// some clear a member: true
}

// A request for an operation on a stored event contains that event: put it into your server before you send the request.
func ExampleRequest_update() {
	req := fuzz.Request(diag.Documents, operation.EventsUpdate).Example(2)
	fmt.Println("the stored event has an etag:", req.Existing.ETag != "")

	result, err := event.Check(req) // what a correct server answers
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("accepted:", result.Accepted)
	fmt.Println("the event keeps its id:", result.Answer.ID == req.Existing.ID)
	// Output:
	// the stored event has an etag: true
	// accepted: true
	// the event keeps its id: true
}
