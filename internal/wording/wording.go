// Package wording defines the arguments of the sentences in findings. Package diag exports the kinds of arguments intended for
// custom rules.
package wording

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/internal/form"
)

// Common contains the sentences and sentence fragments that every rule can use.
var Common = []struct {
	Key, Text string
	Certain   bool // for a suggestion: whether nothing else can have been meant
}{
	{"did-you-mean", "Did you mean {suggestion}?", false},
	{"other-dialect", "That is the name in the dialect {other}. Use {suggestion}.", true},
	{"go-name", "Go values use the names from the documents. Set {suggestion}.", true},
	{"or", "or", false},
	{"shortened", "{value}… ({n} characters)", false},
}

// Arg is an argument of a sentence.
type Arg struct {
	Name   string // the name of the placeholder that the argument fills
	Kind   Kind
	Text   string
	N      int64
	Words  *form.Words // a list of names
	Source Source      // the source of the arguments for which [About] stands
}

// Source makes the arguments about a received value when they are read, because making them costs more than the rest of a finding.
type Source interface {
	// Args returns the arguments for which value, a result of [About], stands.
	Args(value Arg, in Dialect) []Arg
}

// Dialect is a diag.Dialect, a type that this package cannot import.
type Dialect uint8

// Kind is the kind of an argument.
type Kind uint8

// The kinds of arguments.
const (
	OfText      Kind = iota // part of a sentence
	OfValue                 // a received value
	OfPlain                 // a received value, shown unchanged
	OfJSON                  // a received JSON value
	OfCharacter             // a received character
	OfNumber                // an integer
	OfName                  // the name of a member, or of a value of an enumeration
	OfNames                 // a list of names
	OfPart                  // the key of a sentence that replaces the placeholder
	OfAlso                  // the key of a sentence that follows
	OfSource                // an argument that [About] returns
)

// Value returns an argument with a received value. The sentence quotes the value and shortens long values.
func Value(place, seen string) Arg { return Arg{Name: place, Kind: OfValue, Text: seen} }

// Plain returns an argument with a received value that is known to be harmless, such as a valid time. The sentence shows
// the value unchanged.
func Plain(place, seen string) Arg { return Arg{Name: place, Kind: OfPlain, Text: seen} }

// JSON returns an argument with a received value as JSON text. The sentence shows the text without quotes and shortens long
// text.
func JSON(place, seen string) Arg { return Arg{Name: place, Kind: OfJSON, Text: seen} }

// Character returns an argument with a received character. The sentence shows the character in single quotes.
func Character(place string, seen rune) Arg {
	return Arg{Name: place, Kind: OfCharacter, N: int64(seen)}
}

// Text returns an argument with part of a sentence, which may itself contain placeholders. The text must not come from a
// request.
func Text(place, part string) Arg { return Arg{Name: place, Kind: OfText, Text: part} }

// Number returns an argument with an integer.
func Number[N ~int | ~int64](place string, n N) Arg {
	return Arg{Name: place, Kind: OfNumber, N: int64(n)}
}

// Name returns an argument with the name that the documents use for a member or value. The sentence shows the name in the
// dialect.
func Name(place, word string) Arg { return Arg{Name: place, Kind: OfName, Text: word} }

// Names returns an argument with several names, shown as in "confirmed, tentative or cancelled".
func Names(place string, words *form.Words) Arg { return Arg{Name: place, Kind: OfNames, Words: words} }

// Part returns an argument that replaces the placeholder with another sentence of the rule or of [Common].
func Part(place, key string) Arg { return Arg{Name: place, Kind: OfPart, Text: key} }

// Also returns an argument that adds a sentence of the rule or of [Common] after the reported sentence.
func Also(key string) Arg { return Arg{Kind: OfAlso, Text: key} }

// About returns an argument that stands for the arguments about the value of the named member, a string or a number. A finding has
// at most one such argument.
func About(member, seen string, n int64, source Source) Arg {
	return Arg{Name: member, Kind: OfSource, Text: seen, N: n, Source: source}
}

// Spelled returns the arguments, with the arguments that a source makes in the place of a result of [About].
func Spelled(args []Arg, in Dialect) []Arg {
	at := slices.IndexFunc(args, func(a Arg) bool { return a.Kind == OfSource })
	if at < 0 {
		return args
	}
	return slices.Concat(args[:at], args[at].Source.Args(args[at], in), args[at+1:])
}

// maySend reports whether the text of an argument of kind k, even a name, may come from a request.
func (k Kind) maySend() bool {
	return 1<<k&(1<<OfValue|1<<OfPlain|1<<OfJSON|1<<OfName|1<<OfSource) != 0
}

// Memory contains copies of findings' arguments. The zero value is empty.
type Memory struct {
	args []Arg
	text strings.Builder // never grown
}

// Keep returns a copy of arguments that does not keep a request alive. Copies are cheap, because they all share memory, which
// doubles within limits.
func (m *Memory) Keep(args []Arg) []Arg {
	const least, most = 8, 64
	if cap(m.args)-len(m.args) < len(args) {
		m.args = make([]Arg, 0, max(least, min(2*cap(m.args), most), len(args)))
	}
	start := len(m.args)
	m.args = append(m.args, args...)
	own := m.args[start:len(m.args):len(m.args)]
	for i := range own {
		if a := &own[i]; a.Kind.maySend() {
			a.Text = m.copy(a.Text)
		}
	}
	return own
}

func (m *Memory) copy(text string) string {
	const least, most = 64, 1 << 10
	if had := m.text.Cap(); had-m.text.Len() < len(text) {
		m.text = strings.Builder{}
		m.text.Grow(max(least, min(2*had, most), len(text)))
	}
	start := m.text.Len()
	m.text.WriteString(text)
	return m.text.String()[start:]
}
