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

// harFile contains the relevant members of a recording in the HAR 1.2 format.
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
		BodySize float64    `json:"bodySize"` // -1 if unknown
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

// bytes returns the bytes of a body. A HAR file stores bodies without their content coding, and in base64 if they are not text.
func (t *harText) bytes() ([]byte, error) {
	switch {
	case t == nil:
		return nil, nil
	case t.Encoding == "":
		return []byte(t.Text), nil
	case t.Encoding != "base64":
		return nil, errors.New("its encoding is not base64")
	}
	body, err := base64.StdEncoding.DecodeString(t.Text)
	if err != nil {
		return nil, errNotBase64
	}
	return body, nil
}

// harHeader returns header fields without Content-Encoding and without the pseudo-header fields of HTTP/2.
func harHeader(fields []harField) between.Header {
	header := between.Header{}
	for _, f := range fields {
		if !strings.HasPrefix(f.Name, ":") && !strings.EqualFold(f.Name, "Content-Encoding") {
			header[f.Name] = append(header[f.Name], f.Value)
		}
	}
	return header
}

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

// ReadHAR returns the exchanges in a HAR file.
func ReadHAR(text []byte) (all []Exchange, err error) {
	var har harFile
	if err := json.Unmarshal(bytes.TrimPrefix(text, byteOrderMark), &har); err != nil {
		return nil, fmt.Errorf("not a HAR file: %w", mistakeIn(err))
	}
	if har.Log.Entries == nil {
		if form := FormOf(text); form.isCassette() {
			return nil, fmt.Errorf("not a HAR file: it looks like %s; use --cassette", form)
		}
		return nil, errors.New("not a HAR file: it contains no log.entries")
	}
	for i := range har.Log.Entries {
		all = append(all, har.Log.Entries[i].exchange())
	}
	locate(text, "/log/entries", all)
	return all, nil
}

// byteOrderMark may begin a HAR file. Readers must ignore a byte order mark (HAR 1.2).
var byteOrderMark = []byte("\ufeff")
