package constraint

import (
	"slices"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/limits"
)

// Suggest returns what a word that is not among those known in the dialect was most likely meant to be: one
// of them, as [form.Nearest] finds it or as the other dialect calls it. The hint is a sentence, after a space, that
// says so. Both are empty if there is nothing to suggest.
func Suggest(d limits.Dialect, word string, known []string) (hint, suggestion string) {
	if hint, other := foreign(d, word, known); hint != "" {
		return hint, other
	}
	if near, ok := form.Nearest(word, known); ok {
		return didYouMean(near), near
	}
	return "", ""
}

// foreign returns the one of the known names in d that the other dialect calls word, and a sentence, after a
// space, that says so. Both are empty if there is none.
func foreign(d limits.Dialect, word string, known []string) (hint, name string) {
	name = limits.Google.Name(word)
	if name == word || !slices.Contains(known, name) {
		return "", ""
	}
	return " That is the name of " + name + " in the dialect " + (limits.Google - d).String() + ".", name
}

// namesIn returns names of the documents as the dialect has them; nil for nil.
func namesIn(d limits.Dialect, of []string) []string {
	of = slices.Clone(of)
	for i, name := range of {
		of[i] = d.Name(name)
	}
	return of
}

func didYouMean(near string) string { return " Did you mean " + near + "?" }
