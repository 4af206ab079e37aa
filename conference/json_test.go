package conference_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
)

// An error about the JSON of the data is a *diag.Error with the place and the rule.
func TestUnmarshalError(t *testing.T) {
	for text, into := range map[string]any{
		`{"notes":5}`:      new(conference.Data),
		`{"requestId":5}`:  new(conference.CreateRequest),
		`{"label":5}`:      new(conference.EntryPoint),
		`{"type":5}`:       new(conference.Key),
		`{"name":5}`:       new(conference.Solution),
		`{"statusCode":5}`: new(conference.Status),
	} {
		var refused *diag.Error
		if err := json.Unmarshal([]byte(text), into); !errors.As(err, &refused) || len(refused.Findings) != 1 || refused.Findings[0].Rule.ID != "json.type" {
			t.Errorf("%s: the error is %v, want a *diag.Error of json.type", text, err)
		}
	}
}
