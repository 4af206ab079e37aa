package constraint_test

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
)

// forms are the constraints to a form that say why a text does not have it, by the members of the golden file.
var forms = map[string]*constraint.Constraint{
	"email": constraint.AddrSpec, "date": constraint.FullDate, "dateTime": constraint.EventDateTime, "updated": constraint.Timestamp,
	"id": constraint.EventIDCharacters, "url": constraint.HTTPURL, "uri": constraint.URI, "scheme-http": constraint.HTTPScheme,
	"scheme-tel": constraint.TelScheme, "scheme-sip": constraint.SIPScheme, "conferenceId": constraint.MeetingCode, "contact": constraint.ContactName,
	"address": constraint.ChannelAddress,
}

// TestForms compares what is said about texts that do not have their form with a golden file that people read.
func TestForms(t *testing.T) {
	const golden = "testdata/forms.txt"
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(want)) {
		if strings.HasPrefix(line, "  ") {
			continue // the sentence as it was
		}
		got.WriteString(line)
		name, quoted, isText := strings.Cut(strings.TrimSpace(line), " ")
		if !isText || name == "#" {
			continue
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		c, member := forms[name], name
		if strings.HasPrefix(name, "scheme-") {
			member = "uri"
		}
		if c.Has(text) {
			t.Errorf("%s has its form", line)
		}
		got.WriteString("  " + explain(diag.Documents, c, member, text).Message() + "\n")
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("run go test -update if the change of wording is intended (-want +got):\n%s", diff)
	}
}

// TestFaultsAreSaid draws texts that are almost of a form: each fault has its sentence.
func TestFaultsAreSaid(t *testing.T) {
	pieces := []string{
		"ada", "@", ".", ",", ";", " ", "<", ">", `"`, "example.com", "ä", "mailto:", "[", "]", "(", "\u00a0", "2026", "-", "03", "10", "/",
		"T", "9", "09", ":", "00", "60", "24", "+", "01", "Z", "[Europe/Berlin]", "UTC", "Europe/Berlin", "https:", "//", "tel:", "sip:", "%", "x", "\\",
		"\x80", "people/", "abc", "mnop", "99999999",
	}
	rapid.Check(t, func(t *rapid.T) {
		c := forms[rapid.SampledFrom(slices.Sorted(maps.Keys(forms))).Draw(t, "form")]
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), "")
		if c.Has(text) {
			return
		}
		f := explain(diag.Documents, c, "member", text)
		if _, isSaid := c.Says().Text(f.Key); !isSaid {
			t.Fatalf("%q: there is no sentence %q", text, f.Key)
		}
	})
}
