package diag

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
)

// Sentence is a message of a rule. The key of a sentence is never renamed.
//
// The text of a sentence can contain placeholders in braces. The placeholder {end} is replaced by the argument named end or, if
// there is none, by the name end in the dialect of the finding, so {fromMail} becomes fromGmail in [Google]. The placeholder
// {The name} is replaced by the argument and an article, such as "The status" or "The value of minutes". The placeholder
// {n|guest|guests} is replaced by a number and a noun, such as "1 guest" or "2 guests". A brace that is not followed by a
// letter is an ordinary brace.
type Sentence struct {
	Key  string   `json:"key"`
	Text string   `json:"text"`
	Fix  Proposal `json:"-"` // the change that corrects the request
}

// Sentences are the sentences of a rule.
type Sentences []Sentence

// Text returns the text of the sentence with the given key, or false if there is none.
func (s Sentences) Text(key string) (string, bool) {
	for i := range s {
		if s[i].Key == key {
			return s[i].Text, true
		}
	}
	return "", false
}

// common lists sentences and phrases shared by all rules, such as the word before the last name in a list.
var common = func() (all Sentences) {
	for _, s := range wording.Common {
		all = append(all, Sentence{Key: s.Key, Text: s.Text, Fix: Proposal{Certain: s.Certain}})
	}
	return all
}()

// Texts replace sentences, for a different language or a house style. Each key in a Texts is a rule id, a slash and the key of
// a sentence of that rule, as in "time.order/before". For a sentence that all rules share, the rule id is empty. Because the
// article of {The name} is English, other languages use {name}.
type Texts map[string]string

// Validate returns an error, with a line for each problem, if a key does not name a shared sentence or a sentence in the
// catalogue, if a text is empty, or if a text contains a placeholder that the sentence lacks.
func (t Texts) Validate(known *Catalogue) error {
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(t)) {
		id, sentence, _ := strings.Cut(key, "/")
		says := common
		if id != "" {
			says = known.Lookup(id).says()
		}
		text, ok := says.Text(sentence)
		if !ok {
			errs = append(errs, fmt.Errorf("%q is not a rule id, a slash and the key of one of its sentences", key))
			continue
		}
		if t[key] == "" {
			errs = append(errs, fmt.Errorf("%q has an empty text", key))
		}
		places := placesOf(text)
		for _, place := range placesOf(t[key]) {
			if !slices.Contains(places, place) && Google.Name(place) == place {
				errs = append(errs, fmt.Errorf("%q has the place {%s}, which the sentence does not have", key, place))
			}
		}
	}
	return errors.Join(errs...)
}

// says returns the sentences of the rule, or nil if r is nil.
func (r *Rule) says() Sentences {
	if r == nil {
		return nil
	}
	return r.Says
}

// Arg is an argument of a sentence, which replaces a placeholder. The functions [Value], [Plain], [Number], [Name] and
// [Names] return an Arg.
type Arg = wording.Arg

// Value returns an argument for a value from the request. The sentence quotes the value and shortens long values.
func Value(place, seen string) Arg { return wording.Value(place, seen) }

// Plain returns an argument for a value from the request that is known to be harmless, such as a valid time. The sentence does
// not quote or shorten the value.
func Plain(place, seen string) Arg { return wording.Plain(place, seen) }

// Number returns an argument for an integer.
func Number[N ~int | ~int64](place string, n N) Arg { return wording.Number(place, n) }

// Name returns an argument for the name of a member or value in the documents. The sentence shows the dialect's name.
func Name(place, word string) Arg { return wording.Name(place, word) }

// Names returns an argument for a list of names, as in "confirmed, tentative or cancelled". The caller must not modify
// the slice afterwards.
func Names(place string, words []string) Arg {
	return wording.Names(place, &form.Words{List: words})
}

// say appends the sentence with the given key. say first looks for a sentence supplied by the caller, then for a sentence of
// the finding's cause, which reported the sentence, then for a sentence of the finding's rule, and finally for a shared
// sentence. The depth is the number of templates in arguments that contain the sentence.
func (f *Finding) say(dst []byte, key string, depth int) []byte {
	if said, ok := f.Says.Text(key); ok {
		return f.fill(dst, said, depth)
	}
	for _, rule := range [...]*Rule{f.Cause, f.Rule} {
		if said, ok := rule.says().Text(key); ok {
			return f.fill(dst, f.own(rule.ID, key, said), depth)
		}
	}
	said, _ := common.Text(key)
	return f.fill(dst, f.own("", key, said), depth)
}

// own returns the caller's replacement for a sentence, or said if there is none.
func (f *Finding) own(rule, key, said string) string {
	if f.Texts == nil {
		return said // the usual case
	}
	if own, ok := f.Texts[rule+"/"+key]; ok {
		return own
	}
	return said
}

// fill appends s, replacing the placeholders.
func (f *Finding) fill(dst []byte, s string, depth int) []byte {
	for s != "" {
		before, place, after := cutPlace(s)
		dst = append(dst, before...)
		if place != "" {
			dst = f.fillPlace(dst, place, depth)
		}
		s = after
	}
	return dst
}

