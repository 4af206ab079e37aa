package aim

import (
	"testing"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/operation"
)

// Each life breaks the next ten rules. A server that accepts a broken request ends the life with that request.
func TestBreakRules(t *testing.T) {
	const op operation.ID = "freebusy.query"
	rules := gen.Rules(diag.Documents, op)
	for number := range 3 {
		for _, status := range []int{400, 200} {
			r := runAt(t, status, tree{"id": "c"})
			r.watcher, _ = between.New(between.Options{Base: r.Base, Documents: true})
			r.Dialect, r.Operations = diag.Documents, []operation.ID{op}
			l := &life{run: r, number: number, o: &outcome{story: &story{name: "life:1"}}}
			l.breakRules()
			for i, x := range l.o.requests {
				if rule := rules[(10*number+i)%len(rules)]; !x.finds(rule) {
					t.Errorf("request %d of life %d breaks %v, want %s", i, number, x.rejection(), rule)
				}
			}
			want := 10
			if status == 200 {
				want = 1
			}
			if len(l.o.requests) != want || l.o.story.name != "life:1" || (l.o.story.rule != "") != (status == 200) {
				t.Errorf("life %d at %d: %d requests, and %+v", number, status, len(l.o.requests), l.o.story)
			}
		}
	}
}
