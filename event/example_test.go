package event_test

import (
	"cmp"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// A valid event, and the same event with two mistakes.
func Example() {
	for _, body := range []string{
		`{"summary":"Standup","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`,
		`{"summary":"Standup","start":{"date":"2026-03-10"},"end":{"date":"2026-02-30"},"status":"Confirmed"}`,
	} {
		result, err := event.Check(&event.Request{Op: operation.EventsInsert, Body: []byte(body)})
		if err != nil {
			log.Fatal(err) // the request cannot be checked
		}
		fmt.Println(result.Accepted)
		for _, f := range result.Findings {
			fmt.Println(f.Path, f.Rule.ID)
		}
	}
	// Output:
	// true
	// false
	// /end/date time.date.format
	// /status event.status.enum
}

// The error of a rejected request contains all findings.
func ExampleCheck() {
	result, err := event.Check(&event.Request{
		Op:    operation.EventsInsert,
		Event: &event.Event{ID: "Weekly-Sync", Start: &event.Time{Date: "2026-03-10"}, End: &event.Time{Date: "2026-03-11"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	var rejected *diag.Error
	if errors.As(result.Err(), &rejected) {
		fmt.Println(rejected.Findings[0].Path, rejected.Findings[0].Rule.ID)
	}
	// Output: /id event.id.alphabet
}

// A Checker returns the event to store. The caller decides where new ids come from.
func ExampleChecker() {
	uuid := [16]byte{0xf8, 0x1d, 0x4f, 0xae, 0x7d, 0xec, 0x11, 0xd0, 0xa7, 0x65, 0x00, 0xa0, 0xc9, 0x1e, 0x6b, 0xf6}
	newID := func() string { // use a new UUID each time
		return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(uuid[:]))
	}
	checker := event.Checker{NewID: newID}
	result, err := checker.Check(&event.Request{
		Op:   operation.EventsInsert,
		Body: []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"locked":true,"location":null}`),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Stored)
	// Output: {"kind":"calendar#event","id":"v0ekvbjttg8t19r502gci7jbuo","status":"confirmed","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"eventType":"default"}
}

// A lenient checker rejects only what the documents reject. For rules that are inferred or observed it gives advice.
func ExampleChecker_grading() {
	req := &event.Request{
		Op:   operation.EventsInsert,
		Body: []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-09"}}`),
	}
	for _, checker := range []event.Checker{{}, {Grading: diag.Lenient()}} {
		result, err := checker.Check(req)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.Accepted, result.Findings[0].Kind, result.Findings[0].Rule.ID)
	}
	// Output:
	// false reject time.order
	// true advise time.order
}

func ExampleFind() {
	findings, err := event.Find(&event.Request{
		Op:     operation.EventsInsert,
		Params: operation.Params{"supportsAttachment": {"true"}},
		Body:   []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-10"},"sumary":"Standup"}`),
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range findings {
		fmt.Println(f.Kind, f.Path, f.Rule.ID)
	}
	// Output:
	// advise ?supportsAttachment param.unknown
	// advise /end time.empty
	// advise /sumary json.unknown-field
}

// Encoding a decoded event keeps everything, including members that are not documented.
func ExampleEvent_UnmarshalJSON() {
	var e event.Event
	if err := json.Unmarshal([]byte(`{"summary":"Standup","location":"","guestsCanModify":false,"x-room":{"floor":4}}`), &e); err != nil {
		fmt.Println(err)
		return
	}
	e.Summary = "Retrospective"
	text, _ := json.Marshal(&e)
	fmt.Printf("%s\n", text)
	// Output: {"summary":"Retrospective","location":"","guestsCanModify":false,"x-room":{"floor":4}}
}

// Findings can be sent as problem details (RFC 9457) in a response of type application/problem+json.
func ExampleResult_problem() {
	result, err := event.Check(&event.Request{
		Op:   operation.EventsInsert,
		Body: []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"sequence":-1}`),
	})
	if err != nil {
		log.Fatal(err)
	}
	problem := result.Findings.Problem(422)
	problem.Detail, problem.Errors[0].Detail = "", "The sequence is negative." // for people; it may change with a release
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(problem)
	// Output:
	// {
	//   "type": "https://github.com/calrules/calrules/blob/main/docs/rules.md",
	//   "title": "The request breaks the rules of the calendar service.",
	//   "status": 422,
	//   "errors": [
	//     {
	//       "detail": "The sequence is negative.",
	//       "pointer": "#/sequence",
	//       "rule": "event.sequence",
	//       "kind": "reject",
	//       "basis": "rfc"
	//     }
	//   ]
	// }
}

// A patch changes what it names. PatchTo makes one of two events; nothing remains that it cannot change.
func ExampleEvent_PatchTo() {
	stored := &event.Event{Summary: "Standup", Location: "Room 4", Start: event.Date(2026, time.March, 10), End: event.Date(2026, time.March, 11)}
	next := stored.Clone()
	next.Summary, next.Location = "Retrospective", ""

	patch, remain := stored.PatchTo(next, diag.Documents)
	fmt.Printf("%s, %d differences remain\n", patch, len(remain))
	patched, err := stored.AfterPatch(patch, diag.Documents)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(patched)
	// Output:
	// {"summary":"Retrospective","location":null}, 0 differences remain
	// {"summary":"Retrospective","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}
}

// Attendees are paired by address.
func ExampleEvent_Diff() {
	before := &event.Event{Attendees: []event.Attendee{{Email: "ada@example.com"}, {Email: "bob@example.com"}}}
	after := &event.Event{Attendees: []event.Attendee{{Email: "bob@example.com", Optional: true}, {Email: "eve@example.com"}}, Location: "Room 4"}
	for _, d := range before.Diff(after, diag.Documents) {
		fmt.Printf("%s: %s -> %s\n", d.Path, cmp.Or(string(d.Old), "nothing"), cmp.Or(string(d.New), "nothing"))
	}
	// Output:
	// /location: nothing -> "Room 4"
	// /attendees/0/optional: nothing -> true
	// /attendees/1: nothing -> {"email":"eve@example.com"}
	// /attendees/0: {"email":"ada@example.com"} -> nothing
}

func ExampleEvent_AfterPatch() {
	stored := &event.Event{Summary: "Standup", Location: "Room 4"}
	patched, err := stored.AfterPatch([]byte(`{"summary":"Retrospective","location":null}`), diag.Documents)
	if err != nil {
		log.Fatal(err) // a *diag.Error: what is wrong with the JSON of the patch
	}
	fmt.Println(patched)
	// Output: {"summary":"Retrospective"}
}

// A patch as a Go value sets the fields that it has, and clears what Clear names.
func ExampleEvent_Clear() {
	stored := &event.Event{ID: "abc12def", Summary: "Standup", Location: "Room 4", Start: event.Date(2026, time.March, 10), End: event.Date(2026, time.March, 11)}
	patch := &event.Event{Summary: "Retrospective"}
	if err := patch.Clear("/location"); err != nil {
		log.Fatal(err) // the path is not that of a member
	}
	fmt.Println(patch)

	result, err := event.Check(&event.Request{Op: operation.EventsPatch, Existing: stored, Event: patch})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Stored)
	// Output:
	// {"summary":"Retrospective","location":null}
	// {"id":"abc12def","status":"confirmed","summary":"Retrospective","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}
}

// An update replaces the event, except for what clients cannot write.
func ExampleEvent_AfterUpdate() {
	stored := &event.Event{ID: "abc12def", ETag: `"1"`, Summary: "Standup", Location: "Room 4"}
	fmt.Println(stored.AfterUpdate(&event.Event{Summary: "Retrospective"}))
	// Output: {"etag":"\"1\"","id":"abc12def","summary":"Retrospective"}
}

// MergeJSON applies a merge patch to any JSON.
func ExampleMergeJSON() {
	merged, err := event.MergeJSON(nil, []byte(`{"a": 1.50, "b": {"c": [1, 2]}}`), []byte(`{"b":{"c":null,"d":true}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", merged)
	// Output: {"a":1.50,"b":{"d":true}}
}
