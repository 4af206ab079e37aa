package constraint_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/limits"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// texts are the constraints of texts that are not enumerations, with texts that they allow and do not allow.
var texts = []struct {
	*constraint.Constraint
	accept, reject []string
}{
	{constraint.Kind, []string{"calendar#event"}, []string{"", "calendar#events", "Calendar#Event"}},
	{constraint.EventIDCharacters, []string{"", "abcdefghijklmnopqrstuv0123456789"}, []string{"w", "A", "a-b", "é"}},
	{constraint.EventIDLength, []string{"abcde", long(1024), "ééééé"}, []string{"", "abcd", "éééé", long(1025)}},
	{constraint.PropertyKey, []string{"", long(44), strings.Repeat("é", 44)}, []string{long(45), strings.Repeat("é", 45)}},
	{constraint.PropertyValue, []string{"", long(1024)}, []string{long(1025)}},
	{constraint.NewEventType, []string{"default", "birthday", "another"}, []string{"fromMail"}},
	{constraint.FullDate, []string{"2026-03-10"}, []string{"", "2026-02-30", "2026-03-10T09:00:00Z"}},
	{constraint.EventDateTime, []string{"2026-03-10T09:00:00Z", "2026-03-10T09:00:00"}, []string{"", "2026-03-10", "2026-03-10T25:00:00Z"}},
	{constraint.IANAZone, []string{"Europe/Berlin", "UTC"}, []string{"", "Europe/Berln", "America/New York"}},
	{constraint.AddrSpec, []string{"ada@example.com"}, []string{"", "ada", "Ada <ada@example.com>"}},
	{constraint.NewConferenceType, []string{"addOn", "videoMeet", "another"}, []string{"eventVideo", "eventNamedVideo"}},
	{constraint.MeetingCode, []string{"abc-mnop-xyz"}, []string{"", "abcmnopxyz"}},
	{constraint.ConferenceNotes, []string{"", long(2048)}, []string{long(2049)}},
	{constraint.EntryPointURI, []string{"", long(1300)}, []string{long(1301)}},
	{constraint.HTTPURL, []string{"https://example.com/"}, []string{"", "ftp://example.com/", "https:///"}},
	{constraint.HTTPScheme, []string{"https://example.com/", "HTTP:"}, []string{"", "ftp://example.com/", "https", "//example.com"}},
	{constraint.Timestamp, []string{"2026-03-10T09:00:00Z", "2026-03-10t09:00:00.5+01:00"}, []string{"", "2026-03-10T09:00:00", "2026-03-10", "yesterday"}},
	{constraint.TelScheme, []string{"tel:+15550100", "Tel:"}, []string{"", "+15550100", "tel"}},
	{constraint.SIPScheme, []string{"sip:ada@example.com", "SIP: "}, []string{"", "ada@example.com", "sips:ada@example.com"}},
	{constraint.EntryPointLabel, []string{"", long(512)}, []string{long(513)}},
	{constraint.EntryPointCode, []string{"", long(128)}, []string{long(129)}},
	{constraint.NewBirthdayType, []string{"birthday", "another"}, []string{"self", "custom"}},
	{constraint.ContactName, []string{"people/c12345"}, []string{"", "c12345"}},
	{constraint.CalendarLabelName, []string{"", long(50)}, []string{long(51)}},
	{constraint.ChannelIDLength, []string{"", long(64)}, []string{long(65)}},
	{constraint.ChannelIDCharacters, []string{"", "azAZ09-_+/="}, []string{"a b", "a.b", "é", "@", "[", "{", "\x60"}},
	{constraint.ChannelToken, []string{"", long(256)}, []string{long(257)}},
	{constraint.ChannelAddress, []string{"https://example.com/", "HTTPS://example.com"}, []string{"", "http://example.com/", "example.com", "ftp://example.com/", "https:///"}},
	{constraint.FreebusyTime, []string{"2026-03-10T09:00:00Z"}, []string{"", "2026-03-10T09:00:00", "2026-03-10"}},
}

