package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An accepted is an entry in the file of accepted survivors. The entry covers all mutants within text, on the lines of the
// declaration that contain text.
type accepted struct {
	folder      string // the directory of the package, such as "event"
	declaration string // such as "Event.Clone"
	text        string // a line without surrounding blanks, or a part of it
	reason      string
	line        int // the line number of the entry in the file
}

func (a accepted) String() string { return fmt.Sprintf("%s: %s: %s", a.folder, a.declaration, a.text) }

func compareAccepted(a, b accepted) int {
	return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.declaration, b.declaration), cmp.Compare(a.text, b.text))
}

// readAccepted reads a file of entries. The number of leading tabs determines the kind of a line: a package, a declaration in
// the package, a piece of code in the declaration, or the reason. Entries must be sorted, to prevent duplicates.
func readAccepted(name string) ([]accepted, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []accepted
	var now accepted
	levels := []*string{&now.folder, &now.declaration, &now.text, &now.reason}
	wanted, i := 0, 0 // the level of the next line, which may be lower after a reason
	isWhole := true
	for line := range strings.Lines(string(data)) {
		i++
		line = strings.TrimSuffix(line, "\n")
		text := strings.TrimLeft(line, "\t")
		if text == "" || strings.HasPrefix(line, "#") {
			continue
		}
		level := len(line) - len(text)
		if level != wanted && (!isWhole || level > wanted) {
			return nil, fmt.Errorf("%s:%d: %d tabs, want %d", name, i, level, wanted)
		}
		*levels[level], now.line = text, i
		wanted, isWhole = level+1, false
		if wanted < len(levels) {
			continue
		}
		wanted, isWhole = len(levels)-2, true
		if n := len(list); n > 0 && compareAccepted(list[n-1], now) >= 0 {
			return nil, fmt.Errorf("%s:%d: this entry is not after the one above it in the order of packages, declarations and texts", name, i)
		}
		list = append(list, now)
	}
	if !isWhole {
		return nil, fmt.Errorf("%s: the last entry has no reason", name)
	}
	return list, nil
}

// A codeLine is a line of code, with the declaration that contains it.
type codeLine struct{ declaration, text string }

// readCode returns the lines in the declarations of a package, except in tests and generated files.
func readCode(folder string) (map[place]codeLine, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	code := map[place]codeLine{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if ast.IsGenerated(file) {
			continue
		}
		lines := strings.Split(string(source), "\n")
		for _, d := range file.Decls {
			for node, declared := range declarations(d) {
				for n := files.Position(node.Pos()).Line; n <= files.Position(node.End()).Line; n++ {
					code[place{filepath.Base(name), n}] = codeLine{declared, lines[n-1]}
				}
			}
		}
	}
	return code, nil
}

// declarations yields the named parts of a declaration.
func declarations(d ast.Decl) func(yield func(ast.Node, string) bool) {
	return func(yield func(ast.Node, string) bool) {
		switch d := d.(type) {
		case *ast.FuncDecl:
			yield(d, functionName(d))
		case *ast.GenDecl:
			for _, s := range d.Specs {
				var name string
				switch s := s.(type) {
				case *ast.TypeSpec:
					name = s.Name.Name
				case *ast.ValueSpec:
					name = s.Names[0].Name
				}
				if name != "" && !yield(s, name) {
					return
				}
			}
		}
	}
}

// functionName returns the name of a function, or Type.Method for a method.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	receiver := d.Recv.List[0].Type
	for {
		switch t := receiver.(type) {
		case *ast.StarExpr:
			receiver = t.X
		case *ast.IndexExpr:
			receiver = t.X
		case *ast.IndexListExpr:
			receiver = t.X
		case *ast.ParenExpr:
			receiver = t.X
		default:
			return t.(*ast.Ident).Name + "." + d.Name.Name
		}
	}
}

// isAbout reports whether a line contains the code in an entry.
func (a accepted) isAbout(line codeLine) bool {
	return a.declaration == line.declaration && strings.Contains(line.text, a.text)
}

// covers reports whether a column of a line, counted from 1, is within the code in an entry.
func (a accepted) covers(line codeLine, column int) bool {
	if !a.isAbout(line) {
		return false
	}
	for begin := 0; ; begin++ {
		next := strings.Index(line.text[begin:], a.text)
		if next < 0 {
			return false
		}
		if begin += next; begin < column && column <= begin+len(a.text) {
			return true
		}
	}
}

// checkStale writes the entries that match no line of code, and returns an error if there are such entries.
func checkStale(file string, list []accepted, stderr io.Writer) error {
	code := map[string]map[place]codeLine{}
	stale := 0
	for _, a := range list {
		if code[a.folder] == nil {
			lines, err := readCode(a.folder)
			if err != nil {
				return err
			}
			code[a.folder] = lines
		}
		if !a.matches(code[a.folder]) {
			fmt.Fprintf(stderr, "%s:%d: no line matches %v\n", file, a.line, a)
			stale++
		}
	}
	if stale > 0 {
		return errors.New("remove or change the entries that match nothing")
	}
	return nil
}

func (a accepted) matches(code map[place]codeLine) bool {
	for _, line := range code {
		if a.isAbout(line) {
			return true
		}
	}
	return false
}

// ofPackage returns the entries for one package.
func ofPackage(list []accepted, folder string) []accepted {
	return slices.DeleteFunc(slices.Clone(list), func(a accepted) bool { return local(a.folder) != folder })
}
