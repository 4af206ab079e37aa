package surface_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/testing/surface"
)

func TestFunctions(t *testing.T) {
	if diff := cmp.Diff([]string{"CheckMisuse", "CheckZero", "Functions"}, surface.Functions(t, ".")); diff != "" {
		t.Errorf("functions of this package (-want +got):\n%s", diff)
	}
	methods := surface.Functions(t, "../../../rtdbauth")
	for _, name := range []string{"Token.Reveal", "Principal.UnmarshalText", "Authenticate"} {
		if !slices.Contains(methods, name) {
			t.Errorf("%s is missing in %v", name, methods)
		}
	}
	if slices.Contains(methods, "row.Matches") {
		t.Error("a method of a type that is not exported is listed")
	}
}
