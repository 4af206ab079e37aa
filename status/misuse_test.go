package status_test

import (
	"testing"

	"github.com/calrules/calrules/internal/testing/surface"
	"github.com/calrules/calrules/status"
)

func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", nil, status.Facts{}, status.Meaning(0), status.Query{})
}
