// Package rtdb is a realtime database for tests: the REST interface to a JSON tree. Package rtdbauth of
// calrules decides who each request acts as.
//
// The document shows how to read data. Writing works as in the public service: PUT replaces the
// data at a location, PATCH replaces some of its children, POST adds a child with a new name, and DELETE
// removes the data. Queries and conditional requests are refused with 501, rather than answered as if they were plain.
package rtdb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/internal/browser"
	"github.com/calrules/calrules/rtdbauth"
	"github.com/calrules/calrules/rtdbauth/rtdbhttp"
)

// Access is a question to the rules of the database: whether a request may read or write the data at a
// location.
type Access struct {
	Decision rtdbauth.Decision // who the request acts as
	Write    bool
	Path     []string // of the location; empty for the root
	Data     any      // the data at the location: nil, bool, json.Number, string, []any or map[string]any
	New      any      // the data after a write
}

// Rules reports whether access is allowed. It must not modify the data.
type Rules func(Access) bool

// Options are the options of [New].
type Options struct {
	Verifier rtdbauth.Verifier // verifies tokens; must not be nil
	Policy   rtdbauth.Policy

	// Rules are the rules of the database. If Rules is nil, only requests that bypass the rules have access.
	Rules Rules

	// Now is the clock. Nil means [time.Now].
	Now func() time.Time

	// MaxBody is the maximum size of a body in bytes. 0 or less means 10 MiB.
	MaxBody int64
}

// Database is the handler. Its paths are relative to the address of the database.
type Database struct {
	options Options
	opened  http.Handler // to scripts of web pages

	mu   sync.RWMutex
	root any
	keys keys
}

// New returns an empty database. It returns an error if there is no verifier.
func New(o Options) (*Database, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 10 << 20
	}
	if o.Rules == nil {
		o.Rules = func(Access) bool { return false }
	}
	d := &Database{options: o}
	guard := rtdbhttp.Guard{Verifier: o.Verifier, Policy: o.Policy, Now: o.Now, Status: http.StatusUnauthorized}
	guarded, err := guard.Wrap(http.HandlerFunc(d.serve))
	if err == nil {
		d.opened = browser.Open(guarded)
	}
	return d, err
}

// ServeHTTP implements [http.Handler]. Browsers may show the answers to web pages of every origin.
func (d *Database) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.opened.ServeHTTP(w, r) }

// failure is an answer that is not data.
type failure struct {
	status  int
	message string
}

func (f failure) Error() string { return f.message }

// unsupported are the query parameters and the header fields of the public service that change an answer, or whether
// data is written, and that this package does not interpret.
var unsupported = struct{ params, fields []string }{
	params: []string{"download", "endAt", "endBefore", "equalTo", "format", "limitToFirst", "limitToLast", "orderBy", "shallow", "startAfter", "startAt"},
	fields: []string{"If-Match", "X-Firebase-ETag"},
}

// checkSupported refuses a request whose answer would be wrong.
func checkSupported(r *http.Request) error {
	query := r.URL.Query()
	if i := slices.IndexFunc(unsupported.params, query.Has); i >= 0 {
		return failure{http.StatusNotImplemented, fmt.Sprintf("The database does not have the query parameter %s.", unsupported.params[i])}
	}
	if i := slices.IndexFunc(unsupported.fields, func(name string) bool { return r.Header.Get(name) != "" }); i >= 0 {
		return failure{http.StatusNotImplemented, fmt.Sprintf("The database does not have the header field %s.", unsupported.fields[i])}
	}
	return nil
}

// serve answers a request that was granted access, perhaps subject to the rules.
func (d *Database) serve(w http.ResponseWriter, r *http.Request) {
	if err := checkSupported(r); err != nil {
		refuse(w, err)
		return
	}
	decision, _ := rtdbhttp.FromContext(r.Context())
	path := split(decision.Location)
	var data any
	var err error
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		data, err = d.read(decision, path)
	case http.MethodPut, http.MethodPost, http.MethodPatch, http.MethodDelete:
		data, err = d.write(w, r, decision, path)
	default:
		w.Header().Set("Allow", "DELETE, GET, HEAD, PATCH, POST, PUT")
		err = failure{http.StatusMethodNotAllowed, "The method is not one of the database."}
	}
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if r.URL.Query().Get("print") == "silent" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	text := encode(data)
	if r.URL.Query().Get("print") == "pretty" {
		var pretty bytes.Buffer
		json.Indent(&pretty, text, "", "  ") // it is JSON
		text = pretty.Bytes()
	}
	w.Write(text) // fails only if the client is gone
}

