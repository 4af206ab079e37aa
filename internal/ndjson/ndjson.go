// Package ndjson reads the JSON objects of the batch form with tables: one [Object] for each kind of object, one
// [Member] for each member. It is stricter than encoding/json, because a line that is misread is worse than one that is
// refused, and it finds the id of a line even if the line is broken.
package ndjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Object is the table of a kind of JSON objects, which are read into a T.
type Object[T any] struct {
	what    string
	members []Member[T]
	names   []string
	meant   map[string]string // see [Object.Closed]; nil unless the table is closed
}

// Member is a row of a table.
type Member[T any] struct {
	name     string
	read     func(v *T, value []byte) error
	null     bool // whether null is a value, and not absence
	verbatim bool // whether the text need not be UTF-8
}

// NewObject returns the table with the members, at most 64, in their usual order. what names an object in errors, such as "a
// request". If it is empty, the objects may have other members too, of similar names.
func NewObject[T any](what string, members ...Member[T]) *Object[T] {
	o := &Object[T]{what: what, members: members}
	for _, m := range members {
		o.names = append(o.names, m.name)
	}
	return o
}

// Closed returns the table of objects that have no other members. The error about another member suggests the member for its
// name in meant, or else the member with the most similar name.
func (o *Object[T]) Closed(meant map[string]string) *Object[T] {
	closed := *o
	closed.meant = meant
	return &closed
}

// Names returns the names of the members.
func (o *Object[T]) Names() []string { return o.names }

// Of returns the row of a member. Its value is read by read, such as [Text] or [Bool], and stored where at points.
func Of[T, V any](name string, at func(*T) *V, read func(value []byte) (V, error)) Member[T] {
	return Member[T]{name: name, read: func(v *T, value []byte) error {
		got, err := read(value)
		if err == nil {
			*at(v) = got
		}
		return err
	}}
}

// Func returns the row of a member that a function reads, which may use the values that earlier members gave v.
func Func[T any](name string, read func(v *T, value []byte) error) Member[T] {
	return Member[T]{name: name, read: read}
}

// Raw returns the row of a member that is kept as written.
func Raw[T any, V ~[]byte](name string, at func(*T) *V) Member[T] {
	return Of(name, at, func(value []byte) (V, error) { return value, nil })
}

// OrNull returns the row for a member for which null is a value too.
func (m Member[T]) OrNull() Member[T] {
	m.null = true
	return m
}

// Verbatim returns the row for a member whose text others judge: it need not be UTF-8, and null is a value.
func (m Member[T]) Verbatim() Member[T] {
	m.null, m.verbatim = true, true
	return m
}

// Read reads a text into v. Unlike [json.Unmarshal] it matches names exactly, and refuses a member that appears twice or,
// unless the objects have members of others, whose name looks misspelt. It skips other unknown members. Null means absence.
// The values are parts of the text.
//
// The error is the first, usually an [*Error]. Read sets the other members even then.
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
			err = &Error{Fault: Duplicate, path: o.names[i], after: " appears twice"}
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

// index returns the index of a name, or -1. The search begins at a hint, because members are usually in the order of the
// table.
func (o *Object[T]) index(name []byte, hint int) int {
	for i := range o.names[hint:] {
		if o.names[hint+i] == string(name) {
			return hint + i
		}
	}
	return slices.Index(o.names[:hint], string(name))
}

// other returns an error for a member that is not in the table, if it is wrong. others are the names of such members
// before it.
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

// nearest returns the member that a name is most likely to mean.
func (o *Object[T]) nearest(name string) (string, bool) {
	if near, ok := form.Nearest(name, o.names); ok {
		return near, true
	}
	if o.meant == nil {
		return "", false
	}
	if near, ok := o.meant[name]; ok {
		return near, true
	}
	return form.MostSimilar(name, o.names), true
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

// Members appends the members of the object in text. A name or a value may have bytes that are not UTF-8. Half of a surrogate
// pair in a name is WTF-8.
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

// Each calls do for each member of the object in text, in order, unless it is null. Its own errors show no name, since names
// may be secret. It returns the first error.
func Each(text []byte, do func(name string, value []byte) error) error {
	return each(text, do, func(string) error { return errTwice })
}

// each is [Each] with a function that returns the error for a name that appears twice.
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

// ReadLine is [Object.Read] for a line. It sets id to the value of the member "id" even if the line is not JSON, if it can.
func (o *Object[T]) ReadLine(line []byte, v *T, id *json.RawMessage) error {
	err := o.Read(line, v)
	if e, ok := err.(*Error); ok && e.Fault == NotJSON {
		*id = FindID(line)
	}
	return ofLine(err)
}

// FindID returns the id of a line that is malformed or cut off, or nil if it is not before the fault.
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
