package limits_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/limits"
)

// enums is all enumerations, copied from the field tables of the document.
var enums = []struct {
	name   string
	enum   *limits.Constraint
	values []string
}{
	{"Status", limits.EventStatus, []string{"confirmed", "tentative", "cancelled"}},
	{"RecurrenceLine", limits.RecurrenceLine, []string{"RRULE", "EXRULE", "RDATE", "EXDATE"}},
	{"Transparency", limits.Transparency, []string{"opaque", "transparent"}},
	{"Visibility", limits.Visibility, []string{"default", "public", "private", "confidential"}},
	{"GadgetDisplay", limits.GadgetDisplay, []string{"icon", "chip"}},
	{"EventType", limits.EventType, []string{"birthday", "default", "focusTime", "fromMail", "outOfOffice", "workingLocation"}},
	{"ResponseStatus", limits.ResponseStatus, []string{"needsAction", "declined", "tentative", "accepted"}},
	{"AsyncOperation", limits.AsyncOperation, []string{"inProgress"}},
	{"CreateRequestStatus", limits.CreateRequestStatus, []string{"pending", "success", "failure"}},
	{"ConferenceSolutionType", limits.ConferenceType, []string{"eventVideo", "eventNamedVideo", "videoMeet", "addOn"}},
	{"ConferenceSolutionDeprecated", limits.DeprecatedConferenceType, []string{"eventVideo", "eventNamedVideo"}},
	{"EntryPointType", limits.EntryPointType, []string{"video", "phone", "sip", "more"}},
	{"ReminderMethod", limits.ReminderMethod, []string{"email", "popup"}},
	{"AutoDeclineMode", limits.AutoDeclineMode, []string{"declineNone", "declineAllConflictingInvitations", "declineOnlyNewConflictingInvitations"}},
	{"ChatStatus", limits.ChatStatus, []string{"available", "doNotDisturb"}},
	{"BirthdayType", limits.BirthdayType, []string{"anniversary", "birthday", "custom", "other", "self"}},
	{"BirthdayContactTypes", limits.BirthdayTypeWithContact, []string{"anniversary", "custom", "other"}},
	{"WorkingLocationType", limits.WorkingLocationType, []string{"homeOffice", "officeLocation", "customLocation"}},
	{"SendUpdates", limits.SendUpdates, []string{"all", "externalOnly", "none"}},
}

func TestEnums(t *testing.T) {
	for _, e := range enums {
		if got := e.enum.Values(); !slices.Equal(got, e.values) {
			t.Errorf("%s = %q, want %q", e.name, got, e.values)
		}
		for _, v := range e.values {
			if !e.enum.Has(v) {
				t.Errorf("%s lacks %q", e.name, v)
			}
			for _, near := range []string{swapCase(v), v + " ", " " + v, v[1:], v + "\x00"} {
				if e.enum.Has(near) {
					t.Errorf("%s has %q", e.name, near)
				}
			}
		}
		if e.enum.Has("") {
			t.Errorf("%s has the empty string", e.name)
		}
	}
}

// swapCase returns s with the case of its first letter changed.
func swapCase(s string) string {
	if upper := strings.ToUpper(s[:1]); upper != s[:1] {
		return upper + s[1:]
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// TestEnumParts tests that enumerations that list some values of another have no other values.
func TestEnumParts(t *testing.T) {
	for _, v := range limits.BirthdayTypeWithContact.Values() {
		if !limits.BirthdayType.Has(v) {
			t.Errorf("%q is not a BirthdayType", v)
		}
	}
	for _, v := range limits.DeprecatedConferenceType.Values() {
		if !limits.ConferenceType.Has(v) {
			t.Errorf("%q is not a ConferenceSolutionType", v)
		}
	}
}

func TestEnumValuesAreTheCallersOwn(t *testing.T) {
	limits.EventStatus.Values()[0] = "changed"
	if limits.EventStatus.Has("changed") || !limits.EventStatus.Has("confirmed") {
		t.Error("a caller has changed Status")
	}
}

func TestEnumString(t *testing.T) {
	for _, test := range []struct {
		enum *limits.Constraint
		want string
	}{
		{limits.AsyncOperation, "inProgress"},
		{limits.Transparency, "opaque or transparent"},
		{limits.EventStatus, "confirmed, tentative or cancelled"},
	} {
		if got := test.enum.String(); got != test.want {
			t.Errorf("String() = %q, want %q", got, test.want)
		}
	}
}

func TestEnumSuggestion(t *testing.T) {
	for _, test := range []struct{ word, want string }{
		{"canceled", "cancelled"},
		{"CONFIRMED", "confirmed"},
		{"tentatvie", "tentative"},
		{"maybe", ""},
		{"", ""},
	} {
		if _, got := limits.EventStatus.Explain("status", test.word, ""); got != test.want {
			t.Errorf("the suggestion for %q is %q, want %q", test.word, got, test.want)
		}
	}
}
