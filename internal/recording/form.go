package recording

import (
	"bytes"
	"encoding/json"

	"github.com/calrules/calrules/internal/lazyregexp"
)

// Form is the format of a recording or a request.
type Form uint8

// The forms. [Read] reads the first group and [ReadRequest] reads the second group. Forms in the third group are only
// recognized.
const (
	Other Form = iota
	HAR
	Cassette // a recording of go-vcr, VCR, vcrpy or betamax
	Nock
	WireMock

	Curl
	HTTP // a request as written for an HTTP client in an editor

	Postman
	Pact
	Lines // lines of JSON
	YAML
)

var formNames = [...]string{
	Other: "another text", HAR: "a HAR file", Cassette: "a cassette", Nock: "a nock fixture", WireMock: "a WireMock mapping",
	Curl: "a curl command", HTTP: "an HTTP request", Postman: "a Postman collection", Pact: "a pact", Lines: "JSON Lines", YAML: "YAML",
}

// String returns the name of the form with an article.
func (f Form) String() string { return formNames[f] }

// isCassette reports whether test libraries write recordings in the given form.
func (f Form) isCassette() bool { return f == Cassette || f == Nock || f == WireMock }

// IsRecording reports whether [Read] reads the form.
func (f Form) IsRecording() bool { return f == HAR || f.isCassette() }

// IsRequest reports whether [ReadRequest] reads the form.
func (f Form) IsRequest() bool { return f == Curl || f == HTTP }

var (
	curlStart    = lazyregexp.New(`^(?:\$ )?curl\s`)
	requestLine  = lazyregexp.New(`^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (?:https?://|/)\S*(?: HTTP/[0-9.]+)?\s*(?:\n|$)`)
	interactions = lazyregexp.New(`(?m)^(?:http_)?interactions:`)
	yamlStart    = lazyregexp.New(`^(?:---\s|%YAML |[A-Za-z_][\w-]*:(?:[ \r\n]|$))`)
)

// FormOf detects the form of a file from its content.
func FormOf(text []byte) Form {
	text = trimmed(text)
	switch {
	case bytes.HasPrefix(text, []byte("{")):
		return formOfObject(text)
	case bytes.HasPrefix(text, []byte("[")):
		var list []json.RawMessage
		if json.Unmarshal(text, &list) == nil && len(list) > 0 {
			return formOfElement(list[0])
		}
	case curlStart().Match(text):
		return Curl
	case requestLine().Match(afterComments(text)):
		return HTTP
	case interactions().Match(text):
		return Cassette
	case yamlStart().Match(text):
		return YAML
	}
	return Other
}

// trimmed returns text without a byte order mark and without white space around it.
func trimmed(text []byte) []byte { return bytes.TrimSpace(bytes.TrimPrefix(text, byteOrderMark)) }

// members contains the members of an object, from which the form is detected.
type members map[string]json.RawMessage

func (m members) have(names ...string) bool {
	for _, name := range names {
		if _, ok := m[name]; !ok {
			return false
		}
	}
	return true
}

func formOfObject(text []byte) Form {
	var object members
	if json.Unmarshal(text, &object) != nil {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if json.Unmarshal(line, &object) == nil && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("{")) {
			return Lines
		}
		return Other
	}
	switch {
	case object.have("log") && bytes.HasPrefix(bytes.TrimSpace(object["log"]), []byte("{")):
		return HAR
	case object.have("interactions", "consumer", "provider"):
		return Pact
	case object.have("interactions"), object.have("http_interactions"):
		return Cassette
	case object.have("info", "item"):
		return Postman
	case object.have("mappings"):
		return WireMock
	}
	return formOfElement(text)
}

// formOfElement returns the form of a recording, given one of its elements.
func formOfElement(text []byte) Form {
	var element members
	switch {
	case json.Unmarshal(text, &element) != nil:
		return Other
	case element.have("scope", "path"):
		return Nock
	case element.have("request", "response"):
		return WireMock
	}
	return Other
}

// afterComments returns the part of text after the comments and variables that may precede an HTTP request.
func afterComments(text []byte) []byte {
	for {
		line, rest, ok := bytes.Cut(text, []byte("\n"))
		line = bytes.TrimSpace(line)
		isComment := len(line) == 0 || line[0] == '#' || line[0] == '@' || bytes.HasPrefix(line, []byte("//"))
		if !ok || !isComment {
			return text
		}
		text = rest
	}
}
