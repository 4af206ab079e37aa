package operation

import (
	"slices"

	"github.com/calrules/calrules/operation/internal/public"
)

// HasParam reports whether the documents list the query parameter for the operation, or the public
// service is observed to take it. Case matters.
func (op *Operation) HasParam(name string) bool { return op.Param(name) != nil || op.isObserved(name) }

// isObserved reports whether the public service is observed to take the query parameter.
func (op *Operation) isObserved(name string) bool {
	return slices.Contains(systemParams, name) || op.public().Param(name) != nil
}

// public returns what the reference of the public service says about the operation.
func (op *Operation) public() *public.Method { return public.Lookup(string(op.orZero().ID)) }

// Observed returns the query parameters that the public service is observed to take for the operation and that the
// documents do not list. They have a name, a type, the values of an enumeration and the range of an integer, and may be
// Repeated or Standard.
func (op *Operation) Observed() []Param {
	var list []Param
	add := func(params []public.Param, isStandard bool) {
		for i := range params {
			if op.Param(params[i].Name) == nil {
				list = append(list, observed(&params[i], isStandard))
			}
		}
	}
	add(op.public().Params, false)
	add(public.Common(), true)
	for _, name := range systemParams {
		list = append(list, Param{Name: name, Type: stringType, Section: sectionObserved, Standard: true})
	}
	return list
}

// knownNames returns the names of all parameters that the operation is known to take.
func (op *Operation) knownNames() []string {
	var names []string
	for _, params := range [][]public.Param{op.public().Params, public.Common()} {
		for i := range params {
			names = append(names, params[i].Name)
		}
	}
	names = append(names, systemParams...)
	for i := range op.Params {
		names = append(names, op.Params[i].Name)
	}
	return names
}

// ObservedScopes returns the scopes that allow the operation in the public service, any of which is enough, without the
// scope base.
func (op *Operation) ObservedScopes() []string { return slices.Clone(op.public().Scopes) }

// observed returns a parameter of the public service. Its values have the public names.
func observed(p *public.Param, isStandard bool) Param {
	types := map[public.Type]string{public.Integer: integerType, public.Boolean: booleanType, public.String: stringType, public.Time: stringType}
	of := Param{
		Name: p.Name, Type: types[p.Type], Section: sectionObserved, Repeated: p.Repeated, Standard: isStandard,
		Default: p.Default, Min: p.Min, Max: p.Max, Values: slices.Clone(p.Values),
	}
	if p.Values != nil {
		of.Type = enumType
	}
	return of
}

// systemParams are further query parameters that the public service takes for every operation, like all services of its
// provider.
var systemParams = []string{"$.xgafv", "access_token", "callback", "uploadType", "upload_protocol"}

// The rules about the query of events.list and events.instances. The documents list few of these
// parameters; the rules say what the public service does.

const sectionObserved = "observed"

// discoveryPage is the address of the discovery document of the public service.
const discoveryPage = "https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest"
