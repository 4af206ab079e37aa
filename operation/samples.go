package operation

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// requestIn is an operation and the query parameters of a request in the dialect of the public service.
type requestIn [2]string

func (r requestIn) Example() diag.Example {
	return requestFor{r[0], `"dialect":"google"`, `"params":{` + r[1] + `}`}.Example()
}

// insertWith is an insert with the given query parameters, formatted as JSON members.
type insertWith string

func (params insertWith) Example() diag.Example {
	return sample.With(sample.Timed{}, `"params":{`+string(params)+`}`).Example()
}

// requestWith is an operation and the query parameters of a request.
type requestWith [2]string

func (r requestWith) Example() diag.Example {
	return requestFor{r[0], `"params":{` + r[1] + `}`}.Example()
}

// requestFor is an operation and the other members of a request.
type requestFor []string

func (r requestFor) Example() diag.Example {
	return diag.Example{Request: `{"op":"` + strings.Join(append([]string{r[0] + `"`}, r[1:]...), ",") + `}`}
}

// Functions that demonstrate rules with a [diag.Effect]. The first function encodes the operation with the id in the request,
// or null if the operation does not exist. The other functions encode the value of a method or field of that operation;
// NewCalendar is called with the caller in the request.
const (
	viaLookup      = "operation.Lookup"
	viaEffect      = "operation.Operation.Effect"
	viaNewCalendar = "operation.Operation.NewCalendar"
)
