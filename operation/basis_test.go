package operation_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation"
)

// That maxAttendees must be positive is inferred; that it is an integer is stated.
func TestBasisOfMaxAttendees(t *testing.T) {
	insert, _ := operation.Lookup(operation.EventsInsert)
	for value, want := range map[string]diag.Basis{"0": diag.Inferred, "many": diag.Stated, "-1": diag.Stated} {
		_, found := operation.Request{Operation: insert, Params: operation.Params{"maxAttendees": {value}}}.Check()
		if len(found) != 1 || found[0].Basis != want {
			t.Errorf("maxAttendees=%s: %v, want one of basis %s", value, found, want)
		}
	}
}
