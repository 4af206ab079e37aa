package tags

import (
	"cmp"
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
)

// Findings translates an error of a validator that was passed to [Register] with the same
// prefix. It returns a finding for each rule that a field breaks, in the order of the fields,
// and nil for nil. The path is the JSON Pointer of the field.
//
// Every other failure becomes a finding of kind reject too. Its rule is not in
// [event.Catalogue]: it is validator.TAG for another tag, such as required or max, and
// validator.error, about the whole value, for an error that is not a
// [validator.ValidationErrors].
//
// The validator returns paths as text that can be ambiguous. A path may be wrong if a map key
// contains "][", or if it contains "]." and either has a struct as its value or is part of more
// than 255 bytes. It lacks its first part if that is a field without a JSON name of a struct
// type without a name.
func Findings(err error, prefix string) diag.Findings {
	if err == nil {
		return nil
	}
	var failed validator.ValidationErrors
	if !errors.As(err, &failed) {
		return one(foreign("error"), err.Error())
	}
	var findings diag.Findings
	for _, f := range failed {
		found, path := translate(f, prefix), pointer(f)
		for i := range found {
			found[i].Path = path
		}
		findings = append(findings, found...)
	}
	return findings
}

// one returns a single finding without a path.
func one(rule *diag.Rule, message string) diag.Findings {
	return diag.Findings{diag.OldFinding(rule, "", message, diag.Data{})}
}

// translate returns the findings about one field, without their paths.
func translate(f validator.FieldError, prefix string) diag.Findings {
	member, value := cmp.Or(f.Field(), "value"), reflect.ValueOf(f.Value())
	name, isOurs := strings.CutPrefix(f.ActualTag(), prefix)
	t := lookup(name)
	if !isOurs || t == nil {
		return one(foreign(f.ActualTag()), "The "+member+" fails the tag "+strings.TrimSuffix(f.ActualTag()+"="+f.Param(), "=")+".")
	}
	if t.split != nil && f.Param() == "" && value.Kind() == reflect.String {
		return t.split(member, value.String())
	}
	return one(t.rule(f), t.explain(member, value))
}

// explain says what is wrong with a value. The only pointers here are nil: the validator follows
// others.
func (t *tag) explain(member string, value reflect.Value) string {
	switch n, kind := number(value); {
	case t == present || !value.IsValid() || value.Kind() == reflect.Pointer:
		return "The " + member + " is missing; it must be " + t.Want + "."
	case t.constraint == nil:
		return "The " + member + " is " + diag.Quote(value.String()) + "; it must be " + t.Want + "."
	case kind == constraint.Text:
		return sentence(t.constraint, t.dialect, member, value.String())
	default:
		return sentence(t.constraint, t.dialect, member, n)
	}
}

// sentence says what is wrong with a text or an integer.
func sentence[V string | int64](c *constraint.Constraint, in diag.Dialect, member string, value V) string {
	report := diag.Report{Dialect: in}
	r := report.For(&diag.Rule{Kind: diag.Reject, Says: c.Says()}, "")
	switch value := any(value).(type) {
	case string:
		c.Report(r, "", member, value)
	case int64:
		c.ReportInt(r, "", member, value)
	}
	return report.Findings[0].Message()
}

// rule returns the rule that a failure of the tag becomes.
func (t *tag) rule(f validator.FieldError) *diag.Rule {
	id := f.Param()
	if len(t.Rules) > 0 && (id == "" || t.Param != "") {
		id = t.Rules[0]
	}
	if rule := event.Catalogue().Lookup(id); rule != nil {
		return rule
	}
	return foreign(f.ActualTag())
}

// foreignRules are the rules that [foreign] returned, by tag.
var foreignRules sync.Map

// foreign returns the rule of a tag that is not one of ours, always the same for a tag.
func foreign(name string) *diag.Rule {
	rule, _ := foreignRules.LoadOrStore(name, &diag.Rule{
		ID: "validator." + name, Kind: diag.Reject, When: diag.All, Basis: diag.Inferred,
		Summary: "The value satisfies the validator's tag " + name + ".",
		Section: "github.com/go-playground/validator/v10",
	})
	return rule.(*diag.Rule)
}
