package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
)

// rewriteFunction rewrites the statements of a function with some parameters.
func rewriteFunction(t *testing.T, k kind, statements string) (text string, changes []string, skipped int) {
	t.Helper()
	const before = "package p\ntype named uint8\ntype set[T any] uint32\nfunc _(a, b, c int, p, q bool, s string, m map[int]int, l []int, n named, u uint64, g set[named]) {\n"
	text, changes, skipped = rewriteSource(t, k, before+statements+"\n}\n")
	return strings.TrimSuffix(strings.TrimPrefix(text, before), "\n}\n"), changes, skipped
}

// rewriteSource rewrites a file.
func rewriteSource(t *testing.T, k kind, source string) (text string, changes []string, skipped int) {
	t.Helper()
	library, err := loadLibrary()
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	r := &rewriter{kinds: k, files: files, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}}}
	if r.pkg, err = (&types.Config{Importer: library}).Check("p", files, []*ast.File{file}, r.info); err != nil {
		t.Fatal(err)
	}
	text = string(r.rewrite(file, []byte(source)))
	checkTypes(t, text)
	for _, m := range r.mutants {
		changes = append(changes, m.change)
	}
	return text, changes, r.skipped
}

// library is the packages of the standard library that the switches import.
type library map[string]*types.Package

func (l library) Import(path string) (*types.Package, error) {
	if pkg := l[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("%s is not loaded", path)
}

var loadLibrary = sync.OnceValues(func() (library, error) {
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes}, "cmp", "os", "slices", "strconv", "sync", "sync/atomic")
	l := library{}
	for _, pkg := range list {
		l[pkg.PkgPath] = pkg.Types
	}
	return l, err
})

