package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/urltext"
)

// wireMockMapping is a WireMock mapping: a pattern for requests, and the response to matching requests. Source:
// https://wiremock.org/docs/stubbing/ and https://wiremock.org/docs/request-matching/.
type wireMockMapping struct {
	Request  wireMockRequest  `json:"request"`
	Response wireMockResponse `json:"response"`
}

type wireMockRequest struct {
	Method  string `json:"method"`
	URL     string `json:"url"`
	URLPath string `json:"urlPath"`

	QueryParameters map[string]matcher `json:"queryParameters"`
	Headers         map[string]matcher `json:"headers"`
	BodyPatterns    []matcher          `json:"bodyPatterns"`
}

type wireMockResponse struct {
	Status       int             `json:"status"`
	Headers      json.RawMessage `json:"headers"`
	Body         *string         `json:"body"`
	JSONBody     json.RawMessage `json:"jsonBody"`
	Base64Body   string          `json:"base64Body"`
	BodyFileName string          `json:"bodyFileName"`
	Fault        string          `json:"fault"`
}

// matcher is a condition on a value. The name of one member is the kind of condition; all other members are options.
type matcher map[string]json.RawMessage

// text returns the string that the value must equal, or false if the condition is a pattern.
func (m matcher) text(kind string) (text string, ok bool) {
	value, ok := m[kind]
	return text, ok && json.Unmarshal(value, &text) == nil
}

// readWireMock returns the exchanges in a mapping, a list of mappings, or an export.
func readWireMock(text []byte) (all []Exchange, err error) {
	var export struct {
		Mappings json.RawMessage `json:"mappings"`
	}
	list, inside := bytes.TrimPrefix(text, byteOrderMark), diag.Pointer("")
	if json.Unmarshal(list, &export) == nil && export.Mappings != nil {
		list, inside = export.Mappings, "/mappings"
	}
	var mappings []wireMockMapping
	if err := json.Unmarshal(asList(list), &mappings); err != nil {
		return nil, fmt.Errorf("not a WireMock mapping: %w", mistakeIn(err))
	}
	for i := range mappings {
		all = append(all, mappings[i].exchange())
	}
	locate(text, inside, all)
	return all, nil
}

func (m *wireMockMapping) exchange() Exchange {
	e := Exchange{Method: m.Request.Method, Header: map[string][]string{}, Status: m.Response.Status, AnswerHeader: headerOf(m.Response.Headers)}
	e.URL, e.Unknown = m.Request.address()
	if e.Method == "" || e.Method == "ANY" {
		e.Unknown = errors.New("the mapping matches every method")
	}
	for name, field := range m.Request.Headers {
		if text, ok := field.text("equalTo"); ok {
			e.Header[name] = []string{text}
		}
	}
	e.Body, e.BodyErr = m.Request.body()
	e.expectBody(hasLength(e.Header))
	e.Answer, e.AnswerErr = m.Response.body()
	dropCoding(e.AnswerHeader, e.Answer)
	if m.Response.Fault != "" {
		e.Status = 0
	}
	return e
}

// address returns the path and query of the requests, or an error if the mapping does not determine them.
func (r *wireMockRequest) address() (string, error) {
	path := r.URL
	if path == "" {
		path = r.URLPath
	}
	if path == "" {
		return "", errors.New("the mapping contains a pattern instead of a URL")
	}
	query := url.Values{}
	for _, name := range slices.Sorted(maps.Keys(r.QueryParameters)) {
		value, ok := r.QueryParameters[name].text("equalTo")
		if !ok {
			return "", errors.New("the mapping contains a pattern for a parameter")
		}
		query.Set(name, value)
	}
	return urltext.WithQuery(path, query.Encode()), nil
}

// body returns the body of the requests, or an error if the mapping does not determine the body.
func (r *wireMockRequest) body() ([]byte, error) {
	if len(r.BodyPatterns) == 0 {
		return nil, nil
	}
	for _, pattern := range r.BodyPatterns {
		if text, ok := pattern.text("equalToJson"); ok {
			return []byte(text), nil
		}
		if value := bytes.TrimSpace(pattern["equalToJson"]); len(value) > 0 {
			return value, nil
		}
		if text, ok := pattern.text("equalTo"); ok {
			return []byte(text), nil
		}
	}
	return nil, errors.New("the mapping contains a pattern for it")
}

// body returns the body of the response, or an error if the mapping does not contain the body.
func (r *wireMockResponse) body() ([]byte, error) {
	switch {
	case r.BodyFileName != "":
		return nil, errInFile
	case r.Base64Body != "":
		return decodeBase64(r.Base64Body)
	case len(r.JSONBody) > 0:
		return r.JSONBody, nil
	case r.Body != nil:
		return []byte(*r.Body), nil
	}
	return nil, nil
}
