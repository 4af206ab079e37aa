package tags

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// Findings translates what a validator that was readied with [Register] returned. It gives a
// finding for each rule that a field broke, in the order of the fields, and nil for nil. The
// kind is that of the rule, and the path the JSON Pointer of the member.
//
// Nothing that refuses is lost: a tag that is not ours, such as required or max, becomes a
// finding of kind reject whose rule is validator.<tag>, and an error that is no
// [validator.ValidationErrors] one whose rule is validator.error, about the whole. These
// rules are no part of [event.Catalogue].
//
// A place is as good as the namespace that the validator gives. It does not tell where a map
// key ends that holds "][", or that holds "]." and either has a struct below it or stands in a
// namespace of more than 255 bytes; nor whether it begins with the name of a type or with that
// of a field, where the struct type has no name and the field no JSON name.
func Findings(err error) diag.Findings {
	if err == nil {
		return nil
	}
	var failed validator.ValidationErrors
	if !errors.As(err, &failed) {
		return diag.Findings{{Rule: foreign("error"), Kind: diag.Reject, Message: err.Error()}}
	}
	var findings diag.Findings
	for _, f := range failed {
		findings = append(findings, translate(f)...)
	}
	return findings
}

// translate returns the findings of one field.
func translate(f validator.FieldError) diag.Findings {
	path, member := pointer(f), cmp.Or(f.Field(), "value")
	t := byName()[f.ActualTag()]
	if t == nil {
		return diag.Findings{{Rule: foreign(f.ActualTag()), Kind: diag.Reject, Path: path, Message: "The " + member + " " + failing(f)}}
	}
	value := reflect.ValueOf(f.Value())
	var findings diag.Findings
	if t.split != nil && f.Param() == "" && value.Kind() == reflect.String {
		for _, fault := range t.split(member, value.String()) {
			doc := event.Catalogue().Lookup(fault.rule)
			findings = append(findings, diag.Finding{Rule: doc, Kind: doc.Kind, Path: path, Message: fault.message})
		}
	}
	if findings == nil {
		doc := t.rule(f.Param())
		findings = diag.Findings{{Rule: doc, Kind: doc.Kind, Path: path, Message: t.sentence(member, value)}}
	}
	return findings
}

// failing says that a tag that is not ours failed, which is all that is known of it.
func failing(f validator.FieldError) string {
	if f.Param() == "" {
		return "fails the tag " + f.ActualTag() + "."
	}
	return "fails the tag " + f.ActualTag() + "=" + f.Param() + "."
}

// isNil reports whether a value that failed is a nil pointer: others the validator follows.
func isNil(value reflect.Value) bool {
	return !value.IsValid() || value.Kind() == reflect.Pointer
}

// sentence says what is wrong with a value that failed.
func (t *tag) sentence(member string, value reflect.Value) string {
	if isNil(value) && !t.ofNil {
		return "The " + member + " is missing; it must be " + t.Want + "."
	}
	return t.explain(member, value)
}

// rule returns the rule that a failure becomes: the first of its own, unless the parameter
// names another.
func (t *tag) rule(param string) *diag.Rule {
	id := param
	if len(t.Rules) > 0 && (param == "" || t.Param != "") {
		id = t.Rules[0]
	}
	if doc := event.Catalogue().Lookup(id); doc != nil {
		return doc
	}
	return foreign(t.Name)
}

// foreignDocs keeps what [foreign] made: of one tag there is one rule.
var foreignDocs sync.Map

// foreign returns the rule of a tag that is none of ours.
func foreign(name string) *diag.Rule {
	if doc, ok := foreignDocs.Load(name); ok {
		return doc.(*diag.Rule)
	}
	doc, _ := foreignDocs.LoadOrStore(name, &diag.Rule{
		ID: "validator." + name, Kind: diag.Reject, When: diag.All, Basis: diag.Inferred,
		Summary: fmt.Sprintf("The tag %s of the validator holds.", name),
		Section: "github.com/go-playground/validator/v10",
	})
	return doc.(*diag.Rule)
}
