package gen

import (
	"slices"
	"strconv"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// param is a query parameter of an operation, with a generator of its values.
type param struct {
	name     string
	required bool
	value    draw.Generator[string]
	excludes []string // the parameters with which it cannot be sent
}

// paramsOf contains, for each dialect, the documented parameters of each operation, with the limits in the dialect.
var paramsOf = [...]func() map[operation.ID][]param{
	diag.Documents: sync.OnceValue(func() map[operation.ID][]param { return listParams(diag.Documents) }),
	diag.Google:    sync.OnceValue(func() map[operation.ID][]param { return listParams(diag.Google) }),
}

func listParams(in diag.Dialect) map[operation.ID][]param {
	lists := map[operation.ID][]param{
		operation.Response: {{name: "maxAttendees", value: countText(constraint.MaxAttendeesMin)}},
	}
	for op := range operation.All() {
		for _, p := range op.ParamsIn(in) {
			if op.Param(p.Name) == nil {
				continue
			}
			lists[op.ID] = append(lists[op.ID], param{p.Name, p.Required, paramValue(p), slices.Concat(p.Excludes, p.ExcludesFalse)})
		}
	}
	return lists
}

// paramValue returns a generator of values within the type and range of the parameter. If any string is allowed, the
// values are realistic.
func paramValue(p operation.Param) draw.Generator[string] {
	switch {
	case p.Only != "":
		return draw.Just(p.Only)
	case p.Type == "boolean":
		return booleanText
	case p.Type == "enum":
		return draw.SampledFrom(p.Values)
	case p.Type == "integer":
		if p.Max == nil {
			return countText(int(*p.Min))
		}
		return draw.Map(draw.IntRange(int(*p.Min), int(*p.Max)), strconv.Itoa)
	}
	if value := stringParams()[p.Name]; value != nil {
		return value
	}
	return draw.NonEmptyText(freeText)
}

// stringParams returns generators for the string parameters whose values have a specific meaning.
var stringParams = sync.OnceValue(func() map[string]draw.Generator[string] {
	return map[string]draw.Generator[string]{
		"destination":  draw.OneOf(draw.Just("primary"), draw.Address),
		"newDataOwner": draw.Address,
		"updatedMin":   timestamp,
		"syncToken":    draw.Name,
		"iCalUID":      draw.Map(draw.Name, func(name string) string { return name + "@calendar.example.com" }),
	}
})

var booleanText = draw.Sampled("false", "true")

func countText(low int) draw.Generator[string] {
	return draw.Map(draw.Integer(int64(low)), func(n int64) string { return strconv.FormatInt(n, 10) })
}

// excluded reports whether the parameter cannot be combined with the parameters that are set.
func (p *param) excluded(params operation.Params, all []param) bool {
	return slices.ContainsFunc(all, func(other param) bool {
		isEither := slices.Contains(p.excludes, other.name) || slices.Contains(other.excludes, p.name)
		return isEither && params[other.name] != nil
	})
}

// drawParams draws the query: the parameters that are already set, the parameters that the operation requires, and
// optional parameters that cannot cause a refusal. A parameter may be sent twice with the same value.
func drawParams(t *draw.T, req *event.Request) {
	if req.Params == nil {
		req.Params = operation.Params{}
	}
	all := paramsOf[req.Dialect]()[req.Op]
	for i := range all {
		if all[i].required {
			all[i].draw(t, req.Params, all)
		}
	}
	draw.Some(t, len(all), func(i int) { all[i].draw(t, req.Params, all) })
	if len(req.Params) == 0 {
		req.Params = nil
	}
}

// draw adds the parameter unless it is set or excluded. The slice all contains all parameters of the operation.
func (p *param) draw(t *draw.T, params operation.Params, all []param) {
	if params[p.name] != nil || p.excluded(params, all) {
		return
	}
	value := p.value.Draw(t, p.name)
	params[p.name] = []string{value}
	if draw.Seldom(t, "twice") {
		params[p.name] = []string{value, value}
	}
}
