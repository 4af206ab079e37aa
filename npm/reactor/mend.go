package main

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/operation"
)

// mending is a request to fix another request.
type mending struct {
	request []byte // a line of `calrules check --ndjson`
	fix     []byte // "safe", "all", "best", or a JSON Patch
}

var mendingForm = ndjson.NewObject("",
	ndjson.Raw("request", func(m *mending) *[]byte { return &m.request }),
	ndjson.Raw("fix", func(m *mending) *[]byte { return &m.fix }),
)

// mendedJSON contains the changed parts of the request and the resolved findings, which are empty if the fix is a JSON Patch.
type mendedJSON struct {
	Text   *string          `json:"text,omitempty"` // the body
	Params operation.Params `json:"params"`
	Made   diag.Findings    `json:"made"`
}

// answerMend fixes a request.
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
	after, made, err := filter.Mend(&req, in.request, in.fix)
	if err != nil {
		return nil, err
	}
	answer := &mendedJSON{Params: after.Params, Made: append(diag.Findings{}, made...)}
	if after.Body != nil {
		answer.Text = new(string(after.Body))
	}
	return answer, nil
}
