package operation

import (
	"iter"

	"github.com/calrules/calrules/diag"
)

// ID names an operation: the resource in lower camel case, a dot and the operation's
// name, such as "calendarList.list".
type ID string

// Response stands where an ID does, but is no operation of the service: it is the check of
// a representation that a server returned. [Lookup] does not know it.
const Response ID = "response"

// Operation is one row of the endpoint table, with what else the documents say of it.
// There is one value for each operation, shared by all callers: it must not be written to.
type Operation struct {
	ID       ID     `json:"id"`
	Resource string `json:"resource"` // as the table spells it: "CalendarList"
	Name     string `json:"name"`     // as the table spells it: "list"
	Method   string `json:"method"`   // in capitals

	// Path is the template below the service's base URL, such as
	// "/calendars/{calendarId}/acl". A placeholder is always a whole segment.
	Path string `json:"path"`

	// Summary is what the documents say that the operation does; empty where they leave
	// it to the name.
	Summary string `json:"summary,omitzero"`

	// When is the occasion, a single bit, on which rules speak about the operation.
	When diag.When `json:"-"`

	// Params are the query parameters that the documents name for the operation, in
	// their order. Where ParamsShown is false there are others that they do not show.
	Params      []Param `json:"params,omitzero"`
	ParamsShown bool    `json:"paramsShown"`

	// EventBody tells that the request body is an Event. The bodies of the other
	// operations are not shown.
	EventBody bool `json:"eventBody"`

	// Scopes are the scopes of which a caller needs any one, each without the scope base
	// and the slash before it, such as "auth/calendar". It is nil where they are not shown.
	Scopes []string `json:"scopes,omitzero"`

	// QuotaUnits is what one request costs; 0 where that is not shown.
	QuotaUnits int `json:"quotaUnits,omitzero"`
}

// Watches reports whether the operation starts a watch, which channels.stop ends.
func (op *Operation) Watches() bool { return op.Name == "watch" }

// Lookup returns the operation with the id given. The case of letters matters.
func Lookup(id ID) (*Operation, bool) {
	op, ok := byID[id]
	return op, ok
}

// All yields the 38 operations in the order of the endpoint table.
func All() iter.Seq[*Operation] {
	return func(yield func(*Operation) bool) {
		for i := range operations {
			if !yield(&operations[i]) {
				return
			}
		}
	}
}

var byID = indexByID()

func indexByID() map[ID]*Operation {
	index := make(map[ID]*Operation, len(operations))
	for i := range operations {
		index[operations[i].ID] = &operations[i]
	}
	return index
}
