package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

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
	req := *p.Event
	if req.BodyText == nil || utf8.ValidString(*req.BodyText) {
		return marshalled(req)
	}
	text := *req.BodyText
	req.BodyText = nil
	line := bytes.TrimSuffix(marshalled(req), []byte("}"))
	return append(append(append(line, `,"bodyText":`...), quoted(text)...), '}')
}

func marshalled(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("fuzz: a request that cannot be written: %v", err))
	}
	return text
}

// halfLen is the length of what would be half a surrogate pair in UTF-8, were it a character.
const halfLen = 3

// quoted returns a text as a JSON string, and half a surrogate pair in it as the escape that
// stands for it in the batch form.
func quoted(text string) []byte {
	line := []byte{'"'}
	for {
		at := halfPair(text)
		whole := marshalled(text[:at])
		line = append(line, whole[1:len(whole)-1]...)
		if at == len(text) {
			return append(line, '"')
		}
		unit := 0xd000 | int(text[at+1]&0x3f)<<6 | int(text[at+2]&0x3f)
		line = fmt.Appendf(line, `\u%04x`, unit)
		text = text[at+halfLen:]
	}
}

// halfPair returns where the first half of a surrogate pair is, or the length of the text. No
// other bytes begin like one.
func halfPair(text string) int {
	for at := 0; at+halfLen <= len(text); at++ {
		if text[at] == 0xed && text[at+1] >= 0xa0 {
			return at
		}
	}
	return len(text)
}

// MarshalJSON writes the request as its line is.
func (p Payload) MarshalJSON() ([]byte, error) {
	all := struct {
		Verdict
		Event   json.RawMessage `json:"event,omitempty"`
		RTDB    *RTDB           `json:"rtdb,omitempty"`
		KeyFile JSON            `json:"keyFile,omitempty"`
	}{Verdict: p.Verdict, RTDB: p.RTDB, KeyFile: p.KeyFile}
	if p.Event != nil {
		all.Event = p.Line()
	}
	return json.Marshal(all)
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
