// Package jsonrule defines the rules enforced by decoding: the rules about the JSON text of an event and its parts.
package jsonrule

import (
	"errors"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
)

// Rules returns the rules in this package, in the order in which the documents state them.
func Rules() []*diag.Rule {
	return []*diag.Rule{&syntax, &duplicateName, &wrongType, &unknownField, &null}
}

// Of returns the rule that a decoding problem breaks. The string maps in an event have their own rules. The rule about gadgets
// does not apply to representations.
func Of(p *object.Problem, on diag.When) *diag.Rule {
	switch p.Fault {
	case object.Syntax:
		return &syntax
	case object.Duplicate:
		return &duplicateName
	case object.Unknown:
		return &unknownField
	case object.Foreign:
		return p.Rule
	case object.MapType:
		if p.Rule != nil && p.Rule.When.Has(on) {
			return p.Rule
		}
	}
	return &wrongType
}

// Findings converts the problems found in decoding JSON text, in the given dialect, to findings of the rules for an insert.
func Findings(in diag.Dialect, problems []object.Problem) diag.Findings {
	report := engine.Collector{Dialect: in}
	for i := range problems {
		p := &problems[i]
		p.Report(report.For(Of(p, diag.Insert), ""), p.Path)
	}
	return report.Findings
}

// Unmarshal decodes JSON text into *v, for use in [encoding/json.Unmarshaler]. The error is a [*diag.Error] that lists
// all problems in text. Unknown members are not problems. A nil v is an error.
func Unmarshal[T any](table *object.Table[*T], text []byte, v *T) error {
	if v == nil {
		return errors.New("the value to decode into is nil")
	}
	*v = *new(T)
	return Findings(diag.Documents, table.Decode(text, v, object.Reading{})).Err()
}
