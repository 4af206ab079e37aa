package diag_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
)

func TestURL(t *testing.T) {
	const docs = "https://github.com/calrules/calrules/blob/main/docs/"
	for _, test := range []struct {
		rule *diag.Rule
		want string
	}{
		{nil, docs + "rules.md"},
		{&diag.Rule{ID: "time.order"}, docs + "rules/time.md#timeorder"},
		{&diag.Rule{ID: "reminders.overrides-alone.new"}, docs + "rules/reminders.md#remindersoverrides-alonenew"},
	} {
		if got := test.rule.URL(); got != test.want {
			t.Errorf("URL of %v is %s, want %s", test.rule, got, test.want)
		}
	}
}
