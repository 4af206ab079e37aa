package event

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
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
			var req Request
			if req.UnmarshalJSON([]byte(example)) != nil {
				continue // a request to another command
			}
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
	for _, f := range Findings(req) {
		found = append(found, f.String())
	}
	if diff := cmp.Diff(thorough(req), found); diff != "" {
		t.Errorf("%s: the quick check differs (-thorough +quick):\n%s", req.Body, diff)
	}
}
