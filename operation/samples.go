package operation

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// requestIn returns an example: a request in the dialect of the public service with the given query parameters.
func requestIn(id ID, params string) diag.Example {
	return requestFor(id, `"dialect":"google"`, `"params":{`+params+`}`)
}

// insertWith returns an example: an insert with the given query parameters, which are JSON members.
func insertWith(params string) diag.Example {
	return sample.With(sample.Timed(), `"params":{`+params+`}`)
}

// requestWith returns an example: a request for an operation with the given query parameters.
func requestWith(id ID, params string) diag.Example {
	return requestFor(id, `"params":{`+params+`}`)
}

// requestFor returns an example: a request for an operation with the given other members.
func requestFor(id ID, members ...string) diag.Example {
	op := `"op":"` + string(id) + `"`
	return diag.Example{Request: `{` + strings.Join(append([]string{op}, members...), ",") + `}`}
}

// The functions that show the rules with a [diag.Effect] at work. The first encodes the operation of the id in the
// request, or null if there is none. The others encode the result of that operation's method, or its field; NewCalendar is
// called with the caller of the request.
const (
	viaLookup      = "operation.Lookup"
	viaEffect      = "operation.Operation.Effect"
	viaNewCalendar = "operation.Operation.NewCalendar"
)
