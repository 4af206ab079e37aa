package between

import (
	"bufio"
	"bytes"
	"cmp"
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

// maxParts is the maximum number of parts that a watcher checks in a batch. The public service accepts at most 50 parts.
const maxParts = 1000

// isBatch reports whether a request is a batch of requests for the service.
func (w *Watcher) isBatch(m Message) bool {
	if m.Method != "POST" {
		return false
	}
	u, ok := w.here(m.URL)
	isPublic := ok && originOf(u) == "https://www.googleapis.com" // a batch sent to this host may be for any of the host's services
	return ok && (u.EscapedPath() == "/batch"+w.path || u.EscapedPath() == "/batch" && (isPublic || w.origin != ""))
}

// batch checks the parts of a batch. If a part cannot be parsed, any event is assumed to change.
func (x *Exchange) batch(m Message) {
	x.isBatch = true
	if x.body, x.Unchecked = x.watcher.decoded(m.Header, m.Body, m.Unread); x.Unchecked == "" {
		x.Unchecked = x.readParts(m)
	}
	if x.Unchecked != "" {
		x.watcher.mutex.Lock()
		defer x.watcher.mutex.Unlock()
		x.span = x.watcher.memory.begin([]subjectName{all})
	}
}

// readParts checks the parts of a batch, and returns the reason why some parts could not be read, or "". A part cannot itself
// be a batch.
func (x *Exchange) readParts(m Message) Reason {
	outer := credentials(m.Header, queryOf(m.URL))
	u, _ := x.watcher.here(m.URL)
	err := eachPart(m.Header, x.body.Text, func(id string, text []byte) error {
		m, err := readRequest(text, originOf(u))
		if err != nil {
			return err
		}
		part := x.watcher.single(m, outer)
		part.contentID = id
		x.Parts = append(x.Parts, part)
		return nil
	})
	if err != nil {
		return Reason(err.Error())
	}
	return ""
}

func queryOf(address string) url.Values {
	_, query, _ := strings.Cut(address, "?")
	values, _ := url.ParseQuery(query)
	return values
}

// eachPart calls yield for each part of a multipart/mixed body, with its Content-ID. Errors do not quote the body or the
// header, because text that was split or joined incorrectly may contain a credential.
func eachPart(header Header, body []byte, yield func(id string, text []byte) error) error {
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
		if err := yield(strings.Trim(part.Header.Get("Content-ID"), "<> "), text); err != nil {
			return err
		}
	}
}

func unreadableParts(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the parts cannot be read: the body is incomplete")
	}
	return errors.New("the parts cannot be read: one has a wrong boundary or a malformed header")
}

// readRequest parses a part of a batch, which consists of a request line, a header and a body. The URL in a part is relative to
// origin even if the URL contains a host: the official Java client names the public host in each part, regardless of the
// server.
func readRequest(text []byte, origin string) (m Message, err error) {
	first, header, body, err := readPart(text)
	if err != nil {
		return m, err
	}
	words := strings.Fields(first)
	if len(words) < 2 {
		return m, errors.New("a part does not begin with a request line")
	}
	m = Message{Method: words[0], URL: words[1], Header: header, Body: body}
	if _, rest, ok := strings.Cut(m.URL, "://"); ok {
		_, path, _ := strings.Cut(rest, "/")
		m.URL = "/" + path
	}
	if strings.HasPrefix(m.URL, "/") {
		m.URL = origin + m.URL
	}
	return m, nil
}

// readPart returns the first line, the header and the body of a part.
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

// answerParts passes each part of a response to the corresponding exchange in the batch.
func (x *Exchange) answerParts(status int, header Header, body []byte, unread Reason) (findings diag.Findings, unchecked Reason) {
	defer x.Fail() // for the parts without a response
	if !isSuccess(status) {
		x.answered(status)
		for _, part := range x.Parts {
			part.answered(status)
		}
		if status >= 400 {
			x.refuse(status, header, body)
		}
		return nil, ""
	}
	text, unread := x.watcher.decoded(header, body, unread)
	defer text.Release()
	if unread != "" {
		return nil, unread
	}
	open := newOpenParts(x.Parts)
	err := eachPart(header, text.Text, func(id string, text []byte) error {
		part := open.take(id)
		if part == nil {
			return errors.New("a part of the response belongs to no request in the batch")
		}
		found, err := part.answerPart(text)
		findings = append(findings, found...)
		return err
	})
	if err == nil && open.left > 0 {
		err = errors.New("some requests in the batch have no response")
	}
	if err != nil {
		unchecked = Reason(err.Error())
	}
	for _, part := range x.Parts {
		unchecked = cmp.Or(unchecked, part.Answered.Unchecked)
	}
	return findings[:min(len(findings), engine.Most)], unchecked
}

var errNoStatus = errors.New("a part of the response does not begin with a status line")

// answerPart checks the response to one part of a batch.
func (x *Exchange) answerPart(text []byte) (diag.Findings, error) {
	first, header, body, err := readPart(text)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(first)
	if len(words) < 2 {
		return nil, errNoStatus
	}
	status, err := strconv.Atoi(words[1])
	if err != nil {
		return nil, errNoStatus // do not quote the response
	}
	found, unchecked := x.Answer(status, header, body, "")
	x.Answered = Answered{status, found, unchecked}
	return found, nil
}

// openParts contains the unanswered parts of a batch, by Content-ID. Parts with the same Content-ID, or without one, are in the
// order of the batch.
type openParts struct {
	byID map[string][]*Exchange
	left int
}

func newOpenParts(parts []*Exchange) *openParts {
	o := &openParts{map[string][]*Exchange{}, len(parts)}
	for _, part := range parts {
		o.byID[part.contentID] = append(o.byID[part.contentID], part)
	}
	return o
}

// take removes and returns the part to which the Content-ID of a response refers, or returns nil if there is none. The service
// prefixes the id of a part with "response-".
func (o *openParts) take(id string) *Exchange {
	for _, id := range []string{strings.TrimPrefix(id, "response-"), id} {
		if parts := o.byID[id]; len(parts) > 0 {
			o.byID[id] = parts[1:]
			o.left--
			return parts[0]
		}
	}
	return nil
}
