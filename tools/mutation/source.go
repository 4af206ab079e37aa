package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

//go:embed switches/switches.go
var switches string

// A source is a package with all of its mutants.
type source struct {
	target       target
	isWhole      bool     // whether it has all files, and all kinds of mutants or the conditions
	mutants      []mutant // or the outcomes of conditions
	ofConditions bool
	skipped      map[string]int // by file
	code         map[place]codeLine
	overlay      string // the file for the go command's -overlay flag
}

// A place is a line in a file.
type place struct {
	file string
	line int
}

// prepare writes the files of a target, with mutants of the given kinds, to the work directory.
func prepare(t target, k kind, work string) (*source, error) {
	pkg, err := load(t.folder)
	if err != nil {
		return nil, err
	}
	s := &source{target: t, isWhole: t.files == nil && (k == allKinds || k == conditions), ofConditions: k == conditions, skipped: map[string]int{}}
	if s.code, err = readCode(t.folder); err != nil {
		return nil, err
	}
	r := &rewriter{kinds: k, files: pkg.Fset, pkg: pkg.Types, info: pkg.TypesInfo}
	replace := map[string]string{}
	for i, file := range pkg.Syntax {
		name := pkg.CompiledGoFiles[i]
		if t.files != nil && !t.files[filepath.Base(name)] || ast.IsGenerated(file) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		replace[name] = filepath.Join(work, filepath.Base(name))
		r.skipped = 0
		if err := os.WriteFile(replace[name], r.rewrite(file, text), 0o666); err != nil {
			return nil, err
		}
		s.skipped[filepath.Base(name)] = r.skipped
	}
	s.mutants = r.mutants
	return s, s.writeOverlay(replace, pkg, work)
}

// sample keeps about one in n mutants. The choice of mutants does not depend on line numbers.
func (s *source) sample(n uint32) {
	if n > 1 {
		s.isWhole = false
	}
	s.mutants = slices.DeleteFunc(s.mutants, func(m mutant) bool {
		line := s.code[m.place()]
		hash := fnv.New32a()
		fmt.Fprintln(hash, line.declaration, strings.TrimSpace(line.text), m.change)
		return hash.Sum32()%n != 0
	})
}

// load loads a package without its tests.
func load(folder string) (*packages.Package, error) {
	const mode = packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedExportFile
	list, err := packages.Load(&packages.Config{Mode: mode}, folder)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, fmt.Errorf("%s names %d packages", folder, len(list))
	}
	if len(list[0].Errors) > 0 {
		return nil, list[0].Errors[0]
	}
	return list[0], nil
}

// writeOverlay writes an overlay for the go command, which replaces files in the package and adds the code of package switches.
func (s *source) writeOverlay(replace map[string]string, pkg *packages.Package, work string) error {
	const name = "mutation_switches.go"
	added := filepath.Join(work, name)
	text := strings.Replace(switches, "package switches", "package "+pkg.Name, 1)
	if err := os.WriteFile(added, []byte(text), 0o666); err != nil {
		return err
	}
	folder, err := filepath.Abs(s.target.folder)
	if err != nil {
		return err
	}
	replace[filepath.Join(folder, name)] = added
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	s.overlay = filepath.Join(work, "overlay.json")
	return os.WriteFile(s.overlay, overlay, 0o666)
}
