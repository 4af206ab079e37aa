package arch

import (
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// maxLibrary and maxEmulator are the maximum numbers of exported identifiers that a reader of the library and of the emulator
// meets. They are lowered when there are fewer. The occasions of rules, in one block of diag, are 44 of them.
const (
	maxLibrary  = 365
	maxEmulator = 31
)

// TestSurface counts the exported constants, variables, functions and types of the packages that programs can import. Generated
// constants are not counted, nor are methods and fields, which a reader meets with their types.
func TestSurface(t *testing.T) {
	count := map[string]int{}
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		name := files.Position(file.Package).Filename
		if isPublic(name, file) {
			count[path.Dir(name)] += len(exported(file))
		}
	})
	library, emulator := 0, 0
	for _, name := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%3d %s", count[name], name)
		if strings.HasPrefix(name, "emulator/") {
			emulator += count[name]
		} else {
			library += count[name]
		}
	}
	if library > maxLibrary {
		t.Errorf("the library has %d exported identifiers; it may have at most %d", library, maxLibrary)
	}
	if emulator > maxEmulator {
		t.Errorf("the emulator has %d exported identifiers; it may have at most %d", emulator, maxEmulator)
	}
}

// TestMisuse looks for packages with exported functions whose misuse no test tries. Package surface then finds the
// functions that such a test forgets.
func TestMisuse(t *testing.T) {
	exports, tried := map[string]bool{}, map[string]bool{} // by folder
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		name := files.Position(file.Package).Filename
		folder := path.Dir(name)
		switch {
		case isPublic(name, file) && slices.ContainsFunc(file.Decls, isExportedFunction):
			exports[folder] = true
		case strings.HasSuffix(name, "_test.go"):
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.SelectorExpr)
				if ok && isMisuseCheck(call) {
					tried[folder] = true
				}
				return true
			})
		}
	})
	for folder := range exports {
		if !tried[folder] {
			t.Errorf("no test of %s calls surface.CheckMisuse or surface.CheckZero", folder)
		}
	}
}

// isExportedFunction reports whether a declaration is that of an exported function, or of a method with such a name.
func isExportedFunction(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	return ok && f.Name.IsExported()
}

func isMisuseCheck(call *ast.SelectorExpr) bool {
	from, ok := call.X.(*ast.Ident)
	return ok && from.Name == "surface" && (call.Sel.Name == "CheckMisuse" || call.Sel.Name == "CheckZero")
}

// isPublic reports whether a file is written by hand and belongs to a package that programs import.
func isPublic(name string, file *ast.File) bool {
	isInternal := slices.Contains(strings.Split(name, "/"), "internal")
	return !isInternal && file.Name.Name != "main" && !strings.HasSuffix(name, "_test.go") && !ast.IsGenerated(file)
}

// exported returns the exported identifiers that a file declares, without methods.
func exported(file *ast.File) []string {
	var names []*ast.Ident
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				names = append(names, declared(s)...)
			}
		}
	}
	var list []string
	for _, name := range names {
		if name.IsExported() {
			list = append(list, name.Name)
		}
	}
	return list
}

// declared returns the identifiers that a specification declares.
func declared(s ast.Spec) []*ast.Ident {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{s.Name}
	case *ast.ValueSpec:
		return s.Names
	default:
		return nil
	}
}
