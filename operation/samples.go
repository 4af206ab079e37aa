package operation

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// requestIn returns an example of a request in the dialect of the public service with the given query parameters.
func requestIn(id ID, params string) func() diag.Example {
	return requestFor(id, `"dialect":"google"`, `"params":{`+params+`}`)
}

// insertWith returns an example of an insert with the given query parameters, formatted as JSON members.
func insertWith(params string) func() diag.Example {
	return sample.With(sample.Timed(), `"params":{`+params+`}`)
}

// requestWith returns an example of a request for an operation with the given query parameters.
func requestWith(id ID, params string) func() diag.Example {
	return requestFor(id, `"params":{`+params+`}`)
}

// requestFor returns an example of a request for an operation. The other members of the example are as given.
func requestFor(id ID, members ...string) func() diag.Example {
	return func() diag.Example {
		op := `"op":"` + string(id) + `"`
		return diag.Example{Request: `{` + strings.Join(append([]string{op}, members...), ",") + `}`}
	}
}

// Functions that demonstrate rules with a [diag.Effect]. The first function encodes the operation with the id in the request,
// or null if the operation does not exist. The other functions encode the value of a method or field of that operation;
// NewCalendar is called with the caller in the request.
const (
	viaLookup      = "operation.Lookup"
	viaEffect      = "operation.Operation.Effect"
	viaNewCalendar = "operation.Operation.NewCalendar"
)
