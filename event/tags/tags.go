package tags

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/event"
)

// Tag is one row of [Table].
type Tag struct {
	// Name is how the tag is written in a struct tag: `validate:"eventid"`.
	Name string

	// Holds completes the sentence "the value must be ...".
	Holds string

	// Rules are the ids of the rules of [event.Catalogue] that a failure can become. There are
	// none for the tag present, which becomes the rule that its parameter names.
	Rules []string

	// Param stands for the parameter, where the tag takes one of its own: RULE is the id of the
	// rule that wants the member, ZONE and TYPE are fields beside it. To every other tag a
	// parameter is the id of the rule that a failure becomes instead.
	Param string

	// Limits are the identifiers of package limits that the tag is made of.
	Limits []string
}

// tag is a Tag with what it does.
type tag struct {
	Tag

	// check reports whether the field holds what the tag wants.
	check func(validator.FieldLevel) bool

	// ofNil says that the tag is asked of nil pointers too. The validator refuses those by
	// itself for all other tags, unless omitempty stands before them.
	ofNil bool

	// say tells of a value that failed, in a sentence that begins after "The <member> ".
	say func(value reflect.Value) string

	// split returns the findings of a failed text, where the tag stands for several rules. It
	// is nil where it stands for one.
	split func(text string) []fault
}

// Table returns the tags that [Register] registers, in the order in which the document comes
// to what they are about. The slices are the caller's own.
func Table() []Tag {
	list := make([]Tag, len(table))
	for i, t := range table {
		list[i] = t.Tag
		list[i].Rules, list[i].Limits = slices.Clone(t.Rules), slices.Clone(t.Limits)
	}
	return list
}

// Register registers the tags of [Table] with v, and has v call members by their JSON names,
// as [Findings] needs it to. It replaces a TagNameFunc that was registered before.
//
// It is to be called once, before v validates anything: a Validate keeps what it knows of a
// type, and is not to be written to while it is in use. The error is the validator's.
func Register(v *validator.Validate) error {
	v.RegisterTagNameFunc(memberName)
	for _, t := range table {
		if err := v.RegisterValidation(t.Name, t.holds, t.ofNil); err != nil {
			return err
		}
	}
	return nil
}

// paramRule is the [Tag.Param] of a tag whose parameter has to be a rule.
const paramRule = "RULE"

// holds asks the tag. It panics where the parameter is no rule: that is a mistake in the
// program, and would be found only where a value fails.
func (t *tag) holds(f validator.FieldLevel) bool {
	if rule := f.Param(); rule != "" && (t.Param == "" || t.Param == paramRule) && event.Catalogue().Lookup(rule) == nil {
		panic(fmt.Sprintf("tags: the parameter %q of the tag %s of the field %s is no rule", rule, t.Name, f.StructFieldName()))
	}
	return t.check(f)
}

var byName = indexByName(table)

func indexByName(table []tag) map[string]*tag {
	index := make(map[string]*tag, len(table))
	for i := range table {
		index[table[i].Name] = &table[i]
	}
	return index
}
