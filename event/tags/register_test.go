package tags_test

import (
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/tags"
)

func accept(validator.FieldLevel) bool { return true }

func refuseUse(validator.FieldLevel) bool { panic("the function of the program was called") }

// TestRegisterCollision checks that Register does not replace tags and aliases of the program,
// does not call their functions, and registers nothing in that case.
func TestRegisterCollision(t *testing.T) {
	for name, prepare := range map[string]func(v *validator.Validate){
		"tag":               func(v *validator.Validate) { v.RegisterValidation("addrspec", refuseUse) },
		"tag that runs":     func(v *validator.Validate) { v.RegisterValidation("addrspec", refuseUse, true) },
		"alias":             func(v *validator.Validate) { v.RegisterAlias("addrspec", "required,email") },
		"alias of unknown":  func(v *validator.Validate) { v.RegisterAlias("addrspec", "omitempty,later") },
		"alias of our tags": func(v *validator.Validate) { v.RegisterAlias("addrspec", "omitempty,ianazone") },
	} {
		v := validator.New()
		prepare(v)
		if err := tags.Register(v, ""); err == nil || !strings.Contains(err.Error(), `"addrspec"`) {
			t.Errorf("%s: the error is %v", name, err)
		}
		if !panics(func() { v.Var("", "eventid") }) {
			t.Errorf("%s: tags were registered", name)
		}
		if err := v.Struct(event.Event{}); err != nil {
			t.Errorf("%s: tags of the model were registered", name)
		}
	}
}

// TestRegisterTwice checks that the second call is an error, and that another prefix works.
func TestRegisterTwice(t *testing.T) {
	v := registered(t)
	if err := tags.Register(v, ""); err == nil {
		t.Error("the tags were registered twice")
	}
	if err := tags.Register(v, "cal_"); err != nil {
		t.Error(err)
	}
}

// TestPrefix checks that the tags of the program keep their meaning next to tags with a prefix.
func TestPrefix(t *testing.T) {
	v, prefix := validator.New(), "cal-"
	v.RegisterValidation("addrspec", accept)
	if err := tags.Register(v, prefix); err != nil {
		t.Fatal(err)
	}
	if err := v.Var("?", "addrspec"); err != nil {
		t.Errorf("the tag of the program was replaced: %v", err)
	}
	v.RegisterAlias("guest", "omitempty,cal-addrspec=event.organizer.email")
	for _, c := range []struct {
		tag    string
		prefix string
		want   string
	}{
		{"cal-addrspec", prefix, "attendee.email.address"},
		{"cal-addrspec=event.organizer.email", prefix, "event.organizer.email"},
		{"guest", prefix, "event.organizer.email"},
		{"cal-addrspec", "", "validator.cal-addrspec"},
		{"eq=a", prefix, "validator.eq"},
	} {
		if diff := cmp.Diff([]string{c.want}, ruleIDs(tags.Findings(v.Var("?", c.tag), c.prefix))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.tag, diff)
		}
	}
	for tag, want := range map[string]string{"cal-present": "validator.cal-present", "cal-present=attachments.file-url": "attachments.file-url"} {
		if diff := cmp.Diff([]string{want}, ruleIDs(tags.Findings(v.Var("", tag), prefix))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tag, diff)
		}
	}
	plain := tags.Findings(v.Var("W", "cal-eventid"), prefix)
	if diff := cmp.Diff([]string{"event.id.alphabet", "event.id.length"}, ruleIDs(plain)); diff != "" || plain[0].Kind != diag.Reject {
		t.Errorf("cal-eventid (-want +got):\n%s", diff)
	}
}

// TestPrefixOfOtherTags checks that a tag of the program is not taken for one of ours.
func TestPrefixOfOtherTags(t *testing.T) {
	v := validator.New()
	v.RegisterValidation("addrspec", func(validator.FieldLevel) bool { return false })
	if err := tags.Register(v, "cal_"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"validator.addrspec"}, ruleIDs(tags.Findings(v.Var("a", "addrspec"), "cal_"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
