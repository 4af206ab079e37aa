package object

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/occasion"
)

// guest has a member for each kind of demand.
type guest struct {
	Email  string
	Status string
	Count  int64
	Size   *int64
	Labels map[string]string
	Inner  *guest
	Others []guest

	extra Extra
}

// guestTable has the demands of rules on different occasions.
var guestTable = func() *Type[*guest] {
	always := &diag.Rule{ID: "always", Kind: diag.Reject, When: diag.Write}
	onInsert := &diag.Rule{ID: "insert", Kind: diag.Reject, When: occasion.Insert}
	inner := NewType(func(g *guest) *Extra { return &g.extra },
		String("status", func(g *guest) *string { return &g.Status }).Must(constraint.EventStatus, onInsert).Require(always),
	)
	return NewType(func(g *guest) *Extra { return &g.extra },
		String("email", func(g *guest) *string { return &g.Email }).Require(onInsert).Must(constraint.AddrSpec, always),
		String("status", func(g *guest) *string { return &g.Status }).Must(constraint.EventStatus, onInsert),
		Int("count", func(g *guest) *int64 { return &g.Count }).Must(constraint.AdditionalGuests, always),
		OptInt("size", func(g *guest) **int64 { return &g.Size }).Must(constraint.GadgetSize, onInsert).Require(always),
		StringMap("labels", func(g *guest) *map[string]string { return &g.Labels }).MustMap(constraint.PropertyKey, constraint.PropertyValue, always),
		Object("inner", func(g *guest) **guest { return &g.Inner }, inner).Require(always),
		Array("others", func(g *guest) *[]guest { return &g.Others }, inner).Must(constraint.ReminderOverrides, always),
	)
}()

// The tests of an occasion pass if, and only if, there is nothing to report.
func TestDemands(t *testing.T) {
	values := map[string][]string{
		"email": {`"a@example.com"`, `"a"`, `""`, `7`, `null`}, "status": {`"confirmed"`, `"x"`, `""`, `7`, `null`},
		"count": {`0`, `1`, `-1`, `"x"`, `null`}, "size": {`0`, `1`, `-1`, `"x"`, `null`}, "labels": {`{}`, `{"k":"v"}`, `{"":"v"}`, `7`},
		"inner": {`{}`, `{"status":"confirmed"}`, `{"status":""}`, `7`, `null`}, "others": {`[]`, `[{"status":"confirmed"}]`, `[{}]`, `[7]`, `7`},
	}
	rapid.Check(t, func(t *rapid.T) {
		text := []byte("{")
		for _, m := range guestTable.members {
			if rapid.Bool().Draw(t, "has "+m.Name) {
				text = append(appendName(text, 1, m.Name), rapid.SampledFrom(values[m.Name]).Draw(t, m.Name)...)
			}
		}
		text = append(text, '}')
		g := new(guest)
		guestTable.Decode(text, g, Reading{Nulls: NullIsKept})
		c := Checking{On: rapid.SampledFrom([]diag.When{occasion.Insert, occasion.Patch, diag.Response}).Draw(t, "on"), Partial: rapid.Bool().Draw(t, "partial")}
		if got, want := guestTable.valid(c.On, c.Partial, g), len(reportAll(c, g)) == 0; got != want {
			t.Fatalf("valid(%v, %v, %s) is %v, want %v", c.On, c.Partial, text, got, want)
		}
	})
}

// reportAll reports on each member without asking the tests first.
func reportAll(c Checking, g *guest) diag.Findings {
	c.Report = new(diag.Report)
	for _, m := range guestTable.members {
		guestTable.report(c, m, g, nil, "")
		if m.inner.check != nil {
			m.inner.check(c, g, nil, "", &m.Declaration)
		}
	}
	return c.Report.Findings
}
