package tags_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
)

// TestModelCoversAllConstraints checks that for every unconditional constraint of an insert, the
// field has a tag that checks the constraint and that becomes its rule.
func TestModelCoversAllConstraints(t *testing.T) {
	for _, f := range event.Fields() {
		list := strings.Split(modelTags[f.Struct][f.Name], ",")
		for _, c := range f.Constraints {
			covers := func(tag string) bool {
				return slices.Contains(rows[name(tag)].Limits, c.Name) && slices.Contains(rulesOf(tag), c.Rule.ID)
			}
			if c.If == "" && isOnInsert(c.Rule) && !slices.ContainsFunc(list, covers) {
				t.Errorf("%s has the tags %q, which do not cover %s by %s", f.Path, list, c.Name, c.Rule.ID)
			}
		}
		for _, c := range slices.Concat(f.KeyConstraints, f.ValueConstraints) {
			if isOnInsert(c.Rule) {
				t.Errorf("%s has the tags %q, which do not cover %s of keys or values", f.Path, list, c.Name)
			}
		}
	}
}

// TestModelTagsAreShort checks that no tag names the rule that it becomes anyway.
func TestModelTagsAreShort(t *testing.T) {
	for object, fields := range modelTags {
		for field, list := range fields {
			for tag := range strings.SplitSeq(list, ",") {
				short, rule, _ := strings.Cut(tag, "=")
				if rules := rows[short].Rules; len(rules) > 0 && rules[0] == rule {
					t.Errorf("%s of %s has the tag %q; %q is enough", field, object, tag, short)
				}
			}
		}
	}
}

// TestModelCoversAllRequiredMembers checks that every member that an insert requires has a tag that
// becomes one of the rules that require it, and is not optional.
func TestModelCoversAllRequiredMembers(t *testing.T) {
	for _, f := range event.Fields() {
		list := strings.Split(modelTags[f.Struct][f.Name], ",")
		required := slices.DeleteFunc(slices.Clone(f.Required), func(r *diag.Rule) bool { return !isOnInsert(r) })
		if len(required) == 0 {
			continue
		}
		covers := func(r *diag.Rule) bool { return slices.Contains(rulesOf(list[0]), r.ID) }
		if list[0] == "" || !slices.ContainsFunc(required, covers) {
			t.Errorf("%s has the tags %q, of which the first does not require it", f.Path, list)
		}
	}
}

func isOnInsert(r *diag.Rule) bool { return r.Kind == diag.Reject && r.When.Has(diag.Insert) }

// TestModelOfSharedStructs checks that the members of a struct that occurs at several paths have the
// same constraints on an insert: tags belong to the struct.
func TestModelOfSharedStructs(t *testing.T) {
	type key struct {
		in   reflect.Type
		name string
	}
	first := map[key][]string{}
	for _, f := range event.Fields() {
		rules := []string{}
		for _, c := range f.Constraints {
			if isOnInsert(c.Rule) {
				rules = append(rules, c.Name+" "+c.Rule.ID)
			}
		}
		at := key{f.Struct, f.Name}
		if first[at] == nil {
			first[at] = rules
		}
		if diff := cmp.Diff(first[at], rules); diff != "" {
			t.Errorf("%s (-at another path +here):\n%s", f.Path, diff)
		}
	}
}

// TestEventWithoutTags checks that a validator without the tags accepts every event.
func TestEventWithoutTags(t *testing.T) {
	for name, v := range map[string]*validator.Validate{
		"plain":  validator.New(),
		"strict": validator.New(validator.WithRequiredStructEnabled(), validator.WithPrivateFieldValidation()),
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				e := fuzz.Event("").Draw(t, "event").Clone()
				spoil(t, e)
				if err := v.Struct(e); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}
