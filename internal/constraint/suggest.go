package constraint

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
)

// Suggest suggests one of the known words of the dialect for a word that is not one of them: the one that
// [form.Nearest] finds, or the one that the other dialect calls so. The hint is a sentence for a message,
// after a space. Both results are empty if there is nothing to suggest.
func Suggest(d diag.Dialect, word string, known []string) (hint, suggestion string) {
	h, suggestion := suggest(d, word, known)
	return h.before + h.word + h.after, suggestion
}

// hint is a sentence for a message, in parts that only the message puts together.
type hint struct{ before, word, after string }

// suggest is Suggest with the parts of the hint.
func suggest(d diag.Dialect, word string, known []string) (h hint, suggestion string) {
	if text, other := foreign(d, word, known); text != "" {
		return hint{before: text}, other
	}
	if near, ok := form.Nearest(word, known); ok {
		return didYouMean(near), near
	}
	return hint{}, ""
}

// foreign returns the known name in d for which the other dialect has word, and a sentence that says so, after
// a space. Both results are empty if there is none.
func foreign(d diag.Dialect, word string, known []string) (hint, name string) {
	name = diag.Google.Name(word)
	if name == word || !slices.Contains(known, name) {
		return "", ""
	}
	other := diag.Google
	if d == other {
		other = diag.Documents
	}
	return " That is the name of " + name + " in the dialect " + other.String() + ".", name
}

// namesIn returns the dialect's names for names of the documents. It returns nil for nil.
func namesIn(d diag.Dialect, of []string) []string {
	of = slices.Clone(of)
	for i, name := range of {
		of[i] = d.Name(name)
	}
	return of
}

func didYouMean(near string) hint { return hint{" Did you mean ", near, "?"} }
