package tags

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/event"
)

// Tag is one row of [Table].
type Tag struct {
	// Name is the tag as it is written in a struct tag: `validate:"eventid"`.
	Name string

	// Want completes the sentence "The value must be ...".
	Want string

	// Rules are the ids of the rules of [event.Catalogue] that a failure can become. There are
	// none for the tag present, whose parameter names the rule.
	Rules []string

	// Param describes the parameter, if the tag takes one of its own: RULE is the id of the
	// rule that requires the member, ZONE and TYPE are fields of the same struct. The
	// parameter of any other tag is the id of the rule that a failure becomes instead.
	Param string

	// Limits are the names of the constraints of package limits that the tag checks.
	Limits []string
}

// tag is a Tag with what it does.
type tag struct {
	Tag

	// check reports whether the field is as the tag wants it.
	check func(validator.FieldLevel) bool

	// ofNil says that the tag is also checked on nil pointers. For all other tags the validator
	// itself refuses those, unless omitempty precedes them.
	ofNil bool

	// explain says what is wrong with the value of the member, as a sentence.
	explain func(member string, value reflect.Value) string

	// split returns the findings about a text, if the tag checks several rules. It is nil if
	// the tag checks one.
	split func(member, text string) []fault
}

// fault is one of the things that are wrong with a text.
type fault struct{ rule, message string }

// Table returns the tags that [Register] registers, in the order in which the documents come to
// the members that they are about. The caller may modify the slices.
func Table() []Tag {
	list := make([]Tag, len(table()))
	for i, t := range table() {
		list[i] = t.Tag
		list[i].Rules, list[i].Limits = slices.Clone(t.Rules), slices.Clone(t.Limits)
	}
	return list
}

// Register registers the tags of [Table] with v, and the tags of the fields of [event.Event] and
// of the structs within it. It makes v call members by their JSON names, as [Findings] needs; it
// replaces a TagNameFunc that was registered before.
//
// Call Register once, before v validates anything: a Validate caches what it knows of a type,
// and must not be modified while it is in use. The error is the validator's.
func Register(v *validator.Validate) error {
	v.RegisterTagNameFunc(memberName)
	for _, t := range table() {
		if err := v.RegisterValidation(t.Name, t.holds, t.ofNil); err != nil {
			return err
		}
	}
	for model, tags := range modelTags() {
		v.RegisterStructValidationMapRules(tags, reflect.Zero(model).Interface())
	}
	return nil
}

// paramRule is the [Tag.Param] of a tag whose parameter must be a rule.
const paramRule = "RULE"

// holds checks the tag. It panics if the parameter is not a rule: that is a mistake in the
// program, and would otherwise be found only once a value fails.
func (t *tag) holds(f validator.FieldLevel) bool {
	if rule := f.Param(); rule != "" && (t.Param == "" || t.Param == paramRule) && event.Catalogue().Lookup(rule) == nil {
		panic(fmt.Sprintf("tags: the parameter %q of the tag %s of the field %s is not a rule", rule, t.Name, f.StructFieldName()))
	}
	return t.check(f)
}

// byName indexes the table.
var byName = sync.OnceValue(func() map[string]*tag {
	index := make(map[string]*tag, len(table()))
	for _, t := range table() {
		index[t.Name] = t
	}
	return index
})