// checkTypes tests that a rewritten file compiles together with the switches.
func checkTypes(t *testing.T, text string) {
	t.Helper()
	library, err := loadLibrary()
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, source := range []string{text, strings.Replace(switches, "package switches", "package p", 1)} {
		file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		parsed = append(parsed, file)
	}
	config := types.Config{Importer: library}
	if _, err := config.Check("p", files, parsed, nil); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestRewrite(t *testing.T) {
	tests := []struct {
		name, source, want string
		changes            []string
		skipped            int
	}{
		{"equality", "_ = a == b", "_ = ((a == b) != mutantIs(1))", []string{"== to !="}, 0},
		{"order", "_ = a < b", "_ = ((mutantLess[int](2, a , b)) != mutantIs(1))", []string{"< to >=", "< to <="}, 0},
		{"and", "_ = p && q", "_ = ((((p) != mutantIs(1)) && ((q) != mutantIs(1))) != mutantIs(1))", []string{"&& to ||"}, 0},
		{
			"nested", "_ = a+b*c",
			"_ = mutantAdd[int](1, a,mutantMul[int](2, b,c))",
			[]string{"+ to -", "* to /"}, 0,
		},
		{"left first", "_ = a-b-c", "_ = mutantSub[int](1, mutantSub[int](2, a,b),c)", []string{"- to +", "- to +"}, 0},
		{"lines", "_ = a +\n\tb", "_ = mutantAdd[int](1, a ,\n\tb)", []string{"+ to -"}, 0},
		{"constant operand", "_ = n + 1", "_ = mutantAdd[named](1, n , 1)", []string{"+ to -"}, 0},
		{"constant operand first", "_ = 1 + u", "_ = mutantAdd[uint64](1, 1 , u)", []string{"+ to -"}, 0},
		{"constants", "u = 2 * 3", "u = mutantMul[uint64](1, 2 , 3)", []string{"* to /"}, 0},
		{"parts of a constant", "a = 2 * 3 + 1", "a = mutantAdd[int](1, 2 * 3 , 1)", []string{"+ to -"}, 1},
		{"compared constants", "_ = 2 < 1", "_ = ((2 < 1) != mutantIs(1))", []string{"< to >="}, 1},
		{"shifted constant that becomes a float", "_ = float64(a) / (1 << 53)", "_ = mutantDiv[float64](1, float64(a) , (1 << 53))", []string{"/ to *"}, 1},
		{"shifted constant", "n = 1 << a", "n = mutantShl[named](1, 1 , a)", []string{"<< to >>"}, 0},
		{"instance of a generic type", "_ = g & (1 << n)", "_ = mutantAnd[set[named]](1, g , (mutantShl[set[named]](2, 1 , n)))", []string{"& to |", "<< to >>"}, 0},
		{"strings", "_ = s + s", "_ = s + s", nil, 0},
		{"step", "a++", "mutantUpdate(mutantAdd, 1, 0, &a, 1)", []string{"++ to --"}, 0},
		{"step in a loop", "for i := 9; i > 0; i-- {\n}", "for i := 9; ((mutantGreater[int](2, i , 0)) != mutantIs(1)); mutantUpdate(mutantSub, 3, 0, &i, 1) {\n}", []string{"> to <=", "> to >=", "-- to ++"}, 0},
		{"assignment", "l[a+1] -= b", "mutantUpdate(mutantSub, 1, 2, &l[mutantAdd[int](3, a,1)] , b)", []string{"-= to +=", "-= to =", "+ to -"}, 0},
		{"joined", "s += s", "mutantUpdate(mutantJoin, 0, 1, &s , s)", []string{"+= to ="}, 0},
		{"shift", "n >>= a", "mutantShift(mutantShr, 1, &n , a)", []string{">>= to <<="}, 0},
		{"break", "for p {\nbreak\n}", "for p {\nif mutantIs(1) { continue }; break\n}", []string{"break to continue"}, 0},
		{"break of a switch in a loop", "for range l {\nswitch a {\ncase 1:\nbreak\n}\n}", "for range l {\nswitch a {\ncase 1:\nif mutantIs(1) { continue }; break\n}\n}", []string{"break to continue"}, 0},
		{"label", "outer:\nfor range l {\nfor range l {\ncontinue outer\n}\n}", "outer:\nfor range l {\nfor range l {\nif mutantIs(1) { break outer }; continue outer\n}\n}", []string{"continue to break"}, 0},
		{"endless loop", "for {\ncontinue\n}", "for {\ncontinue\n}", nil, 0},
		{"break of a switch", "switch a {\ncase 1:\nbreak\n}", "switch a {\ncase 1:\nbreak\n}", nil, 0},
		{"label of a switch", "outer:\nswitch a {\ncase 1:\nfor range l {\nbreak outer\n}\n}", "outer:\nswitch a {\ncase 1:\nfor range l {\nbreak outer\n}\n}", nil, 0},
		{"break in a function in a loop", "for range l {\n_ = func() {\nswitch a {\ncase 1:\nbreak\n}\n}\n}", "for range l {\n_ = func() {\nswitch a {\ncase 1:\nbreak\n}\n}\n}", nil, 0},
		{"type parameters", "type t[T ~int|~string] struct{ x T }", "type t[T ~int|~string] struct{ x T }", nil, 0},
		{"key of a map", "_ = map[int]int{a+b: 1}", "_ = map[int]int{mutantAdd[int](1, a,b): 1}", []string{"+ to -"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, changes, skipped := rewriteFunction(t, operators, tt.source)
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if diff := cmp.Diff(tt.changes, changes); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if skipped != tt.skipped {
				t.Errorf("%d skipped, want %d", skipped, tt.skipped)
			}
		})
	}
}

func TestSkipped(t *testing.T) {
	for name, source := range map[string]string{
		"constant":         "const d = 2 + 1",
		"length":           "_ = [2 + 1]int{}",
		"index":            "_ = [...]int{2 + 1: 0}",
		"element of a map": "m[a]++",
	} {
		t.Run(name, func(t *testing.T) {
			got, changes, skipped := rewriteFunction(t, operators, source)
			if got != source || changes != nil || skipped != 1 {
				t.Errorf("got %s with the changes %v and %d skipped", got, changes, skipped)
			}
		})
	}
}
