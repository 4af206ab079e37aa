package main

import (
	"encoding/json"
	"strings"

	"cel.dev/cel-go/cel"

	"github.com/calrules/calrules/internal/constraint"
)

// expressions states some of the rules in the Common Expression Language, as conditions on e, an event decoded from JSON. The
// expressions check required members, enumerations, limits, and the formats supported by the language, but not zone names or
// recurrence lines.
var expressions = []string{
	`has(e.start) && has(e.end)`,
	`timestamp(e.start.dateTime) <= timestamp(e.end.dateTime)`,
	`!has(e.id) || size(e.id) >= 5 && size(e.id) <= 1024 && e.id.matches("^[a-v0-9]+$")`,
	`!has(e.status) || e.status in ` + values(constraint.EventStatus),
	`!has(e.transparency) || e.transparency in ` + values(constraint.Transparency),
	`!has(e.visibility) || e.visibility in ` + values(constraint.Visibility),
	`!has(e.sequence) || e.sequence >= 0`,
	`!has(e.attendees) || e.attendees.all(a, a.email.matches("^[^@ ]+@[^@ ]+$"))`,
	`!has(e.attendees) || e.attendees.all(a, !has(a.responseStatus) || a.responseStatus in ` + values(constraint.ResponseStatus) + `)`,
	`!has(e.reminders) || !has(e.reminders.overrides) || size(e.reminders.overrides) <= 5`,
	`!has(e.reminders) || !has(e.reminders.overrides) || e.reminders.overrides.all(o, o.method in ` + values(constraint.ReminderMethod) + ` && o.minutes >= 0 && o.minutes <= 40320)`,
	`!has(e.conferenceData) || e.conferenceData.entryPoints.all(p, p.entryPointType in ` + values(constraint.EntryPointType) + ` && size(p.uri) <= 1300)`,
	`!has(e.attachments) || size(e.attachments) <= 25 && e.attachments.all(a, has(a.fileUrl))`,
	`!has(e.extendedProperties) || e.extendedProperties.all(kind, e.extendedProperties[kind].all(key, type(e.extendedProperties[kind][key]) == string))`,
}

// values returns the values of an enumeration as a list.
func values(of *constraint.Constraint) string {
	text, err := json.Marshal(of.Values())
	must(err)
	return string(text)
}

// expression is a program that evaluates all expressions.
type expression struct{ cel.Program }

func newExpression() expression {
	env, err := cel.NewEnv(cel.Variable("e", cel.DynType), cel.CrossTypeNumericComparisons(true))
	must(err)
	ast, issues := env.Compile("(" + strings.Join(expressions, ") && (") + ")")
	must(issues.Err())
	program, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize))
	must(err)
	return expression{program}
}

// holds reports whether all expressions are true for an event, which must come from [variables].
func (x expression) holds(variables map[string]any) bool {
	result, _, err := x.Eval(variables)
	return err == nil && result.Value() == true
}

// variables decodes a JSON value as the variable e of the expressions.
func variables(text string) map[string]any {
	var value any
	must(json.Unmarshal([]byte(text), &value))
	return map[string]any{"e": value}
}
