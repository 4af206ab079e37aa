package constraint_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
)

func TestConstraintInDialect(t *testing.T) {
	for _, test := range []struct {
		constraint  *constraint.Constraint
		value, want string
	}{
		{constraint.EventType.In(diag.Google), "fromGmail", ""},
		{constraint.EventType.In(diag.Google), "fromMail", "fromGmail"},
		{constraint.EventType, "fromGmail", "the name of fromMail in the dialect google"},
		{constraint.EventType.In(diag.Google), "fromMail", "the name of fromGmail in the dialect documents"},
		{constraint.ConferenceType.In(diag.Google), "hangoutMeet", "Did you mean hangoutsMeet?"},
		{constraint.NewEventType.In(diag.Google), "fromGmail", "(not fromGmail), such as default"},
		{constraint.NewEventType.In(diag.Google), "fromMail", ""},
		{constraint.NewConferenceType.In(diag.Google), "hangoutsMeet", ""},
		{constraint.NewConferenceType.In(diag.Google), "eventNamedHangout", "(not eventHangout or eventNamedHangout), such as hangoutsMeet"},
		{constraint.EventStatus.In(diag.Google), "confirmed", ""},
	} {
		if has := test.constraint.Has(test.value); has != (test.want == "") {
			t.Errorf("%s allows %q: %t", test.constraint, test.value, has)
		} else if got, _ := test.constraint.Explain("type", test.value, "it"); !has && !strings.Contains(got, test.want) {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

// A name of the other dialect is suggested only where it is a value.
func TestConstraintOfTheSameNames(t *testing.T) {
	if sentence, suggestion := constraint.EventStatus.In(diag.Google).Explain("status", "fromMail", "it"); suggestion != "" {
		t.Errorf("the suggestion is %s: %s", suggestion, sentence)
	}
}