// numbers are the constraints of integers and of numbers of elements.
var numbers = []struct {
	*constraint.Constraint
	subject   string
	low, high int64
}{
	{constraint.ICalSequence, constraint.Int, 0, math.MaxInt64},
	{constraint.GadgetSize, constraint.Int, 1, math.MaxInt64},
	{constraint.AdditionalGuests, constraint.Int, 0, math.MaxInt64},
	{constraint.EntryPointsWithSolution, constraint.Int, 1, math.MaxInt64},
	{constraint.ReminderMinutes, constraint.Int, 0, 40320},
	{constraint.FeatureVersion, constraint.Int, 0, 1},
	{constraint.MaxAttendees, constraint.Int, 1, math.MaxInt64},
	{constraint.CalendarExpansion, constraint.Int, math.MinInt64, 50},
	{constraint.GroupExpansion, constraint.Int, math.MinInt64, 100},
	{constraint.CalendarLabels, constraint.Count, 0, 200},
	{constraint.Attachments, constraint.Count, 0, 25},
	{constraint.EntryPointsOfType, constraint.Count, 0, 1},
	{constraint.ReminderOverrides, constraint.Count, 0, 5},
}

func long(n int) string { return strings.Repeat("a", n) }

// constraints returns all constraints by name.
func constraints() map[string]*constraint.Constraint {
	all := map[string]*constraint.Constraint{}
	for _, e := range enums {
		all[e.enum.Name] = e.enum
	}
	for _, c := range texts {
		all[c.Name] = c.Constraint
	}
	for _, c := range numbers {
		all[c.Name] = c.Constraint
	}
	return all
}

// The lists of these tests have every constraint that [limits.Table] lists, with the same value.
func TestConstraintsAreInTheTable(t *testing.T) {
	all := constraints()
	if len(all) != len(enums)+len(texts)+len(numbers) {
		t.Error("two constraints have the same name")
	}
	notConstraints := []string{"PatchQuotaUnits", "ServiceVersion", "JSONMaxDepth"} // limits of requests as a whole
	parts := []string{"DeprecatedConferenceType", "BirthdayTypeWithContact"}        // of other enumerations, used by checks
	for _, row := range limits.Table() {
		c := all[row.Name]
		delete(all, row.Name)
		switch {
		case c == nil && !slices.Contains(notConstraints, row.Name) && slices.Contains([]string{"one of", "form", "alphabet"}, row.Unit):
			t.Errorf("%s is not tested", row.Name)
		case c != nil && (c.String() != row.Value || c.Unit != row.Unit):
			t.Errorf("%s is %s (%s), in the table %s (%s)", row.Name, c, c.Unit, row.Value, row.Unit)
		}
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(parts)), slices.Sorted(maps.Keys(all))); diff != "" {
		t.Errorf("constraints that are not in the table (-want +got):\n%s", diff)
	}
}

func TestConstraintHas(t *testing.T) {
	for _, c := range texts {
		t.Run(c.Name, func(t *testing.T) {
			if c.Subject != constraint.Text {
				t.Errorf("Subject = %s, want %s", c.Subject, constraint.Text)
			}
			for _, s := range c.accept {
				if !c.Has(s) {
					t.Errorf("Has(%.50q) = false", s)
				}
			}
			for _, s := range c.reject {
				if c.Has(s) {
					t.Errorf("Has(%.50q) = true", s)
				}
			}
		})
	}
}

func TestConstraintHasInt(t *testing.T) {
	for _, c := range numbers {
		t.Run(c.Name, func(t *testing.T) {
			if low, high := c.Range(); low != c.low || high != c.high || c.Subject != c.subject {
				t.Errorf("%s from %d to %d, want %s from %d to %d", c.Subject, low, high, c.subject, c.low, c.high)
			}
			want := map[int64]bool{c.low: true, c.high: true}
			if c.low > math.MinInt64 {
				want[c.low-1], want[math.MinInt64] = false, false
			}
			if c.high < math.MaxInt64 {
				want[c.high+1], want[math.MaxInt64] = false, false
			}
			for n, has := range want {
				if got := c.HasInt(n); got != has {
					t.Errorf("HasInt(%d) = %t", n, got)
				}
			}
		})
	}
}

