// Package ndjson decodes the JSON objects of the batch form with tables: an [Object] for each kind of object, with a
// [Member] for each member. Package ndjson is stricter than encoding/json, because misreading a line is worse than
// refusing it. Package ndjson finds the id of a line even if the line is malformed.
package ndjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Object is the table for a kind of JSON object that is decoded into a T.
type Object[T any] struct {
	what     string
	members  []Member[T]
	isClosed bool
	meant    []string // see [Object.Closed]
}

// Member is a row of a table.
type Member[T any] struct {
	name     string
	read     func(v *T, value []byte) error
	null     bool // whether null is a value, instead of meaning absence
	verbatim bool // whether the value need not be valid UTF-8
}

// NewObject returns a table with at most 64 members, which should be given in their usual order. The parameter what describes
// an object in errors, such as "a request"; "" means that the objects may have unknown members with similar names.
func NewObject[T any](what string, members ...Member[T]) *Object[T] {
	return &Object[T]{what: what, members: members}
}

// Closed returns a table that allows no unknown members. The error about an unknown member suggests the known member that
// precedes the unknown name in meant, as in "to: until timeMax", or else the member with the most similar name.
func (o *Object[T]) Closed(meant ...string) *Object[T] {
	closed := *o
	closed.isClosed, closed.meant = true, meant
	return &closed
}

// Names returns the names of the members.
func (o *Object[T]) Names() []string {
	names := make([]string, len(o.members))
	for i, m := range o.members {
		names[i] = m.name
	}
	return names
}

// Of returns the row for a member. The function read, such as [Text] or [Bool], decodes the value, and at returns a
// pointer to the variable for the value.
func Of[T, V any](name string, at func(*T) *V, read func(value []byte) (V, error)) Member[T] {
	return Member[T]{name: name, read: func(v *T, value []byte) error {
		got, err := read(value)
		if err == nil {
			*at(v) = got
		}
		return err
	}}
}

// Func returns the row for a member that a function decodes into v. The function may use the values of earlier members.
func Func[T any](name string, read func(v *T, value []byte) error) Member[T] {
	return Member[T]{name: name, read: read}
}

// Raw returns the row for a member whose value is kept as written.
func Raw[T any, V ~[]byte](name string, at func(*T) *V) Member[T] {
	return Of(name, at, func(value []byte) (V, error) { return value, nil })
}

// OrNull returns the row for a member that may be null.
func (m Member[T]) OrNull() Member[T] {
	m.null = true
	return m
}

// Verbatim returns the row for a member whose value is validated elsewhere and may be null or invalid UTF-8.
func (m Member[T]) Verbatim() Member[T] {
	m.null, m.verbatim = true, true
	return m
}

