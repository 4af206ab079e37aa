package gen

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
)

// Payload is a request to the calendar service, with the verdict of a correct server.
type Payload struct {
	Verdict
	Event *event.Request
}

// In returns the payload with its request in a dialect. A payload whose verdict is another one there, because a rule holds or
// refuses in one dialect only, stays in its own.
func (p Payload) In(d diag.Dialect) Payload {
	if p.Event == nil {
		p.Path = event.PathIn(d, p.Path)
		return p
	}
	request, in := p.Event.In(d), p
	in.Event, in.Path = &request, event.PathIn(d, p.Path)
	if rule := rules()[p.Rule]; rule != nil && rule.PublicKind != "" {
		in.Kind = rule.KindIn(d)
		in.Accepted = in.Kind != diag.Reject
	}
	if p.Event.Dialect != d && !in.isRight() {
		return p
	}
	return in
}

// isRight reports whether the engine agrees with the verdict.
func (p Payload) isRight() bool {
	findings, err := event.Find(p.Event)
	return err == nil && findings.Rejected() != p.Accepted && (p.Rule == "" || slices.ContainsFunc(findings, func(f diag.Finding) bool {
		return f.Rule.ID == p.Rule && f.Path == p.Path
	}))
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
