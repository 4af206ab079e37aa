package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
)

// settled are rules as they are declared in other packages, by their ids.
var settled = map[string]*diag.Rule{
	"value":       {Kind: diag.Reject},
	"enum":        {Kind: diag.Reject},
	"order":       {Kind: diag.Reject, AboutAll: true, Reads: []string{"start.date", "end.date"}},
	"locked":      {Kind: diag.Reject, YieldsToValue: true, Supersedes: []string{"mail", "whole", "advice", "series"}},
	"mail":        {Kind: diag.Reject, YieldsToValue: true, Supersedes: []string{"whole", "advice", "series"}},
	"whole":       {Kind: diag.Reject, YieldsToValue: true, Supersedes: []string{"advice"}},
	"advice":      {Kind: diag.Advise, YieldsToValue: true},
	"series":      {Kind: diag.Advise, AboutAll: true, Reads: []string{"start", "recurrence[]"}, Supersedes: []string{"misses"}},
	"misses":      {Kind: diag.Advise},
	"attachments": {Kind: diag.Reject, AssumesValid: []diag.Pointer{"?supports"}},
	"left":        {Kind: diag.Reject, Supersedes: []string{"right"}},
	"right":       {Kind: diag.Reject, Supersedes: []string{"left"}},
	"own":         {Kind: diag.Reject}, // of an embedder
}

func init() {
	for id, rule := range settled {
		rule.ID = id
	}
}

// settleCases say which findings remain of others, in which order. A finding is a rule and a path, with another kind
// after a colon, or the rule that caused it after a slash.
var settleCases = []struct{ name, found, want string }{
	{"one", "value@/a", "value@/a"},
	{"by offset", "value@/b enum@/a", "enum@/a value@/b"},
	{"by depth", "value@/a/b enum@/a", "enum@/a value@/a/b"},
	{"by rank", "value@/a attachments@/a enum@/a", "attachments@/a enum@/a value@/a"},
	{"as reported", "value@/a/2 value@/a/1", "value@/a/2 value@/a/1"},
	{"own last", "own@/a value@/a", "value@/a own@/a"},

	{"the value is wrong", "locked@/a value@/a", "value@/a"},
	{"another value is wrong", "locked@/a value@/b", "locked@/a value@/b"},
	{"a part is wrong", "locked@/start value@/start/date", "value@/start/date"},
	{"a part of a member that changes in parts", "locked@/a value@/a/b", "locked@/a value@/a/b"},
	{"a name that begins alike", "locked@/start value@/startle", "value@/startle locked@/start"},
	{"advice about the value", "locked@/a value@/a:advise", "value@/a:advise locked@/a"},
	{"a relation of values", "locked@/end order@/end", "order@/end locked@/end"},
	{"a rule of an embedder", "locked@/a own@/a", "locked@/a own@/a"},
	{"no rule that yields", "enum@/a value@/a", "enum@/a value@/a"},

	{"superseded", "mail@/a locked@/a advice@/a", "locked@/a"},
	{"elsewhere", "mail@/b locked@/a", "locked@/a mail@/b"},
	{"superseded by what is pointless", "value@/a locked@/a whole@/a advice@/a", "value@/a"},
	{"a refusal gives way to refusals", "mail@/a locked@/a:advise", "locked@/a:advise mail@/a"},
	{"advice gives way to advice", "series@/recurrence/1 misses@/recurrence/1 misses@/recurrence/2", "series@/recurrence/1 misses@/recurrence/2"},
	{"advice without a ground", "locked@/start series@/recurrence/1 misses@/recurrence/1", "misses@/recurrence/1 locked@/start"},
	{"both values of a cause", "whole@/end/order locked@/start", "locked@/start"},
	{"a cause about one value", "whole@/end/value locked@/start", "whole@/end/value locked@/start"},

	{"each supersedes the other", "left@/a right@/a", "left@/a"},

	{"what is needed was refused", "attachments@/a value@?supports", "value@?supports"},
	{"something else was refused", "attachments@/a value@?other", "value@?other attachments@/a"},
	{"what is needed got advice", "attachments@/a value@?supports:advise", "value@?supports:advise attachments@/a"},
	{"what is needed got advice that supersedes", "attachments@/a series@?supports", "series@?supports attachments@/a"},
	{"what is needed was refused by the same rule", "attachments@/a attachments@?supports", "attachments@?supports attachments@/a"},
}

func TestSettle(t *testing.T) {
	stage := testStage()
	for _, test := range settleCases {
		var report engine.Collector
		for text := range strings.FieldsSeq(test.found) {
			report.Findings = append(report.Findings, parseFinding(text))
		}
		stage.Settle(&report, 0, byFirstMember)
		if diff := cmp.Diff(test.want, formatFindings(report.Findings)); diff != "" {
			t.Errorf("%s: of %s remain (-want +got):\n%s", test.name, test.found, diff)
		}
	}
}

