package recording

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/calrules/calrules/between"
)

// harFile is a recording in the format HAR 1.2, with the members of interest.
type harFile struct {
	Log struct {
		Entries []harEntry `json:"entries"`
	} `json:"log"`
}

type harEntry struct {
	Request struct {
		Method   string     `json:"method"`
		URL      string     `json:"url"`
		Headers  []harField `json:"headers"`
		PostData *harText   `json:"postData"`
		BodySize float64    `json:"bodySize"` // -1 if it is not known
	} `json:"request"`
	Response struct {
		Status  int        `json:"status"`
		Headers []harField `json:"headers"`
		Content harText    `json:"content"`
	} `json:"response"`
}

type harField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harText struct {
	Text     string `json:"text"`
	Encoding string `json:"encoding"`
}

// bytes returns a body. A HAR stores it without its content coding, and in base64 if it is not text.
func (t *harText) bytes() ([]byte, error) {
	switch {
	case t == nil:
		return nil, nil
	case t.Encoding == "":
		return []byte(t.Text), nil
	case t.Encoding != "base64":
		return nil, errors.New("it has another encoding than base64")
	}
	body, err := base64.StdEncoding.DecodeString(t.Text)
	if err != nil {
		return nil, errNotBase64
	}
	return body, nil
}

// harHeader returns the fields of a header, without the pseudo fields of HTTP/2 and the content coding.
func harHeader(fields []harField) between.Header {
	header := between.Header{}
	for _, f := range fields {
		if !strings.HasPrefix(f.Name, ":") && !strings.EqualFold(f.Name, "Content-Encoding") {
			header[f.Name] = append(header[f.Name], f.Value)
		}
	}
	return header
}

// exchange returns the entry without the form of a HAR file.
func (e *harEntry) exchange() Exchange {
	x := Exchange{
		Method: e.Request.Method, URL: e.Request.URL, Header: harHeader(e.Request.Headers),
		Status: e.Response.Status, AnswerHeader: harHeader(e.Response.Headers),
	}
	x.Body, x.BodyErr = e.Request.PostData.bytes()
	x.expectBody(e.Request.BodySize > 0 || hasLength(x.Header))
	x.Answer, x.AnswerErr = e.Response.Content.bytes()
	return x
}

// ReadHAR returns the exchanges of a HAR file.
func ReadHAR(text []byte) (all []Exchange, err error) {
	var har harFile
	if err := json.Unmarshal(bytes.TrimPrefix(text, byteOrderMark), &har); err != nil {
		return nil, fmt.Errorf("not a HAR file: %w", mistakeIn(err))
	}
	if har.Log.Entries == nil {
		if form := FormOf(text); form.isCassette() {
			return nil, fmt.Errorf("not a HAR file: it looks like %s; use --cassette", form)
		}
		return nil, errors.New("not a HAR file: it has no log.entries")
	}
	for i := range har.Log.Entries {
		all = append(all, har.Log.Entries[i].exchange())
	}
	locate(text, "/log/entries", all)
	return all, nil
}

// byteOrderMark may begin a HAR file; a reader ignores it (HAR 1.2).
var byteOrderMark = []byte("\ufeff")
