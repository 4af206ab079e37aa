// Package public lists the query parameters and the scopes of every operation of the public service, according to its
// discovery document. The names are the public ones.
package public

import (
	"iter"
	"slices"
	"strings"
)

//go:generate go run ./gen

// Param is a query parameter.
type Param struct {
	Name       string
	Type       Type
	Values     []string // of an enumeration
	Min, Max   *int64   // of an integer; nil if there is no limit
	Default    string   // empty if none is given
	Repeated   bool
	Deprecated bool
}

// Type is the type of the value of a parameter.
type Type string

// The types of parameters.
const (
	String  Type = "string"
	Integer Type = "integer"
	Boolean Type = "boolean"
	Time    Type = "date-time" // an RFC 3339 timestamp
)

// Method is an operation.
type Method struct {
	ID     string
	Params []Param  // its own, in the order of the source
	Scopes []string // any one is enough, without the scope base
}

// Lookup returns the operation of the given id, or an empty one.
func Lookup(id string) *Method {
	i, ok := slices.BinarySearchFunc(methods, id, func(m Method, id string) int { return strings.Compare(m.ID, id) })
	if !ok {
		return new(Method)
	}
	return &methods[i]
}

// All yields the operations, sorted by id.
func All() iter.Seq[*Method] {
	return func(yield func(*Method) bool) {
		for i := range methods {
			if !yield(&methods[i]) {
				return
			}
		}
	}
}

// Common returns the parameters that every operation takes.
func Common() []Param { return common }

// Param returns the parameter of the given name, own or common, or nil.
func (m *Method) Param(name string) *Param {
	for _, list := range [...][]Param{m.Params, common} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}
