package diag_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// says are the sentences of the rules below.
var says = diag.Sentences{{Key: "wrong", Text: "Something is wrong."}, {Key: "is", Text: "It is {value}."}}

// Rules of every basis, of the kinds that report findings.
var (
	stated   = &diag.Rule{ID: "time.offset", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Says: says}
	rfc      = &diag.Rule{ID: "event.sequence", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Says: says}
	inferred = &diag.Rule{ID: "event.server-set", Kind: diag.Ignore, When: diag.Write, Basis: diag.Inferred, Says: says}
	observed = &diag.Rule{ID: "time.order", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Says: says}
	advice   = &diag.Rule{ID: "gadget.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Says: says}
	gap      = &diag.Rule{ID: "scope.unspecified", Kind: diag.Unspecified, When: diag.All, Basis: diag.Stated, Says: says}
)

func finding(doc *diag.Rule, path diag.Pointer) diag.Finding {
	return diag.Finding{Rule: doc, Kind: doc.Kind, Basis: doc.Basis, Path: path, Key: "wrong"}
}

func TestFindingString(t *testing.T) {
	for want, f := range map[string]diag.Finding{
		"/start/date: Something is wrong. [time.offset]":      finding(stated, "/start/date"),
		"Something is wrong. [time.offset]":                   finding(stated, ""),
		"?maxAttendees: Something is wrong. [time.offset]":    finding(stated, "?maxAttendees"),
		"#Authorization: Something is wrong. [time.offset]":   finding(stated, "#Authorization"),
		"/a~1b/a~0b: Something is wrong. [gadget.deprecated]": finding(advice, diag.Pointer("").Member("a/b").Member("a~b")),
	} {
		if got := f.String(); got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
}

func TestFindingsErr(t *testing.T) {
	var none diag.Findings
	if none.Err() != nil || none.Rejected() {
		t.Error("no findings are an error")
	}
	mild := diag.Findings{finding(advice, "/gadget"), finding(inferred, "/etag"), finding(gap, "")}
	if mild.Err() != nil || mild.Rejected() {
		t.Error("findings that do not reject are an error")
	}
	all := diag.Findings{finding(advice, "/gadget"), finding(stated, "/start"), finding(rfc, "/sequence")}
	err := fmt.Errorf("insert: %w", all.Err())
	var refused *diag.Error
	if !errors.As(err, &refused) {
		t.Fatalf("errors.As does not reach the findings of %v", err)
	}
	if diff := cmp.Diff([]diag.Finding(all), []diag.Finding(refused.Findings)); diff != "" {
		t.Errorf("the error lacks findings (-want +got):\n%s", diff)
	}
	const want = "/start: Something is wrong. [time.offset]\n/sequence: Something is wrong. [event.sequence]"
	if got := refused.Error(); got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	// Whether a finding rejects depends on its graded kind, not on that of the rule.
	graded := finding(stated, "/start")
	graded.Kind = diag.Advise
	if (diag.Findings{graded}).Err() != nil {
		t.Error("a rejection that is graded to advice is an error")
	}
}

func TestRefusal(t *testing.T) {
	for _, test := range []struct {
		rule   diag.Rule
		status int
		reason string
	}{
		{diag.Rule{Kind: diag.Reject, When: diag.Write}, 0, ""},
		{diag.Rule{Kind: diag.Reject, When: diag.Write, Reason: "required"}, 400, "required"},
		{diag.Rule{Kind: diag.Reject, When: diag.Delete, Status: 410, Reason: "deleted"}, 410, "deleted"},
		{diag.Rule{Describes: diag.Effect, When: diag.All}, 0, ""},
		{diag.Rule{Kind: diag.Reject, When: diag.DatabaseRequest | diag.Token}, 0, ""},
	} {
		if status, reason := test.rule.Refusal(); status != test.status || reason != test.reason {
			t.Errorf("%+v is answered by %d %q, want %d %q", test.rule, status, reason, test.status, test.reason)
		}
	}
}

func TestFindingsKind(t *testing.T) {
	all := diag.Findings{finding(stated, "/a"), finding(advice, "/b"), finding(rfc, "/c")}
	var paths []diag.Pointer
	for _, f := range all.OfKind(diag.Reject) {
		paths = append(paths, f.Path)
	}
	if want := []diag.Pointer{"/a", "/c"}; !slices.Equal(paths, want) {
		t.Errorf("Kind(Reject) = %q, want %q", paths, want)
	}
	if got := all.OfKind(diag.Ignore); len(got) > 0 {
		t.Errorf("Kind(Ignore) = %v", got)
	}
}

func TestFindingJSON(t *testing.T) {
	f := finding(observed, "/end")
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"rule":"time.order","kind":"reject","basis":"observed","path":"/end","message":"Something is wrong."}`
	if string(text) != want {
		t.Errorf("JSON %s, want %s", text, want)
	}
	var back diag.Finding
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if back.Rule.ID != f.Rule.ID || back.Rule.Basis != f.Rule.Basis || back.Kind != f.Kind || back.Path != f.Path || back.Message() != f.Message() {
		t.Errorf("decoded again: %+v", back)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != want {
		t.Errorf("encoded again: %s, %v", again, err)
	}
	// The error does not name the types of the implementation.
	if err := json.Unmarshal([]byte(`{"rule":5}`), &back); err == nil || !strings.HasPrefix(err.Error(), "diag: a finding is") {
		t.Errorf("a rule that is a number is read with the error %v", err)
	}
}

// go-cmp compares findings, although rules have functions, and shows the ids of rules that differ.
func TestFindingsCompare(t *testing.T) {
	checked := *stated
	checked.Check = func(int, engine.Reporter) {}
	got := diag.Findings{finding(&checked, "/start"), finding(&checked, "/end")}
	if diff := cmp.Diff(got, got); diff != "" {
		t.Errorf("findings differ from themselves:\n%s", diff)
	}
	if diff := cmp.Diff(got, diag.Findings{finding(&checked, "/start"), finding(rfc, "/end")}); !strings.Contains(diff, rfc.ID) || !strings.Contains(diff, stated.ID) {
		t.Errorf("the difference does not show the ids:\n%s", diff)
	}
	var none *diag.Rule
	if !none.Equal(nil) || none.Equal(stated) || stated.Equal(none) || stated.Equal(rfc) || none.String() != "" {
		t.Error("rules with other ids are equal, or a rule differs from itself")
	}
}

func TestCatalogue(t *testing.T) {
	first, second := &diag.Rule{ID: "a.first"}, &diag.Rule{ID: "a.second"}
	catalogue := diag.NewCatalogue([]*diag.Rule{first}, nil, []*diag.Rule{second})
	if catalogue.Lookup("a.second") != second || catalogue.Lookup("a.third") != nil {
		t.Error("Lookup does not find the rule with the id, and no other")
	}
	catalogue.Rules()[0] = nil // the slice is a copy
	if got := slices.Collect(catalogue.All()); !slices.Equal(got, []*diag.Rule{first, second}) {
		t.Errorf("All yields %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("two rules with one id make a catalogue")
		}
	}()
	diag.NewCatalogue([]*diag.Rule{first}, []*diag.Rule{{ID: first.ID}})
}

// A nil catalogue is an empty one.
func TestNilCatalogue(t *testing.T) {
	var none *diag.Catalogue
	if none.Lookup("a.first") != nil || len(none.Rules()) > 0 || len(slices.Collect(none.All())) > 0 {
		t.Error("a nil catalogue has rules")
	}
	if err := (diag.Grading{Rules: map[string]diag.Grade{"a.first": diag.Off}}).Validate(none); err == nil {
		t.Error("a nil catalogue knows a rule")
	}
	if one, err := none.With(); err != nil || one == nil {
		t.Errorf("a nil catalogue with no more rules is %v, %v", one, err)
	}
}

// addTo returns the error of adding a rule to a catalogue.
func addTo(c *diag.Catalogue, rule *diag.Rule) error {
	_, err := c.With(rule)
	return err
}

func TestCatalogueWith(t *testing.T) {
	valid := func(id string) *diag.Rule {
		return &diag.Rule{ID: id, Kind: diag.Advise, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfEvent, Summary: "It is so.", Section: "1",
			Says: diag.Sentences{{Key: "is", Text: "It is not so."}}}
	}
	first, second := valid("a.first"), valid("a.second")
	catalogue, err := new(diag.Catalogue).With(first)
	if err != nil {
		t.Fatal(err)
	}
	both, err := catalogue.With(second)
	if err != nil || both.Lookup("a.second") != second || both.Lookup("a.first") != first {
		t.Errorf("With does not add a rule: %v, %v", both, err)
	}
	if catalogue.Lookup("a.second") != nil {
		t.Error("With changes the catalogue")
	}
	for _, id := range []string{"", "a", "a.", ".a", "A.b", "a.b c", "a..b", "a.-b", "a.b_c", "a.first"} {
		if _, err := catalogue.With(valid(id)); err == nil {
			t.Errorf("a rule with the id %q is added", id)
		}
	}
	for status, ok := range map[int]bool{-1: false, 0: true, 1: false, 399: false, 400: true, 599: true, 600: false} {
		rule := valid("a.b")
		if rule.Status = status; (addTo(catalogue, rule) == nil) != ok {
			t.Errorf("a rule with the status %d is added: %t", status, !ok)
		}
	}
	for scope, ok := range map[diag.Scope]bool{diag.OfEvent: true, diag.OfChange: true, diag.OfRequest: true, "series": false} {
		rule := valid("a.b")
		if rule.Scope = scope; (addTo(catalogue, rule) == nil) != ok {
			t.Errorf("a rule with the scope %q is added: %t", scope, !ok)
		}
	}
	noSummary, noSection := valid("a.b"), valid("a.b")
	noSummary.Summary, noSection.Section = "", ""
	for _, rule := range []*diag.Rule{noSummary, noSection} {
		if _, err := catalogue.With(rule); err == nil {
			t.Errorf("a rule with the summary %q and the section %q is added", rule.Summary, rule.Section)
		}
	}
	for _, says := range []diag.Sentences{nil, {{Key: "", Text: "x"}}, {{Key: "Is", Text: "x"}}, {{Key: "is.not", Text: "x"}}, {{Key: "is"}},
		{{Key: "is", Text: "x"}, {Key: "is", Text: "y"}}} {
		rule := valid("a.b")
		if rule.Says = says; addTo(catalogue, rule) == nil {
			t.Errorf("a rule that says %v is added", says)
		}
	}
	_, err = catalogue.With(nil, &diag.Rule{ID: "a.b"}, valid("a.first"))
	if err == nil || strings.Count(err.Error(), "\n") != 8 {
		t.Errorf("the error does not name all nine problems: %v", err)
	}
}

// whens maps the occasions of rules, as the documents describe them, to the results of [diag.When.String].
var whens = []struct {
	set  diag.When
	want string
}{
	{0, ""},
	{diag.All, "all"},
	{diag.Write, "write"},
	{diag.Write | diag.Response, "write,response"},
	{diag.Create, "create"},
	{diag.Response | diag.Create, "create,response"},
	{diag.Modify, "modify"},
	{diag.Modify | diag.Delete, "modify,delete"},
	{diag.Modify | diag.Get, "modify,get"},
	{diag.Insert, "insert"},
	{diag.Insert | diag.Update | diag.Patch, "modify,insert"},
	{diag.Insert | diag.Get | diag.Response, "insert,get,response"},
	{diag.Import, "import"},
	{diag.Import | diag.Update, "import,update"},
	{diag.Update, "update"},
	{diag.Patch, "patch"},
	{diag.Move, "move"},
	{diag.QuickAdd, "quickAdd"},
	{diag.Delete, "delete"},
	{diag.Get, "get"},
	{diag.List, "list"},
	{diag.Instances, "instances"},
	{diag.Response, "response"},
	{diag.CalendarsClear, "calendars.clear"},
	{diag.CalendarsDelete, "calendars.delete"},
	{diag.CalendarsInsert, "calendars.insert"},
	{diag.CalendarsTransfer, "calendars.transferOwnership"},
	{diag.ChannelsStop, "channels.stop"},
	{diag.Path, "path"},
	{diag.Token, "token"},
	{diag.KeyFile, "key"},
	{diag.DatabaseRequest, "request"},
	{diag.Create | diag.Update, "create,update"},
	{diag.ACLInsert | diag.FreebusyQuery | diag.Token, "acl.insert,freebusy.query,token"},
	{diag.All &^ (diag.OtherBodies | diag.Insert), "modify,import,move,quickAdd,delete,get,list,instances,response,calendars.clear,calendars.delete," +
		"calendars.transferOwnership,acl.delete,acl.get,acl.list,calendarList.delete,calendarList.get,calendarList.list,calendars.get,colors.get," +
		"settings.get,settings.list,path,token,key,request"},
}

func TestWhenString(t *testing.T) {
	for _, w := range whens {
		if got := w.set.String(); got != w.want {
			t.Errorf("When(%b) = %q, want %q", w.set, got, w.want)
		}
		text, err := w.set.MarshalText()
		if err != nil || string(text) != w.want {
			t.Errorf("MarshalText of %s = %q, %v", w.want, text, err)
		}
	}
}

func TestWhenHas(t *testing.T) {
	if !diag.Write.Has(diag.Patch) || diag.Create.Has(diag.Update) || diag.When(0).Has(diag.All) || !diag.All.Has(diag.DatabaseRequest) {
		t.Error("Has does not report whether two sets intersect")
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := diag.When(rapid.Uint64Range(0, uint64(diag.All)).Draw(t, "a")), diag.When(rapid.Uint64Range(0, uint64(diag.All)).Draw(t, "b"))
		if a.Has(b) != b.Has(a) {
			t.Fatalf("%v and %v: Has is not symmetrical", a, b)
		}
		if (a == b) != (a.String() == b.String()) {
			t.Fatalf("%b and %b are both named %q", a, b, a)
		}
	})
}

// golden compares text with the file of that name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := "testdata/" + name
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func TestProblem(t *testing.T) {
	for name, test := range map[string]struct {
		findings diag.Findings
		status   int
	}{
		"refused": {diag.Findings{
			finding(gap, ""), finding(observed, "?maxAttendees"), finding(advice, "/gadget"), finding(stated, "/a~1b/é %/0"), finding(rfc, "#Authorization"),
		}, 422},
		"accepted": {diag.Findings{finding(inferred, "/etag")}, 0},
		"clean":    {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := json.MarshalIndent(test.findings.Problem(test.status), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "problem-"+name+".json", append(text, '\n'))
		})
	}
}

// A member that the finding does not name, and one whose name reads as a plural, begin sentences of their own.
func TestArticle(t *testing.T) {
	rule := &diag.Rule{ID: "a.rule", Says: diag.Sentences{{Key: "who", Text: "{The member} is."}}}
	for _, test := range []struct {
		key  string
		args []diag.Arg
		want string
	}{
		{"who", nil, "The member is."},
		{"who", []diag.Arg{diag.Name("member", "summary")}, "The summary is."},
		{"who", []diag.Arg{diag.Name("member", "minutes")}, "The value of minutes is."},
	} {
		f := diag.Finding{Rule: rule, Key: test.key, Args: test.args}
		if got := f.Message(); got != test.want {
			t.Errorf("%s: %q, want %q", test.key, got, test.want)
		}
	}
}
