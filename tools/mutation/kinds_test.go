package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKinds(t *testing.T) {
	const before = `package p

import (
	"cmp"
	"slices"
)

type color uint8

const (
	red color = iota + 1
	green
	blue
	most = 7
)

type list []int

func (l list) Clone() list { return append(list(nil), l...) }

func report(int) {}

var _, _ = cmp.Compare[int], slices.Clone[list]

func _(a, b int, l, m list, c color, u uint64, f float64, p bool) {
`
	tests := []struct {
		name         string
		kind         kind
		source, want string
		changes      []string
	}{
		{"number", constants, "a = 5", "a = mutantNext[int](1, 5)", []string{"5 to 5+1"}},
		{"negative", constants, "a = -2", "a = mutantNext[int](1, -2)", []string{"-2 to -2+1"}},
		{"of another type", constants, "u = u + 1", "u = u + mutantNext[uint64](1, 1)", []string{"1 to 1+1"}},
		{"name", constants, "a = most", "a = mutantNext[int](1, most)", []string{"most to most+1"}},
		{"enumeration", constants, "c = red", "c = mutantOther[color](1, red, 2)", []string{"red to green"}},
		{"last of an enumeration", constants, "_ = c == blue", "_ = c == mutantOther[color](1, blue, 1)", []string{"blue to red"}},
		{"case", constants, "switch c {\ncase red:\n}", "switch c {\ncase mutantOther[color](1, red, 2):\n}", []string{"red to green"}},
		{"shifted constant", constants, "f = float64(a) / (1 << most)", "f = float64(a) / (1 << most)", nil},
		{"shift", constants, "a = 1 << u", "a = mutantNext[int](1, 1) << u", []string{"1 to 1+1"}},
		{"length", constants, "_ = [3]int{}", "_ = [3]int{}", nil},
		{"declaration", constants, "const d = 3", "const d = 3", nil},
		{"float", constants, "f = 3", "f = 3", nil},

		{"function", copies, "_ = slices.Clone(l)", "_ = mutantCopy(1, slices.Clone, l)", []string{"Clone to its argument"}},
		{"capacity", copies, "_ = append(slices.Clip(l), a)", "_ = append(mutantCopy(1, slices.Clip, l), a)", []string{"Clip to its argument"}},
		{"method", copies, "_ = l.Clone()", "_ = mutantCopy(1, func(x list) list { return x.Clone() }, l)", []string{"Clone to its receiver"}},
		{
			"both", copies, "_ = slices.Clone(l).Clone()",
			"_ = mutantCopy(1, func(x list) list { return x.Clone() }, mutantCopy(2, slices.Clone, l))",
			[]string{"Clone to its receiver", "Clone to its argument"},
		},

		{"call", drops, "report(a)", "if !mutantIs(1) { report(a) }", []string{"call to nothing"}},
		{"call in a case", drops, "switch {\ncase a > b:\nreport(a)\n}", "switch {\ncase a > b:\nif !mutantIs(1) { report(a) }\n}", []string{"call to nothing"}},
		{"append", drops, "l = append(l, a)", "if !mutantIs(1) { l = append(l, a) }", []string{"append to nothing"}},
		{"append to another", drops, "l = append(m, a)", "l = append(m, a)", nil},
		{"panic", drops, "panic(a)", "panic(a)", nil},
		{"call of a loop", drops, "for ; a < b; report(a) {\n}", "for ; a < b; report(a) {\n}", nil},

		{"order", ranks, "_ = cmp.Compare(a, b)", "_ = mutantReverse(1, cmp.Compare(a, b))", []string{"order to its reverse"}},
		{"first", ranks, "_ = cmp.Or(a, b)", "_ = mutantFirst[int](1, cmp.Or, a, b)", []string{"first argument to second one"}},
		{"first of constants", ranks, "_ = cmp.Or(c, 2)", "_ = mutantFirst[color](1, cmp.Or, c, 2)", []string{"first argument to second one"}},
		{"list", ranks, "_ = []*int{&a, &b, &a}", "_ = mutantOrder(1, []*int{&a, &b, &a})", []string{"&a to &b", "&b to &a"}},
		{"list of numbers", ranks, "_ = []int{1, 2}", "_ = []int{1, 2}", nil},
		{"array", ranks, "_ = [...]int{a, b}", "_ = [...]int{a, b}", nil},
		{"address of a list", ranks, "_ = &[]int{a, b}", "_ = &[]int{a, b}", nil},

		{"condition", fixed, "if a > b {\n}", "if mutantFixed(1, 2, a > b) {\n}", []string{"a > b to true", "a > b to false"}},
		{
			"operands", fixed, "_ = a > b && !p || c == red", "_ = mutantFixed[bool](1, 2, a > b) && !mutantFixed[bool](3, 4, p) || mutantFixed[bool](5, 6, c == red)",
			[]string{"a > b to true", "a > b to false", "p to true", "p to false", "c == red to true", "c == red to false"},
		},
		{
			"condition of a loop", fixed, "for a > b && (p) {\n}", "for mutantFixed[bool](0, 1, a > b) && (mutantFixed[bool](0, 2, p)) {\n}",
			[]string{"a > b to false", "p to false"},
		},
		{"boolean that decides nothing", fixed, "p = (p)", "p = (p)", nil},
		{
			"condition and operator", fixed | operators, "_ = a < b", "_ = mutantFixed[bool](1, 2, ((mutantLess[int](4, a , b)) != mutantIs(3)))",
			[]string{"a < b to true", "a < b to false", "< to >=", "< to <="},
		},
		{
			"all", allKinds, "l = append(slices.Clone(l), a+1)",
			"l = append(mutantCopy(1, slices.Clone, l), mutantAdd[int](2, a,mutantNext[int](3, 1)))",
			[]string{"Clone to its argument", "+ to -", "1 to 1+1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, changes, _ := rewriteSource(t, tt.kind, before+tt.source+"\n}\n")
			got = strings.TrimSuffix(strings.TrimPrefix(got, before), "\n}\n")
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if diff := cmp.Diff(tt.changes, changes); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseKinds(t *testing.T) {
	for list, want := range map[string]kind{"operators": operators, "copies,ranks": copies | ranks, "all": operators | constants | copies | drops | ranks | fixed} {
		if got, err := parseKinds(list); got != want || err != nil {
			t.Errorf("%s: %b, %v, want %b", list, got, err, want)
		}
	}
	if _, err := parseKinds("operators,colors"); err == nil {
		t.Error("no error")
	}
}
