package between

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
)

// maxParts is how many parts of a batch are checked. The public service takes 50.
const maxParts = 1000

// isBatch reports whether a request is a batch of requests to the service.
func (w *Watcher) isBatch(m Message) bool {
	address, _, _ := strings.Cut(m.URL, "?")
	return m.Method == "POST" && (strings.EqualFold(address, w.origin+"/batch"+w.path) || strings.EqualFold(address, w.origin+"/batch"))
}

// batch checks the parts of a batch.
func (x *Exchange) batch(m Message) {
	x.isBatch = true
	body, err := decoded(m.Header, m.Body, x.watcher.maxBody)
	if err == nil && (m.Cut || len(m.Body) > x.watcher.maxBody) {
		err = fmt.Errorf("the body is longer than %d bytes", x.watcher.maxBody)
	}
	if err == nil {
		err = eachPart(m.Header, body, func(text []byte) error {
			part, err := x.watcher.part(m, text)
			if err != nil {
				return err
			}
			x.Parts = append(x.Parts, x.watcher.Request(part))
			return nil
		})
	}
	if err != nil {
		x.Unchecked = err.Error()
	}
}

// eachPart yields the parts of a body of the type multipart/mixed.
func eachPart(header Header, body []byte, yield func(text []byte) error) error {
	media, params, err := mime.ParseMediaType(header.get("Content-Type"))
	if err != nil || media != "multipart/mixed" {
		return fmt.Errorf("the media type %q is not multipart/mixed", header.get("Content-Type"))
	}
	parts := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("the parts cannot be read: %w", err)
		case n == maxParts:
			return fmt.Errorf("the batch has more than %d parts", maxParts)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			return fmt.Errorf("the parts cannot be read: %w", err)
		}
		if err := yield(text); err != nil {
			return err
		}
	}
}

// part reads a part of a batch: a request line, a header and a body. Without a credential, the batch's counts.
func (w *Watcher) part(batch Message, text []byte) (m Message, err error) {
	first, header, body, err := readPart(text)
	if err != nil {
		return m, err
	}
	words := strings.Fields(first)
	if len(words) < 2 {
		return m, fmt.Errorf("the part begins with %s and not with a request line", diag.Quote(first))
	}
	m = Message{Method: words[0], URL: words[1], Header: header, Body: body}
	if strings.HasPrefix(m.URL, "/") {
		m.URL = w.origin + m.URL
	}
	if m.Header.get("Authorization") == "" {
		m.Header = maps.Clone(m.Header)
		m.Header["Authorization"] = batch.Header.values("Authorization")
	}
	return m, nil
}

// readPart reads the first line, the header and the body of a part.
func readPart(text []byte) (first string, header Header, body []byte, err error) {
	buffered := bufio.NewReader(bytes.NewReader(text))
	r := textproto.NewReader(buffered)
	if first, err = r.ReadLine(); err != nil {
		return first, nil, nil, fmt.Errorf("a part is empty")
	}
	fields, err := r.ReadMIMEHeader()
	if err != nil && err != io.EOF {
		return first, nil, nil, fmt.Errorf("the header of a part cannot be read: %w", err)
	}
	body, err = io.ReadAll(buffered)
	return first, Header(fields), body, err
}

// answerParts passes the parts of an answer to the exchanges of the batch, in their order.
func (x *Exchange) answerParts(header Header, body []byte, cut bool) (findings diag.Findings, unchecked string) {
	text, err := decoded(header, body, x.watcher.maxBody)
	i := 0
	if err == nil && !cut {
		err = eachPart(header, text, func(part []byte) error {
			if i == len(x.Parts) {
				return fmt.Errorf("the answer has more parts than the batch")
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
	for _, part := range x.Parts[i:] {
		part.Fail()
	}
	if err != nil {
		return findings, err.Error()
	}
	return findings, ""
}
