package traffic

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
)

// TestWrite tests the lines about an exchange.
func TestWrite(t *testing.T) {
	reject := Finding{Rule: "a.rule", Kind: diag.Reject, Path: "/end", Message: "No end."}
	whole := Finding{Rule: "b.rule", Kind: diag.Advise, Message: "Odd.", Remembered: true}
	differs := Finding{Rule: "c.rule", Kind: diag.Reject, Path: "/status", Message: "No.", Predicted: `"a"`}
	for name, test := range map[string]struct {
		x    Exchange
		want []string
	}{
		"nothing":   {Exchange{Verdict: between.Agreed}, nil},
		"findings":  {Exchange{Findings: []Finding{reject, whole}}, []string{"at: reject /end: No end. [a.rule]", "at: advise Odd. (compared with the event read earlier) [b.rule]"}},
		"unchecked": {Exchange{Unchecked: "it is odd"}, []string{"at: not checked: it is odd"}},
		"parts": {
			Exchange{Parts: []Exchange{{Method: "GET", Path: "/a"}, {Unchecked: "it is odd"}}, Answer: []Finding{reject}},
			[]string{"at: part 2, another method another path: not checked: it is odd", "at: answer reject /end: No end. [a.rule]"},
		},
		"refused there": {
			Exchange{Verdict: between.RefusedThere, Status: 403, Refusal: &Refusal{Reason: "quota", Meaning: "Too much."}},
			[]string{"at: the service refused the request with 403 for a reason that calrules does not know: quota: Too much."},
		},
		"accepted there": {Exchange{Verdict: between.AcceptedThere, Status: 200}, []string{"at: the service accepted the request with 200, but the rules reject it"}},
		"answered otherwise": {
			Exchange{Verdict: between.AnsweredOtherwise, Answer: []Finding{reject, differs}},
			[]string{"at: answer reject /end: No end. [a.rule]", "at: answer reject /status: No. [c.rule]", `at: answered differently: /status: predicted "a", recorded nothing`},
		},
	} {
		var out strings.Builder
		test.x.Write(&out, "at")
		if diff := cmp.Diff(test.want, strings.Split(out.String(), "\n")[:strings.Count(out.String(), "\n")], cmp.Transformer("", func(lines []string) string { return strings.Join(lines, "\n") })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestTotals tests the summary of exchanges, in which a batch counts as its parts.
func TestTotals(t *testing.T) {
	findings := []Finding{{Kind: diag.Advise}, {Kind: diag.Reject}, {Kind: diag.Advise}}
	for _, test := range []struct {
		others int
		all    []Exchange
		want   string
	}{
		{0, nil, "0 requests: none compared; no findings"},
		{2, nil, "2 requests, none to the service"},
		{2, []Exchange{{}}, "1 request: 1 not compared; no findings"},
		{0, []Exchange{{Verdict: between.Agreed}, {Verdict: between.AnsweredOtherwise}, {Verdict: between.Agreed}}, "3 requests: 2 agreed, 1 answered differently; no findings"},
		{0, []Exchange{{Parts: []Exchange{{Findings: findings[:1]}, {Verdict: between.Agreed}}, Answer: findings[1:]}}, "2 requests: 1 agreed, 1 not compared; 3 findings: 1 reject, 2 advise"},
	} {
		totals := NewTotals()
		totals.Others = test.others
		for i := range test.all {
			totals.Count(&test.all[i])
		}
		if got := totals.String(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	for kind := range (Findings{diag.Advise: 1, diag.Reject: 1}).All() {
		if kind != diag.Reject {
			t.Errorf("%s comes before reject", kind)
		}
		break
	}
}
