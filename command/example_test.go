package command_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/calrules/calrules/command"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// The command with a rule of a company checks an event.
func ExampleRun() {
	titled := &diag.Rule{
		ID: "company.titled", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"summary"},
		Summary: "Every event has a summary.",
		Section: "Handbook, Meetings",
		Says:    diag.Sentences{{Key: "none", Text: "The event has no summary. Send one."}},
		Check: func(v event.View, r diag.Reporter) {
			if v.Next.Summary == "" {
				r.Report("/summary", "none")
			}
		},
	}
	body := strings.NewReader(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`)
	status := command.Run([]string{"check", "-"}, body, os.Stdout, os.Stderr, titled)
	fmt.Println("exit status", status)
	// Output:
	// <stdin>:1:1: reject /summary: The event has no summary. Send one. [company.titled]
	// 1 file: 0 accepted, 1 rejected; 1 finding: 1 reject
	// exit status 1
}