func TestConstraintBounds(t *testing.T) {
	for _, c := range numbers {
		least, greatest := &c.low, &c.high
		if c.low == math.MinInt64 {
			least = nil
		}
		if c.high == math.MaxInt64 {
			greatest = nil
		}
		low, high := c.Bounds()
		if diff := cmp.Diff([]*int64{least, greatest}, []*int64{low, high}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
	}
	if low, high := constraint.EventStatus.Bounds(); low != nil || high != nil {
		t.Error("an enumeration has bounds")
	}
}

// The range of a text is that of its number of characters.
func TestConstraintRangeOfTexts(t *testing.T) {
	for _, c := range texts {
		low, high := c.Range()
		if c.Unit != "characters" {
			if low != math.MinInt64 || high != math.MaxInt64 {
				t.Errorf("the range of %s is from %d to %d, want none", c.Name, low, high)
			}
			continue
		}
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.OneOf(rapid.Int64Range(0, 3000), rapid.SampledFrom([]int64{max(0, low-1), low, high, high + 1})).Draw(t, "characters")
			s := strings.Repeat(rapid.SampledFrom([]string{"a", "é", "€", "😀", "\xff"}).Draw(t, "character"), int(n))
			if got, want := c.Has(s), low <= n && n <= high; got != want {
				t.Fatalf("%s: Has of %d characters is %t, the range is from %d to %d", c.Name, n, got, low, high)
			}
		})
	}
	for _, e := range enums {
		if low, high := e.enum.Range(); low != math.MinInt64 || high != math.MaxInt64 {
			t.Errorf("the range of %s is from %d to %d, want none", e.name, low, high)
		}
	}
}

func TestConstraintValues(t *testing.T) {
	for name, c := range constraints() {
		isEnum := len(c.Values()) > 0
		if isEnum != (c.Unit == "one of") && c != constraint.IANAZone {
			t.Errorf("%s: Unit %q, Values %q", name, c.Unit, c.Values())
		}
		text, err := c.MarshalText()
		if diff := cmp.Diff(c.String(), string(text)); diff != "" || err != nil {
			t.Errorf("%s: the text is not the value: %v\n%s", name, err, diff)
		}
	}
}

// A drawn misspelling is either a value or explained with the value that Nearest returns.
func TestEnumsExplainMisspellings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(enums).Draw(t, "enum")
		word := misspell(t, rapid.SampledFrom(e.values).Draw(t, "value"))
		if e.enum.Has(word) {
			return
		}
		explained := explain(diag.Documents, e.enum, "member", word)
		near, ok := form.Nearest(word, e.values)
		if explained.Suggestion() != near || strings.HasSuffix(explained.Message(), near+"?") != ok {
			t.Fatalf("%q is near to %q, but the suggestion is %q, and the explanation is %s", word, near, explained.Suggestion(), explained.Message())
		}
	})
}

// misspell draws s with one or two of its bytes left out, repeated or put in upper case.
func misspell(t *rapid.T, s string) string {
	for range rapid.IntRange(1, 2).Draw(t, "mistakes") {
		at := rapid.IntRange(0, max(len(s)-1, 0)).Draw(t, "at")
		end := min(at+1, len(s))
		wrong := rapid.SampledFrom([]string{"", s[at:end] + s[at:end], strings.ToUpper(s[at:end]), "x"}).Draw(t, "wrong")
		s = s[:at] + wrong + s[end:]
	}
	return s
}

