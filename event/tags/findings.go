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
	"github.com/calrules/calrules/internal/engine"
)

// Translate translates an error from a validator that was passed to [Register]. Translate returns a finding for each
// rule that a field breaks, in field order, or nil if err is nil. The path of a finding is the JSON Pointer of the
// field. All findings are of kind reject, regardless of the rule's kind, because the validator refused the value.
//
// Other failures become findings whose rule is not in [event.Catalogue]. The rule is validator.TAG for another tag,
// such as required or max, and validator.error for an error that is not a [validator.ValidationErrors]. A
// validator.error finding is about the whole value.
//
// The validator's field paths can be ambiguous. A path may be wrong if a map key contains "][", or if it contains "]."
// and either maps to a struct or is part of a path of more than 255 bytes. A path lacks its first part if that part is
// a field without a JSON name in an unnamed struct type.
func Translate(err error) diag.Findings {
	if err == nil {
		return nil
	}
	var failed validator.ValidationErrors
	if !errors.As(err, &failed) {
		return one(foreign("error"), "error", diag.Plain("error", err.Error()))
	}
	var findings diag.Findings
	for _, f := range failed {
		found, path := translate(f), pointer(f)
		for i := range found {
			found[i].Path, found[i].Kind = path, diag.Reject
		}
		findings = append(findings, found...)
	}
	return findings
}

// translate returns the findings about a single field, without paths.
func translate(f validator.FieldError) diag.Findings {
	member, value := cmp.Or(f.Field(), "value"), reflect.ValueOf(f.Value())
	t := lookup(f.ActualTag())
	if t == nil {
		failed := strings.TrimSuffix(f.ActualTag()+"="+f.Param(), "=")
		return one(foreign(f.ActualTag()), "fails", diag.Plain("member", member), diag.Plain("tag", failed))
	}
	if t.split != nil && f.Param() == "" && value.Kind() == reflect.String {
		if found := t.split(member, value.String()); found != nil { // nil if only another tag refuses the value
			return found
		}
	}
	report := engine.Collector{Dialect: t.dialect}
	t.report(report.For(t.rule(f), "").WithSentences(t.says()), member, value)
	return report.Findings
}

// one returns a single finding, without a path.
func one(rule *diag.Rule, key string, args ...diag.Arg) diag.Findings {
	var report engine.Collector
	report.For(rule, "").Report("", key, args...)
	return report.Findings
}

// says returns the sentences for values that the tag rejects.
func (t *tag) says() diag.Sentences {
	says := diag.Sentences{
		{Key: "missing", Text: "The {member} is required; it must be " + t.Want + "."},
		{Key: "wrong", Text: "The {member} is {value}; it must be " + t.Want + "."},
	}
	if t.constraint == nil {
		return says
	}
	return append(says, t.constraint.Says()...)
}

// report reports a value that the tag rejects. Any pointer must be nil, because the validator follows other pointers.
func (t *tag) report(r engine.Reporter, member string, value reflect.Value) {
	switch n, kind := number(value); {
	case t == present || !value.IsValid() || value.Kind() == reflect.Pointer:
		r.Report("", "missing", diag.Plain("member", member))
	case t.constraint == nil:
		r.Report("", "wrong", diag.Plain("member", member), diag.Value("value", value.String()))
	case kind == constraint.Text:
		t.constraint.Report(r, "", member, value.String())
	default:
		t.constraint.ReportInt(r, "", member, n)
	}
}

// rule returns the rule to report for a failure of the tag.
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

// foreignRules maps tags to the rules that [foreign] returned.
var foreignRules sync.Map

// foreign returns the rule for a tag of another package, which is always the same for the same tag.
func foreign(name string) *diag.Rule {
	rule, _ := foreignRules.LoadOrStore(name, &diag.Rule{
		ID: "validator." + name, Kind: diag.Reject, When: diag.All, Basis: diag.Inferred,
		Summary: "The value satisfies the validator's tag " + name + ".",
		Section: "github.com/go-playground/validator/v10",
		Says: diag.Sentences{
			{Key: "fails", Text: "The {member} fails the tag {tag}."},
			{Key: "error", Text: "{error}"},
		},
	})
	return rule.(*diag.Rule)
}
