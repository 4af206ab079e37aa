package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/operation"
)

var repository = os.DirFS("../..")

// eachFile calls visit with the syntax of every Go file of the repository. File names are relative to its root.
func eachFile(t *testing.T, visit func(files *token.FileSet, file *ast.File)) {
	t.Helper()
	list, err := parseRepository()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range list {
		visit(allFiles, file)
	}
}

// allFiles has the positions of what parseRepository returns.
var allFiles = token.NewFileSet()

// parseRepository reads all Go files, once for all tests.
var parseRepository = sync.OnceValues(func() (list []*ast.File, err error) {
	err = fs.WalkDir(repository, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || name != "." && strings.HasPrefix(entry.Name(), ".")) {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		source, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(allFiles, name, source, parser.ParseComments|parser.SkipObjectResolution)
		list = append(list, file)
		return err
	})
	return list, err
})

// exceptions are files, or folders with all their files, that a test exempts until they are
// fixed. The value reports whether the entry is still needed.
type exceptions map[string]bool

// use reports whether a file is exempt.
func (e exceptions) use(file string) bool {
	for _, entry := range []string{file, path.Dir(file)} {
		if _, listed := e[entry]; listed {
			e[entry] = true
			return true
		}
	}
	return false
}

// finish reports the entries that are no longer needed.
func (e exceptions) finish(t *testing.T) {
	t.Helper()
	for entry, needed := range e {
		if !needed {
			t.Errorf("%s needs no exception any more; remove it from the list", entry)
		}
	}
}

// TestRuleIDs finds the ids of rules that are written out again: programs name a rule by its
// constant in package ruleid, or by the variable that declares it. Generated files may write ids.
func TestRuleIDs(t *testing.T) {
	exempt := exceptions(idsWritten)
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		name := files.Position(file.Package).Filename
		if strings.HasSuffix(name, "_test.go") || ast.IsGenerated(file) {
			return
		}
		for _, literal := range repeatedIDs(file) {
			if !exempt.use(name) {
				t.Errorf("%s: write the constant of package ruleid for %s", files.Position(literal.Pos()), literal.Value)
			}
		}
	})
	exempt.finish(t)
}

// repeatedIDs returns the literals of a file that are the id of a rule, except those that declare it. The id of an operation
// and the path of a member that a rule reads may be the same as the id of a rule.
func repeatedIDs(file *ast.File) []*ast.BasicLit {
	var found []*ast.BasicLit
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			return !ok || key.Name != "ID" && key.Name != "Reads"
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			_, isOperation := operation.Lookup(operation.ID(text))
			if err == nil && !isOperation && reference.Catalogue().Lookup(text) != nil {
				found = append(found, n)
			}
		}
		return true
	})
	return found
}

// unicodeUses are the names of package unicode that the generators may use: they do not change with the Go release.
var unicodeUses = []string{"RangeTable", "Range16", "SimpleFold"}

// TestDrawsDoNotDependOnUnicode checks that the generators use no table of package unicode, so that a seed gives the
// same values with every Go release.
func TestDrawsDoNotDependOnUnicode(t *testing.T) {
	uses := 0
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		name := files.Position(file.Package).Filename
		if !strings.HasPrefix(name, "internal/gen/") || strings.HasSuffix(name, "_test.go") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if from, ok := selector.X.(*ast.Ident); ok && from.Name == "unicode" {
				uses++
				if !slices.Contains(unicodeUses, selector.Sel.Name) {
					t.Errorf("%s: a seed must not depend on unicode.%s", files.Position(n.Pos()), selector.Sel.Name)
				}
			}
			return true
		})
	})
	if uses == 0 {
		t.Error("found no use of package unicode")
	}
}

// compiles finds, in a text for a shell, a call of the go command that compiles. A message that tells a person to call it
// starts with other words.
var compiles = regexp.MustCompile(`(^|[\n;&|(])\s*(\w+=\S*\s+)*go (build|install|run|test|vet)\b`)

// TestTestsBuildNothing finds tests that call the go command with a subcommand that compiles, in a list of arguments or in
// a text for a shell: that is for scripts in .ci.
func TestTestsBuildNothing(t *testing.T) {
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		if !strings.HasSuffix(files.Position(file.Package).Filename, "_test.go") {
			return
		}
		check := func(at ast.Node, text string) {
			if compiles.MatchString(text) {
				t.Errorf("%s: a test must not call %q", files.Position(at.Pos()), text)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			var list []ast.Expr
			switch n := n.(type) {
			case *ast.CallExpr:
				list = n.Args
			case *ast.CompositeLit:
				list = n.Elts
			case *ast.BasicLit:
				check(n, literal(n))
			}
			for i := range len(list) - 1 {
				if literal(list[i]) == "go" {
					check(list[i], "go "+literal(list[i+1]))
				}
			}
			return true
		})
	})
}

// literal returns the value of a string literal, or "".
func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return "" // a number
	}
	return text
}

// TestShadowing finds variables, parameters, functions and types with the name of a builtin.
// Fields and methods may have such a name, since they do not shadow anything.
func TestShadowing(t *testing.T) {
	exempt := exceptions(shadows)
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		for _, name := range shadowing(file) {
			if at := files.Position(name.Pos()); !exempt.use(at.Filename) {
				t.Errorf("%s: %s shadows a builtin", at, name.Name)
			}
		}
	})
	exempt.finish(t)
}

// shadowing returns the identifiers that a file declares and that shadow a builtin.
func shadowing(file *ast.File) []*ast.Ident {
	var found []*ast.Ident
	declare := func(names ...*ast.Ident) {
		for _, name := range names {
			if types.Universe.Lookup(name.Name) != nil {
				found = append(found, name)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			if n.Name != nil {
				declare(n.Name)
			}
		case *ast.FuncDecl:
			if n.Recv == nil {
				declare(n.Name)
			}
			declare(fieldNames(n.Recv)...)
		case *ast.FuncType:
			declare(fieldNames(n.TypeParams)...)
			declare(fieldNames(n.Params)...)
			declare(fieldNames(n.Results)...)
		case *ast.TypeSpec:
			declare(n.Name)
			declare(fieldNames(n.TypeParams)...)
		case *ast.ValueSpec:
			declare(n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				declare(identifiers(n.Lhs...)...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				declare(identifiers(n.Key, n.Value)...)
			}
		}
		return true
	})
	return found
}

func fieldNames(list *ast.FieldList) []*ast.Ident {
	if list == nil {
		return nil
	}
	var names []*ast.Ident
	for _, field := range list.List {
		names = append(names, field.Names...)
	}
	return names
}

func identifiers(list ...ast.Expr) []*ast.Ident {
	var names []*ast.Ident
	for _, expr := range list {
		if name, ok := expr.(*ast.Ident); ok {
			names = append(names, name)
		}
	}
	return names
}

// TestShadowingFinds shows what counts as shadowing and what does not.
func TestShadowingFinds(t *testing.T) {
	const source = `package p

import len "fmt"

type cap[any comparable] struct{ new int }

var min, other = 1, func(max int) (copy int, err error) { return }

func (close cap[any]) append() { len.Print(close.new) }

func print() {
	clear, delete := 1, 2
	for real := range clear {
		switch imag := any(real).(type) {
		default:
			_, delete = imag, real
		}
	}
	const iota = 1
}`
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range shadowing(file) {
		got = append(got, name.Name)
	}
	const want = "len cap any min max copy close print clear delete real imag iota"
	if strings.Join(got, " ") != want {
		t.Errorf("found %v, want %s", got, want)
	}
}
