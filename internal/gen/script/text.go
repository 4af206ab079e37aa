package script

import (
	"fmt"
	"strings"
)

// Text is a parsed text: the variants of rules, and lists that are shared.
type Text struct {
	Variants []Variant // in the order of the text, in which a rule may have more than one block
	Lists    map[string][][]string
}

// Variant is a line of a rule's block.
type Variant struct {
	Rule, Name string

	// Common are the steps of the block, and Steps the steps of the line.
	Common, Steps []string
}

// Read reads a text. The id of a rule begins a block, and each indented line below it is a variant: its name
// and its steps, separated by " | ". All variants of the block have the steps after the id. A block whose name
// contains a blank is a list. The line "* NAME" means the lines of the block "list NAME", if there is one. Lines
// that begin with # are comments.
func Read(text string) *Text {
	all := &Text{Lists: map[string][][]string{}}
	var block []string // its name and its steps
	for line := range strings.Lines(text) {
		content, isLine := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "\t")
		fields := strings.Split(content, " | ")
		switch {
		case content == "" || content[0] == '#':
		case !isLine:
			block = fields
		case strings.Contains(block[0], " "):
			all.Lists[block[0]] = append(all.Lists[block[0]], fields)
		default:
			all.add(block, fields)
		}
	}
	return all
}

// add adds a line, or the lines of the list that it names.
func (all *Text) add(block, line []string) {
	list, isList := strings.CutPrefix(line[0], "* ")
	lines := all.Lists["list "+list]
	if !isList || lines == nil {
		lines = [][]string{line}
	}
	for _, line := range lines {
		all.Variants = append(all.Variants, Variant{block[0], line[0], block[1:], line[1:]})
	}
}

// Compile calls add for each step of the variant. If a step cannot be read, it panics and says in which variant.
func (v *Variant) Compile(steps []string, add func(step string)) {
	defer func() {
		if p := recover(); p != nil {
			panic(fmt.Sprintf("fuzz: %v, in the variant %q", p, append([]string{v.Name}, v.Steps...)))
		}
	}()
	for _, step := range steps {
		add(step)
	}
}
