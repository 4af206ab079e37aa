package constraint_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
)

func TestConstraintInDialect(t *testing.T) {
	for _, test := range []struct {
		in         diag.Dialect
		constraint *constraint.Constraint
		sent, want string
		suggestion string
	}{
		{diag.Documents, constraint.EventType, "fromGmail", "birthday, default, focusTime, fromMail, outOfOffice or workingLocation. " +
			"That is the name in the dialect google. Use fromMail.", "fromMail"},
		{diag.Google, constraint.EventType, "fromMail", "birthday, default, focusTime, fromGmail, outOfOffice or workingLocation. " +
			"That is the name in the dialect documents. Use fromGmail.", "fromGmail"},
		{diag.Documents, constraint.EventType.ForNew(), "fromGmail", "birthday, default, focusTime, outOfOffice or workingLocation. " +
			"That is the name of fromMail in the dialect google.", ""},
		{diag.Google, constraint.EventType.ForNew(), "fromMail", "birthday, default, focusTime, outOfOffice or workingLocation. " +
			"That is the name of fromGmail in the dialect documents.", ""},
		{diag.Google, constraint.ConferenceType, "hangoutMeet", "eventHangout, eventNamedHangout, hangoutsMeet or addOn. Did you mean hangoutsMeet?", "hangoutsMeet"},
		{diag.Google, constraint.ConferenceType.ForNew(), "videoMeet", "hangoutsMeet or addOn. That is the name in the dialect documents. Use hangoutsMeet.", "hangoutsMeet"},
		{diag.Google, constraint.NewEventType, "fromGmail", "a type that clients can create (not fromGmail), such as default.", ""},
		{diag.Google, constraint.NewConferenceType, "eventNamedHangout", "a type that clients can create (not eventHangout or eventNamedHangout), such as hangoutsMeet.", ""},
		{diag.Google, constraint.EventStatus, "fromMail", "confirmed, tentative or cancelled.", ""}, // it is no value in either
	} {
		f := explain(test.in, test.constraint, "type", test.sent)
		if got, want := f.Message(), `The type is "`+test.sent+`"; it must be `+test.want; got != want || f.Suggestion() != test.suggestion {
			t.Errorf("%s: got  %s (%s)\nwant %s (%s)", test.in, got, f.Suggestion(), want, test.suggestion)
		}
	}
}

func TestConstraintWant(t *testing.T) {
	for _, test := range []struct {
		constraint        *constraint.Constraint
		documents, google string
	}{
		{constraint.NewConferenceType, "a type that clients can create (not eventVideo or eventNamedVideo), such as videoMeet",
			"a type that clients can create (not eventHangout or eventNamedHangout), such as hangoutsMeet"},
		{constraint.DeprecatedConferenceType, "eventVideo or eventNamedVideo", "eventHangout or eventNamedHangout"},
		{constraint.AsyncOperation, "inProgress", "inProgress"},
		{constraint.EventIDLength, "5 to 1024 characters long", "5 to 1024 characters long"},
		{constraint.ReminderOverrides, "at most 5 reminders", "at most 5 reminders"},
	} {
		if documents, google := test.constraint.Want(diag.Documents), test.constraint.Want(diag.Google); documents != test.documents || google != test.google {
			t.Errorf("%s: %s; in google %s", test.constraint.Name, documents, google)
		}
	}
}

// A Go value has the documents' names in either dialect. A user who writes a public name there nevertheless reads that name.
func TestAsSent(t *testing.T) {
	for _, test := range []struct {
		in         diag.Dialect
		isGo       bool
		constraint *constraint.Constraint
		held, want string
	}{
		{diag.Documents, false, constraint.EventType, "fromGmail", "fromGmail"},
		{diag.Google, false, constraint.EventType, "fromMail", "fromGmail"},
		{diag.Google, false, constraint.EventType, "fromGmail", "fromMail"},
		{diag.Google, true, constraint.EventType, "fromMail", "fromGmail"},
		{diag.Google, true, constraint.EventType, "fromGmail", "fromGmail"},
		{diag.Google, true, constraint.EventType.ForNew(), "fromGmail", "fromGmail"},
		{diag.Google, true, constraint.EventType, "hangoutsMeet", "videoMeet"}, // it is no value in either
		{diag.Google, true, constraint.EventType, "default", "default"},
	} {
		report := engine.Collector{Dialect: test.in, IsGo: test.isGo}
		if got := test.constraint.AsSent(report.For(new(diag.Rule), ""), test.held); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

// A word without the ending Id suggests the known word with it, but not a known word that merely ends in id.
func TestSuggest(t *testing.T) {
	known := &form.Words{List: []string{"colorId", "valid"}}
	for word, want := range map[string]string{"colour": "colorId", "colourId": "colorId", "val": "", "vali": "valid", "desk": ""} {
		got := ""
		for _, arg := range constraint.Suggest(nil, diag.Documents, word, known, "") {
			if arg.Name == "suggestion" {
				got = arg.Text
			}
		}
		if got != want {
			t.Errorf("%s probably means %q, want %q", word, got, want)
		}
	}
}
