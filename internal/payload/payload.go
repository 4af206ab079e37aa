// Package payload draws what package fuzz gives to property tests, and what the command fuzz writes.
// Package fuzz says what the generators draw.
package payload

import (
	"strconv"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/jsonscan"
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

// Verdict is that of package fuzz, which says what its fields mean.
type Verdict struct {
	Accepted bool
	Rule     string
	Kind     diag.Kind
	Path     diag.Pointer
	Variant  string
}

// AppendJSON appends the members of the verdict in JSON, as those of package fuzz are written.
func (v Verdict) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendBool(append(dst, `"accepted":`...), v.Accepted)
	for _, member := range [...]struct{ name, value string }{
		{"rule", v.Rule}, {"kind", string(v.Kind)}, {"path", string(v.Path)}, {"variant", v.Variant},
	} {
		if member.value != "" {
			dst = append(append(append(dst, `,"`...), member.name...), `":`...)
			dst = jsonscan.AppendQuote(dst, member.value)
		}
	}
	return dst
}
