package event

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/operation"
)

// thorough returns the findings of all rules, whether or not an event has what they are about.
func thorough(req *Request) (found []string) {
	r := run{in: input{thorough: true}}
	if r.start(new(Checker), req) == nil {
		r.check()
	}
	for _, f := range r.report.Findings {
		found = append(found, f.String())
	}
	return found
}

// A rule about members that an event does not have has nothing to say.
func TestAbsentMembersHaveNoFindings(t *testing.T) {
	for rule := range Catalogue().All() {
		for _, example := range []string{rule.Good.Request, rule.Bad.Request} {
			var line struct {
				Op       operation.ID
				Params   operation.Params
				Existing *Event
				Body     json.RawMessage
				Caller   *operation.Caller
				Series   *Event
			}
			if json.Unmarshal([]byte(example), &line) != nil {
				continue // a request to another command
			}
			req := Request{Op: line.Op, Params: line.Params, Existing: line.Existing, Body: line.Body, Caller: line.Caller, Series: line.Series}
			compareThorough(t, &req)
			withoutMembers(t, req)
		}
	}
}

// withoutMembers compares requests that lack a member of the example.
func withoutMembers(t *testing.T, req Request) {
	var members map[string]json.RawMessage
	if json.Unmarshal(req.Body, &members) != nil {
		return
	}
	for name, value := range members {
		delete(members, name)
		req.Body, _ = json.Marshal(members)
		compareThorough(t, &req)
		members[name] = value
	}
}

func compareThorough(t *testing.T, req *Request) {
	var found []string
	findings, _ := Findings(req) // an operation that is unknown has none
	for _, f := range findings {
		found = append(found, f.String())
	}
	if diff := cmp.Diff(thorough(req), found); diff != "" {
		t.Errorf("%s: the quick check differs (-thorough +quick):\n%s", req.Body, diff)
	}
}
