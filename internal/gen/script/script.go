// Package script reads texts that say how requests break rules. A text lists variants, each with the steps that
// turn a valid draft of a request into a broken one. [Read] describes the form of a text, [Language.Step] and [Language.Value] the
// form of a step.
package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/gen/draw"
)

// State is what every draft has: what it draws from, and what its steps say about the finding.
type State struct {
	*draw.T
	Place diag.Pointer // of the last edit
	Was   any          // the value before the last edit
	Sent  string       // the text that the last edit sent
	Kind  diag.Kind    // of the finding, if it is not the kind of the rule

	at    *diag.Pointer // replaces the place
	under diag.Pointer  // follows the place
}

func (s *State) state() *State { return s }

// Found returns the place of the finding.
func (s *State) Found() diag.Pointer {
	if s.at != nil {
		return *s.at + s.under
	}
	return s.Place + s.under
}

// Draft is a request in parts, which embeds a State.
type Draft interface{ state() *State }

// Step changes a draft.
type Step[D Draft] = func(d D)

// Word draws the value that a word of a pattern, or a value, means. The arguments are the fields after its name.
type Word[D Draft] = func(d D, args []string) any

// Language is what a text may name beside what all texts may: words, and steps by their first word.
type Language[D Draft] struct {
	Words map[string]Word[D]
	Steps map[string]func(rest string) Step[D]

	// Edit, if not nil, returns the step for a text that begins with a place, or nil.
	Edit func(text string) Step[D]
}

// Step returns the step for a text. Every language has these beside its own:
//
//	kind advise    the kind of the finding, if it is not the kind of the rule
//	at /start      the place of the finding; by default the place of the last edit
//	under /email   the rest of the place, after the place of the last edit
func (l *Language[D]) Step(text string) Step[D] {
	if l.Edit != nil {
		if step := l.Edit(text); step != nil {
			return step
		}
	}
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "kind":
		return func(d D) { d.state().Kind = diag.Kind(rest) }
	case "at":
		return func(d D) { d.state().at = (*diag.Pointer)(&rest) }
	case "under":
		return func(d D) { d.state().under = diag.Pointer(rest) }
	}
	return Find(l.Steps, word)(rest)
}

// Find returns the entry of a table, which must have it.
func Find[V any](table map[string]V, name string) V {
	v, ok := table[name]
	if !ok {
		panic(fmt.Sprintf("there is no %q", name))
	}
	return v
}

// firstWord is the character for the first word in the shape of a pattern. It is for private use.
const firstWord = '\uE000'

var wordForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[A-Za-z][A-Za-z0-9 -]*>`) })

// Pattern returns what draws texts that match a regular expression, in which words such as <zone> or <utc 1 60> mean
// texts that depend on the draft. A word that does not exist means itself.
func (l *Language[D]) Pattern(text string) func(d D) string {
	var words []func(d D) any
	shape := draw.StringMatching(wordForm().ReplaceAllStringFunc(text, func(found string) string {
		word, args := l.word(strings.Trim(found, "<>"))
		if word == nil {
			return found
		}
		words = append(words, func(d D) any { return word(d, args) })
		return string(firstWord + rune(len(words)-1))
	}))
	return func(d D) string {
		var text strings.Builder
		for _, r := range shape.Draw(d.state().T, "text") {
			if i := int(r - firstWord); i >= 0 && i < len(words) {
				fmt.Fprintf(&text, "%s", words[i](d))
			} else {
				text.WriteRune(r)
			}
		}
		return text.String()
	}
}

// word returns the word with the longest name that the text begins with, and the fields after it.
func (l *Language[D]) word(text string) (found Word[D], args []string) {
	fields := strings.Fields(text)
	for n := len(fields); n > 0; n-- {
		if word := l.Words[strings.Join(fields[:n], " ")]; word != nil {
			return word, fields[n:]
		}
	}
	return nil, nil
}

// Value returns what draws a value: JSON, in which a text that begins with ~ is a pattern and a text like
// "<next>" is a word; a pattern; a word; or "one" with a list of values to choose from.
func (l *Language[D]) Value(text string) func(d D) any {
	if list, ok := strings.CutPrefix(text, "one "); ok {
		values := decode(list).([]any)
		for i := range values {
			values[i] = l.prepared(values[i])
		}
		return func(d D) any { return drawn(d, draw.One(d.state().T, "value", values...)) }
	}
	var v any = text
	if text[0] != '~' && text[0] != '<' {
		v = decode(text)
	}
	v = l.prepared(v)
	return func(d D) any { return drawn(d, v) }
}

// decode reads JSON with numbers as [json.Number].
func decode(text string) (v any) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(fmt.Sprintf("not a JSON value: %v: %s", err, text))
	}
	if _, err := d.Token(); err != io.EOF {
		panic("more than a JSON value: " + text)
	}
	return v
}

// prepared replaces the texts in a value that are patterns or words by functions that draw them.
func (l *Language[D]) prepared(v any) any {
	switch v := v.(type) {
	case string:
		if pattern, ok := strings.CutPrefix(v, "~"); ok {
			p := l.Pattern(pattern)
			return func(d D) any { return p(d) }
		}
		if v != "" && wordForm().FindString(v) == v {
			word, args := l.word(strings.Trim(v, "<>"))
			if word == nil {
				panic("there is no value " + v)
			}
			return func(d D) any { return word(d, args) }
		}
	case map[string]any:
		for name := range v {
			v[name] = l.prepared(v[name])
		}
	case []any:
		for i := range v {
			v[i] = l.prepared(v[i])
		}
	}
	return v
}

// drawn returns a copy of a prepared value in which the functions have drawn.
func drawn[D Draft](d D, v any) any {
	switch v := v.(type) {
	case func(D) any:
		return v(d)
	case map[string]any:
		all := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all[name] = drawn(d, v[name])
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = drawn(d, v[i])
		}
		return all
	}
	return v
}

// Number reads a number of a step or a word.
func Number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// Text returns the word for texts of a generator.
func Texts[D Draft](g draw.Generator[string]) Word[D] {
	return func(d D, _ []string) any { return g.Draw(d.state().T, "word") }
}
