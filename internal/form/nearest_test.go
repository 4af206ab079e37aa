package form_test

import (
	"testing"

	"github.com/calrules/calrules/internal/form"
)

// Words find what Nearest finds.
func TestWords(t *testing.T) {
	known := []string{"summary", "start", "status", "location", "description"}
	words := &form.Words{List: known}
	for _, word := range []string{"sumary", "Starts", "stat", "x", "", "locaton", "descriptoin", "statuts"} {
		want, wantOK := form.Nearest(word, known)
		if got, ok := words.Nearest(word); got != want || ok != wantOK {
			t.Errorf("%q: %q, %t, want %q, %t", word, got, ok, want, wantOK)
		}
	}
}

func TestMostSimilar(t *testing.T) {
	for word, want := range map[string]string{"startTime": "start", "RECURRING": "recurrence", "windows": "window", "x": "start", "": "start", "zzz": "start"} {
		if got := form.MostSimilar(word, []string{"start", "recurrence", "window"}); got != want {
			t.Errorf("the most similar name to %q is %q, want %q", word, got, want)
		}
	}
}
