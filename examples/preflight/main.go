// Command preflight checks a new event before sending it to a calendar service. The check finds values that the service would
// refuse, ignore or silently change, without sending a request.
//
//	go run ./examples/preflight https://calendar.example.com/v3 < event.json
package main

import (
	"bytes"
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

// checker is stricter than a server: it rejects values that the service would silently ignore. Unlike [diag.Strict], checker
// does not turn advice into rejections.
var checker = event.Checker{Grading: diag.Grading{
	Kinds: map[diag.Kind]diag.Grade{diag.Ignore: diag.ToReject},
	Rules: map[string]diag.Grade{
		ruleid.TimeEmpty:              diag.ToReject, // an event without a duration is a mistake here
		ruleid.JSONUnknownField:       diag.ToReject, // a misspelled member is a mistake
		ruleid.RecurrenceExDateMisses: diag.ToReject, // an EXDATE that excludes nothing is a mistake
	},
}}

// params are the query parameters of every request, which declare the features that this client supports.
var params = url.Values{"conferenceDataVersion": {"1"}, "sendUpdates": {"all"}, "supportsAttachments": {"true"}}

// insert sends a new event to the primary calendar. If the error is a [*diag.Error], nothing was sent. Each finding in
// the error has a JSON Pointer, so a form can mark the wrong field.
func insert(client *http.Client, base string, body []byte, notes io.Writer) error {
	findings, err := checker.Find(&event.Request{
		Op:     operation.EventsInsert,
		Params: operation.Params(params),
		Body:   body,
	})
	if err == nil {
		err = findings.Err()
	}
	if err != nil {
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
		return fmt.Errorf("the service answered %s", res.Status)
	}
	return checkAnswer(res.Body)
}

// checkAnswer checks the event in the service's response.
func checkAnswer(r io.Reader) error {
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	findings, err := event.Find(&event.Request{Op: operation.Response, Body: body})
	if err != nil {
		return err
	}
	return findings.Err()
}
