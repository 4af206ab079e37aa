package gen

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/gen/script"
	"github.com/calrules/calrules/operation"
)

// variantsText lists the variants that are written by hand, because nothing declares them, in the form of
// package script. These steps say which request is broken:
//
//	on patch response      the occasions; all means all, and "on write -import" leaves one out
//	type birthday          the event types; clients, special, freeTime and default are groups of them
//	with attendees         a change of the valid event, by its name in [eventSteps]
//	whole start end        members that a patch sends even if they do not change
//
// The others break it, in order:
//
//	/start/date = VALUE    sets a member of the body; * means any element, + a new one
//	/start/date -          removes it
//	given /start = VALUE   sets it in the stored event and in the body; "given /start -" removes it
//	stored, also           edit only the stored event, or only the body, and are not the place
//	?name = A & B          sends a query parameter with values; "?name -" never sends it
//	caller, calendar, series VALUE
//
// and [namedSteps]. The line "* derived" means the variants that the schema implies. A list "form NAME" has
// values without the form of a constraint, and a list "around PATH PATH" says how the derived variants of
// these members, and of the members within, begin: the longest path counts. The names of its lines follow the names of the
// variants, except "plain".
//
//go:embed variants.txt
var variantsText string

var readText = sync.OnceValue(func() *script.Text { return script.Read(variantsText) })

// scripted are the variants in the text, by rule.
func scripted() map[string][]variant {
	all := map[string][]variant{}
	for _, line := range readText().Variants {
		switch {
		case rules()[line.Rule] == nil:
			panic("fuzz: there are variants of a rule that does not exist: " + line.Rule)
		case line.Name == "* derived":
			all[line.Rule] = append(all[line.Rule], derived()[line.Rule]...)
		default:
			all[line.Rule] = append(all[line.Rule], newVariant(line))
		}
	}
	return all
}

// newVariant compiles a line. What it says itself takes precedence over the steps of its block.
func newVariant(line script.Variant) variant {
	v := variant{name: line.Name}
	line.Compile(line.Common, v.add)
	common := v.prepare
	v.prepare = nil
	line.Compile(line.Steps, v.add)
	if v.prepare == nil {
		v.prepare = common
	}
	return v
}

// add adds a step to the variant.
func (v *variant) add(text string) {
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "on":
		v.on = occasionsOf(rest)
	case "type":
		if v.types = typeGroups()[rest]; v.types == nil {
			v.types = strings.Fields(rest)
		}
	case "with":
		v.prepare = append(slices.Clip(v.prepare), script.Find(eventSteps(), rest))
	case "whole":
		v.whole = strings.Fields(rest)
	default:
		v.isHidden = v.isHidden || slices.Contains([]string{"caller", "calendar", "series"}, word)
		v.steps = append(slices.Clip(v.steps), language().Step(text))
	}
}

// typeGroups are names for several event types.
var typeGroups = sync.OnceValue(func() map[string][]string {
	return map[string][]string{"default": defaultTypes, "clients": typesOfClients, "special": typesOfClients[1:], "freeTime": freeTimeTypes}
})

// occasionsOf reads the names of occasions.
func occasionsOf(names string) (on diag.When) {
	for name := range strings.FieldsSeq(names) {
		name, without := strings.CutPrefix(name, "-")
		when := script.Find(occasions(), name)
		if on |= when; without {
			on &^= when
		}
	}
	return on
}

// occasions are the occasions that the text can name: every single occasion, groups of them, and the occasions of the
// operations with documented parameters.
var occasions = sync.OnceValue(func() map[string]diag.When {
	named := map[string]diag.When{"all": diag.All, "write": diag.Write, "create": diag.Create, "modify": diag.Modify}
	for on := diag.When(1); diag.All.Has(on); on <<= 1 {
		named[on.String()] = on
	}
	for op := range operation.All() {
		if len(op.Params) > 0 {
			named["params"] |= op.When
		}
	}
	return named
})

// formsOf returns the values without the form of a constraint, or nil if the text has none.
func formsOf(constraint string) (values []badValue) {
	for _, line := range readText().Lists["form "+constraint] {
		values = append(values, badValue{line[0], parseValue(line[1])})
	}
	return values
}

// aroundMembers are the variants that the derived ones of some members begin with, by the paths of the members,
// separated by blanks. The members without any need nothing.
var aroundMembers = sync.OnceValue(func() map[string][]variant {
	all := map[string][]variant{"": {{}}}
	for name, lines := range readText().Lists {
		if paths, isAround := strings.CutPrefix(name, "around "); isAround {
			for _, line := range lines {
				all[paths] = append(all[paths], newVariant(script.Variant{Name: line[0], Steps: line[1:]}))
			}
		}
	}
	return all
})
