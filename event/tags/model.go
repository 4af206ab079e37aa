package tags

import (
	"reflect"
	"slices"
	"strings"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/limits"
)

// modelTags returns the tags of the fields of the model, by struct and field: those of an
// insert, derived from the declarations of the members.
func modelTags() map[reflect.Type]map[string]string {
	tags := map[reflect.Type]map[string]string{}
	for _, f := range event.Fields() {
		if tags[f.Struct] == nil {
			tags[f.Struct] = map[string]string{}
		}
		if t := fieldTags(f); t != "" {
			tags[f.Struct][f.Name] = t
		}
	}
	return tags
}

// fieldTags returns the tags of a field as they would be written in a struct tag.
func fieldTags(f event.Field) string {
	var required string // the rule that requires the field
	for _, r := range f.Required {
		if isOnInsert(r) {
			required = r.ID
		}
	}
	values := valueTags(f)
	var tags []string
	switch {
	case required != "" && !slices.ContainsFunc(f.Constraints, func(c event.Constraint) bool { return c.Rule.ID == required }):
		tags = append(tags, present.Name+"="+required)
	case required == "" && len(values) > 0 && f.Type != "array of objects":
		tags = append(tags, "omitempty")
	}
	tags = append(tags, values...)
	switch {
	case f.Type == "array of objects":
		tags = append(tags, "dive")
	case f.Type == "array of strings":
		tags = []string{"dive", recurrenceLine.Name}
	}
	return strings.Join(tags, ",")
}

// valueTags returns the tags about the value of a field.
func valueTags(f event.Field) []string {
	switch {
	case f.Struct == reflect.TypeFor[event.Event]() && f.Name == "ID":
		return []string{eventID.Name}
	case f.Struct == reflect.TypeFor[event.Time]() && f.Name == "DateTime":
		return append(constraintTags(f), offset.Name+"=TimeZone")
	case f.Struct == reflect.TypeFor[conference.EntryPoint]() && f.Name == "URI":
		return []string{entryURI.Name + "=Type"}
	default:
		return constraintTags(f)
	}
}

// constraintTags returns the tags of the constraints that an insert checks whatever the other
// fields are.
func constraintTags(f event.Field) []string {
	var tags []string
	for _, c := range f.Constraints {
		if c.Conditional || !isOnInsert(c.Rule) || c.Constraint == limits.RecurrenceLine {
			continue
		}
		name := strings.ToLower(c.Name)
		if t := byName()[name]; t.Rules[0] != c.Rule.ID {
			name += "=" + c.Rule.ID
		}
		tags = append(tags, name)
	}
	return tags
}

// isOnInsert reports whether the rule rejects inserts.
func isOnInsert(r *diag.Rule) bool {
	return r.Kind == diag.Reject && r.When.Has(diag.Insert)
}
