// Package public lists the query parameters and scopes of every operation of the public service, according to the service's
// discovery document. Package public uses the public service's names.
package public

import (
	"iter"
	"slices"
	"strings"
)

//go:generate go run ./gen

// A Param is a query parameter.
type Param struct {
	Name       string
	Type       Type
	Values     []string // the values of an enumeration
	Min, Max   *int64   // the bounds of an integer; nil if there is no limit
	Default    string   // empty if no default is specified
	Repeated   bool
	Deprecated bool
}

// A Type is the type of a parameter value.
type Type string

// The parameter types.
const (
	String  Type = "string"
	Integer Type = "integer"
	Boolean Type = "boolean"
	Time    Type = "date-time" // an RFC 3339 timestamp
)

// A Method is an operation.
type Method struct {
	ID     string
	Params []Param  // excludes common parameters; the order is the order of the source
	Scopes []string // the scopes that allow the operation, without the scope base; any one suffices
}

// Lookup returns the operation with the given id, or an empty Method if there is none.
func Lookup(id string) *Method {
	i, ok := slices.BinarySearchFunc(methods, id, func(m Method, id string) int { return strings.Compare(m.ID, id) })
	if !ok {
		return new(Method)
	}
	return &methods[i]
}

// All yields all operations, sorted by id.
func All() iter.Seq[*Method] {
	return func(yield func(*Method) bool) {
		for i := range methods {
			if !yield(&methods[i]) {
				return
			}
		}
	}
}

// Common returns the parameters that every operation accepts.
func Common() []Param { return common }

// Param returns the parameter with the given name, including common parameters, or nil if there is none.
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
