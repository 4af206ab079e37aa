package fuzz

import (
	"encoding/json"
	"fmt"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// Payload is something to aim at a server, with the verdict that a correct one gives. Of its
// other members one is there, and the others are nil.
type Payload struct {
	Verdict
	Event   *event.Request `json:"event,omitempty"`   // a request to the calendar
	RTDB    *RTDB          `json:"rtdb,omitempty"`    // a request to the realtime database
	KeyFile JSON           `json:"keyFile,omitempty"` // the text of a service account's key file
}

// Verdict is what a correct server makes of a request.
type Verdict struct {
	// Accepted is false where the request has to be refused.
	Accepted bool `json:"accepted"`

	// Rule is the id of the rule that the request breaks; empty for a valid request, and
	// then all that follows is. Of the rules that reject it is the only one.
	Rule string `json:"rule,omitempty"`

	// Kind is what the rule's finding means here, and Path where it is: a JSON Pointer into
	// the body, "?name" for a query parameter, "#name" for a header field, empty for the whole
	// request. Credentials that contradict each other are told of at each of their places,
	// of which this is the first.
	Kind diag.Kind    `json:"kind,omitempty"`
	Path diag.Pointer `json:"path,omitempty"`

	// Way says in a few words how the rule is broken, such as "one over the limit".
	Way string `json:"way,omitempty"`
}

// Line returns the request as a line of the batch form that `calrules check --ndjson` reads,
// or for the realtime database `calrules rtdb --ndjson`, without a line end. A key file is no
// request, and has none: nil.
func (p Payload) Line() json.RawMessage {
	switch {
	case p.KeyFile != nil:
		return nil
	case p.RTDB != nil:
		return p.RTDB.Line
	}
	line, err := json.Marshal(p.Event)
	if err != nil {
		panic(fmt.Sprintf("fuzz: a request that cannot be written: %v", err))
	}
	return line
}

// Body returns the bytes of the body of a request to the calendar, as a client sends them: nil
// where it has none.
func (p Payload) Body() []byte {
	switch {
	case p.Event == nil:
		return nil
	case p.Event.BodyText != nil:
		return []byte(*p.Event.BodyText)
	default:
		return p.Event.Body
	}
}

// String returns the verdict and the request on two lines, as a failing test shows them.
func (p Payload) String() string {
	verdict := "a valid request"
	if p.Rule != "" {
		verdict = fmt.Sprintf("%s (%s) at %q: %s", p.Rule, p.Kind, p.Path, p.Way)
	}
	if p.KeyFile != nil {
		return verdict + "\n" + string(p.KeyFile)
	}
	return verdict + "\n" + string(p.Line())
}

// GoString returns what String does, for rapid prints what it drew in Go syntax.
func (p Payload) GoString() string { return p.String() }
