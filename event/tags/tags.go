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
	// Name is the tag as it is written in a struct tag.
	Name string

	// Want completes the sentence "The value must be ...".
	Want string

	// Rules are the ids of the rules of [event.Catalogue] that a failure can become: the first one, unless the
	// parameter names another. A failure of cal_eventid or cal_rruleline becomes the rules that the value breaks. The tag
	// cal_present has none.
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

// prefix keeps the tags apart from others.
const prefix = "cal_"

// Register registers the tags of [Table] with v, and the tags of the fields of [event.Event] and
// of the structs in it. It makes v name fields as they are named in JSON, which [Translate] relies
// on. If v already has a tag or an alias with one of the names, Register returns an error that
// names it, and leaves v unchanged; it does so too if v is nil. It replaces a TagNameFunc, and rules for the structs of the
// model, that were registered before.
//
// Call Register once, before v validates anything: a Validate caches what it knows about types,
// and is not safe to modify while it is in use.
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

// isRegistered reports whether v has a tag or an alias with the name. A Validate cannot be asked,
// but its panic about an unknown tag contains the name. Behind omitempty, nil is not checked, so
// this calls no function of the program.
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
