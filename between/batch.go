package between

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
)

// maxParts is how many parts of a batch are checked. The public service takes 50.
const maxParts = 1000

// isBatch reports whether a request is a batch of requests to the service.
func (w *Watcher) isBatch(m Message) bool {
	if m.Method != "POST" {
		return false
	}
	u, err := url.Parse(m.URL)
	return err == nil && originOf(u) == w.origin && (u.EscapedPath() == "/batch"+w.path || u.EscapedPath() == "/batch")
}

// batch checks the parts of a batch. A part is one request, and no batch itself.
func (x *Exchange) batch(m Message) {
	x.isBatch = true
	outer := credentials(m.Header, queryOf(m.URL))
	body, err := decoded(m.Header, m.Body, x.watcher.maxBytes)
	if err == nil && (m.Truncated || len(m.Body) > x.watcher.maxBytes) {
		err = errors.New(string(x.watcher.tooLong("body")))
	}
	if err == nil {
		err = eachPart(m.Header, body, func(text []byte) error {
			part, err := x.watcher.part(text)
			if err != nil {
				return err
			}
			x.Parts = append(x.Parts, x.watcher.single(part, outer))
			return nil
		})
	}
	if err != nil {
		x.Unchecked = Reason(err.Error())
	}
}

func queryOf(address string) url.Values {
	_, query, _ := strings.Cut(address, "?")
	values, _ := url.ParseQuery(query)
	return values
}

// eachPart yields the parts of a body of the type multipart/mixed. No error quotes the body or the header: a text that is
// cut or joined at a wrong place may be a credential.
func eachPart(header Header, body []byte, yield func(text []byte) error) error {
	media, params, err := mime.ParseMediaType(header.get("Content-Type"))
	if err != nil || media != "multipart/mixed" {
		return errors.New("the media type is not multipart/mixed")
	}
	parts := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return unreadableParts(err)
		case n == maxParts:
			return fmt.Errorf("the batch has more than %d parts", maxParts)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			return unreadableParts(err)
		}
		if err := yield(text); err != nil {
			return err
		}
	}
}

func unreadableParts(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the parts cannot be read: they end too early")
	}
	return errors.New("the parts cannot be read: one has a wrong boundary or a malformed header")
}

// part reads a part of a batch: a request line, a header and a body.
func (w *Watcher) part(text []byte) (m Message, err error) {
	first, header, body, err := readPart(text)
	if err != nil {
		return m, err
	}
	words := strings.Fields(first)
	if len(words) < 2 {
		return m, errors.New("a part does not begin with a request line")
	}
	m = Message{Method: words[0], URL: words[1], Header: header, Body: body}
	if strings.HasPrefix(m.URL, "/") {
		m.URL = w.origin + m.URL
	}
	return m, nil
}

// readPart reads the first line, the header and the body of a part.
func readPart(text []byte) (first string, header Header, body []byte, err error) {
	buffered := bufio.NewReader(bytes.NewReader(text))
	r := textproto.NewReader(buffered)
	if first, err = r.ReadLine(); err != nil {
		return first, nil, nil, errors.New("a part is empty")
	}
	fields, err := r.ReadMIMEHeader()
	if err != nil && err != io.EOF {
		return first, nil, nil, errors.New("the header of a part is malformed")
	}
	body, err = io.ReadAll(buffered)
	return first, Header(fields), body, err
}

// answerParts passes the parts of an answer to the exchanges of the batch, in their order.
func (x *Exchange) answerParts(status int, header Header, body []byte, truncated bool) (findings diag.Findings, unchecked Reason) {
	i := 0
	defer func() {
		for _, part := range x.Parts[i:] {
			part.Fail()
		}
	}()
	if !isSuccess(status) {
		return nil, ""
	}
	text, err := decoded(header, body, x.watcher.maxBytes)
	if truncated || len(body) > x.watcher.maxBytes {
		err = errors.New(string(x.watcher.tooLong("answer")))
	}
	if err == nil {
		err = eachPart(header, text, func(part []byte) error {
			if i == len(x.Parts) {
				return errors.New("the answer has more parts than the batch")
			}
			first, fields, body, err := readPart(part)
			if err != nil {
				return err
			}
			status := 0
			if words := strings.Fields(first); len(words) > 1 {
				status, _ = strconv.Atoi(words[1])
			}
			found, _ := x.Parts[i].Answer(status, fields, body, false)
			findings = append(findings, found...)
			i++
			return nil
		})
	}
	if err != nil {
		unchecked = Reason(err.Error())
	}
	return findings[:min(len(findings), engine.Most)], unchecked
}
