package operation

import (
	"cmp"
	"math"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation/internal/public"
)

// HasParam reports whether the documentation lists the query parameter for the operation, or the public service is
// observed to accept it. The name is case-sensitive.
func (op *Operation) HasParam(name string) bool { return op.known(name) != nil }

// known returns the parameter with the given name as defined by the public service for the operation, or nil if the parameter
// is unknown.
func (op *Operation) known(name string) *Param {
	_, byName := op.inPublic()
	return byName[name]
}

// public returns the entry for the operation in the public service's reference.
func (op *Operation) public() *public.Method { return public.Lookup(string(op.orZero().ID)) }

// ParamsIn returns the query parameters that the operation is known to accept in a dialect. In the documents dialect, ParamsIn
// returns [Operation.Params]; in the dialect of the public service, ParamsIn returns all parameters in that service's
// reference, as defined there. The caller must not modify the slice.
func (op *Operation) ParamsIn(d diag.Dialect) []Param {
	if d == diag.Google {
		list, _ := op.inPublic()
		return list
	}
	return op.orZero().Params
}

// inPublic returns the parameters that the operation is known to accept in the public service. The first call computes
// the parameters.
func (op *Operation) inPublic() (list []Param, byName map[string]*Param) {
	if op == nil || op.observed == nil { // the operation is not in the table
		return nil, nil
	}
	return op.observed()
}

// observe returns the parameters of an operation in the public service: first the documented parameters, then the other
// parameters of the operation, then the parameters common to all operations.
func (op *Operation) observe() (list []Param, byName map[string]*Param) {
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
	byName = make(map[string]*Param, len(list))
	for i := range list {
		byName[list[i].Name] = &list[i]
	}
	return list, byName
}

// observed returns a parameter that the documentation does not list for the operation.
func observed(name string, p *public.Param) Param {
	of := Param{Name: name, number: -1}
	if row := named(params, name); row != nil {
		of = *row
	}
	of.Section, of.Required = sectionObserved, false
	return of.observed(p)
}

func standard(p Param) Param {
	p.Standard = true
	return p
}

// observed returns the parameter as defined in the public service. Enum values have the public service's names.
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

// knownNames returns the names of all parameters that the operation is known to accept.
func (op *Operation) knownNames() []string {
	var names []string
	for _, p := range op.ParamsIn(diag.Google) {
		names = append(names, p.Name)
	}
	return names
}

// ObservedScopes returns the scopes that allow the operation in the public service, without the scope base. A caller needs only
// one of the scopes.
func (op *Operation) ObservedScopes() []string { return slices.Clone(op.public().Scopes) }

// systemParams lists additional query parameters that the public service, like all services of the same provider, accepts
// for every operation.
var systemParams = []string{"$.xgafv", "access_token", "callback", "uploadType", "upload_protocol"}

// The rules about the query parameters of events.list and events.instances describe the public service, because the
// documentation lists few parameters for these operations.

const sectionObserved = "observed"

// discoveryPage is the URL of the public service's discovery document.
const discoveryPage = "https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest"