// An explanation is one sentence or two about the member, and never repeats a long text. Its data are what was seen
// and what the constraint allows.
func TestConstraintExplain(t *testing.T) {
	check := func(c *constraint.Constraint, seen string, f diag.Finding) {
		t.Helper()
		explained := f.Message()
		suggests := strings.Contains(explained, "Did you mean "+f.Suggestion()) || strings.Contains(explained, "Send "+strconv.Quote(f.Suggestion()))
		if (f.Suggestion() == "") == suggests {
			t.Errorf("%s: the suggestion is %q, the sentence %.300q", c.Name, f.Suggestion(), explained)
		}
		if f.Value() != seen || f.Limit() != c.String() {
			t.Errorf("%s: the value is %q and the limit %q", c.Name, f.Value(), f.Limit())
		}
		if !strings.Contains(explained, "the_member") || strings.Contains(explained, long(100)) || !utf8.ValidString(explained) ||
			!strings.HasPrefix(explained, "The") || !strings.HasSuffix(explained, ".") && !strings.HasSuffix(explained, "?") {
			t.Errorf("%s is explained as %.300q", c.Name, explained)
		}
	}
	for _, c := range texts {
		for _, s := range c.reject {
			check(c.Constraint, s, explain(diag.Documents, c.Constraint, "the_member", s))
		}
	}
	for _, e := range enums {
		check(e.enum, "x", explain(diag.Documents, e.enum, "the_member", "x"))
	}
	for _, c := range numbers {
		check(c.Constraint, strconv.FormatInt(c.low-1, 10), explain(diag.Documents, c.Constraint, "the_member", c.low-1))
	}
}

// explain returns a finding about a text or an integer that a constraint does not allow.
func explain[V string | int64](in diag.Dialect, c *constraint.Constraint, member string, v V) diag.Finding {
	report := engine.Collector{Dialect: in}
	r := report.For(&diag.Rule{ID: "a.rule", Kind: diag.Reject, Says: c.Says()}, "")
	switch v := any(v).(type) {
	case string:
		c.Report(r, "", member, v)
	case int64:
		c.ReportInt(r, "", member, v)
	}
	return report.Findings[0]
}

func TestReportMissing(t *testing.T) {
	for _, test := range []struct {
		constraint *constraint.Constraint
		member     string
		isEmpty    bool
		want       string
	}{
		{nil, "start", false, "The start is required."},
		{nil, "start", true, "The start is required but empty."},
		{constraint.AddrSpec, "email", true, "The email is required but empty; it must be a valid RFC 5322 address, such as ada@example.com."},
		{constraint.ReminderMinutes, "minutes", false, "The value of minutes is required; it must be from 0 to 40320. A generated Go client omits a 0 unless ForceSendFields lists the field."},
		{constraint.ConferenceType, "type", false, "The type is required; it must be eventHangout, eventNamedHangout, hangoutsMeet or addOn."},
	} {
		report := engine.Collector{Dialect: diag.Google}
		r := report.For(&diag.Rule{ID: "a.rule", Kind: diag.Reject, Says: constraint.SaysRequired(test.constraint)}, "")
		constraint.ReportMissing(r, "", test.member, test.isEmpty, test.constraint)
		f := report.Findings[0]
		if got := f.Message(); got != test.want || test.constraint != nil && f.Limit() == "" {
			t.Errorf("%s, want %s (limit %q)", got, test.want, f.Limit())
		}
	}
}

// A finding about a value takes two allocations: its arguments, and a copy of the value. To read why a text does not have
// its form, and to write what was meant, takes a few more.
func TestReportAllocations(t *testing.T) {
	for _, c := range slices.Concat(texts, []struct {
		*constraint.Constraint
		accept, reject []string
	}{{constraint.EventStatus, nil, []string{"canceled"}}, {constraint.EventType.ForNew(), nil, []string{"fromGmail"}}}) {
		rule := &diag.Rule{ID: "a.rule", Kind: diag.Reject, Says: c.Says()}
		findings := make(diag.Findings, 0, 1000)
		allocs := testing.AllocsPerRun(10, func() {
			report := engine.Collector{Findings: findings}
			c.Report(report.For(rule, ""), "/a", "member", c.reject[len(c.reject)-1])
		})
		most := 3.0 // with the report
		if _, mayExplain := c.Says().Text("send"); mayExplain {
			most = 6
		}
		if allocs > most {
			t.Errorf("%s: a finding takes %.0f allocations", c.Name, allocs-1)
		}
	}
}