// Read decodes JSON text into v. Unlike [json.Unmarshal], Read matches names exactly, and reports repeated members and, unless
// the table allows similar names, names that look misspelled. Read skips all other unknown members. Null means that a member is
// absent. The decoded values share memory with text.
//
// Read returns the first error, usually an [*Error]. Even if a member has an error, Read decodes the other members.
func (o *Object[T]) Read(text []byte, v *T) error {
	var buffer [16]jsonscan.Member // usually enough
	members, err := Members(buffer[:0], text)
	if err != nil {
		return err
	}
	var first error
	var seen uint64
	var others [][]byte
	next := 0
	for _, m := range members {
		i := o.index(m.Name, next)
		var err error
		switch {
		case i < 0:
			err = o.other(m, others)
			others = append(others, m.Name)
		case seen&(1<<i) != 0:
			err = &Error{Fault: Duplicate, path: o.members[i].name, after: " appears twice"}
		default:
			seen |= 1 << i
			next = i + 1
			err = o.members[i].readFrom(m.Value, v)
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// index returns the index of a name, or -1. The search starts at hint, because members are usually in table order.
func (o *Object[T]) index(name []byte, hint int) int {
	is := func(m Member[T]) bool { return m.name == string(name) }
	if i := slices.IndexFunc(o.members[hint:], is); i >= 0 {
		return hint + i
	}
	return slices.IndexFunc(o.members[:hint], is)
}

// other returns an error for a member that is not in the table, or nil to skip the member. The names of earlier unknown
// members are in others.
func (o *Object[T]) other(m jsonscan.Member, others [][]byte) error {
	switch {
	case !slices.ContainsFunc(others, func(name []byte) bool { return bytes.Equal(name, m.Name) }):
	case o.what == "":
		return errTwice
	default:
		return &Error{Fault: Duplicate, before: fmt.Sprintf("%q appears twice", m.Name)}
	}
	switch {
	case !utf8.Valid(m.Value):
		return &Error{Fault: NotUTF8, before: "a member that is unknown is not valid UTF-8"}
	case o.what == "":
		return nil
	}
	if near, ok := o.nearest(string(m.Name)); ok {
		return &Error{before: fmt.Sprintf("%q is not a member of %s; did you mean %s?", m.Name, o.what, near)}
	}
	return nil
}

// nearest returns the member that a misspelled name most likely means, if any.
func (o *Object[T]) nearest(name string) (string, bool) {
	if near, ok := form.Nearest(name, o.Names()); ok {
		return near, true
	}
	if !o.isClosed {
		return "", false
	}
	for _, line := range o.meant {
		if near, names, _ := strings.Cut(line, ": "); slices.Contains(strings.Fields(names), name) {
			return near, true
		}
	}
	return form.MostSimilar(name, o.Names()), true
}

func (m *Member[T]) readFrom(value []byte, v *T) error {
	switch {
	case value[0] == 'n' && !m.null:
		return nil
	case !m.verbatim && !utf8.Valid(value):
		return &Error{Fault: NotUTF8, path: m.name, after: " is not valid UTF-8"}
	}
	return In(m.name, m.read(v, value))
}

// Members appends the members of the object in text to dst. A name or a value may contain bytes that are not UTF-8. An
// unpaired surrogate in a name is encoded in WTF-8.
func Members(dst []jsonscan.Member, text []byte) ([]jsonscan.Member, error) {
	members, ok := jsonscan.AppendMembers(dst, text)
	if ok {
		return members, nil
	}
	if err := jsonscan.Valid(text); err != nil {
		return nil, &Error{Fault: NotJSON, after: " is not JSON: " + err.Error()}
	}
	object := jsonscan.Of(text)
	if !object.IsObject() {
		return nil, &Error{Fault: NoObject, after: " must be a JSON object"}
	}
	members = dst
	for quoted, value := range object.Members() {
		members = append(members, jsonscan.Member{Name: jsonscan.UnquoteWTF8(quoted), Value: value.Text})
	}
	return members, nil
}

// Each calls do for each member of the object in text whose value is not null, in order, and returns the first error. The
// errors of Each itself contain no names, since names may be secret.
func Each(text []byte, do func(name string, value []byte) error) error {
	return each(text, do, func(string) error { return errTwice })
}

// each is like [Each], but the parameter twice is the function that returns the error about a repeated name.
func each(text []byte, do func(name string, value []byte) error, twice func(name string) error) error {
	members, err := Members(nil, text)
	if err != nil {
		return err
	}
	seen := make(map[string]bool, len(members))
	for _, m := range members {
		name := string(m.Name)
		switch {
		case seen[name]:
			return twice(name)
		case !utf8.Valid(m.Value):
			return &Error{Fault: NotUTF8, before: "a value in ", after: " is not valid UTF-8"}
		}
		seen[name] = true
		if m.Value[0] == 'n' {
			continue
		}
		if err := do(name, m.Value); err != nil {
			return err
		}
	}
	return nil
}

// ReadLine is like [Object.Read], but for a line. If the line is not valid JSON, ReadLine still sets id to the value of the
// member "id" if that member can be found.
func (o *Object[T]) ReadLine(line []byte, v *T, id *json.RawMessage) error {
	err := o.Read(line, v)
	if e, ok := err.(*Error); ok && e.Fault == NotJSON {
		*id = FindID(line)
	}
	return ofLine(err)
}

// FindID returns the id of a line that is malformed or truncated, or nil if the id does not precede the fault.
func FindID(text []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(text))
	if brace, _ := d.Token(); brace != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		if name == "id" && utf8.Valid(value) {
			return value
		}
	}
	return nil
}
