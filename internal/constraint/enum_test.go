package constraint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
)

// enums is all enumerations, copied from the field tables of the document.
var enums = []struct {
	name   string
	enum   *constraint.Constraint
	values []string
}{
	{"Status", constraint.EventStatus, []string{"confirmed", "tentative", "cancelled"}},
	{"RecurrenceLine", constraint.RecurrenceLine, []string{"RRULE", "EXRULE", "RDATE", "EXDATE"}},
	{"ACLRole", constraint.ACLRole, []string{"none", "freeBusyReader", "reader", "writerWithoutPrivateAccess", "writer", "owner"}},
	{"ACLScopeType", constraint.ACLScopeType, []string{"default", "user", "group", "domain"}},
	{"NotificationMethod", constraint.NotificationMethod, []string{"email"}},
	{"NotificationType", constraint.NotificationType, []string{"eventCreation", "eventChange", "eventCancellation", "eventResponse", "agenda"}},
	{"ChannelType", constraint.ChannelType, []string{"web_hook", "webhook"}},
	{"Transparency", constraint.Transparency, []string{"opaque", "transparent"}},
	{"Visibility", constraint.Visibility, []string{"default", "public", "private", "confidential"}},
	{"GadgetDisplay", constraint.GadgetDisplay, []string{"icon", "chip"}},
	{"EventType", constraint.EventType, []string{"birthday", "default", "focusTime", "fromMail", "outOfOffice", "workingLocation"}},
	{"ResponseStatus", constraint.ResponseStatus, []string{"needsAction", "declined", "tentative", "accepted"}},
	{"AsyncOperation", constraint.AsyncOperation, []string{"inProgress"}},
	{"CreateRequestStatus", constraint.CreateRequestStatus, []string{"pending", "success", "failure"}},
	{"ConferenceSolutionType", constraint.ConferenceType, []string{"eventVideo", "eventNamedVideo", "videoMeet", "addOn"}},
	{"ConferenceSolutionDeprecated", constraint.DeprecatedConferenceType, []string{"eventVideo", "eventNamedVideo"}},
	{"EntryPointType", constraint.EntryPointType, []string{"video", "phone", "sip", "more"}},
	{"ReminderMethod", constraint.ReminderMethod, []string{"email", "popup"}},
	{"AutoDeclineMode", constraint.AutoDeclineMode, []string{"declineNone", "declineAllConflictingInvitations", "declineOnlyNewConflictingInvitations"}},
	{"ChatStatus", constraint.ChatStatus, []string{"available", "doNotDisturb"}},
	{"BirthdayType", constraint.BirthdayType, []string{"anniversary", "birthday", "custom", "other", "self"}},
	{"BirthdayContactTypes", constraint.BirthdayTypeWithContact, []string{"anniversary", "custom", "other"}},
	{"WorkingLocationType", constraint.WorkingLocationType, []string{"homeOffice", "officeLocation", "customLocation"}},
	{"SendUpdates", constraint.SendUpdates, []string{"all", "externalOnly", "none"}},
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
	for _, v := range constraint.BirthdayTypeWithContact.Values() {
		if !constraint.BirthdayType.Has(v) {
			t.Errorf("%q is not a BirthdayType", v)
		}
	}
	for _, v := range constraint.DeprecatedConferenceType.Values() {
		if !constraint.ConferenceType.Has(v) {
			t.Errorf("%q is not a ConferenceSolutionType", v)
		}
	}
}

func TestEnumValuesAreTheCallersOwn(t *testing.T) {
	constraint.EventStatus.Values()[0] = "changed"
	if constraint.EventStatus.Has("changed") || !constraint.EventStatus.Has("confirmed") {
		t.Error("a caller has changed Status")
	}
}

func TestEnumString(t *testing.T) {
	for _, test := range []struct {
		enum *constraint.Constraint
		want string
	}{
		{constraint.AsyncOperation, "inProgress"},
		{constraint.Transparency, "opaque or transparent"},
		{constraint.EventStatus, "confirmed, tentative or cancelled"},
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
		if got := explain(diag.Documents, constraint.EventStatus, "status", test.word).Suggestion(); got != test.want {
			t.Errorf("the suggestion for %q is %q, want %q", test.word, got, test.want)
		}
	}
}

// A word that only another enumeration has in the other dialect is not suggested.
func TestEnumSuggestionOfDialect(t *testing.T) {
	for _, test := range []struct {
		in   diag.Dialect
		goes bool // a Go value, which has the documents' names
		enum *constraint.Constraint
		word string
		want string // the suggestion
	}{
		{diag.Documents, false, constraint.EventType, "fromGmail", "fromMail"},
		{diag.Google, false, constraint.EventType, "fromMail", "fromGmail"},
		{diag.Documents, false, constraint.EventStatus, "fromMail", ""},
		{diag.Google, false, constraint.EventStatus, "fromMail", ""},
		{diag.Documents, true, constraint.EventStatus, "canceled", "cancelled"},
		{diag.Google, true, constraint.EventStatus, "canceled", "cancelled"},
		{diag.Google, true, constraint.EventType, "fromGmail", "fromMail"},
		{diag.Documents, true, constraint.EventType, "fromGmail", "fromMail"},
	} {
		report := engine.Collector{Dialect: test.in, IsGo: test.goes}
		test.enum.Report(report.For(&diag.Rule{ID: "a.rule", Kind: diag.Reject, Says: test.enum.Says()}, ""), "", "x", test.word)
		f := report.Findings[0]
		if f.Suggestion() != test.want {
			t.Errorf("%v, Go %t: the suggestion for %q is %q, want %q", test.in, test.goes, test.word, f.Suggestion(), test.want)
		}
		if isGoogle := test.in == diag.Google && test.goes && test.word == "fromGmail"; strings.Contains(f.Message(), "Go values use the names") != isGoogle {
			t.Errorf("%v, Go %t: %s", test.in, test.goes, f.Message())
		}
	}
}
