package payload

import (
	"regexp"
	"strings"
	"sync"

	"github.com/calrules/calrules/internal/draw"
)

// pattern draws texts that match a regular expression, in which words such as <zone> or <utc 1 60>
// stand for texts that depend on more: see [texts]. A word that does not exist stands for itself.
type pattern struct {
	shape draw.Generator[string] // has a character for private use in place of each word
	words []func(s *site) string
}

// firstWord is the character for the first word of a pattern.
const firstWord = '\uE000'

var wordForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[A-Za-z][A-Za-z0-9 -]*>`) })

func parsePattern(text string) *pattern {
	p := new(pattern)
	p.shape = draw.StringMatching(wordForm().ReplaceAllStringFunc(text, func(found string) string {
		word, args := findWord(texts(), strings.Trim(found, "<>"))
		if word == nil {
			return found
		}
		p.words = append(p.words, func(s *site) string { return word(s, args) })
		return string(firstWord + rune(len(p.words)-1))
	}))
	return p
}

func (p *pattern) draw(s *site) string {
	var text strings.Builder
	for _, r := range p.shape.Draw(s.T, "text") {
		if i := int(r - firstWord); i >= 0 && i < len(p.words) {
			text.WriteString(p.words[i](s))
		} else {
			text.WriteRune(r)
		}
	}
	return text.String()
}

// findWord returns the entry of a table with the longest name that text begins with, and the fields
// after it.
func findWord[V any](table map[string]V, text string) (found V, args []string) {
	fields := strings.Fields(text)
	for n := len(fields); n > 0; n-- {
		if v, ok := table[strings.Join(fields[:n], " ")]; ok {
			return v, fields[n:]
		}
	}
	return found, nil
}
