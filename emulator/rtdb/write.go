package rtdb

import (
	"io"
	"maps"
	"net/http"
	"slices"
)

// A location is a place in the tree whose value a write replaces, together with the new value.
type location struct {
	path  []string // relative to the root
	value any
}

// change handles a write.
func (d *Database) change(w http.ResponseWriter, in *request) error {
	for name := range in.params {
		if _, isBound := bounds[name]; isBound || name == "orderBy" || name == "shallow" || name == "limitToFirst" || name == "limitToLast" {
			return bad("Only a read can have the query parameter %s", name)
		}
	}
	wanted := in.Header.Get("If-Match")
	if wanted != "" && in.Method != http.MethodPut && in.Method != http.MethodDelete {
		return bad("Only PUT and DELETE can have the header field If-Match")
	}
	sent, err := d.body(w, in)
	if err != nil {
		return err
	}
	locations, err := in.locations(sent)
	if err != nil {
		return err
	}

	d.mu.Lock()
	defer d.mu.Unlock()
	old := d.trees[in.decision.Database]
	if current := at(old, in.path); wanted != "" && wanted != "*" && wanted != etag(current) {
		w.Header().Set("ETag", etag(current))
		write(w, in, http.StatusPreconditionFailed, encode(current))
		return nil
	}
	if in.Method == http.MethodPost {
		locations[0].path = append(slices.Clip(in.path), d.keys.next(d.options.Now()))
	}
	var c change
	for i := range locations {
		l := &locations[i]
		l.value = resolve(l.value, at(old, l.path), d.options.Now())
		if !d.allows(Access{Decision: in.decision, Write: true, Path: l.path, Data: at(old, l.path), New: l.value}) {
			return denied
		}
		if !c.add(l.path, l.value) {
			return bad("The body of the patch names a location twice, or another one within it")
		}
	}
	next := c.apply(old)
	if err := d.store(in, next, locations); err != nil {
		return err
	}
	if wantsETag(in) {
		w.Header().Set("ETag", etag(at(next, in.path)))
	}
	answer(w, in, in.answerTo(sent, locations))
	return nil
}

// store replaces the tree of a database and notifies its streams.
func (d *Database) store(in *request, next any, locations []location) error {
	old, exists := d.trees[in.decision.Database]
	if !exists && len(d.trees) >= maxTrees {
		return bad("There are %d databases; more cannot be made", maxTrees)
	}
	d.trees[in.decision.Database] = next
	u := update{path: in.path, locations: locations, isPatch: in.Method == http.MethodPatch, old: old, new: next}
	for s := range d.streams {
		if s.in.decision.Database == in.decision.Database {
			s.send(u)
		}
	}
	return nil
}

// locations returns the locations that the request replaces. The name of a location added by POST is determined later.
func (in *request) locations(sent any) ([]location, error) {
	if in.Method != http.MethodPatch {
		depth := len(in.path)
		if in.Method == http.MethodPost {
			depth++
		}
		value, err := normalize(sent, depth)
		return []location{{in.path, value}}, err
	}
	children, ok := sent.(map[string]any)
	if !ok {
		return nil, bad("The body of a patch must be an object")
	}
	all := make([]location, 0, len(children))
	for _, name := range slices.Sorted(maps.Keys(children)) {
		below := split(name)
		path := append(slices.Clip(in.path), below...)
		if err := checkPath(path); err != nil {
			return nil, err
		}
		if len(below) == 0 {
			return nil, bad("The body of the patch has an empty name")
		}
		value, err := normalize(children[name], len(path))
		if err != nil {
			return nil, err
		}
		all = append(all, location{path, value})
	}
	return all, nil
}

// answerTo returns the response to a write: the name of a new child, or the written data.
func (in *request) answerTo(sent any, locations []location) any {
	switch in.Method {
	case http.MethodPost:
		path := locations[0].path
		return named{"name": path[len(path)-1]}
	case http.MethodPatch:
		written := named{}
		for i, name := range slices.Sorted(maps.Keys(sent.(map[string]any))) {
			written[name] = locations[i].value
		}
		return written
	}
	return locations[0].value
}

// body reads the data in a write, which is nil for DELETE.
func (d *Database) body(w http.ResponseWriter, in *request) (any, error) {
	if in.Method == http.MethodDelete {
		return nil, nil
	}
	if in.Body == nil { // possible in client requests
		return nil, bad("The body must be one JSON value")
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, in.Body, int64(d.options.MaxBytes)))
	if err != nil {
		return nil, failure{http.StatusRequestEntityTooLarge, "The body is too large or incomplete"}
	}
	return decode(text)
}
