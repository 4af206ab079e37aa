package tags_test

import (
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/tags"
)

func accept(validator.FieldLevel) bool { return true }

func refuseUse(validator.FieldLevel) bool { panic("the function of the program was called") }

// TestRegisterCollision checks that Register does not replace tags and aliases of the program,
// does not call their functions, and registers nothing in that case.
func TestRegisterCollision(t *testing.T) {
	for name, prepare := range map[string]func(v *validator.Validate){
		"tag":               func(v *validator.Validate) { v.RegisterValidation("cal_addrspec", refuseUse) },
		"tag that runs":     func(v *validator.Validate) { v.RegisterValidation("cal_addrspec", refuseUse, true) },
		"alias":             func(v *validator.Validate) { v.RegisterAlias("cal_addrspec", "required,email") },
		"alias of unknown":  func(v *validator.Validate) { v.RegisterAlias("cal_addrspec", "omitempty,later") },
		"alias of our tags": func(v *validator.Validate) { v.RegisterAlias("cal_addrspec", "omitempty,cal_ianazone") },
	} {
		v := validator.New()
		prepare(v)
		if err := tags.Register(v); err == nil || !strings.Contains(err.Error(), `"cal_addrspec"`) {
			t.Errorf("%s: the error is %v", name, err)
		}
		if !panics(func() { v.Var("", "cal_eventid") }) {
			t.Errorf("%s: tags were registered", name)
		}
		if err := v.Struct(event.Event{}); err != nil {
			t.Errorf("%s: tags of the model were registered", name)
		}
	}
}

// TestRegisterTwice checks that the second call is an error.
func TestRegisterTwice(t *testing.T) {
	if err := tags.Register(registered(t)); err == nil {
		t.Error("the tags were registered twice")
	}
}

// TestPrefix checks that tags of the program keep their meaning, and are not taken for tags of this package.
func TestPrefix(t *testing.T) {
	v := validator.New()
	v.RegisterValidation("addrspec", accept)
	v.RegisterValidation("eventid", func(validator.FieldLevel) bool { return false })
	if err := tags.Register(v); err != nil {
		t.Fatal(err)
	}
	if err := v.Var("?", "addrspec"); err != nil {
		t.Errorf("the tag of the program was replaced: %v", err)
	}
	v.RegisterAlias("guest", "omitempty,cal_addrspec=event.organizer.email")
	for _, c := range []struct{ value, tag, want string }{
		{"?", "cal_addrspec", "attendee.email.address"},
		{"?", "cal_addrspec=event.organizer.email", "event.organizer.email"},
		{"?", "guest", "event.organizer.email"},
		{"?", "eventid", "validator.eventid"},
		{"?", "eq=a", "validator.eq"},
		{"", "cal_present", "validator.cal_present"},
		{"", "cal_present=attachments.file-url", "attachments.file-url"},
		{"W", "cal_eventid", "event.id.alphabet event.id.length"},
	} {
		if diff := cmp.Diff(strings.Fields(c.want), ruleIDs(tags.Translate(v.Var(c.value, c.tag)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.tag, diff)
		}
	}
}
