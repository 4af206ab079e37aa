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

// AppendRequest appends the request as a line in the batch form, always including the dialect.
func (p Payload) AppendRequest(dst []byte) []byte {
	dst = p.Event.AppendJSON(dst)
	if p.Event.Dialect == diag.Documents { // written out, although it is the default
		dst = append(dst[:len(dst)-1], `,"dialect":"documents"}`...)
	}
	return dst
}

// Verdict implements the Verdict of package fuzz, where its fields are documented.
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
