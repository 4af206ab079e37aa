package form_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/form"
)

// Each form has the ASCII letters and digits, its marks, and nothing else.
func TestMarks(t *testing.T) {
	for name, test := range map[string]struct {
		is    func(string) bool
		marks string
	}{
		"IsB64Token":      {form.IsB64Token, "-._~+/"},
		"IsFieldToken":    {form.IsFieldToken, "!#$%&'*+-.^_`|~"},
		"IsIdentityToken": {form.IsIdentityToken, "-_."},
		"IsDatabaseName":  {form.IsDatabaseName, "-_"},
		"IsASCIIHost":     {form.IsASCIIHost, "-."},
		"IsHostLabel":     {form.IsHostLabel, "-"},
	} {
		all := "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" + test.marks
		for c := range 256 {
			text := string([]byte{byte(c)})
			if got, want := test.is(text), strings.Contains(all, text); got != want {
				t.Errorf("%s(%q) is %t", name, text, got)
			}
			if got, want := test.is("a"+text+"a"), strings.Contains(all, text); got != want {
				t.Errorf("%s(%q) is %t", name, "a"+text+"a", got)
			}
		}
		if test.is("") {
			t.Errorf("%s of no characters", name)
		}
	}
	for text, want := range map[string]bool{"a=": true, "a==": true, "=": false, "a=a": false} {
		if got := form.IsB64Token(text); got != want {
			t.Errorf("IsB64Token(%q) is %t", text, got)
		}
	}
}
