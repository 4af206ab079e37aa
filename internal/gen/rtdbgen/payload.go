// Package rtdbgen draws requests to the realtime database for package rtdbfuzz and the fuzz command. Package rtdbfuzz
// documents the generators.
package rtdbgen

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/rtdbauth"
)

// Payload is a request or a key file, with the verdict of a correct server.
type Payload struct {
	gen.Verdict
	Request json.RawMessage // nil for a key file
	KeyFile *string
}

// most is the maximum number of attempts to draw a payload that breaks the rule, before falling back on a payload that is known
// to break it.
const most = 16

// Violating returns a generator of requests or key files that break one rule. Violating panics if there is no such
// rule, or if no payload breaks it.
func Violating(rule string) draw.Generator[Payload] {
	if rule == ruleid.RTDBKeyFile {
		return violatingKeyFile
	}
	if faults()[rule] == nil {
		panic(fmt.Sprintf("rtdbfuzz: no request breaks a rule %q", rule))
	}
	return func(t *draw.T) Payload {
		p, _ := violating(t, rule)
		return *p
	}
}

// violating draws a payload that breaks a rule, and also returns the number of failed attempts.
func violating(t *draw.T, rule string) (p *Payload, redraws int) {
	list := faults()[rule]
	try := draw.Generator[*Payload](func(t *draw.T) *Payload {
		f := list[draw.Evenly(len(list)).Draw(t, "fault")]
		d := newDraft(t)
		f(d)
		line := d.line()
		return verdict(rule, line, ask(line))
	})
	p, redraws = try.First(t, most, func(p *Payload) bool { return p != nil })
	for seed := uint64(0); p == nil; seed++ {
		p = try(draw.Seeded(seed))
	}
	return p, redraws
}

func violatingKeyFile(t *draw.T) Payload {
	text := wrongKeyFile(t)
	_, findings := rtdbauth.ParseKeyFile([]byte(text))
	return Payload{Verdict: gen.Verdict{Rule: ruleid.RTDBKeyFile, Kind: diag.Reject, Path: findings[0].Path}, KeyFile: &text}
}

// Rules returns the sorted ids of the rules that requests can break.
func Rules() []string { return slices.Sorted(maps.Keys(faults())) }

// Mix implements the Mix of package rtdbfuzz, where its fields are documented.
type Mix struct {
	Rules        []string
	InvalidShare float64
}

// Compile returns the mix with its generators. Compile returns an error if one of the rules cannot be broken by any request,
// or if the share is out of range.
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
