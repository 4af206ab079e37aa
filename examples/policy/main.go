// Command policy is calrules with two additional company rules, which all subcommands support:
//
//	go run ./examples/policy rules company
//	go run ./examples/policy explain company.room
//	go run ./examples/policy check --ignore basis:observed event.json
package main

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/command"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

func main() {
	os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, policy...))
}

var policy = []*diag.Rule{&length, &room}

const longest = 8 * time.Hour

// length limits meetings to a working day.
var length = diag.Rule{
	ID: "company.length", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"start", "end"},
	Summary: "No event takes longer than 8 hours, unless it takes whole days.",
	Section: "Handbook, Meetings",
	Why:     "Nobody listens longer.",
	Good: diag.Example{Request: `{"op":"events.insert","body":{
		"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T17:00:00Z"}}}`},
	Bad: diag.Example{Request: `{"op":"events.insert","body":{
		"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T17:30:00Z"}}}`},
	Says: diag.Sentences{{Key: "long", Text: "The event takes {length}; it must not take longer than {longest}. Send an earlier end."}},
	Check: func(v event.View, r diag.Reporter) {
		takes, err := v.Next.Length(time.UTC)
		if err == nil && takes > longest && v.Next.Start.Date == "" {
			r.Report("/end", "long", diag.Plain("length", takes.String()), diag.Plain("longest", longest.String()))
		}
	},
}

var rooms = []string{"aula@company.example", "library@company.example"}

// room requires that every invited room is a room of the company.
var room = diag.Rule{
	ID: "company.room", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attendees[].email", "attendees[].resource"},
	Summary: "An attendee that is a resource is a room of the company.",
	Section: "Handbook, Rooms",
	Good: diag.Example{Request: `{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},
		"attendees":[{"email":"aula@company.example","resource":true}]}}`},
	Bad: diag.Example{Request: `{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},
		"attendees":[{"email":"garage@company.example","resource":true}]}}`},
	Says: diag.Sentences{{Key: "unknown", Text: "The room is {value}; it must be {limit}."}},
	Check: func(v event.View, r diag.Reporter) {
		for i, a := range v.Next.Attendees {
			if a.Resource && !slices.Contains(rooms, strings.ToLower(a.Email)) {
				path := diag.Pointer("/attendees").Index(i).Member("email")
				r.Report(path, "unknown", diag.Value("value", a.Email), diag.Names("limit", rooms))
			}
		}
	},
}
