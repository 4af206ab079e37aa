package recording

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/calrules/calrules/between"
)

// nockCall is a call in the format that nock records with output_objects or nockBack. Source: https://github.com/nock/nock,
// lib/recorder.js.
type nockCall struct {
	Scope            string          `json:"scope"`
	Method           string          `json:"method"`
	Path             string          `json:"path"`
	Body             json.RawMessage `json:"body"`
	ReqHeaders       json.RawMessage `json:"reqheaders"`
	Status           int             `json:"status"`
	Response         json.RawMessage `json:"response"`
	RawHeaders       json.RawMessage `json:"rawHeaders"`
	Headers          json.RawMessage `json:"headers"`
	ResponseIsBinary bool            `json:"responseIsBinary"`
}

// readNock returns the exchanges in a nock fixture.
func readNock(text []byte) (all []Exchange, err error) {
	var calls []nockCall
	if err := json.Unmarshal(asList(text), &calls); err != nil {
		return nil, fmt.Errorf("not a nock fixture: %w", mistakeIn(err))
	}
	for i := range calls {
		all = append(all, calls[i].exchange())
	}
	locate(text, "", all)
	return all, nil
}

// asList returns JSON text as an array. If text is an object, the object becomes the only element.
func asList(text []byte) []byte {
	text = trimmed(text)
	if !bytes.HasPrefix(text, []byte("{")) {
		return text
	}
	return append(append([]byte("["), text...), ']')
}

func (c *nockCall) exchange() Exchange {
	e := Exchange{Method: strings.ToUpper(c.Method), URL: c.Scope + c.Path, Status: c.Status}
	e.Header, e.AnswerHeader = nockHeader(c.ReqHeaders), nockHeader(c.RawHeaders, c.Headers)
	e.Body, e.BodyErr = nockBody(c.Body, false)
	e.expectBody(hasLength(e.Header))
	e.Answer, e.AnswerErr = nockBody(c.Response, c.ResponseIsBinary)
	dropCoding(e.Header, e.Body)
	dropCoding(e.AnswerHeader, e.Answer)
	return e
}

// nockBody returns the bytes of a body. The recorded value is JSON, a string or, for a body that is not UTF-8, its hexadecimal
// digits. For a compressed body, the recorded value is an array with the hexadecimal digits of each chunk.
func nockBody(value json.RawMessage, isBinary bool) ([]byte, error) {
	var pieces []string
	if json.Unmarshal(value, &pieces) == nil && len(pieces) > 0 {
		if body, err := hex.DecodeString(strings.Join(pieces, "")); err == nil {
			return body, nil
		}
		return value, nil // an array that contains strings
	}
	var text string // "" for null
	switch {
	case json.Unmarshal(value, &text) != nil:
		return value, nil
	case !isBinary:
		return []byte(text), nil
	}
	body, err := hex.DecodeString(text)
	if err != nil {
		return nil, errors.New("it is not hexadecimal")
	}
	return body, nil
}

// nockHeader returns the fields of the first header that is present. A header is an object, or a list of alternating
// names and values.
func nockHeader(headers ...json.RawMessage) between.Header {
	for _, text := range headers {
		var turns []string
		if json.Unmarshal(text, &turns) == nil && len(turns) > 0 {
			header := between.Header{}
			for i := 0; i+1 < len(turns); i += 2 {
				header[turns[i]] = append(header[turns[i]], turns[i+1])
			}
			return header
		}
		if header := headerOf(text); len(header) > 0 {
			return header
		}
	}
	return between.Header{}
}

// headerOf returns the fields of a header, which is an object with a string or a list of strings for each name, skipping other
// values, such as patterns.
func headerOf(text json.RawMessage) between.Header {
	header := between.Header{}
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil {
		return header
	}
	for name, field := range fields {
		var one string
		var several []string
		switch {
		case json.Unmarshal(field, &one) == nil:
			header[name] = []string{one}
		case json.Unmarshal(field, &several) == nil:
			header[name] = several
		}
	}
	return header
}
