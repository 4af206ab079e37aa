package diag_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
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
		if got := diag.Google.Name(test.documents); got != test.google {
			t.Errorf("%s is %s, want %s", test.documents, got, test.google)
		}
		if got := diag.Google.Name(test.google); got != test.documents {
			t.Errorf("%s is %s, want %s", test.google, got, test.documents)
		}
		if got := diag.Documents.Name(test.google); got != test.google {
			t.Errorf("the documents call %s %s", test.google, got)
		}
	}
}

func TestDialectFill(t *testing.T) {
	const text = `Leave {videoLink} out; {other} and "fromMail" are {"a": 1}.`
	if got, want := engine.Fill(diag.Google, text), `Leave hangoutLink out; other and "fromMail" are {"a": 1}.`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := engine.Fill(diag.Documents, text), `Leave videoLink out; other and "fromMail" are {"a": 1}.`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestDialectMarshaling(t *testing.T) {
	for _, name := range []string{"documents", "google"} {
		var d diag.Dialect
		if err := d.UnmarshalText([]byte(name)); err != nil || d.String() != name {
			t.Errorf("%s is read as %v, with the error %v", name, d, err)
		}
		if text, err := d.MarshalText(); err != nil || string(text) != name {
			t.Errorf("%s is written as %s, with the error %v", name, text, err)
		}
	}
	for d, name := range map[diag.Dialect]string{2: "Dialect(2)", 255: "Dialect(255)"} {
		if text, err := d.MarshalText(); err == nil || d.String() != name {
			t.Errorf("an unknown dialect is %s, and written as %s", d, text)
		}
	}
	for _, text := range []string{"", "Google", "outlook"} {
		if err := new(diag.Dialect).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is a dialect", text)
		}
	}
}

func TestDialectAddresses(t *testing.T) {
	for d, want := range map[diag.Dialect][2]string{
		diag.Documents: {},
		diag.Google:    {"https://www.googleapis.com", "https://www.googleapis.com/calendar/v3"},
	} {
		if got := [2]string{d.ScopeBase(), d.BaseURL()}; got != want {
			t.Errorf("the addresses of %s are %q, want %q", d, got, want)
		}
	}
}
