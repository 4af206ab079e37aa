package ruletest

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/rtdbauth"
)

// ask answers the request of an example of the rule.
func ask(t *testing.T, r *diag.Rule, e diag.Example) answer {
	t.Helper()
	var members map[string]json.RawMessage
	read(t, e.Request, &members)
	switch {
	case r.When == diag.KeyFile:
		_, findings := rtdbauth.ParseKeyFile([]byte(e.Request))
		return answer{passed: pass(t, e, nil, findings), findings: findings}
	case r.When == diag.Path:
		var sent struct{ Method, Path string }
		read(t, e.Request, &sent)
		findings := operation.CheckPath(diag.Documents, sent.Method, sent.Path)
		return answer{passed: pass(t, e, nil, findings), findings: findings}
	case members["method"] != nil:
		var req rtdbline.Request
		read(t, e.Request, &req)
		result := rtdbline.Check(&req)
		return answer{passed: pass(t, e, nil, result), findings: result.Findings}
	case members["op"] != nil:
		got := check(t, new(event.Checker), e)
		if got.failure == "" {
			got.passed = pass(t, e, got.request, got.result)
		}
		return got
	default:
		var req batch.Expansion
		read(t, e.Request, &req)
		result := batch.Expand(&req)
		return answer{passed: pass(t, e, nil, result), findings: result.Findings, failure: result.Error, refused: result.Instances == nil}
	}
}

// pass returns the answer to an example as JSON, passed through the function that the example names. If the function does not
// apply to the answer, pass returns nil. The request is nil unless it is one about an event.
func pass(t *testing.T, e diag.Example, req *event.Request, result any) any {
	t.Helper()
	f, known := via[e.Via]
	switch {
	case e.Via == "" && req != nil:
		return asJSON(t, line(result.(event.Result)))
	case e.Via == "":
		return asJSON(t, result)
	case !known || req == nil:
		t.Fatalf("%q is not a function that this answer can be passed through", e.Via)
	}
	return asJSON(t, f(t, req, result.(event.Result)))
}

// line returns the answer in the batch form.
func line(result event.Result) json.RawMessage { return batch.AppendAnswer(nil, nil, result) }

// via lists the functions that [diag.Example.Via] can name. Each returns nil if it does not apply to the answer.
var via = map[string]func(*testing.T, *event.Request, event.Result) any{
	"Event.WithDefaults": func(_ *testing.T, _ *event.Request, result event.Result) any {
		if result.Answer == nil {
			return nil
		}
		return result.Answer.WithDefaults()
	},
	"event.Series.Instances": func(t *testing.T, req *event.Request, _ event.Result) any {
		if req.Series != nil {
			return instances(t, req.Series, req.Existing)
		}
		return instances(t, req.Existing)
	},
	"event.ServerFields.Set": func(_ *testing.T, req *event.Request, result event.Result) any {
		event.ServerFields{Now: time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)}.Set(&result, req.Existing)
		return result.Answer
	},
	"event.Checker.NewID": func(t *testing.T, req *event.Request, _ event.Result) any {
		checker := event.Checker{NewID: func() string { return form.NewEventID([16]byte{}) }}
		result, err := checker.Check(req)
		if err != nil {
			t.Fatal(err)
		}
		return line(result)
	},
	"operation.Lookup": func(_ *testing.T, req *event.Request, _ event.Result) any {
		return operationOf(req)
	},
	"operation.Operation.Effect": func(_ *testing.T, req *event.Request, _ event.Result) any {
		return operationOf(req).Effect
	},
	"operation.Operation.NewCalendar": func(_ *testing.T, req *event.Request, _ event.Result) any {
		created, owner := operationOf(req).NewCalendar(*req.Caller)
		if created == nil {
			return nil
		}
		return map[string]any{"calendar": created, "dataOwner": owner}
	},
	"EntryPoint.Codes": func(_ *testing.T, _ *event.Request, result event.Result) any {
		if result.Answer == nil || result.Answer.ConferenceData == nil {
			return nil
		}
		codes := []string{}
		for i := range result.Answer.ConferenceData.EntryPoints {
			for name, code := range result.Answer.ConferenceData.EntryPoints[i].Codes() {
				codes = append(codes, name+" "+code)
			}
		}
		return codes
	},
}

// operationOf returns the operation of a request, or nil if there is none.
func operationOf(req *event.Request) *operation.Operation {
	op, _ := operation.Lookup(req.Op)
	return op
}

// instances returns the instances of a series, which must end. Other events have none.
func instances(t *testing.T, series *event.Event, exceptions ...*event.Event) any {
	t.Helper()
	list := []*event.Event{}
	for instance, err := range (event.Series{Event: series, Exceptions: exceptions}).Instances(event.Window{}) {
		switch {
		case err == nil:
			list = append(list, instance.Event)
		case !errors.Is(err, event.ErrNoSeries):
			t.Error(err)
		}
	}
	return list
}

// read decodes JSON.
func read(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

func asText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// asJSON returns what a caller reads who decodes the JSON of a value.
func asJSON(t *testing.T, v any) (value any) {
	t.Helper()
	read(t, asText(t, v), &value)
	return value
}

// contains reports whether the JSON value got contains want: objects member by member, arrays
// element by element, everything else whole. A member that is null in want must be absent.
func contains(got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		for name, value := range want {
			member, present := object[name]
			ok = ok && present == (value != nil) && (!present || contains(member, value))
		}
		return ok
	case []any:
		array, ok := got.([]any)
		return ok && slices.EqualFunc(array, want, contains)
	default:
		return reflect.DeepEqual(got, want)
	}
}
