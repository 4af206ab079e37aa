package engine_test

import (
	"testing"

	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/testing/surface"
)

func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{"NewStage": engine.NewStage, "Run": engine.Run[int]}, engine.Stage{})
}
