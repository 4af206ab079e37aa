package operation

import (
	"cmp"
	"iter"
	"slices"

	"github.com/calrules/calrules/diag"
)

// ID identifies an operation: the resource in lower camel case, a dot and the name of the
// operation, such as "calendarList.list".
type ID string

// Response is used like an ID, but is not an operation of the service: it means the check of a representation from a
// server. [Lookup] does not find it.
const Response ID = "response"

// Operation is a row of the endpoint table, with all other facts of the documents about the operation. There is one value
// for each operation. Callers must not modify it. The methods treat a nil Operation like the zero one, which is not in the
// table and takes no parameters.
type Operation struct {
	ID       ID     `json:"id"`
	Resource string `json:"resource"` // as in the table, such as "CalendarList"
	Name     string `json:"name"`     // as in the table, such as "list"
	Method   string `json:"method"`   // in upper case

	// Path is the path template below the base URL of the service, such as
	// "/calendars/{calendarId}/acl". A placeholder is always a whole segment.
	Path string `json:"path"`

	// Summary describes the operation in one sentence.
	Summary string `json:"summary"`

	// When is the occasion, a single bit, on which rules apply to the operation.
	When diag.When `json:"-"`

	// Effect is the effect of an accepted request.
	Effect Effect `json:"effect"`

	// Params lists the query parameters that the documents name for the operation. If
	// ParamsShown is false, the operation has others that the documents do not show.
	Params      []Param `json:"params,omitzero"`
	ParamsShown bool    `json:"paramsShown"`

	// EventBody reports whether the request body is an Event. The documents do not show the
	// bodies of the other operations.
	EventBody bool `json:"eventBody"`

	// Scopes lists the scopes that allow the operation, without the scope base, such as
	// "auth/calendar". A caller needs one of them. It is nil if the documents do not show them.
	Scopes []string `json:"scopes,omitzero"`

	// QuotaUnits is the cost of one request, or 0 if the documents do not show it.
	QuotaUnits int `json:"quotaUnits,omitzero"`

	observed func() []Param // see inPublic
	segments []string       // of the path
	requires bool           // whether one of Params is required
}

// The zero Operation. It is never modified.
var zeroOperation Operation

// orZero returns op, or the zero Operation for nil.
func (op *Operation) orZero() *Operation { return cmp.Or(op, &zeroOperation) }

// Param returns the parameter of [Operation.Params] of the given name, or nil if there is none.
func (op *Operation) Param(name string) *Param { return named(op.orZero().Params, name) }

// named returns the parameter of the given name, or nil if there is none.
func named(params []Param, name string) *Param {
	for i := range params {
		if p := &params[i]; p.Name == name {
			return p
		}
	}
	return nil
}

// Lookup returns the operation of the given id. Case matters.
func Lookup(id ID) (*Operation, bool) {
	op, ok := byID[id]
	return op, ok
}

// All yields all operations in the order of the endpoint table.
func All() iter.Seq[*Operation] { return slices.Values(operations) }

var byID = func() map[ID]*Operation {
	index := map[ID]*Operation{}
	for _, op := range operations {
		index[op.ID] = op
	}
	return index
}()
