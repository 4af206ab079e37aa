// Package recording reads recordings of HTTP traffic: HAR files, and the files of test libraries. The errors do not
// quote recordings, which may contain credentials.
package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Exchange is a request and its response in a recording of any form.
type Exchange struct {
	Offset int // the byte offset in the recording

	Method string
	URL    string // only a path if the recording names no host
	Header between.Header
	Body   []byte

	Status       int // 0 if there was no answer
	AnswerHeader between.Header
	Answer       []byte

	// Unknown is the reason why the request is unknown, for example because the recording contains only a pattern. BodyErr and
	// AnswerErr are the reasons why the body of the request or response is unknown.
	Unknown, BodyErr, AnswerErr error
}

// Message returns the exchange's request, with the origin added to a URL without a host.
func (e *Exchange) Message(origin string) between.Message {
	url := e.URL
	if strings.HasPrefix(url, "/") {
		url = origin + url
	}
	return between.Message{Method: e.Method, URL: url, Header: e.Header, Body: e.Body, Unread: unread(e.BodyErr)}
}

// Tell passes the response of the exchange to [between.Exchange.Answer] and returns the results. If there was no response, Tell
// calls [between.Exchange.Fail].
func (e *Exchange) Tell(x *between.Exchange) (found diag.Findings, unchecked between.Reason) {
	if e.Status == 0 {
		x.Fail()
		return nil, ""
	}
	return x.Answer(e.Status, e.AnswerHeader, e.Answer, unread(e.AnswerErr))
}

// unread returns the reason for a missing body as a [between.Reason], or "" if err is nil.
func unread(err error) between.Reason {
	if err == nil {
		return ""
	}
	return between.Reason("the body cannot be read: " + err.Error())
}

// errInFile means that a body is in a separate file, which is not read.
var errInFile = errors.New("it is in another file")

// expectBody sets BodyErr if the request had a body that is not in the recording.
func (e *Exchange) expectBody(hadBody bool) {
	if hadBody && e.BodyErr == nil && len(e.Body) == 0 {
		e.BodyErr = errors.New("the recording does not contain it")
	}
}

// hasLength reports whether a header announces a non-empty body.
func hasLength(header between.Header) bool {
	for name, values := range header {
		if strings.EqualFold(name, "Content-Length") && len(values) > 0 {
			n, err := strconv.ParseUint(values[0], 10, 64)
			return err == nil && n > 0
		}
	}
	return false
}

// Read returns the exchanges in a recording. Read detects the form from the content. The limit is the maximum total length in
// bytes of the strings that YAML aliases repeat.
func Read(text []byte, limit int) ([]Exchange, error) {
	switch form := FormOf(text); form {
	case HAR:
		return ReadHAR(text)
	case Nock:
		return readNock(text)
	case WireMock:
		return readWireMock(text)
	case Cassette, YAML, Other:
		return readCassette(text, limit)
	default:
		return nil, fmt.Errorf("not a cassette: it looks like %s", form)
	}
}

// locate sets the offsets of exchanges, which are the elements of the array at a path in JSON text, or the only value.
func locate(text []byte, list diag.Pointer, all []Exchange) {
	json := bytes.TrimPrefix(text, byteOrderMark)
	places := make([]jsonscan.Place, len(all))
	for i := range places {
		places[i].Path = list.Index(i)
	}
	jsonscan.Locate(json, places)
	offset := 0 // never decreases, even if an array with fewer elements repeats the name
	for i := range all {
		offset = max(offset, places[i].Offset)
		all[i].Offset = offset + len(text) - len(json)
	}
}

// mistakeIn converts an error from encoding/json to an error that does not quote the input.
func mistakeIn(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // the original quotes a number
		kind, _, _ := strings.Cut(wrong.Value, " ")
		return fmt.Errorf("%s is a JSON %s (byte %d)", wrong.Field, kind, wrong.Offset)
	}
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok { // the original quotes a character
		if strings.Contains(wrong.Error(), "unexpected end") {
			return errors.New("unexpected end of input")
		}
		return fmt.Errorf("it is not valid JSON (byte %d)", wrong.Offset)
	}
	return errors.New("it is not valid JSON")
}
