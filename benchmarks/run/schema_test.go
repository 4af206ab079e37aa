package main

import (
	"github.com/calrules/calrules/benchmarks/internal/payload"
	"strings"
	"testing"
)

// The schema and the expression accept valid events and reject invalid ones.
func TestSchema(t *testing.T) {
	s, x := compiled(), newExpression()
	for _, p := range payload.Usual {
		if !p.Valid {
			continue
		}
		if err := s.Validate(decoded(p.Body)); err != nil {
			t.Errorf("%s is rejected: %v", p.Name, err)
		}
		if !x.holds(variables(p.Body)) {
			t.Errorf("the expression does not hold for %s", p.Name)
		}
	}
	body := payload.Usual[1].Body
	for _, change := range []struct{ from, to string }{
		{`09:00:00-04:00`, `9:00`},
		{`guest.3@`, `guest.3`},
		{`"opaque"`, `"busy"`},
		{`"minutes":10`, `"minutes":40321`},
		{`"entryPointType":"phone"`, `"entryPointType":"fax"`},
		{`"tel:`, `"tel `},
		{`"fileUrl":"https://files.example.com/open?id=1"`, `"mimeType":"text/plain"`},
		{`"project":"apollo"`, `"project":11`},
	} {
		broken := strings.Replace(body, change.from, change.to, 1)
		if broken == body || s.Validate(decoded(broken)) == nil {
			t.Errorf("%s instead of %s is accepted", change.to, change.from)
		}
		if change.to != `"tel ` && x.holds(variables(broken)) { // the language does not read URIs
			t.Errorf("the expression holds with %s instead of %s", change.to, change.from)
		}
	}
}
