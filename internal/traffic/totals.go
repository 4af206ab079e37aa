package traffic

import (
	"cmp"
	"fmt"
	"iter"
	"strings"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/visible"
)

// Totals counts exchanges.
type Totals struct {
	Requests int                     `json:"requests"` // to the service
	Others   int                     `json:"others"`
	Verdicts map[between.Verdict]int `json:"verdicts"`
	Findings Findings                `json:"findings"`
}

// Findings counts findings by kind.
type Findings map[diag.Kind]int

// NotCompared is the name for [between.Unjudged] in totals and statistics.
const NotCompared between.Verdict = "not-compared"

// verdicts lists the verdicts in words, in the order in which a summary lists them.
var verdicts = []struct {
	verdict between.Verdict
	words   string
}{
	{between.Agreed, "agreed"},
	{between.RefusedThere, "refused by the service for a reason that calrules does not know"},
	{between.AcceptedThere, "accepted by the service, but rejected by the rules"},
	{between.AnsweredOtherwise, "answered differently"},
	{NotCompared, "not compared"},
}

// NewTotals returns totals without exchanges.
func NewTotals() *Totals {
	return &Totals{Verdicts: map[between.Verdict]int{}, Findings: Findings{}}
}

// Count counts an exchange, or the parts of a batch.
func (t *Totals) Count(x *Exchange) {
	x.Each(func(x *Exchange) {
		t.Requests++
		t.Verdicts[cmp.Or(x.Verdict, NotCompared)]++
	})
	for _, f := range x.All() {
		t.Findings[f.Kind]++
	}
}

// String returns a summary, such as "2 requests: 1 agreed, 1 answered differently; 1 finding: 1 reject".
func (t *Totals) String() string {
	if t.Requests == 0 && t.Others > 0 {
		return visible.Count(t.Others, "request") + ", none to the service"
	}
	var parts []string
	for _, v := range verdicts {
		if n := t.Verdicts[v.verdict]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v.words))
		}
	}
	if len(parts) == 0 {
		parts = []string{"none compared"}
	}
	return fmt.Sprintf("%s: %s; %s", visible.Count(t.Requests, "request"), strings.Join(parts, ", "), t.Findings)
}

// All yields the kinds with findings, the most serious first, and the number of findings.
func (f Findings) All() iter.Seq2[diag.Kind, int] {
	return func(yield func(diag.Kind, int) bool) {
		for _, kind := range []diag.Kind{diag.Reject, diag.Ignore, diag.Advise, diag.Unspecified} {
			if n := f[kind]; n > 0 && !yield(kind, n) {
				return
			}
		}
	}
}

// String returns the sum and the kinds, the most serious first, such as "2 findings: 1 reject, 1 advise".
func (f Findings) String() string {
	sum := 0
	var parts []string
	for kind, n := range f.All() {
		sum += n
		parts = append(parts, fmt.Sprintf("%d %s", n, kind))
	}
	if sum == 0 {
		return "no findings"
	}
	return visible.Count(sum, "finding") + ": " + strings.Join(parts, ", ")
}