// testStage returns a stage of the rules in settled.
func testStage() *engine.Stage {
	var rules []*diag.Rule
	for _, id := range []string{"attachments", "order", "enum", "value", "locked", "mail", "advice", "series", "misses", "whole", "left", "right"} {
		rules = append(rules, settled[id])
	}
	return engine.NewStage(nil, rules, "/start", "/end")
}

// The number of findings does not matter to a finding. Growth (tools/growth) counts the work.
func TestSettleMany(t *testing.T) {
	const n = 1000 // as many as a report can have
	stage := testStage()
	for _, test := range settleCases {
		var report engine.Collector
		for text := range strings.FieldsSeq(test.found) {
			f := parseFinding(text)
			for i := range n {
				report.Findings = append(report.Findings, f)
				f.Path = diag.Pointer(fmt.Sprintf("/%d/%d", i, i)) // it concerns no other
				report.Findings = append(report.Findings, f)
				f.Path = parseFinding(text).Path
			}
		}
		stage.Settle(&report, 0, nil)
		var kept []string
		for _, f := range report.Findings {
			if f.Path[1] < '0' || f.Path[1] > '9' {
				kept = append(kept, formatFindings(diag.Findings{f}))
			}
		}
		want := strings.Fields(test.want)
		if len(kept) != n*len(want) {
			t.Errorf("%s: %d times %s remain %d findings; want %d", test.name, n, test.found, len(kept), n*len(want))
		}
		slices.Sort(want)
		slices.Sort(kept)
		if diff := cmp.Diff(want, slices.Compact(kept)); diff != "" {
			t.Errorf("%s: of many times %s remain (-want +got):\n%s", test.name, test.found, diff)
		}
	}
}

// The last finding that is kept is a reason for the rejection.
func TestSettleKeepsTheFirst(t *testing.T) {
	for _, test := range []struct {
		found string
		most  int
		want  string
	}{
		{"misses@/a misses@/b misses@/c", 0, "misses@/a misses@/b misses@/c"},
		{"misses@/a misses@/b misses@/c", 2, "misses@/a misses@/b"},
		{"misses@/a misses@/b", 2, "misses@/a misses@/b"},
		{"misses@/a misses@/b value@/c enum@/d", 2, "misses@/a value@/c"},
		{"value@/a misses@/b enum@/c", 2, "value@/a misses@/b"},
	} {
		var report engine.Collector
		for text := range strings.FieldsSeq(test.found) {
			report.Findings = append(report.Findings, parseFinding(text))
		}
		n := len(report.Findings)
		new(engine.Stage).Settle(&report, test.most, nil)
		if got := formatFindings(report.Findings); got != test.want || report.Truncated != (test.most > 0 && test.most < n) {
			t.Errorf("the first %d of %s are %s, truncated %t; want %s", test.most, test.found, got, report.Truncated, test.want)
		}
	}
}

// A finding without a rule is kept.
func TestSettleWithoutRule(t *testing.T) {
	report := engine.Collector{Findings: diag.Findings{{Path: "/b", Offset: 2}, {Path: "/a", Offset: 1}}}
	testStage().Settle(&report, 0, nil)
	want := diag.Findings{{Path: "/a", Offset: 1}, {Path: "/b", Offset: 2}}
	if diff := cmp.Diff(want, report.Findings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// byFirstMember gives all findings about a member, and what is within it, one offset: the query is first, then the members by name.
func byFirstMember(found diag.Findings) {
	for i := range found {
		first, _, _ := strings.Cut(strings.TrimPrefix(string(found[i].Path), "/"), "/")
		if found[i].Offset = int(first[0]); first[0] == '?' {
			found[i].Offset = 0
		}
	}
}

func parseFinding(text string) diag.Finding {
	id, path, _ := strings.Cut(text, "@")
	path, kind, isGraded := strings.Cut(path, ":")
	f := diag.Finding{Rule: settled[id], Kind: settled[id].Kind}
	if isGraded {
		f.Kind = diag.Kind(kind)
	}
	if i := strings.LastIndexByte(path, '/'); id == "whole" && i > 0 {
		path, f.Cause = path[:i], settled[path[i+1:]]
	}
	f.Path = diag.Pointer(path)
	return f
}

func formatFindings(found diag.Findings) string {
	var texts []string
	for f := range slices.Values(found) {
		text := f.Rule.ID + "@" + string(f.Path)
		if f.Cause != nil {
			text += "/" + f.Cause.ID
		}
		if f.Kind != f.Rule.Kind {
			text += ":" + string(f.Kind)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}