// TestExplanations compares the explanations with a golden file, which shows a change of their wording.
func TestExplanations(t *testing.T) {
	var got strings.Builder
	write := func(c *constraint.Constraint, s string) {
		fmt.Fprintf(&got, "%s: %s\n", c.Name, explain(diag.Documents, c, "member", s).Message())
	}
	for _, c := range texts {
		write(c.Constraint, c.reject[len(c.reject)-1])
	}
	for _, e := range enums {
		write(e.enum, e.values[0]+"x")
		write(e.enum, "?")
	}
	for _, c := range numbers {
		name, n := "member", c.low-1
		if c.subject == constraint.Count {
			name, n = "elements", c.high+2
		}
		fmt.Fprintf(&got, "%s: %s\n", c.Name, explain(diag.Documents, c.Constraint, name, n).Message())
	}
	explained := strings.ReplaceAll(got.String(), form.ZoneRelease, "RELEASE")
	const golden = "testdata/explanations.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(explained), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), explained); diff != "" {
		t.Errorf("run go test -update if the change of wording is intended (-want +got):\n%s", diff)
	}
}

// A name that reads as a plural or as a participle is not the subject of its sentence.
func TestSentencesAreGrammatical(t *testing.T) {
	text := func(c *constraint.Constraint, name, s string) string {
		return explain(diag.Documents, c, name, s).Message()
	}
	number := func(c *constraint.Constraint, name string, n int64) string {
		return explain(diag.Documents, c, name, n).Message()
	}
	for _, test := range []struct{ got, want string }{
		{text(constraint.ConferenceNotes, "notes", long(2049)), "The value of notes has 2049 characters, but at most 2048 are allowed. Shorten the value."},
		{text(constraint.EntryPointLabel, "label", long(513)), "The label has 513 characters, but at most 512 are allowed. Shorten the value."},
		{text(constraint.EventIDLength, "id", "a"), "The id has 1 character; it must have 5 to 1024. Leave it out to have one generated."},
		{text(constraint.EventIDLength, "id", "ab"), "The id has 2 characters; it must have 5 to 1024. Leave it out to have one generated."},
		{text(constraint.Timestamp, "updated", "now"), `The value of updated is "now"; it must be an RFC 3339 timestamp with an offset, such as 2026-03-10T09:00:00Z.`},
		{text(constraint.EventStatus, "status", "x"), `The status is "x"; it must be confirmed, tentative or cancelled.`},
		{number(constraint.ReminderMinutes, "minutes", -1), "The value of minutes is -1; it must be from 0 to 40320."},
		{number(constraint.GadgetSize, "width", 0), "The width is 0; it must be 1 or more."},
	} {
		if test.got != test.want {
			t.Errorf("got  %s\nwant %s", test.got, test.want)
		}
	}
}

// Named lists each constraint that the package declares.
func TestNamed(t *testing.T) {
	declared := 0
	for _, file := range []string{"constraints.go", "resources.go"} {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			vars, ok := d.(*ast.GenDecl)
			if !ok || vars.Tok != token.VAR {
				continue
			}
			for _, spec := range vars.Specs {
				spec := spec.(*ast.ValueSpec)
				_, ok := spec.Values[0].(*ast.CallExpr)
				if !ok || !spec.Names[0].IsExported() {
					continue
				}
				declared++
				if name := spec.Names[0].Name; constraint.Named(name) == nil || constraint.Named(name).Name != name {
					t.Errorf("Named does not list %s, which %s declares", name, file)
				}
			}
		}
	}
	if declared < 50 {
		t.Errorf("there are only %d constraints", declared)
	}
}
