// Package rtdb implements a realtime database for tests, with a REST interface to a JSON tree. Requests are authenticated
// by package rtdbauth of calrules.
//
// The documents describe only reads. All other functions work as in the public service. PUT replaces the data at a location,
// PATCH replaces some of the children, POST adds a child with a new name, and DELETE removes the data. Reads can be shallow or
// have a query. Conditional requests compare ETags. A client that accepts text/event-stream receives every change.
package rtdb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/calrules/calrules/emulator/internal/browser"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/rtdbauth"
	"github.com/calrules/calrules/rtdbauth/rtdbhttp"
)

// Access describes a request to read or write the data at a location, for a decision by [Rules].
type Access struct {
	Decision rtdbauth.Decision // the identity of the client
	Write    bool
	Path     []string // the location; empty for the root
	Data     any      // the current data: nil, bool, json.Number, string, or map[string]any, which also represents arrays
	New      any      // the data after a write
}

// Rules reports whether an access is allowed. Rules must not modify the data.
type Rules func(Access) bool

// Options configures a [Database].
type Options struct {
	Verifier rtdbauth.Verifier // verifies tokens; must not be nil

	// Policy is the policy for authentication. The dialect of the policy determines whether requests can name a database,
	// override their method, or limit a service account.
	Policy rtdbauth.Policy

	// Rules are the rules of the database. If Rules is nil, only requests that bypass rules are allowed.
	Rules Rules

	// Now returns the current time. If Now is nil, [time.Now] is used.
	Now func() time.Time

	// MaxBytes is the maximum length of a request body, in bytes. If MaxBytes is not positive, [event.DefaultMaxBytes] is used.
	MaxBytes int

	// KeepAlive is the interval at which an idle stream sends a keep-alive event and checks that its client still has access.
	// If KeepAlive is not positive, the interval is 30 seconds.
	KeepAlive time.Duration
}

// Database is the handler for one or more databases, which share tokens and rules. Authenticating a request determines its
// database; the path of the request is relative to the address of that database.
type Database struct {
	options Options
	opened  http.Handler // also responds to scripts on web pages
	closed  chan struct{}
	close   func()

	mu      sync.RWMutex
	trees   map[string]any // by database name
	streams map[*stream]bool
	keys    keys

	ruleTexts map[string][]byte // by database name
}

// The maximum numbers of databases and streams in one Database.
const (
	maxTrees   = 1000
	maxStreams = 1000
)

// New returns an empty database. New returns an error if there is no verifier.
func New(o Options) (*Database, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = event.DefaultMaxBytes
	}
	if o.KeepAlive <= 0 {
		o.KeepAlive = 30 * time.Second
	}
	if o.Rules == nil {
		o.Rules = func(Access) bool { return false }
	}
	d := &Database{options: o, closed: make(chan struct{}), trees: map[string]any{}, streams: map[*stream]bool{}, ruleTexts: map[string][]byte{}}
	d.close = sync.OnceFunc(func() { close(d.closed) })
	guard := rtdbhttp.Guard{Verifier: o.Verifier, Policy: o.Policy, Now: o.Now, Status: http.StatusUnauthorized}
	guarded, err := guard.Wrap(http.HandlerFunc(d.serve))
	if err == nil {
		d.opened = browser.Open(guarded)
	}
	return d, err
}

// Close ends all streams. The database still serves other requests.
func (d *Database) Close() { d.close() }

// ServeHTTP implements [http.Handler]. Responses allow access from web pages of any origin.
func (d *Database) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !d.serveLive(w, r) {
		d.opened.ServeHTTP(w, r)
	}
}

// failure is an error with the status of the response.
type failure struct {
	status  int
	message string
}

func (f failure) Error() string { return f.message }

// bad returns a failure with status 400.
func bad(format string, args ...any) error {
	return failure{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

var denied = failure{http.StatusUnauthorized, "Permission denied"}

// unsupported lists the query parameters of the public service that affect a response but are not supported by this package.
var unsupported = []string{"callback", "download", "format"}

// A request is an authenticated request, which the rules may still deny.
type request struct {
	*http.Request
	params   url.Values
	decision rtdbauth.Decision
	path     []string
}

func newRequest(r *http.Request) (*request, error) {
	decision, _ := rtdbhttp.FromContext(r.Context())
	in := &request{Request: r, params: r.URL.Query(), decision: decision, path: split(decision.Location)}
	if decision.Location == rulesPath {
		return in, nil
	}
	if i := slices.IndexFunc(unsupported, in.params.Has); i >= 0 {
		return nil, failure{http.StatusNotImplemented, fmt.Sprintf("The database does not have the query parameter %s", unsupported[i])}
	}
	return in, checkPath(in.path)
}

// serve handles an authenticated request, to which the rules may still deny access.
func (d *Database) serve(w http.ResponseWriter, r *http.Request) {
	in, err := newRequest(r)
	if err != nil {
		refuse(w, err)
		return
	}
	if in.decision.Location == rulesPath {
		if err := d.rules(w, in); err != nil {
			refuse(w, err)
		}
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		err = d.get(w, in)
	case http.MethodPut, http.MethodPost, http.MethodPatch, http.MethodDelete:
		err = d.change(w, in)
	default:
		w.Header().Set("Allow", "DELETE, GET, HEAD, PATCH, POST, PUT")
		err = failure{http.StatusMethodNotAllowed, "The method is not one of the database"}
	}
	if err != nil {
		refuse(w, err)
	}
}

// answer writes data in the form selected by the print parameter.
func answer(w http.ResponseWriter, in *request, data any) {
	write(w, in, http.StatusOK, encode(data))
}

func write(w http.ResponseWriter, in *request, status int, text []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	switch in.params.Get("print") {
	case "silent":
		if status == http.StatusOK {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	case "pretty":
		var pretty bytes.Buffer
		json.Indent(&pretty, text, "", "  ") // cannot fail, because text is JSON
		text = pretty.Bytes()
	}
	w.WriteHeader(status)
	w.Write(text) // fails only if the client has disconnected
}

// refuse responds with an error in the public service's form.
func refuse(w http.ResponseWriter, err error) {
	f := failure{http.StatusInternalServerError, "The server failed"}
	errors.As(err, &f)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(f.status)
	json.NewEncoder(w).Encode(map[string]string{"error": f.message})
}

// split returns the names in the path of a location.
func split(location string) []string {
	return strings.FieldsFunc(location, func(r rune) bool { return r == '/' })
}

// allows reports whether an access is allowed.
func (d *Database) allows(a Access) bool {
	switch {
	case !a.Decision.Granted():
		return false
	case a.Decision.Bypass:
		return true
	default:
		return d.options.Rules(a)
	}
}

// decode decodes a single JSON value.
func decode(text []byte) (any, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var data any
	err := in.Decode(&data)
	if _, end := in.Token(); err != nil || end != io.EOF {
		return nil, bad("The body must be one JSON value")
	}
	return data, nil
}
