// Package surface lists the exported names of a package, to help a test ensure that a table covers every function.
package surface

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Functions returns the sorted names of exported functions, and of exported methods on exported types, in the package in a
// directory, such as "Table" and "Token.Reveal". Test files are ignored.
func Functions(t testing.TB, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no package in %s: %v", dir, err)
	}
	var names []string
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			names = append(names, functionsOf(t, path)...)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !ast.IsExported(name) })
	slices.Sort(names)
	return names
}

func functionsOf(t testing.TB, path string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.IsExported() {
			names = append(names, qualified(f))
		}
	}
	return names
}

// qualified returns the name of a function, or the qualified name of a method, such as "Token.Reveal".
func qualified(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	for {
		switch of := receiver.(type) {
		case *ast.StarExpr:
			receiver = of.X
		case *ast.IndexExpr: // the type parameter of a generic type
			receiver = of.X
		case *ast.IndexListExpr:
			receiver = of.X
		default:
			return of.(*ast.Ident).Name + "." + f.Name.Name
		}
	}
}

// CheckMisuse runs calls that misuse the exported functions with their names: with nil, the zero value, or a value out of
// range. A call that panics fails the test. Every function of the package in the directory must have a call, unless skip,
// which may be nil, returns true for its name.
func CheckMisuse(t *testing.T, dir string, calls map[string]func(t *testing.T), skip func(name string) bool) {
	t.Helper()
	functions := Functions(t, dir)
	if skip != nil {
		functions = slices.DeleteFunc(functions, skip)
	}
	for _, name := range functions {
		if calls[name] == nil {
			t.Errorf("no call misuses %s", name)
		}
	}
	for name, call := range calls {
		if !slices.Contains(functions, name) {
			t.Errorf("%s is not exported", name)
		}
		t.Run(name, func(t *testing.T) {
			defer func() {
				if err := recover(); err != nil {
					t.Errorf("panic: %v", err)
				}
			}()
			call(t)
		})
	}
}
