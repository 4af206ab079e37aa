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

// In returns the payload with its request in a dialect.
func (p Payload) In(d diag.Dialect) Payload {
	p.Path = event.PathIn(d, p.Path)
	if p.Event != nil {
		request := p.Event.In(d)
		p.Event = &request
	}
	return p
}

// Verdict is the verdict of package fuzz, which says what its fields mean.
type Verdict struct {
	Accepted bool         `json:"accepted"`
	Rule     string       `json:"rule,omitempty"`
	Kind     diag.Kind    `json:"kind,omitempty"`
	Path     diag.Pointer `json:"path,omitempty"`
	Variant  string       `json:"variant,omitempty"`
}

// AppendJSON appends the members of the verdict, without the braces around them.
func (v Verdict) AppendJSON(dst []byte) []byte {
	text := draw.EncodeJSON(v)
	return append(dst, text[1:len(text)-1]...)
}
