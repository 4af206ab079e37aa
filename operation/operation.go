package operation

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"github.com/calrules/calrules/diag"
)

// An ID identifies an operation. An ID consists of the resource in lower camel case, a dot and the name of the
// operation, as in "calendarList.list".
type ID string

// Response is used like an ID, but is not an operation of the service: it selects the check of a representation that a server
// has sent. [Lookup] does not find Response.
const Response ID = "response"

// An Operation is a row of the endpoint table, together with all other documented facts about the operation. There is a single
// value for each operation, which callers must not modify. The methods treat a nil Operation like the zero Operation, which is
// not in the table and accepts no parameters.
type Operation struct {
	ID       ID     `json:"id"`
	Resource string `json:"resource"` // as in the table, such as "CalendarList"
	Name     string `json:"name"`     // as in the table, such as "list"
	Method   string `json:"method"`   // in upper case

	// Path is the path template relative to the base URL of the service, such as "/calendars/{calendarId}/acl". A
	// placeholder is always a whole segment.
	Path string `json:"path"`

	// Summary describes the operation in one sentence.
	Summary string `json:"summary"`

	// When is the occasion of the operation, which determines the applicable rules. When is a single bit.
	When diag.When `json:"-"`

	// Effect describes the effect of an accepted request.
	Effect Effect `json:"effect"`

	// Params lists the documented query parameters of the operation. If ParamsShown is false, the operation has further parameters
	// that the documentation does not show.
	Params      []Param `json:"params,omitzero"`
	ParamsShown bool    `json:"paramsShown"`

	// EventBody reports whether the request body is an Event. For other operations, the documentation does not show the body.
	EventBody bool `json:"eventBody"`

	// Scopes lists the scopes that allow the operation, without the scope base, such as "auth/calendar". A caller needs only one
	// of the scopes. If the documentation does not show the scopes, Scopes is nil.
	Scopes []string `json:"scopes,omitzero"`

	// QuotaUnits is the quota cost of one request, or 0 if the documentation does not show the cost.
	QuotaUnits int `json:"quotaUnits,omitzero"`

	observed func() ([]Param, map[string]*Param) // see inPublic
	segments []string                            // the segments of the path
	requires bool                                // whether one of Params is required
}

// The zero Operation, which is never modified.
var zeroOperation Operation

// orZero returns op, or the zero Operation if op is nil.
func (op *Operation) orZero() *Operation { return cmp.Or(op, &zeroOperation) }

// Param returns the parameter in [Operation.Params] with the given name, or nil if there is none.
func (op *Operation) Param(name string) *Param { return named(op.orZero().Params, name) }

// named returns the parameter with the given name, or nil if there is none.
func named(params []Param, name string) *Param {
	for i := range params {
		if p := &params[i]; p.Name == name {
			return p
		}
	}
	return nil
}

// Lookup returns the operation with the given id, which is case-sensitive.
func Lookup(id ID) (*Operation, bool) {
	op, ok := byID()[id]
	return op, ok
}

// All yields all operations in the order of the endpoint table.
func All() iter.Seq[*Operation] { return slices.Values(operations()) }

var byID = sync.OnceValue(func() map[ID]*Operation {
	index := map[ID]*Operation{}
	for _, op := range operations() {
		index[op.ID] = op
	}
	return index
})
