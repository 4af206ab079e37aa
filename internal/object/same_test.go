package object_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/object"
)

func TestSameJSON(t *testing.T) {
	digits := strings.Repeat("0", 30)
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`{}`, `5`, false},
		{`[]`, `5`, false},
		{`{}`, `[]`, false},
		{`[{}]`, `[null]`, false},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		{`{"a":1}`, `{"a":2}`, false},
		{`{"a":1,"b":2}`, `{"a":1}`, false},
		{`{"a":null}`, `{"b":null}`, false},
		{`[1,2]`, `[1, 2]`, true},
		{`[1,2]`, `[1]`, false},
		{`["1"]`, `[1]`, false},
		{`"\u0061"`, `"a"`, true},
		{``, `null`, false}, // no value is not null
		{``, ` `, false},

		{`1e2`, `100`, true},
		{`1E+2`, `100.0`, true},
		{`15e-1`, `1.5`, true},
		{`1e2`, `101`, false},
		{`-1`, `1`, false},
		{`1.` + digits, `1`, true},
		{`1.` + digits + `0`, `1`, false}, // too long to be compared by value
		{`1e400`, `10e399`, true},
		{`1e401`, `10e400`, false}, // too large
		{`1e-400`, `10e-401`, false},
		{`1e-400`, `0.1e-399`, true},
		{`1e500`, `10e499`, false},
		{`1e500`, `1`, false},
		{`[1e500]`, `[1e500 ]`, true}, // of one spelling
		{`[1.` + digits + `0]`, `[1.` + digits + `0 ]`, true},
	} {
		if got := object.SameJSON([]byte(test.a), []byte(test.b)); got != test.want {
			t.Errorf("SameJSON(%s, %s) = %t", test.a, test.b, got)
		}
		if got := object.SameJSON([]byte(test.b), []byte(test.a)); got != test.want {
			t.Errorf("SameJSON(%s, %s) = %t", test.b, test.a, got)
		}
	}
}
