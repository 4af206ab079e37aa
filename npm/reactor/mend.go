package main

import (
	"encoding/json"
	"errors"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/operation"
)

// mending is a request to mend a request.
type mending struct {
	request []byte // a line of `calrules check --ndjson`
	fix     []byte // "safe", "all", or a JSON Patch
}

var mendingForm = ndjson.NewObject("",
	ndjson.Raw("request", func(m *mending) *[]byte { return &m.request }),
	ndjson.Raw("fix", func(m *mending) *[]byte { return &m.fix }),
)

// mendedJSON is what differs in the request, and the findings that are gone. A JSON Patch lists none.
type mendedJSON struct {
	Text   *string          `json:"text,omitempty"` // of the body
	Params operation.Params `json:"params"`
	Made   diag.Findings    `json:"made"`
}

// answerMend answers a request to mend a request.
func answerMend(request, dst []byte) []byte {
	answer, err := mend(request)
	if err != nil {
		return appendJSON(dst, failure{Error: err.Error()})
	}
	return appendJSON(dst, answer)
}

func mend(text []byte) (*mendedJSON, error) {
	var in mending
	if err := mendingForm.Read(text, &in); err != nil {
		return nil, err
	}
	var req batch.Request
	if err := req.UnmarshalJSON(in.request); err != nil {
		return nil, err
	}
	after, made, err := in.apply(&req)
	if err != nil {
		return nil, err
	}
	answer := &mendedJSON{Params: after.Params, Made: append(diag.Findings{}, made...)}
	if after.Body != nil {
		answer.Text = new(string(after.Body))
	}
	return answer, nil
}

// apply makes the fixes that are asked for.
func (m *mending) apply(req *batch.Request) (after *event.Request, made diag.Findings, err error) {
	checker := req.Checker(filter.Checker(event.Checker{}, m.request))
	switch string(m.fix) {
	case `"safe"`:
		return checker.Mend(&req.Request, diag.Finding.HasSafeFix)
	case `"all"`:
		return checker.Mend(&req.Request, func(diag.Finding) bool { return true })
	}
	var patch []diag.PatchOperation
	if json.Unmarshal(m.fix, &patch) != nil {
		return nil, nil, errors.New(`fix must be "safe", "all" or a JSON Patch`)
	}
	after, ok := checker.Apply(&req.Request, patch)
	if !ok {
		return nil, nil, errors.New("the fix does not fit the request")
	}
	return after, nil, nil
}
