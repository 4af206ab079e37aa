// Package payload draws what package fuzz gives to property tests, and what the command fuzz writes.
// Package fuzz says what the generators draw.
package payload

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// Payload is a request to the calendar service, with the verdict of a correct server.
type Payload struct {
	Verdict
	Event *event.Request
}

// Verdict is that of package fuzz, which says what its fields mean.
type Verdict struct {
	Accepted bool         `json:"accepted"`
	Rule     string       `json:"rule,omitempty"`
	Kind     diag.Kind    `json:"kind,omitempty"`
	Path     diag.Pointer `json:"path,omitempty"`
	Variant  string       `json:"variant,omitempty"`
}
