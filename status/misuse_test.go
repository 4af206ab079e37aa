package status_test

import (
	"testing"

	"github.com/calrules/calrules/internal/surface"
	"github.com/calrules/calrules/status"
)

func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"Detailed": status.Detailed, "Listed": status.Listed, "Normal": status.Normal, "Of": status.Of,
	}, status.Meaning(0))
}
