package between

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"mime"
	"net/url"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/urltext"
	"github.com/calrules/calrules/operation"
)

// A Message is a request. The watcher does not modify the body of a Message, and the caller must not modify the body
// until the exchange has ended.
type Message struct {
	Method string
	URL    string // absolute
	Header Header
	Body   []byte

	// Unread is the reason why the body is missing or incomplete, as in [Body], or "". A request with Unread set is not checked.
	Unread Reason
}

// A Header contains the fields of a header, as in net/http.
type Header map[string][]string

// values returns the values of a field, ignoring the case of its name.
func (h Header) values(name string) (all []string) {
	for n, values := range h {
		if strings.EqualFold(n, name) {
			all = append(all, values...)
		}
	}
	return all
}

func (h Header) get(name string) string {
	if values := h.values(name); len(values) > 0 {
		return values[0]
	}
	return ""
}

// effective returns the request as the service interprets it. If a POST request contains an X-HTTP-Method-Override header
// field, the value of that field is the method. If the override is GET, the body may contain the query: the official Python
// client sends queries that are too long for a URL in this way.
func (m Message) effective() Message {
	method := m.Header.get("X-HTTP-Method-Override")
	if m.Method != "POST" || method == "" {
		return m
	}
	m.Method = strings.ToUpper(method)
	media, _, _ := mime.ParseMediaType(m.Header.get("Content-Type"))
	if m.Method == "GET" && media == "application/x-www-form-urlencoded" && m.Unread == "" {
		m.URL, m.Body = urltext.WithQuery(m.URL, string(m.Body)), nil
	}
	return m
}

// with returns the message after applying the differences between the requests was and is. A changed body has no content
// coding.
func (m Message) with(query url.Values, was, is *event.Request) Message {
	query = maps.Clone(query)
	maps.DeleteFunc(query, func(name string, _ []string) bool { return was.Params[name] != nil && is.Params[name] == nil })
	if maps.Copy(query, is.Params); !maps.EqualFunc(was.Params, is.Params, slices.Equal) {
		path, _, _ := strings.Cut(m.URL, "?")
		m.URL = urltext.WithQuery(path, query.Encode())
	}
	if !bytes.Equal(was.Body, is.Body) {
		m.Body, m.Header = is.Body, maps.Clone(m.Header)
		maps.DeleteFunc(m.Header, func(name string, _ []string) bool {
			return strings.EqualFold(name, "Content-Encoding") || strings.EqualFold(name, "Content-Length")
		})
	}
	return m
}

// A target is the operation that a request addresses.
type target struct {
	operation.Match
	origin string
	query  url.Values
	unread Reason // the reason for not checking the query, or ""
}

// Reasons for not checking a request, because the service may interpret its query differently.
const (
	malformedQuery Reason = "the query contains a pair that cannot be parsed"
	longQuery      Reason = "the query contains more than 10,000 pairs"
)

// maxPairs is the maximum number of pairs in a query that [url.ParseQuery] parses.
const maxPairs = 10_000

// parseQuery parses a query. If parseQuery returns a reason for not checking the query, the values are incomplete.
func parseQuery(text string) (url.Values, Reason) {
	query, err := url.ParseQuery(text)
	switch {
	case err == nil:
		return query, ""
	case strings.Count(text, "&") >= maxPairs:
		return query, longQuery
	}
	return query, malformedQuery
}

// selectedMembers is the reason for not checking a response that contains only selected members.
const selectedMembers Reason = "the response contains only the members that fields selects"

// selected returns the reason for not checking the response if the response will not be a complete JSON representation, and
// otherwise "".
func (t *target) selected(header Header) Reason {
	switch {
	case t.unread != "":
		return t.unread // the query may contain fields
	case t.query.Has("fields") || t.query.Has("$fields") || header.get("X-Goog-FieldMask") != "":
		return selectedMembers
	case t.query.Has("callback") || t.query.Has("$callback"):
		return "the response is a script, because the query contains callback"
	}
	return ""
}

// originOf returns the origin of a URL: its scheme, host and port. URLs with the same origin have identical results.
func originOf(u *url.URL) string {
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if port := u.Port(); port != "" && port == map[string]string{"http": "80", "https": "443"}[scheme] {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return scheme + "://" + host
}

// Watches reports whether the watcher checks requests to a URL, that is, whether the URL is below the base URL of the
// service or is a batch endpoint.
func (w *Watcher) Watches(method, address string) bool {
	_, _, isBelow := w.pathOf(address)
	return isBelow || w.isBatch(Message{Method: method, URL: address})
}

// here parses an address. The result ok is false if the address is not a URL at the origin of the service.
func (w *Watcher) here(address string) (u *url.URL, ok bool) {
	u, err := url.Parse(address)
	return u, err == nil && u.Host != "" && (w.origin == "" || w.origin == originOf(u))
}

// pathOf parses an address and returns its path relative to the base URL of the service. The result ok is false if the address
// is not below the base URL.
func (w *Watcher) pathOf(address string) (u *url.URL, path string, ok bool) {
	if u, ok = w.here(address); !ok {
		return nil, "", false
	}
	path, ok = strings.CutPrefix(u.EscapedPath(), w.path)
	return u, path, ok && strings.HasPrefix(path, "/")
}

// targetOf returns the operation that a request addresses, and the findings about the path. The result ok is false if no
// operation matches.
func (w *Watcher) targetOf(method, address string) (t target, found diag.Findings, ok bool) {
	u, path, ok := w.pathOf(address)
	if !ok {
		return t, nil, false
	}
	found = operation.CheckPath(w.dialect, method, path)
	if t.Match, ok = operation.Resolve(method, path); !ok {
		return t, found, false
	}
	t.origin = originOf(u)
	t.query, t.unread = parseQuery(u.RawQuery)
	return t, found, true
}

// decoded returns a body without its content coding, or the reason for not checking the body.
func (w *Watcher) decoded(header Header, body []byte, unread Reason) (*Body, Reason) {
	switch coding := strings.ToLower(strings.Join(header.values("Content-Encoding"), ", ")); {
	case unread != "":
		return nil, unread
	case len(body) > w.maxBytes:
		return nil, w.tooLong()
	case coding == "" || coding == "identity":
		return &Body{Text: body}, ""
	case coding == "gzip" || coding == "x-gzip":
		return w.unzipped(body)
	case slices.Contains([]string{"br", "compress", "deflate", "zstd"}, coding):
		return nil, Reason(fmt.Sprintf("the body has the content coding %q", coding))
	}
	return nil, "the body has an unknown content coding or more than one" // do not quote the coding, which could be anything
}

func (w *Watcher) unzipped(body []byte) (*Body, Reason) {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, Reason(fmt.Sprintf("the body is not gzip: %v", err))
	}
	text, err := w.read(r, -1, w.room.reserve)
	if err != nil {
		text.Release()
		return nil, Reason(fmt.Sprintf("the body is not gzip: %v", err))
	}
	return text, text.Unread
}
