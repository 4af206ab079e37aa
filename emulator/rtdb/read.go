package rtdb

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// get handles a read.
func (d *Database) get(w http.ResponseWriter, in *request) error {
	q, err := parseQuery(in.params)
	if err != nil {
		return err
	}
	shallow, err := isShallow(in, q)
	if err != nil {
		return err
	}
	if strings.Contains(in.Header.Get("Accept"), "text/event-stream") {
		return d.stream(w, in, q)
	}
	d.mu.RLock()
	data := at(d.trees[in.decision.Database], in.path)
	d.mu.RUnlock()
	if !d.allows(Access{Decision: in.decision, Path: in.path, Data: data}) {
		return denied
	}
	switch {
	case shallow:
		data = withoutGrandchildren(data)
	case q != nil:
		data = q.apply(data)
	}
	if known := in.Header.Get("If-None-Match"); known != "" || wantsETag(in) {
		tag := etag(data)
		w.Header().Set("ETag", tag)
		if known == tag {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	answer(w, in, data)
	return nil
}

func isShallow(in *request, q *query) (bool, error) {
	switch in.params.Get("shallow") {
	case "", "false":
		return false, nil
	case "true":
		if q != nil {
			return false, bad("shallow and orderBy exclude each other")
		}
		return true, nil
	}
	return false, bad("shallow must be true or false")
}

// withoutGrandchildren returns data with each child replaced by true.
func withoutGrandchildren(data any) any {
	object, ok := data.(map[string]any)
	if !ok {
		return data
	}
	shallow := make(named, len(object))
	for name := range object {
		shallow[name] = true
	}
	return shallow
}

func wantsETag(in *request) bool { return strings.EqualFold(in.Header.Get("X-Firebase-ETag"), "true") }

// etag returns a hash of data as an ETag. For null, etag returns the same ETag as the public service.
func etag(data any) string {
	if data == nil {
		return "null_etag"
	}
	sum := sha256.Sum256(encode(data))
	return base64.StdEncoding.EncodeToString(sum[:20])
}
