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

// Tag is a row of [Table].
type Tag struct {
	// Name is the name of the tag, as written in a struct tag.
	Name string

	// Want completes the sentence "The value must be ...".
	Want string

	// Rules lists the ids of the rules in [event.Catalogue] that a failure can report. A failure reports the first rule unless the
	// parameter names a different rule, but cal_eventid and cal_rruleline report the rules that the value breaks. The list is
	// empty for cal_present.
	Rules []string

	// Param describes the parameter, if the tag has one. RULE is the id of the rule that requires the member; ZONE and
	// TYPE are fields of the same struct.
	Param string

	// Limits lists the names of the rows in [limits.Table] that the tag checks.
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

// prefix distinguishes the tags of this package from other tags.
const prefix = "cal_"

// Register registers the tags in [Table] with v, along with tags for the fields of [event.Event] and its structs.
// Register configures v to use the JSON names of fields, on which [Translate] relies. If v already has a tag or alias
// with the same name, Register returns an error with the name, and leaves v unchanged. A nil v is also an error.
// Register replaces any earlier TagNameFunc and any earlier rules for the structs in an event.
//
// Call Register once, before v validates anything, because a Validate caches type information and is not safe to modify
// while in use.
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

// isRegistered reports whether v has a tag or alias with the given name. A Validate has no method that lists its tags, but
// panics with a message that contains the name of an unknown tag. Validating nil with omitempty does not call the function of
// the tag.
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

// isValid reports whether a field has a value that the tag accepts, and panics if the parameter should be a rule but is not,
// because the mistake would otherwise appear only when a value fails.
func (t *tag) isValid(f validator.FieldLevel) bool {
	if rule := f.Param(); rule != "" && (t.Param == "" || t.Param == paramRule) && event.Catalogue().Lookup(rule) == nil {
		panic(fmt.Sprintf("tags: the parameter %q of the tag %s of the field %s is not a rule", rule, f.GetTag(), f.StructFieldName()))
	}
	return t.check(f)
}
