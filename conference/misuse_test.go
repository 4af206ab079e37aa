package conference_test

import (
	"testing"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with the zero value and with what is out of range.
func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"Rules": conference.Rules, "Schema": conference.Schema,
	}, conference.Change{}, conference.CreateRequest{}, conference.Data{}, conference.EntryPoint{}, conference.Key{},
		conference.Solution{}, conference.Status{})
}
