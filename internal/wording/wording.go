// Package wording defines the arguments of the sentences of findings. Package diag exports the arguments that a custom rule
// needs.
package wording

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/internal/form"
)

// Common are the sentences, and parts of sentences, that every rule can use.
var Common = []struct {
	Key, Text string
	Certain   bool // of a suggestion: nothing else can have been meant
}{
	{"did-you-mean", "Did you mean {suggestion}?", false},
	{"other-dialect", "That is the name in the dialect {other}. Use {suggestion}.", true},
	{"go-name", "A Go value has the names of the documents. Set {suggestion}.", true},
	{"or", "or", false},
	{"shortened", "{value}… ({n} characters)", false},
}

// Arg is an argument of a sentence.
type Arg struct {
	Name  string // of the place that it fills
	Kind  Kind
	Text  string
	N     int64
	Words []string
	Known *form.Words // of a Near
}

// Kind is the kind of an argument.
type Kind uint8

// The kinds of arguments.
const (
	OfText      Kind = iota // part of a sentence
	OfValue                 // from a sender
	OfPlain                 // the same, but unchanged
	OfJSON                  // the same, of JSON
	OfCharacter             // from a sender
	OfNumber                // decimal
	OfName                  // of a member, or of a value of an enumeration
	OfNames                 // a list of them
	OfPart                  // the key of a sentence that fills the place
	OfAlso                  // the key of a sentence that follows
	OfNear                  // of [Near]
)

// Value returns a received value. In the sentence it is quoted, and shortened if it is long.
func Value(place, seen string) Arg { return Arg{Name: place, Kind: OfValue, Text: seen} }

// Plain returns a received value that a rule knows to be harmless, such as a valid time. In the sentence it is unchanged.
func Plain(place, seen string) Arg { return Arg{Name: place, Kind: OfPlain, Text: seen} }

// JSON returns the text of a received JSON value. In the sentence it is unchanged, and shortened if it is long.
func JSON(place, seen string) Arg { return Arg{Name: place, Kind: OfJSON, Text: seen} }

// Character returns a received character. In the sentence it is in single quotes.
func Character(place string, seen rune) Arg {
	return Arg{Name: place, Kind: OfCharacter, N: int64(seen)}
}

// Text returns part of a sentence, which may have places itself. It must not come from a request.
func Text(place, part string) Arg { return Arg{Name: place, Kind: OfText, Text: part} }

// Number returns an integer.
func Number[N ~int | ~int64](place string, n N) Arg {
	return Arg{Name: place, Kind: OfNumber, N: int64(n)}
}

// Name returns the documents' name of a member or of a value. The sentence has the name of the dialect.
func Name(place, word string) Arg { return Arg{Name: place, Kind: OfName, Text: word} }

// Names returns several names, as in "confirmed, tentative or cancelled". The caller must not change the words.
func Names(place string, words []string) Arg { return Arg{Name: place, Kind: OfNames, Words: words} }

// Part fills the place with another sentence of the rule, or one of [Common].
func Part(place, key string) Arg { return Arg{Name: place, Kind: OfPart, Text: key} }

// Also adds a sentence of the rule, or one of [Common], after the reported sentence.
func Also(key string) Arg { return Arg{Kind: OfAlso, Text: key} }

// Near suggests the known word that the argument unknown misspells. If there is none, it adds a sentence, unless its key is
// empty. [Spelled] looks for the word later, because that costs more than the rest of a finding.
func Near(unknown string, known *form.Words, otherwise string) Arg {
	return Arg{Name: unknown, Kind: OfNear, Known: known, Text: otherwise}
}

// Spelled returns the arguments with each [Near] resolved. inDocuments returns the documents' name of a word.
func Spelled(args []Arg, inDocuments func(string) string) []Arg {
	at := slices.IndexFunc(args, func(a Arg) bool { return a.Kind == OfNear })
	if at < 0 {
		return args
	}
	near := &args[at]
	unknown := slices.IndexFunc(args, func(a Arg) bool { return a.Name == near.Name }) // before the Near
	var found []Arg
	if word, ok := meant(args[unknown].Text, near.Known); ok {
		found = []Arg{Also("did-you-mean"), Name("suggestion", inDocuments(word))}
	} else if near.Text != "" {
		found = []Arg{Also(near.Text)}
	}
	return slices.Concat(args[:at], found, args[at+1:])
}

// meant returns the known word nearest to a word, even if only the ending Id is missing.
func meant(word string, known *form.Words) (near string, ok bool) {
	if near, ok = known.Nearest(word); ok {
		return near, true
	}
	near, ok = known.Nearest(word + "Id") // colour and desk are meant to be colorId and deskId
	return near, ok && strings.HasSuffix(near, "Id")
}

// maySend reports whether the text of such an argument may come from a request. A name may be one that was sent.
func (k Kind) maySend() bool { return 1<<k&(1<<OfValue|1<<OfPlain|1<<OfJSON|1<<OfName) != 0 }

// Memory holds the arguments of findings. The zero value is empty.
type Memory struct {
	args []Arg
	text strings.Builder // never grows
}

// Keep returns a copy of arguments that keeps no request alive. It shares memory with other copies, so many cost little.
func (m *Memory) Keep(args []Arg) []Arg {
	length := 0
	for i := range args {
		if args[i].Kind.maySend() {
			length += len(args[i].Text)
		}
	}
	m.grow(len(args), length)
	start := len(m.args)
	m.args = append(m.args, args...)
	own := m.args[start:len(m.args):len(m.args)]
	for i := range own {
		if a := &own[i]; a.Kind.maySend() {
			at := m.text.Len()
			m.text.WriteString(a.Text)
			a.Text = m.text.String()[at:]
		}
	}
	return own
}

// grow makes room for arguments and their text: twice as much as before, within limits.
func (m *Memory) grow(args, length int) {
	const leastArgs, mostArgs, leastText, mostText = 8, 64, 64, 1 << 10
	if cap(m.args)-len(m.args) < args {
		m.args = make([]Arg, 0, max(leastArgs, min(2*cap(m.args), mostArgs), args))
	}
	if had := m.text.Cap(); had-m.text.Len() < length {
		m.text = strings.Builder{}
		m.text.Grow(max(leastText, min(2*had, mostText), length))
	}
}
