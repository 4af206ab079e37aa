package payload

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation"
)

// variantsText lists the variants that are written by hand, because nothing declares them. The id of
// a rule begins a block; each indented line below it is a variant: its name and its steps, separated
// by " | ". Steps after the id are those of all variants of the block.
//
// These steps say which request is broken:
//
//	on patch response      the occasions; all means all, and "on write -import" leaves one out
//	type birthday          the event types; clients, special, freeTime and default are groups of them
//	with attendees         a preparation of the valid event, by its name in [preparations]
//	whole start end        members that a patch sends even if they do not change
//	kind advise            the kind of the finding, if it is not that of the rule
//	at /start              the place of the finding; by default it is that of the last edit
//	under /email           the rest of the place, after that of the last edit
//
// The others break it, in order:
//
//	/start/date = VALUE    sets a member of the body; * stands for any element, + for a new one
//	/start/date -          removes it
//	given /start = VALUE   sets it in the stored event and in the body; "given /start -" removes it
//	stored, also           edit only the stored event, or only the body, and are not the place
//	?name = A & B          sends a query parameter with values; "?name -" never sends it
//	caller, calendar, series VALUE
//
// and those of [verbs]. A value is JSON, in which a text that begins with ~ is a pattern and a text
// like "<next>" is a word of [values]; or it is a pattern, a word, or "one" with a list of values, one
// of which is drawn. See [pattern] for patterns.
//
// The line "* NAME" stands for the lines of the block "list NAME", and "* derived" for the variants
// that the schema implies. A block "form NAME" lists values without the form of a constraint.
//
//go:embed variants.txt
var variantsText string

// block is a rule or a list with its lines, split into fields.
type block struct {
	name  string
	steps []string
	lines [][]string
}

// script is the parsed text.
type script struct {
	rules []*block // in the order of the text, in which a rule may occur more than once
	lists map[string]*block
}

var readScript = sync.OnceValue(func() *script {
	s := &script{lists: map[string]*block{}}
	var current *block
	for line := range strings.Lines(variantsText) {
		text, isLine := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "\t")
		fields := strings.Split(text, " | ")
		switch {
		case text == "" || text[0] == '#':
		case isLine:
			current.lines = append(current.lines, fields)
		default:
			current = &block{name: fields[0], steps: fields[1:]}
			s.add(current)
		}
	}
	return s
})

func (s *script) add(b *block) {
	if strings.Contains(b.name, " ") {
		s.lists[b.name] = b
		return
	}
	if rules()[b.name] == nil {
		panic("fuzz: there are variants of a rule that does not exist: " + b.name)
	}
	s.rules = append(s.rules, b)
}

// scripted are the variants in the text, by rule.
func scripted() map[string][]variant {
	all := map[string][]variant{}
	s := readScript()
	for _, b := range s.rules {
		for _, line := range b.lines {
			all[b.name] = append(all[b.name], s.variants(b, line)...)
		}
	}
	return all
}

// variants returns those of a line of a rule's block.
func (s *script) variants(b *block, line []string) (variants []variant) {
	name, isList := strings.CutPrefix(line[0], "* ")
	switch {
	case !isList:
		return []variant{newVariant(b.steps, line)}
	case name == "derived":
		return derived()[b.name]
	}
	for _, line := range s.lists["list "+name].lines {
		variants = append(variants, newVariant(b.steps, line))
	}
	return variants
}

// newVariant compiles a line. What it says itself takes precedence over the steps of its block.
func newVariant(common, line []string) variant {
	defer func() {
		if p := recover(); p != nil {
			panic(fmt.Sprintf("fuzz: %v, in the variant %q", p, line))
		}
	}()
	var v variant
	var script steps
	for _, field := range common {
		v.add(field, &script)
	}
	shared := v.prepare
	v.prepare = nil
	for _, field := range line[1:] {
		v.add(field, &script)
	}
	if v.prepare == nil {
		v.prepare = shared
	}
	v.name, v.mutate = line[0], script.run
	return v
}

// add adds a field to the variant or, if the field breaks the request, to the steps.
func (v *variant) add(field string, to *steps) {
	word, rest, _ := strings.Cut(field, " ")
	switch word {
	case "on":
		v.on = occasionsOf(rest)
	case "type":
		if v.types = typeGroups()[rest]; v.types == nil {
			v.types = strings.Fields(rest)
		}
	case "with":
		v.prepare = inTurn(v.prepare, lookUp(preparations, rest))
	case "whole":
		v.whole = strings.Fields(rest)
	case "kind":
		v.kind = diag.Kind(rest)
	case "at":
		at := diag.Pointer(rest)
		to.base = &at
	case "under":
		to.suffix = diag.Pointer(rest)
	default:
		v.isHidden = v.isHidden || slices.Contains([]string{"caller", "calendar", "series"}, word)
		to.list = append(to.list, compile(field))
	}
}

// lookUp returns the entry of a table, which must have it.
func lookUp[V any](table func() map[string]V, name string) V {
	v, ok := table()[name]
	if !ok {
		panic(fmt.Sprintf("there is no %q", name))
	}
	return v
}

// typeGroups are names for several event types.
var typeGroups = sync.OnceValue(func() map[string][]string {
	return map[string][]string{"default": defaultTypes, "clients": typesOfClients, "special": typesOfClients[1:], "freeTime": freeTimeTypes}
})

// occasionsOf reads the names of occasions.
func occasionsOf(names string) (on diag.When) {
	for name := range strings.FieldsSeq(names) {
		name, without := strings.CutPrefix(name, "-")
		when := lookUp(occasions, name)
		if on |= when; without {
			on &^= when
		}
	}
	return on
}

// occasions are those that the text names: each single one, groups of them, and those of the operations
// with documented parameters.
var occasions = sync.OnceValue(func() map[string]diag.When {
	named := map[string]diag.When{"all": diag.All, "write": diag.Write, "create": diag.Create, "modify": diag.Modify, "params": takingParams()}
	for on := diag.When(1); diag.All.Has(on); on <<= 1 {
		named[on.String()] = on
	}
	return named
})

func takingParams() (on diag.When) {
	for op := range operation.All() {
		if len(op.Params) > 0 {
			on |= op.When
		}
	}
	return on
}

// formsOf returns the values without the form of a constraint, or nil if the text has none.
func formsOf(constraint string) (values []badValue) {
	b := readScript().lists["form "+constraint]
	if b == nil {
		return nil
	}
	for _, line := range b.lines {
		values = append(values, badValue{line[0], parseValue(line[1])})
	}
	return values
}
