package operation

import (
	"cmp"
	"math"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation/internal/public"
)

// HasParam reports whether the documents list the query parameter for the operation, or the public service is observed to
// take it. Case matters.
func (op *Operation) HasParam(name string) bool { return op.known(name) != nil }

// known returns the operation's parameter of the given name as in the public service, or nil if it is unknown.
func (op *Operation) known(name string) *Param { return named(op.inPublic(), name) }

// public returns the entry of the operation in the reference of the public service.
func (op *Operation) public() *public.Method { return public.Lookup(string(op.orZero().ID)) }

// ParamsIn returns the query parameters that the operation is known to take in a dialect: [Operation.Params] in the
// documents' and, in the public service's, those parameters as in its reference, and all others. The caller must not
// modify them.
func (op *Operation) ParamsIn(d diag.Dialect) []Param {
	if d == diag.Google {
		return op.inPublic()
	}
	return op.orZero().Params
}

// inPublic returns the parameters that the operation is known to take in the public service. The first call makes them.
func (op *Operation) inPublic() []Param {
	if op == nil || op.observed == nil { // not in the table
		return nil
	}
	return op.observed()
}

// observe returns the parameters of an operation in the public service: first the documented ones, then its
// others, then the parameters that all operations have.
func (op *Operation) observe() (list []Param) {
	own := op.public().Params
	for _, p := range op.Params {
		list = append(list, p.observed(op.public().Param(p.Name)))
	}
	for i := range own {
		if op.Param(own[i].Name) == nil {
			list = append(list, observed(own[i].Name, &own[i]))
		}
	}
	common := public.Common()
	for i := range common {
		list = append(list, standard(observed(common[i].Name, &common[i])))
	}
	for _, name := range systemParams {
		list = append(list, standard(observed(name, &public.Param{Type: public.String})))
	}
	return list
}

// observed returns a parameter that the documents do not list for the operation.
func observed(name string, p *public.Param) Param {
	of := Param{Name: name, number: -1}
	if row := paramsByName[name]; row != nil {
		of = *row
	}
	of.Section, of.Required = sectionObserved, false
	return of.observed(p)
}

func standard(p Param) Param {
	p.Standard = true
	return p
}

// observed returns the parameter as in the public service. Its values have the public names.
func (p Param) observed(as *public.Param) Param {
	if as == nil {
		return p
	}
	p.Repeated, p.Default, p.Values, p.Min, p.Max = as.Repeated, as.Default, as.Values, as.Min, as.Max
	switch as.Type {
	case public.Integer:
		p.Type, p.Format = integerType, int32Format
		p.Min, p.Max = cmp.Or(p.Min, new(int64(math.MinInt32))), cmp.Or(p.Max, new(int64(math.MaxInt32)))
	case public.Boolean:
		p.Type = booleanType
	case public.Time:
		p.Type, p.Format = stringType, timeFormat
	default:
		p.Type = stringType
	}
	if p.Values != nil {
		p.Type = enumType
	}
	if !as.Deprecated {
		p.Deprecated = ""
	}
	return p
}

// knownNames returns the names of all parameters that the operation is known to take.
func (op *Operation) knownNames() []string {
	var names []string
	for _, p := range op.inPublic() {
		names = append(names, p.Name)
	}
	return names
}

// ObservedScopes returns the scopes that allow the operation in the public service, without the scope base. Any one of them
// suffices.
func (op *Operation) ObservedScopes() []string { return slices.Clone(op.public().Scopes) }

// systemParams are further query parameters that the public service takes for every operation, like all services of its
// provider.
var systemParams = []string{"$.xgafv", "access_token", "callback", "uploadType", "upload_protocol"}

// The rules about the query of events.list and events.instances. The documents list few of these
// parameters; the rules describe the public service.

const sectionObserved = "observed"

// discoveryPage is the address of the discovery document of the public service.
const discoveryPage = "https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest"