// cutPlace slices s around its first placeholder. If there is no placeholder, cutPlace returns s, "", "".
func cutPlace(s string) (before, place, after string) {
	for i := 0; ; i++ {
		next := strings.IndexByte(s[i:], '{')
		if next < 0 || i+next+1 >= len(s) {
			return s, "", ""
		}
		if i += next; !isLetter(s[i+1]) {
			continue
		}
		place, after, ok := strings.Cut(s[i+1:], "}")
		if !ok {
			return s, "", "" // a later placeholder would not be closed either
		}
		return s[:i], place, after
	}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// placesOf returns the names of the placeholders in s.
func placesOf(s string) (places []string) {
	for s != "" {
		var place string
		if _, place, s = cutPlace(s); place != "" {
			place, _, _ = strings.Cut(strings.TrimPrefix(place, "The "), "|")
			places = append(places, place)
		}
	}
	return places
}

// fillPlace appends the replacement for a placeholder.
func (f *Finding) fillPlace(dst []byte, place string, depth int) []byte {
	word, nouns, isCount := strings.Cut(place, "|")
	word, hasArticle := strings.CutPrefix(word, "The ")
	arg := f.named(word)
	if hasArticle {
		dst = append(dst, article(arg)...)
	}
	if arg == nil {
		return append(dst, f.Dialect.Name(word)...)
	}
	dst = f.appendArg(dst, arg, depth)
	if isCount {
		one, many, _ := strings.Cut(nouns, "|")
		if arg.N != 1 {
			one = many
		}
		dst = append(append(dst, ' '), one...)
	}
	return dst
}

func (f *Finding) named(name string) *Arg {
	for i := range f.Args {
		if a := &f.Args[i]; a.Name == name {
			return a
		}
	}
	return nil
}

// article returns the words before a member's name at the start of a sentence. A name that looks like a plural or a participle
// needs a preceding noun.
func article(a *Arg) string {
	if a != nil {
		switch a.Text {
		case "additionalGuests", "created", "minutes", "notes", "updated":
			return "The value of "
		}
	}
	return "The "
}

// appendArg appends an argument.
func (f *Finding) appendArg(dst []byte, a *Arg, depth int) []byte {
	const deepest = 3 // stops a template that refers to itself
	switch a.Kind {
	case wording.OfValue:
		return f.quote(dst, a.Text)
	case wording.OfPlain:
		return append(dst, a.Text...)
	case wording.OfJSON:
		return appendShort(dst, a.Text)
	case wording.OfCharacter:
		return strconv.AppendQuoteRune(dst, rune(a.N))
	case wording.OfNumber:
		return strconv.AppendInt(dst, a.N, 10)
	case wording.OfName:
		return append(dst, f.Dialect.Name(a.Text)...)
	case wording.OfNames:
		return f.list(dst, a.Words.List)
	}
	switch {
	case depth == deepest:
		return dst
	case a.Kind == wording.OfText:
		return f.fill(dst, a.Text, depth+1)
	case a.Kind == wording.OfPart:
		return f.say(dst, a.Text, depth+1)
	default:
		return dst
	}
}

// list appends a list of names, as in "confirmed, tentative or cancelled".
func (f *Finding) list(dst []byte, words []string) []byte {
	for i, word := range words {
		switch {
		case i > 0 && i == len(words)-1:
			dst = append(append(append(dst, ' '), f.own("", "or", "or")...), ' ')
		case i > 0:
			dst = append(dst, ", "...)
		}
		dst = append(dst, f.Dialect.Name(word)...)
	}
	return dst
}

// quoted quotes a value for a message, shortening a long value and adding its length to keep messages readable.
func quoted(s string) string { return string(new(Finding).quote(nil, s)) }

// quote appends a value as [quoted] returns it.
func (f *Finding) quote(dst []byte, s string) []byte {
	start := firstCharacters(s)
	if len(start) == len(s) {
		dst = slices.Grow(dst, len(s)+len(`""`)) // by itself, AppendQuote may grow the slice several times
		return strconv.AppendQuote(dst, s)
	}
	args := []Arg{wording.Plain("value", strconv.Quote(start)), Number("n", utf8.RuneCountInString(s))}
	short := Finding{Args: args, Texts: f.Texts}
	return short.say(dst, "shortened", 0)
}

// firstCharacters returns the prefix of s to show in a message.
func firstCharacters(s string) string {
	const most = 40
	runes := 0
	for i := range s {
		if runes++; runes > most {
			return s[:i]
		}
	}
	return s
}

// appendShort appends a JSON value to dst, and truncates it if it is long.
func appendShort(dst []byte, s string) []byte {
	const most = 40 // bytes
	if len(s) <= most {
		return append(dst, s...)
	}
	return append(append(dst, strings.ToValidUTF8(s[:most], "")...), "…"...)
}
