package main

import (
	"encoding/json"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/ndjson"
)

// pair is a request about two events.
type pair struct {
	a, b    *event.Event
	dialect diag.Dialect
}

// failure is the answer to an invalid request.
type failure struct {
	Error      string        `json:"error"`
	Event      string        `json:"event,omitempty"` // the name of the member that is not an event
	Findings   diag.Findings `json:"findings,omitempty"`
	Rule       string        `json:"rule,omitempty"` // an unknown rule id
	Suggestion string        `json:"suggestion,omitempty"`
}

// pairLine is an encoded pair.
type pairLine struct {
	a, b    []byte
	dialect diag.Dialect
}

var pairForm = ndjson.NewObject("",
	ndjson.Raw("a", func(p *pairLine) *[]byte { return &p.a }),
	ndjson.Raw("b", func(p *pairLine) *[]byte { return &p.b }),
	ndjson.Of("dialect", func(p *pairLine) *diag.Dialect { return &p.dialect }, ndjson.Decoded[diag.Dialect]),
)

// readPair decodes an object with the events a and b, and the dialect of both.
func readPair(request []byte) (p pair, wrong *failure) {
	var line pairLine
	if err := pairForm.Read(request, &line); err != nil {
		return p, &failure{Error: err.Error()}
	}
	p.dialect = line.dialect
	for _, side := range []struct {
		name string
		text []byte
		into **event.Event
	}{{"a", line.a, &p.a}, {"b", line.b, &p.b}} {
		read, findings := event.Decode(side.text, p.dialect)
		if err := findings.Err(); err != nil {
			return p, &failure{Error: err.Error(), Event: side.name, Findings: findings}
		}
		*side.into = read
	}
	return p, nil
}

// difference is an [event.Difference] as JSON, without members for absent values.
type difference struct {
	Path diag.Pointer    `json:"path"`
	Old  json.RawMessage `json:"old,omitempty"`
	New  json.RawMessage `json:"new,omitempty"`
}

// answerDiff answers with the differences between two events.
func answerDiff(request, dst []byte) []byte {
	p, wrong := readPair(request)
	if wrong != nil {
		return appendJSON(dst, wrong)
	}
	return appendJSON(dst, map[string]any{"differences": asJSON(p.a.Diff(p.b, p.dialect))})
}

func asJSON(list []event.Difference) []difference {
	differences := []difference{}
	for _, d := range list {
		differences = append(differences, difference(d))
	}
	return differences
}

// answerMakePatch answers with the patch that turns a into b, and with any remaining differences.
func answerMakePatch(request, dst []byte) []byte {
	p, wrong := readPair(request)
	if wrong != nil {
		return appendJSON(dst, wrong)
	}
	patch, remain := p.a.PatchTo(p.b, p.dialect)
	return appendJSON(dst, map[string]any{"patch": json.RawMessage(patch), "remain": asJSON(remain)})
}
