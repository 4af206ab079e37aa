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

// says are the sentences of the rules below.
var says = diag.Sentences{{Key: "wrong", Text: "Something is wrong."}, {Key: "is", Text: "It is {value}."}}

var (
	stated   = &diag.Rule{ID: "time.offset", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Says: says}
	observed = &diag.Rule{ID: "time.order", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Says: says}
	advice   = &diag.Rule{ID: "gadget.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Says: says}
)

func finding(rule *diag.Rule, path diag.Pointer) *diag.Finding {
	return &diag.Finding{Rule: rule, Kind: rule.Kind, Basis: rule.Basis, Path: path, Key: "wrong"}
}

func TestQuote(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", `""`},
		{"a\"b\n", `"a\"b\n"`},
		{"\xff", `"\xff"`},
		{" ~", `" ~"`},
		{"\x1f", `"\x1f"`},
		{"\x7f", `"\x7f"`},
		{`\`, `"\\"`},
		{strings.Repeat("a", 40), `"` + strings.Repeat("a", 40) + `"`},
		{strings.Repeat("a", 41), `"` + strings.Repeat("a", 40) + `"… (41 characters)`},
		{strings.Repeat("é", 40), `"` + strings.Repeat("é", 40) + `"`},
		{strings.Repeat("é", 41), `"` + strings.Repeat("é", 40) + `"… (41 characters)`},
	} {
		if got := engine.Quote(test.in); got != test.want {
			t.Errorf("Quote(%q) = %s, want %s", test.in, got, test.want)
		}
	}
	if got := engine.Quote(strings.Repeat("x", 10_000_000)); len(got) > 100 {
		t.Errorf("a long value is quoted in %d bytes", len(got))
	}
}

func TestReportGrades(t *testing.T) {
	report := engine.Collector{Grading: diag.Grading{Rules: map[string]diag.Grade{stated.ID: diag.Off, observed.ID: diag.ToAdvise, advice.ID: diag.ToReject}}}
	report.Add(finding(stated, "/a"))
	report.Add(finding(observed, "/b"))
	if report.Refused || len(report.Findings) != 1 || report.Findings[0].Kind != diag.Advise {
		t.Errorf("refused %t by %v", report.Refused, report.Findings)
	}
	report.Add(finding(advice, "/c"))
	if !report.Refused || report.Findings[1].Kind != diag.Reject {
		t.Errorf("refused %t by %v", report.Refused, report.Findings)
	}
	again := engine.Collector{Grading: diag.Grading{Rules: map[string]diag.Grade{observed.ID: diag.ToReject}}}
	first := report.Findings[0]
	again.Add(&first)
	if f := again.Findings[0]; f.Kind != diag.Reject || f.Certain != diag.Reject || report.Findings[1].Certain != diag.Advise {
		t.Errorf("for certain, %v is %s, and %v is %s", f, f.Certain, report.Findings[1], report.Findings[1].Certain)
	}
}

func TestReportCap(t *testing.T) {
	part := engine.Part(diag.Documents)
	for limit, kept := range map[int]int{0: engine.Most, 1: 1, 3: 3, part.Max: engine.Most + 1} {
		report := engine.Collector{Max: limit}
		for range kept {
			report.Add(finding(advice, "/a"))
		}
		if report.Truncated || report.Refused || len(report.Findings) != kept {
			t.Errorf("Max %d: %d findings, truncated %t, refused %t", limit, len(report.Findings), report.Truncated, report.Refused)
		}
		report.Add(finding(advice, "/b"))
		if !report.Truncated || report.Refused || len(report.Findings) != kept {
			t.Errorf("Max %d, one more: %d findings, truncated %t, refused %t", limit, len(report.Findings), report.Truncated, report.Refused)
		}
		report.For(stated, "").Report("/c", "is", diag.Value("value", "grave"))
		if !report.Refused || len(report.Findings) != kept {
			t.Errorf("Max %d: a rejection beyond does not refuse", limit)
		}
		report.For(stated, "").Report("/d", "wrong")
		var rejected []diag.Pointer
		for _, f := range report.Findings.OfKind(diag.Reject) {
			rejected = append(rejected, f.Path)
		}
		if diff := cmp.Diff([]diag.Pointer{"/c"}, rejected); diff != "" {
			t.Errorf("Max %d: the rejection that is kept (-want +got):\n%s", limit, diff)
		}
	}
}

func TestReport(t *testing.T) {
	var report engine.Collector
	r := report.For(stated, "/a")
	r.Report("/b", "wrong")
	r.WithKind(diag.Advise).WithBasis(diag.Inferred).Report("", "is", diag.Value("value", "odd"))
	r.At(5).Report("/c", "wrong")
	want := diag.Findings{
		{Rule: stated, Kind: diag.Reject, Basis: diag.Stated, Path: "/a/b", Key: "wrong", Offset: -1},
		{Rule: stated, Kind: diag.Advise, Basis: diag.Inferred, Path: "/a", Key: "is", Args: []diag.Arg{diag.Value("value", "odd")}, Offset: -1},
		{Rule: stated, Kind: diag.Reject, Basis: diag.Stated, Path: "/a/c", Key: "wrong", Offset: 5},
	}
	if diff := cmp.Diff(want, report.Findings); diff != "" || report.Findings[0].Rule != stated {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A reporter without a report or a rule drops what it is given.
func TestReporterOfNothing(t *testing.T) {
	var report engine.Collector
	for _, r := range []engine.Reporter{{}, (*engine.Collector)(nil).For(stated, ""), report.For(nil, "")} {
		r.Report("/a", "wrong")
		r.WithKind(diag.Reject).Report("/a", "wrong")
	}
	if len(report.Findings) > 0 || report.Refused {
		t.Errorf("findings of no rule: %v", report.Findings)
	}
}

// Findings that are off do not count towards Max.
func TestReportCapIgnoresWhatIsOff(t *testing.T) {
	report := engine.Collector{Max: 1, Grading: diag.Grading{Rules: map[string]diag.Grade{stated.ID: diag.Off}}}
	report.Add(finding(advice, "/a"))
	report.Add(finding(stated, "/b"))
	report.For(stated, "").Report("/b", "wrong")
	if report.Truncated || report.Refused || len(report.Findings) != 1 {
		t.Errorf("%d findings, truncated %t, refused %t", len(report.Findings), report.Truncated, report.Refused)
	}
}

func TestRun(t *testing.T) {
	var ran []string
	rule := func(id string, when diag.When) *diag.Rule {
		return &diag.Rule{
			ID: id, Kind: diag.Reject, When: when, Basis: diag.Stated, Says: says,
			Check: func(in string, r engine.Reporter) {
				ran = append(ran, r.Rule().ID)
				r.Report("/b", "is", diag.Name("value", in))
				r.WithKind(diag.Advise).Report("", "is", diag.Name("value", in))
			},
		}
	}
	rules := []*diag.Rule{rule("second", diag.Insert), rule("first", diag.Create), {ID: "silent", When: diag.All}, rule("update", diag.Update)}
	var report engine.Collector
	engine.Run(rules, diag.Insert, "odd", &report, "/a")
	if want := []string{"second", "first"}; !slices.Equal(ran, want) {
		t.Errorf("ran %q, want %q: those that apply, in order", ran, want)
	}
	var got []string
	for _, f := range report.Findings {
		got = append(got, fmt.Sprintf("%s %s %s %d %s", f.Rule.ID, f.Kind, f.Path, f.Offset, f.Message()))
	}
	want := []string{"second reject /a/b -1 It is odd.", "second advise /a -1 It is odd.", "first reject /a/b -1 It is odd.", "first advise /a -1 It is odd."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// A rule that does not report does not allocate.
func TestRunAllocatesNothing(t *testing.T) {
	rules := []*diag.Rule{{ID: "a.rule", Kind: diag.Reject, When: diag.Write, Check: func(n *int, r engine.Reporter) {
		if *n < 0 {
			r.Report("", "is", diag.Number("value", *n))
		}
	}}}
	n := new(int)
	report := new(engine.Collector)
	if allocs := testing.AllocsPerRun(100, func() { engine.Run(rules, diag.Insert, n, report, "") }); allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}

// A report that is full and refused takes no more findings.
func TestReportIsFull(t *testing.T) {
	report := engine.Collector{Max: 1}
	rule := &diag.Rule{ID: "a.rule", Kind: diag.Reject, Basis: diag.Stated, Says: diag.Sentences{{Key: "is", Text: "x"}}}
	for range 3 {
		report.For(rule, "").Report("", "is")
	}
	if len(report.Findings) != 1 || !report.Truncated || !report.Refused {
		t.Errorf("%d findings, truncated %t, refused %t", len(report.Findings), report.Truncated, report.Refused)
	}
}
