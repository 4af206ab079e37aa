package tags

import (
	"reflect"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
)

// modelTags returns the tags for the fields of an event in an insert, by struct and field, derived from the declarations of the
// members.
func modelTags() map[reflect.Type]map[string]string {
	tags := map[reflect.Type]map[string]string{}
	for _, f := range event.Fields() {
		if tags[f.Struct] == nil {
			tags[f.Struct] = map[string]string{}
		}
		if list := fieldTags(f); list != nil {
			tags[f.Struct][f.Name] = strings.Join(list, ",")
		}
	}
	return tags
}

// fieldTags returns the tags for a field.
func fieldTags(f event.Field) []string {
	var tags []string
	for _, c := range f.Constraints {
		if c.If == "" && isOnInsert(c.Rule) {
			tags = append(tags, constraintTags(c)...)
		}
	}
	tags = slices.Compact(tags) // eventid checks two constraints
	if required := slices.IndexFunc(f.Required, isOnInsert); required < 0 && tags != nil {
		tags = slices.Insert(tags, 0, "omitempty")
	} else if required >= 0 && !requires(f.Constraints, f.Required[required]) {
		tags = slices.Insert(tags, 0, present.Name+"="+f.Required[required].ID)
	}
	if f.Type == "array of objects" {
		tags = append(tags, "dive")
	}
	return tags
}

// requires reports whether the rule of a constraint also requires the member. The tag of a constraint whose rule requires the
// member also rejects an absent member.
func requires(constraints []event.Constraint, rule *diag.Rule) bool {
	return slices.ContainsFunc(constraints, func(c event.Constraint) bool { return c.Rule == rule })
}

// constraintTags returns the tags for a constraint, including tags that read a second field.
func constraintTags(c event.Constraint) []string {
	t := find(table(), c.Name)
	switch {
	case t == entryURI:
		return []string{t.Name + "=Type"}
	case t == recurrenceLine:
		return []string{"dive", t.Name}
	case c.Name == constraint.EventDateTime.Name:
		return []string{t.Name, offset.Name + "=TimeZone"}
	case t.constraint != nil && t.Rules[0] != c.Rule.ID:
		return []string{t.Name + "=" + c.Rule.ID}
	default:
		return []string{t.Name}
	}
}

// isOnInsert reports whether the rule rejects inserts.
func isOnInsert(r *diag.Rule) bool { return r.Kind == diag.Reject && r.When.Has(diag.Insert) }
