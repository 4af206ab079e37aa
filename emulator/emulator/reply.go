package emulator

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/calrules/calrules/event/eventhttp"
)

// reply is the response to an accepted request.
type reply struct {
	etag string // empty if the resource has none
	body []byte // JSON; nil for 204 No Content
}

// refused returns a refusal.
func refused(status int, reason, format string, args ...any) error {
	return &eventhttp.Error{Status: status, Reason: reason, Message: fmt.Sprintf(format, args...)}
}

// refuse responds with the reasons for a refusal, as problem details if the request accepts them, and otherwise in the public
// service's form.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if refusal, ok := errors.AsType[*eventhttp.Error](err); ok && refusal.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", challenge(refusal.Reason))
	}
	if s.problems || strings.Contains(r.Header.Get("Accept"), "application/problem+json") {
		eventhttp.WriteProblem(w, err)
		return
	}
	eventhttp.WriteError(w, err)
}

// challenge returns the WWW-Authenticate field for a refusal (RFC 6750).
func challenge(reason string) string {
	if reason == "authError" {
		return `Bearer realm="calendar", error="invalid_token"`
	}
	return `Bearer realm="calendar"`
}

// write writes the response to an accepted request.
func (c *call) write(w http.ResponseWriter, answer reply) {
	h := w.Header()
	if answer.etag != "" {
		h.Set("ETag", answer.etag)
	}
	if c.NotModified(answer.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if answer.body == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	body := c.fields.of(answer.body)
	if c.system.Get("prettyPrint") == "true" {
		var pretty bytes.Buffer
		if json.Indent(&pretty, body, "", "  ") == nil {
			body = pretty.Bytes()
		}
	}
	h.Set("Content-Type", "application/json; charset=UTF-8")
	h.Add("Vary", "Accept-Encoding")
	writeBody(w, c.http, body)
}

// names reports whether If-Match fields contain an entity tag, by strong comparison (RFC 9110 section 8.8.3.2).
func names(fields []string, etag string) bool {
	for tag := range strings.SplitSeq(strings.Join(fields, ","), ",") {
		tag = strings.TrimSpace(tag)
		if etag != "" && (tag == "*" || tag == etag) {
			return true
		}
	}
	return false
}

// compressed is the minimum length, in bytes, of a body that writeBody compresses.
const compressed = 1 << 10

var zippers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return z
}}

// writeBody writes a body, compressed if the body is long and the client accepts compression.
func writeBody(w http.ResponseWriter, r *http.Request, body []byte) {
	if len(body) < compressed || !acceptsGzip(r.Header.Values("Accept-Encoding")) {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body) // fails only if the client has disconnected
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	z.Reset(w)
	z.Write(body)
	z.Close()
}

func acceptsGzip(fields []string) bool {
	for coding := range strings.SplitSeq(strings.Join(fields, ","), ",") {
		name, params, _ := strings.Cut(coding, ";")
		weight, hasWeight := strings.CutPrefix(strings.ToLower(strings.TrimSpace(params)), "q=")
		isZero := hasWeight && strings.Trim(weight, "0.") == "" // RFC 9110 section 12.4.2
		if strings.EqualFold(strings.TrimSpace(name), "gzip") && !isZero {
			return true
		}
	}
	return false
}
