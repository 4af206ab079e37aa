// Command preflight sends a new event to a calendar service, but not before it has been
// checked here: what the service would refuse, ignore or silently change costs no request.
//
//	go run ./examples/preflight https://calendar.example.com/v3 < event.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: preflight BASE-URL < event.json")
		os.Exit(2)
	}
	body, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = insert(http.DefaultClient, os.Args[1], body, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// checker is stricter than a server. A value that the service would ignore is lost without
// a word, so it stops this client; advice is only shown.
var checker = event.Checker{Grading: diag.Grading{
	Kinds: map[diag.Kind]diag.Grade{diag.Ignore: diag.GradeReject},
	Rules: map[string]diag.Grade{
		ruleid.TimeEmpty:              diag.GradeReject, // an event without a length is a mistake here
		ruleid.JSONUnknownField:       diag.GradeReject, // and so is a misspelt member
		ruleid.RecurrenceExDateMisses: diag.GradeReject, // and an EXDATE that excludes nothing
	},
}}

// params are sent with every request: they say what this client knows of.
var params = url.Values{"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}}

// insert sends a new event to the primary calendar. Where the error is a [*diag.Error] nothing
// was sent: its findings say what to mend, each with a JSON Pointer to mark a form field by.
func insert(client *http.Client, base string, body []byte, notes io.Writer) error {
	findings := checker.Findings(&event.Request{
		Op:     operation.EventsInsert,
		Params: operation.FromQuery(params),
		Body:   json.RawMessage(body),
	})
	if err := findings.Err(); err != nil {
		return err
	}
	for _, advice := range findings {
		fmt.Fprintln(notes, "note:", advice)
	}

	res, err := client.Post(base+"/calendars/primary/events?"+params.Encode(), "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the service answers %s", res.Status)
	}
	return checkAnswer(res.Body)
}

// checkAnswer puts the rules about representations to what the service returned.
func checkAnswer(r io.Reader) error {
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return event.Findings(&event.Request{Op: operation.Response, Body: json.RawMessage(body)}).Err()
}
