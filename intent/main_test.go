package intent_test

import (
	"testing"

	"github.com/calrules/calrules/internal/testing/testdepth"
)

func TestMain(m *testing.M) { testdepth.Main(m, 20) }
