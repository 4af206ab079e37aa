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

// nockCall is a call as nock records it with output_objects and with nockBack.
// Source: https://github.com/nock/nock, lib/recorder.js.
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

// readNock returns the exchanges of a fixture.
func readNock(text []byte) (all []Exchange, err error) {
	var calls []nockCall
	if err := json.Unmarshal(asList(text), &calls); err != nil {
		return nil, fmt.Errorf("not a fixture of nock: %w", mistakeIn(err))
	}
	for i := range calls {
		all = append(all, calls[i].exchange())
	}
	locate(text, "", all)
	return all, nil
}

// asList returns a JSON text as an array, with the text as its element if it is an object.
func asList(text []byte) []byte {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, byteOrderMark))
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

// nockBody returns a body: the value of JSON, a text or, if it is not UTF-8, its hexadecimal digits. A compressed body is an
// array with the digits of each of its pieces.
func nockBody(value json.RawMessage, isBinary bool) ([]byte, error) {
	var pieces []string
	if json.Unmarshal(value, &pieces) == nil && len(pieces) > 0 {
		if body, err := hex.DecodeString(strings.Join(pieces, "")); err == nil {
			return body, nil
		}
		return value, nil // an array of texts
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

// nockHeader returns the fields of the first header that is present: an object, or a list of names and values in turn.
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

// headerOf returns the fields of a header that is an object with a text or a list of texts for each name. It leaves out
// others, such as patterns.
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