func refuse(w http.ResponseWriter, err error) {
	f := failure{http.StatusInternalServerError, "The server failed."}
	errors.As(err, &f)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(f.status)
	json.NewEncoder(w).Encode(diag.Problem{Type: "about:blank", Title: http.StatusText(f.status), Status: f.status, Detail: f.message})
}

// split returns the names on the path of a location.
func split(location string) []string {
	return strings.FieldsFunc(location, func(r rune) bool { return r == '/' })
}

// allows reports whether a request has access.
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

var denied = failure{http.StatusUnauthorized, "The rules of the database do not allow it."}

// read returns the data at a location.
func (d *Database) read(decision rtdbauth.Decision, path []string) (any, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	data := at(d.root, path)
	if !d.allows(Access{Decision: decision, Path: path, Data: data}) {
		return nil, denied
	}
	return data, nil
}

// write changes the data at a location and returns the answer. It replaces data and never modifies it, so an
// answer can be encoded while other requests write.
func (d *Database) write(w http.ResponseWriter, r *http.Request, decision rtdbauth.Decision, path []string) (any, error) {
	sent, err := d.body(w, r)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	answer := sent
	next := d.root
	switch r.Method {
	case http.MethodPatch:
		next, err = d.patch(path, sent)
	case http.MethodPost:
		name := d.keys.next(d.options.Now())
		answer = map[string]any{"name": name}
		path = append(path, name)
		next, err = with(d.root, path, sent)
	default:
		next, err = with(d.root, path, sent)
	}
	if err != nil {
		return nil, err
	}
	if !d.allows(Access{Decision: decision, Write: true, Path: path, Data: at(d.root, path), New: at(next, path)}) {
		return nil, denied
	}
	d.root = next
	return answer, nil
}

// patch returns the tree with some children of a location replaced. The name of a child may be a path.
func (d *Database) patch(path []string, sent any) (any, error) {
	children, ok := sent.(map[string]any)
	if !ok {
		return nil, failure{http.StatusBadRequest, "The body of a patch must be an object."}
	}
	if err := checkOverlap(slices.Collect(maps.Keys(children))); err != nil {
		return nil, err
	}
	next := d.root
	for name, value := range children {
		var err error
		if next, err = with(next, append(path[:len(path):len(path)], split(name)...), value); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// checkOverlap refuses names of the same location, or of one within another: their order would decide.
func checkOverlap(names []string) error {
	const end = "\x00" // sorts before all others, so that everything within a path follows it
	paths := make([]string, len(names))
	for i, name := range names {
		for _, part := range split(name) {
			paths[i] += part + end
		}
	}
	slices.Sort(paths)
	for i := 1; i < len(paths); i++ {
		if strings.HasPrefix(paths[i], paths[i-1]) {
			return failure{http.StatusBadRequest, "The body of the patch names a location, and another one within it."}
		}
	}
	return nil
}

// body reads the data of a write. It is nil for a deletion.
func (d *Database) body(w http.ResponseWriter, r *http.Request) (any, error) {
	if r.Method == http.MethodDelete {
		return nil, nil
	}
	if r.Body == nil { // as in client requests
		return nil, failure{http.StatusBadRequest, "The body must be one JSON value."}
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, d.options.MaxBody))
	if err != nil {
		return nil, failure{http.StatusRequestEntityTooLarge, "The body is too large or incomplete."}
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var data any
	err = in.Decode(&data)
	if _, end := in.Token(); err != nil || end != io.EOF {
		return nil, failure{http.StatusBadRequest, "The body must be one JSON value."}
	}
	isPatch := r.Method == http.MethodPatch
	if children, ok := data.(map[string]any); ok && isPatch { // a null removes a child
		for name, value := range children {
			children[name] = prune(value)
		}
		return children, checkNames(children, true)
	}
	return prune(data), checkNames(data, isPatch)
}

// forbidden are the characters that a name cannot contain.
const forbidden = ".$#[]/"

// checkNames refuses names that no path can address. The names in a patch may be paths.
func checkNames(data any, isPath bool) error {
	switch v := data.(type) {
	case map[string]any:
		for name, value := range v {
			bad := forbidden
			if isPath {
				bad = strings.TrimSuffix(forbidden, "/")
			}
			if name == "" || strings.ContainsAny(name, bad) {
				return failure{http.StatusBadRequest, fmt.Sprintf("The name %q is empty or contains one of the characters %s.", name, bad)}
			}
			if err := checkNames(value, false); err != nil {
				return err
			}
		}
	case []any:
		for _, value := range v {
			if err := checkNames(value, false); err != nil {
				return err
			}
		}
	}
	return nil
}

func encode(data any) []byte {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // a bug: the data was JSON
	}
	return text
}
