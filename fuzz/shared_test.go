package fuzz_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/fuzz"
)

// TestGeneratorsAreForSeveralGoroutines draws lists of a shared generator's values and the values
// by themselves at the same time. It is the race detector that sees what is wrong with that.
func TestGeneratorsAreForSeveralGoroutines(t *testing.T) {
	var all sync.WaitGroup
	for _, shared := range []func() *rapid.Generator[string]{fuzz.ID, fuzz.Address, fuzz.ZoneName} {
		for seed := range 4 {
			all.Go(func() {
				if len(rapid.SliceOfN(shared(), 1, 3).Example(seed)) == 0 {
					t.Error("an empty list")
				}
			})
			all.Go(func() {
				if shared().Example(seed) == "" {
					t.Error("an empty text")
				}
			})
		}
	}
	all.Wait()
}

// TestWhatIsSharedIsNamed finds every generator that the package keeps in a variable and hands to
// whoever draws. rapid names a generator unguarded when a list of its values is first drawn, so
// that one which is not named at the start is a race that the race detector sees once in a while.
func TestWhatIsSharedIsNamed(t *testing.T) {
	fuzz := loadedSource(t)
	shared := 0
	for value := range packageValues(fuzz.Syntax) {
		if !strings.HasPrefix(fuzz.TypesInfo.TypeOf(value).String(), "*pgregory.net/rapid.Generator[") {
			continue
		}
		shared++
		if call, ok := value.(*ast.CallExpr); !ok || !isNamed(call) {
			t.Errorf("%s: a generator that everybody shares is not named", fuzz.Fset.Position(value.Pos()))
		}
	}
	if shared < 40 {
		t.Errorf("found %d generators that are shared, fewer than the package has", shared)
	}
}

// TestDrawsDoNotDependOnUnicode: nothing reads a table of package unicode, which another release
// of Go has otherwise, so that the same seed draws the same on every machine.
func TestDrawsDoNotDependOnUnicode(t *testing.T) {
	readsTables := map[string]bool{"Rune": true, "String": true, "StringN": true}
	fuzz := loadedSource(t)
	uses := 0
	for name, object := range fuzz.TypesInfo.Uses {
		if object.Pkg() == nil {
			continue
		}
		switch _, isVar := object.(*types.Var); object.Pkg().Path() {
		case "unicode":
			if uses++; isVar && object.Parent() == object.Pkg().Scope() {
				t.Errorf("%s: %s is a table of another package", fuzz.Fset.Position(name.Pos()), name)
			}
		case "pgregory.net/rapid":
			if readsTables[object.Name()] && object.Parent() == object.Pkg().Scope() {
				t.Errorf("%s: %s draws from tables of package unicode", fuzz.Fset.Position(name.Pos()), name)
			}
		}
	}
	if uses == 0 {
		t.Error("found no use of package unicode, which the package has")
	}
}

// loadedSource returns the package as it is written, with its types.
func loadedSource(t *testing.T) *packages.Package {
	t.Helper()
	loaded, err := loadSource()
	if err != nil || len(loaded) != 1 || len(loaded[0].Errors) > 0 {
		t.Fatalf("loading the package: %v, %v", err, loaded)
	}
	return loaded[0]
}

var loadSource = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Mode: packages.LoadSyntax}, ".")
})

func isNamed(call *ast.CallExpr) bool {
	function, ok := call.Fun.(*ast.Ident)
	return ok && function.Name == "named"
}

// packageValues gives what the variables of the package are set to at the start.
func packageValues(files []*ast.File) iter.Seq[ast.Expr] {
	return func(yield func(ast.Expr) bool) {
		for _, file := range files {
			for _, declaration := range file.Decls {
				general, ok := declaration.(*ast.GenDecl)
				if !ok || general.Tok != token.VAR {
					continue
				}
				for _, spec := range general.Specs {
					for _, value := range spec.(*ast.ValueSpec).Values {
						if !yield(value) {
							return
						}
					}
				}
			}
		}
	}
}
