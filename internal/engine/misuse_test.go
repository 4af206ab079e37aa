package engine_test

import (
	"testing"

	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/testing/surface"
)

func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"Common": engine.Common, "Fill": engine.Fill, "NewStage": engine.NewStage, "Part": engine.Part, "Quote": engine.Quote, "Run": engine.Run[int],
	}, &engine.Collector{}, engine.Reporter{}, engine.Stage{})
}
