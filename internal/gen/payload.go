package gen

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
)

// Payload is a request to the calendar service, with the verdict of a correct server.
type Payload struct {
	Verdict
	Event *event.Request
}

// AppendRequest appends the request as a line of the batch form, which always names its dialect.
func (p Payload) AppendRequest(dst []byte) []byte {
	dst = p.Event.AppendJSON(dst)
	if p.Event.Dialect == diag.Documents { // which an absent dialect means if nothing else decides
		dst = append(dst[:len(dst)-1], `,"dialect":"documents"}`...)
	}
	return dst
}

// Verdict is the verdict of package fuzz, which documents its fields.
type Verdict struct {
	Accepted bool         `json:"accepted"`
	Rule     string       `json:"rule,omitempty"`
	Kind     diag.Kind    `json:"kind,omitempty"`
	Path     diag.Pointer `json:"path,omitempty"`
}

// AppendJSON appends the members of the verdict, without the braces around them.
func (v Verdict) AppendJSON(dst []byte) []byte {
	text := draw.EncodeJSON(v)
	return append(dst, text[1:len(text)-1]...)
}
