package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docLink is a link of a comment to a name of its package, such as [Series.Next].
var docLink = regexp.MustCompile(`\[\*?([A-Z]\w*)(?:\.([A-Z]\w*))?\](?:[^(:]|$)`)

// Comments name calls that exist.
func TestDocLinks(t *testing.T) {
	for _, folder := range []string{"recurrence", "event", "intent", "status", "limits", "conference", "operation", "diag"} {
		files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		names := map[string]bool{}
		comments := map[string]string{} // by link
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			addNames(names, file)
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, group := range file.Comments {
				for _, match := range docLink.FindAllStringSubmatch(group.Text(), -1) {
					comments[strings.TrimSuffix(match[1]+"."+match[2], ".")] = name
				}
			}
		}
		for link, file := range comments {
			if !names[link] {
				t.Errorf("%s: a comment names %s, which is not in the package", file, link)
			}
		}
	}
}

// addNames adds the names of a file: declarations, and methods and fields after the name of their type.
func addNames(names map[string]bool, file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				of := d.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if generic, ok := of.(*ast.IndexExpr); ok {
					of = generic.X
				}
				if of, ok := of.(*ast.Ident); ok {
					name = of.Name + "." + name
				}
			}
			names[name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						names[n.Name] = true
					}
				case *ast.TypeSpec:
					names[spec.Name.Name] = true
					var list *ast.FieldList
					switch of := spec.Type.(type) {
					case *ast.StructType:
						list = of.Fields
					case *ast.InterfaceType:
						list = of.Methods
					default:
						continue
					}
					for _, field := range list.List {
						for _, n := range field.Names {
							names[spec.Name.Name+"."+n.Name] = true
						}
					}
				}
			}
		}
	}
}
