package switches

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// activate makes a mutant active for a test.
func activate(t *testing.T, n int) {
	was := mutantActive
	mutantActive = n
	t.Cleanup(func() { mutantActive = was })
}

func TestOrders(t *testing.T) {
	functions := map[string]func(int, int, int) bool{
		"<": mutantLess[int], "<=": mutantLessEqual[int], ">": mutantGreater[int], ">=": mutantGreaterEqual[int],
	}
	others := map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
	want := map[string][]bool{"<": {true, false, false}, "<=": {true, true, false}, ">": {false, false, true}, ">=": {false, true, true}}
	results := func(f func(int, int, int) bool) []bool { return []bool{f(7, 1, 2), f(7, 2, 2), f(7, 3, 2)} }
	for op, f := range functions {
		if diff := gocmp.Diff(want[op], results(f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", op, diff)
		}
		activate(t, 7)
		if diff := gocmp.Diff(want[others[op]], results(f)); diff != "" {
			t.Errorf("the mutant of %s (-want +got):\n%s", op, diff)
		}
		activate(t, -1)
	}
}

func TestArithmetic(t *testing.T) {
	tests := []struct {
		op               string
		f                func(n, x, y int) int
		original, mutant int
	}{
		{"+", mutantAdd[int], 13 + 2, 13 - 2},
		{"-", mutantSub[int], 13 - 2, 13 + 2},
		{"*", mutantMul[int], 13 * 2, 13 / 2},
		{"/", mutantDiv[int], 13 / 2, 13 * 2},
		{"%", mutantRem[int], 13 % 2, 13 * 2},
		{"&", mutantAnd[int], 13 & 2, 13 | 2},
		{"|", mutantOr[int], 13 | 2, 13 & 2},
		{"^", mutantXor[int], 13 ^ 2, 13 & 2},
		{"&^", mutantAndNot[int], 13 &^ 2, 13 & 2},
		{"<<", mutantShl[int, int], 13 << 2, 13 >> 2},
		{">>", mutantShr[int, int], 13 >> 2, 13 << 2},
	}
	for _, tt := range tests {
		if got := tt.f(7, 13, 2); got != tt.original {
			t.Errorf("13 %s 2 = %d, want %d", tt.op, got, tt.original)
		}
		activate(t, 7)
		if got := tt.f(7, 13, 2); got != tt.mutant {
			t.Errorf("the mutant of 13 %s 2 = %d, want %d", tt.op, got, tt.mutant)
		}
		activate(t, -1)
	}
}

func TestAssignments(t *testing.T) {
	for active, want := range map[int][]int{-1: {15, 52}, 7: {11, 3}, 8: {2, 52}} {
		activate(t, active)
		x, y := 13, 13
		mutantUpdate(mutantAdd, 7, 8, &x, 2)
		mutantShift(mutantShl, 7, &y, 2)
		if diff := gocmp.Diff(want, []int{x, y}); diff != "" {
			t.Errorf("mutant %d (-want +got):\n%s", active, diff)
		}
	}
	activate(t, 8)
	s := "a"
	if mutantUpdate(mutantJoin, 0, 9, &s, "b"); s != "ab" {
		t.Errorf("joined: %q", s)
	}
	if mutantUpdate(mutantJoin, 0, 8, &s, "c"); s != "c" {
		t.Errorf("not joined: %q", s)
	}
}

func TestOthers(t *testing.T) {
	reversed := func(list []int) []int {
		copied := slices.Clone(list)
		slices.Reverse(copied)
		return copied
	}
	type results struct {
		next, other, order, first int
		copied, list              []int
	}
	for active, want := range map[int]results{
		-1: {5, 5, -1, 2, []int{2, 1}, []int{1, 2, 3}},
		7:  {6, 8, 1, 3, []int{1, 2}, []int{2, 1, 3}},
		8:  {5, 5, -1, 2, []int{2, 1}, []int{1, 3, 2}},
	} {
		activate(t, active)
		got := results{
			mutantNext(7, 5), mutantOther(7, 5, 8), mutantReverse(7, cmp.Compare(1, 2)), mutantFirst(7, cmp.Or[int], 2, 3),
			mutantCopy(7, reversed, []int{1, 2}), mutantOrder(7, []int{1, 2, 3}),
		}
		if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(results{})); diff != "" {
			t.Errorf("mutant %d (-want +got):\n%s", active, diff)
		}
	}
}

func TestFixed(t *testing.T) {
	for active, want := range map[int][]bool{-1: {true, false}, 7: {true, true}, 8: {false, false}} {
		activate(t, active)
		if diff := gocmp.Diff(want, []bool{mutantFixed(7, 8, true), mutantFixed(7, 8, false)}); diff != "" {
			t.Errorf("mutant %d (-want +got):\n%s", active, diff)
		}
	}
}

func TestTrace(t *testing.T) {
	trail := filepath.Join(t.TempDir(), "trail")
	mutantTrace.path, mutantTraced = trail, true
	t.Cleanup(func() { mutantTrace.path, mutantTraced = "", false })
	for _, n := range []int{3, 5, 3} {
		if mutantIs(n) {
			t.Errorf("mutant %d is active", n)
		}
	}
	if !mutantSeen(7, true) || mutantSeen(7, false) || !mutantSeen(9, true) {
		t.Error("a condition has another value")
	}
	got, err := os.ReadFile(trail)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != "3\n5\n7\n8\n9\n" {
		t.Errorf("trail: %q", got)
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]int{"": -1, "x": -1, "12": 12} {
		if got := mutantNumber(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
