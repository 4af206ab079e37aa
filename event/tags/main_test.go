package tags_test

import (
	"testing"

	"github.com/calrules/calrules/internal/testdepth"
)

func TestMain(m *testing.M) { testdepth.Main(m, 30) }
