package limits_test

import (
	"testing"

	. "github.com/calrules/calrules/limits"
)

func TestDialectName(t *testing.T) {
	for _, test := range []struct{ documents, google string }{
		{"videoLink", "hangoutLink"},
		{"fromMail", "fromGmail"},
		{"eventVideo", "eventHangout"},
		{"eventNamedVideo", "eventNamedHangout"},
		{"videoMeet", "hangoutsMeet"},
		{"summary", "summary"},
		{"", ""},
	} {
		if got := Google.Name(test.documents); got != test.google {
			t.Errorf("%s is %s, want %s", test.documents, got, test.google)
		}
		if got := Google.Name(test.google); got != test.documents {
			t.Errorf("%s is %s, want %s", test.google, got, test.documents)
		}
		if got := Documents.Name(test.google); got != test.google {
			t.Errorf("the documents call %s %s", test.google, got)
		}
	}
}

func TestDialectText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Leave videoLink out.", "Leave hangoutLink out."},
		{`The summary is "fromMail"; fromMail is a type.`, `The summary is "fromMail"; fromGmail is a type.`},
		{`The summary is "a \"fromMail\" b", not fromMail`, `The summary is "a \"fromMail\" b", not fromGmail`},
		{"type.from-mail, fromMails, xvideoMeet", "type.from-mail, fromMails, xvideoMeet"},
		{`"`, `"`},
	} {
		if got := Google.Text(test.text); got != test.want {
			t.Errorf("%s becomes %s, want %s", test.text, got, test.want)
		}
		if got := Documents.Text(test.text); got != test.text {
			t.Errorf("the documents write %s as %s", test.text, got)
		}
	}
}

func TestDialectMarshaling(t *testing.T) {
	for _, name := range []string{"documents", "google"} {
		var d Dialect
		if err := d.UnmarshalText([]byte(name)); err != nil || d.String() != name {
			t.Errorf("%s is read as %v, with the error %v", name, d, err)
		}
	}
	for _, text := range []string{"", "Google", "outlook"} {
		if err := new(Dialect).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is a dialect", text)
		}
	}
}
