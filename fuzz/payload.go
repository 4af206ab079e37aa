package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/gen"
)

// Payload is a request to the calendar service, with the verdict of a correct server.
type Payload struct {
	Verdict
	Event *event.Request
}

// Verdict is a correct server's decision on a request.
type Verdict struct {
	// Accepted reports whether the server must accept the request.
	Accepted bool `json:"accepted"`

	// Rule is the id of the rule that the request breaks. No other rule rejects the request. For a valid request, Rule and
	// the following fields are empty.
	Rule string `json:"rule,omitempty"`

	// Kind is the kind of the rule's finding about the request. Path is the place of the finding: a JSON Pointer into the body,
	// "?name" for a query parameter, or "#name" for a header field. Path is empty for the whole request.
	Kind diag.Kind    `json:"kind,omitempty"`
	Path diag.Pointer `json:"path,omitempty"`
}

// String formats the verdict on one line, with the broken rule and the place.
func (v Verdict) String() string {
	if v.Rule == "" {
		return "a valid request"
	}
	return fmt.Sprintf("%s (%s) at %q", v.Rule, v.Kind, v.Path)
}

// In returns the request in the given dialect, with the verdict of a server for that dialect. If the request also breaks the
// rule in the other dialect, the rule is the same. Otherwise, the result is valid or breaks the rule that rejects it.
func (p Payload) In(d diag.Dialect) Payload {
	if p.Event == nil {
		return p
	}
	req := p.Event.WithDialect(d)
	findings, err := event.Find(&req)
	if err != nil {
		return Payload{Verdict: p.Verdict, Event: &req}
	}
	verdict := Verdict{Accepted: !findings.Rejected()}
	for _, f := range findings {
		if verdict.Rule != p.Rule && f.Is(p.Rule) || verdict.Rule == "" && f.Kind == diag.Reject {
			verdict.Rule, verdict.Kind, verdict.Path = f.Rule.ID, f.Kind, f.Path
		}
	}
	return Payload{verdict, &req}
}

// Line returns the request as a line of the batch form that `calrules check --ndjson` reads, without a newline. The line
// includes the dialect. If there is no request, the line is null.
func (p Payload) Line() json.RawMessage {
	if p.Event == nil {
		return json.RawMessage("null")
	}
	return gen.Payload{Event: p.Event}.AppendRequest(nil)
}

// MarshalJSON encodes the verdict, with the request in the event member, as returned by [Payload.Line].
func (p Payload) MarshalJSON() ([]byte, error) { return json.Marshal(payloadForm{p.Verdict, p.Line()}) }

// UnmarshalJSON decodes the output of [Payload.MarshalJSON]. The error describes the correct form of a payload or request.
func (p *Payload) UnmarshalJSON(text []byte) error {
	var form payloadForm
	var req batch.Request
	if json.Unmarshal(text, &form) != nil {
		return errors.New("fuzz: a payload is a JSON object with accepted, rule, kind, path and event")
	}
	*p = Payload{Verdict: form.Verdict}
	if form.Event == nil || string(form.Event) == "null" {
		return nil
	}
	err := req.UnmarshalJSON(form.Event)
	p.Event = &req.Request
	return err
}

type payloadForm struct {
	Verdict
	Event json.RawMessage `json:"event"`
}

// String formats the payload for a failing test: the verdict on one line, and the request on the next line.
func (p Payload) String() string { return p.Verdict.String() + "\n" + string(p.Line()) }

// GoString returns the same string as String, because rapid prints drawn values in Go syntax.
func (p Payload) GoString() string { return p.String() }

// JSON is JSON text that is printed as a string, even by rapid.
type JSON []byte

// String returns j as a string.
func (j JSON) String() string { return string(j) }

// GoString returns j as a string, because Go syntax would list its bytes.
func (j JSON) GoString() string { return string(j) }

// UnmarshalJSON sets *j to a copy of text.
func (j *JSON) UnmarshalJSON(text []byte) error {
	*j = bytes.Clone(text)
	return nil
}

// MarshalJSON returns j, or null if j is nil.
func (j JSON) MarshalJSON() ([]byte, error) { return json.RawMessage(j).MarshalJSON() }
