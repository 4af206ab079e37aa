// Package rtdbgen draws what package rtdbfuzz gives to property tests, and what the command fuzz
// writes for the realtime database. Package rtdbfuzz says what the generators draw.
package rtdbgen

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/script"
)

// Payload is a request or a key file, with the verdict of a correct server.
type Payload struct {
	gen.Verdict
	Request json.RawMessage // nil for a key file
	KeyFile *string
}

// Violating draws requests, or key files, that break one rule. It panics if there is no such rule, or if
// nothing breaks it.
func Violating(rule string) draw.Generator[Payload] {
	list := variants()[rule]
	if list == nil {
		panic(fmt.Sprintf("rtdbfuzz: no request breaks a rule %q", rule))
	}
	return func(t *draw.T) Payload {
		v := &list[draw.Evenly(len(list)).Draw(t, "variant")]
		d := newDraft(t)
		if rule == ruleid.RTDBKeyFile {
			d = &draft{State: script.State{T: t}, file: keyFile(t)}
		}
		for _, step := range v.steps {
			step(d)
		}
		kind := cmp.Or(d.Kind, diag.Reject)
		p := Payload{Verdict: gen.Verdict{Accepted: kind != diag.Reject, Rule: rule, Kind: kind, Path: d.Found()}}
		if d.file != nil {
			p.KeyFile = new(d.keyFileText())
		} else {
			p.Request = d.line()
		}
		return p
	}
}

// Rules lists the ids of the rules that requests can break, sorted.
func Rules() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(variants())), func(rule string) bool { return rule == ruleid.RTDBKeyFile })
}

// Mix is the mix of package rtdbfuzz, which says what its fields mean.
type Mix struct {
	Rules        []string
	InvalidShare float64
}

// Compile finds the generators of the mix. It returns an error if no request breaks one of the rules, or if
// the share is out of range.
func (m Mix) Compile() (*draw.Mix[Payload], error) {
	can := Rules()
	wanted := m.Rules
	if len(wanted) == 0 {
		wanted = can
	}
	var broken []draw.Generator[Payload]
	for _, rule := range wanted {
		if !slices.Contains(can, rule) {
			return nil, fmt.Errorf("no request to the realtime database breaks a rule %q", rule)
		}
		broken = append(broken, Violating(rule))
	}
	valid := func(t *draw.T) Payload { return Payload{Verdict: gen.Verdict{Accepted: true}, Request: Request(t)} }
	return draw.NewMix(m.InvalidShare, []draw.Generator[Payload]{valid}, broken)
}
