package tags

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/event"
)

// Tag is one row of [Table].
type Tag struct {
	// Name is the tag as written in a struct tag.
	Name string

	// Want completes the sentence "The value must be ...".
	Want string

	// Rules are the ids of the rules of [event.Catalogue] that a failure can report: the first, unless the parameter
	// names another. cal_eventid and cal_rruleline report the rules that the value breaks. cal_present has none.
	Rules []string

	// Param describes the parameter, if the tag takes one: RULE is the id of the
	// rule that requires the member; ZONE and TYPE are fields of the same struct.
	Param string

	// Limits are the names of the rows of [limits.Table] that the tag checks.
	Limits []string
}

// Table returns the tags that [Register] registers. The caller may modify the slices.
func Table() []Tag {
	var list []Tag
	for _, t := range table() {
		row := t.Tag
		row.Rules, row.Limits = slices.Clone(row.Rules), slices.Clone(row.Limits)
		list = append(list, row)
	}
	return list
}

// prefix distinguishes the tags of this package from others.
const prefix = "cal_"

// Register registers the tags of [Table] with v, and the tags of the fields of [event.Event] and of the structs in it.
// It makes v use the JSON names of fields, which [Translate] relies on. If v already has a tag or an alias of the same
// name, Register returns an error that names it, and leaves v unchanged. A nil v is an error too. Register replaces an
// earlier TagNameFunc and earlier rules for the structs of the model.
//
// Call Register once, before v validates anything: a Validate caches type information, and is not safe to modify while
// in use.
func Register(v *validator.Validate) error {
	if v == nil {
		return errors.New("tags: there is no validator")
	}
	for _, t := range table() {
		if isRegistered(v, t.Name) {
			return fmt.Errorf("tags: the validator already has a tag or an alias %q; call Register once, and give other tags other names", t.Name)
		}
	}
	for _, t := range table() {
		if err := v.RegisterValidation(t.Name, t.isValid, t == present); err != nil {
			return err
		}
	}
	for model, tags := range modelTags() {
		v.RegisterStructValidationMapRules(tags, reflect.Zero(model).Interface())
	}
	v.RegisterTagNameFunc(memberName)
	return nil
}

// isRegistered reports whether v has a tag or an alias of the given name. A Validate has no method for this, but its
// panic about an unknown tag contains the name. After omitempty, nil is not checked, so this calls no function of the
// program.
func isRegistered(v *validator.Validate, name string) (found bool) {
	defer func() {
		if r := recover(); r != nil {
			found = !strings.Contains(fmt.Sprint(r), name)
		}
	}()
	_ = v.Var(nil, "omitempty,"+name)
	return true
}

// paramRule is the [Tag.Param] of a tag whose parameter must be a rule.
const paramRule = "RULE"

// isValid reports whether a field has a value that the tag wants. It panics if the parameter
// must be a rule and is not: otherwise the mistake would appear only when a value fails.
func (t *tag) isValid(f validator.FieldLevel) bool {
	if rule := f.Param(); rule != "" && (t.Param == "" || t.Param == paramRule) && event.Catalogue().Lookup(rule) == nil {
		panic(fmt.Sprintf("tags: the parameter %q of the tag %s of the field %s is not a rule", rule, f.GetTag(), f.StructFieldName()))
	}
	return t.check(f)
}
