// Package arch tests what is true of the source code as a whole: which package may import
// which, that rule ids are written once, and that no builtin is shadowed.
package arch

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "github.com/calrules/calrules" // the package with the overview
	module = root + "/"
)

// packages lists every package of the module with those that it may import. "diag" stands for diag/ruleid too.
var packages = map[string][]string{
	"diag":         {"diag", "internal/form", "internal/wording"},
	"diag/ruleid":  {},
	"limits":       {"internal/form"},
	"status":       {"internal/constraint"},
	"conference":   {"diag", "limits", "internal/constraint", "internal/engine", "internal/form", "internal/jsonrule", "internal/object", "internal/sample", "internal/wording"},
	"recurrence":   {"diag", "internal/engine", "internal/form", "internal/sample", "internal/zone", "recurrence/internal/civil", "recurrence/internal/expand", "internal/wording"},
	"operation":    {"diag", "limits", "internal/constraint", "internal/form", "internal/jsonrule", "internal/jsonscan", "internal/ndjson", "internal/object", "internal/sample", "operation/internal/public", "internal/engine", "internal/wording"},
	"event":        {"diag", "limits", "status", "conference", "recurrence", "operation", "internal/constraint", "internal/engine", "internal/form", "internal/jsonmerge", "internal/jsonrule", "internal/jsonscan", "internal/object", "internal/resource", "internal/sample", "internal/zone", "internal/wording"},
	"event/tags":   {"diag", "limits", "recurrence", "operation", "event", "internal/constraint", "internal/form", "internal/engine", "internal/wording"},
	"rtdbauth":     {"diag", "limits", "internal/engine", "internal/form", "internal/jsonscan", "internal/ndjson", "rtdbauth/internal/redact", "internal/wording"},
	"fuzz":         {"diag", "limits", "operation", "event", "internal/gen/draw", "internal/gen/draw/rapidgen", "internal/gen", "internal/batch"},
	"command":      {"between", "diag", "limits", "internal/cases", "operation", "conference", "event", "recurrence", "rtdbauth", "refusal", "internal/aim", "internal/authority", "internal/constraint", "internal/filter", "internal/form", "internal/jsonscan", "internal/ndjson", "internal/proxy", "internal/recording", "internal/stream", "internal/traffic", "internal/visible", "internal/gen", "internal/reference", "internal/rtdbline", "internal/gen/rtdbgen", "internal/schema", "internal/batch", "internal/zone", "internal/engine", "internal/lazyregexp"},
	"cmd/calrules": {"command"},

	root:              {},
	"conformance":     {},
	"event/eventhttp": {"between", "diag", "event", "operation", "internal/engine", "refusal"},
	"between":         {"diag", "event", "internal/jsonscan", "internal/urltext", "operation", "internal/engine", "refusal"},
	"event/ruletest":  {"event", "internal/testing/ruletest"},
	"refusal":         {"diag"},
	"intent":          {"conference", "diag", "event", "limits", "operation", "status", "internal/constraint", "internal/engine", "internal/form"},

	"fuzz/fuzzhttp":           {"event", "operation", "internal/rtdbline"},
	"fuzz/rtdbfuzz":           {"fuzz", "rtdbauth", "internal/gen/draw", "internal/gen/draw/rapidgen", "internal/rtdbline", "internal/gen/rtdbgen"},
	"fuzz/internal/rapidtest": {},

	"rtdbauth/rtdbhttp":        {"diag", "rtdbauth", "rtdbauth/internal/redact"},
	"rtdbauth/internal/redact": {},

	"recurrence/internal/civil":  {"internal/zone"},
	"recurrence/internal/expand": {"recurrence/internal/civil"},

	"operation/internal/public":     {},
	"operation/internal/public/gen": {},

	"internal/aim":                 {"between", "diag", "event", "fuzz/fuzzhttp", "internal/constraint", "internal/form", "internal/gen", "internal/gen/draw", "operation", "recurrence", "internal/lazyregexp"},
	"internal/arch":                {},
	"internal/authority":           {},
	"internal/constraint":          {"diag", "internal/form", "internal/engine", "internal/wording"},
	"internal/gen/draw":            {},
	"internal/gen/draw/rapidgen":   {"internal/gen/draw"},
	"internal/form":                {},
	"internal/filter":              {"diag", "limits", "event", "internal/form", "operation", "rtdbauth", "internal/stream", "internal/jsonscan", "internal/ndjson", "internal/rtdbline", "internal/batch"},
	"internal/lazyregexp":          {},
	"internal/jsonmerge":           {"internal/constraint", "internal/jsonscan"},
	"internal/jsonrule":            {"diag", "internal/object", "internal/sample", "internal/engine"},
	"internal/jsonscan":            {"diag", "internal/constraint", "internal/engine", "internal/wording"},
	"internal/proxy":               {"between", "diag", "event/eventhttp", "internal/authority", "internal/traffic", "internal/visible", "rtdbauth", "rtdbauth/rtdbhttp"},
	"internal/recording":           {"between", "diag", "internal/jsonscan", "internal/lazyregexp", "internal/urltext"},
	"internal/traffic":             {"between", "diag", "event", "internal/resource", "internal/visible", "internal/wording", "operation", "refusal", "rtdbauth"},
	"internal/ndjson":              {"internal/form", "internal/jsonscan"},
	"internal/object":              {"diag", "internal/form", "limits", "internal/constraint", "internal/jsonmerge", "internal/jsonscan", "internal/engine", "internal/wording"},
	"internal/gen":                 {"diag", "limits", "conference", "operation", "event", "internal/constraint", "internal/gen/draw", "internal/form", "internal/jsonscan", "internal/batch", "internal/resource", "internal/zone"},
	"internal/reference":           {"diag", "limits", "operation", "event", "rtdbauth", "internal/cases", "internal/constraint", "internal/batch", "internal/form", "internal/object", "internal/rtdbline", "internal/schema", "internal/engine"},
	"internal/typescript":          {"diag", "event", "internal/batch", "internal/reference", "internal/resource", "operation"},
	"internal/typescript/gen":      {"internal/typescript"},
	"internal/object/gen":          {},
	"internal/reference/gen":       {"internal/reference"},
	"internal/rtdbline":            {"diag", "limits", "rtdbauth", "internal/ndjson"},
	"internal/gen/rtdbgen":         {"diag", "limits", "rtdbauth", "internal/gen/draw", "internal/gen", "internal/rtdbline"},
	"internal/sample":              {"diag"},
	"internal/resource":            {"diag", "internal/constraint", "internal/engine", "internal/form", "internal/jsonrule", "internal/jsonscan", "internal/object", "internal/wording"},
	"internal/schema":              {"diag", "limits", "operation", "event", "internal/constraint", "internal/form", "internal/resource"},
	"internal/cases":               {"conformance"},
	"internal/testing/jsontest":    {"diag", "internal/constraint"},
	"internal/testing/ruletest":    {"diag", "event", "operation", "internal/batch"},
	"internal/testing/surface":     {},
	"internal/testing/testdepth":   {},
	"internal/testing/walkthrough": {},
	"internal/batch":               {"limits", "intent", "status", "operation", "event", "diag", "recurrence", "internal/constraint", "internal/form", "internal/zone", "internal/jsonscan", "internal/ndjson", "internal/engine"},
	"internal/stream":              {},
	"internal/engine":              {"diag", "internal/wording"},
	"internal/growth":              {},
	"internal/urltext":             {},
	"internal/visible":             {},
	"internal/wording":             {"internal/form"},
	"internal/zone":                {"internal/form"},
	"internal/zone/gen":            {},

	"tools/growth": {"between", "command", "diag", "intent", "limits", "operation", "recurrence", "refusal", "event", "event/eventhttp", "rtdbauth", "rtdbauth/rtdbhttp",
		"internal/engine", "internal/rtdbline", "internal/batch", "internal/growth", "internal/testing/surface"},
	"tools/readings": {"recurrence"},
	"tools/release":  {},

	"examples/embed":     {"operation", "event", "event/eventhttp"},
	"examples/events":    {},
	"examples/property":  {},
	"examples/policy":    {"command", "diag", "event"},
	"examples/preflight": {"diag", "operation", "event"},
	"examples/rrule":     {"recurrence"},
	"examples/sync":      {"diag", "status", "operation", "event", "intent"},
	"examples/validator": {"diag", "event/tags"},
}

// heart lists what a program links to check an event, expand a series or decide a database request: the first eight packages,
// and what they import. The heart imports nothing else of the module. It depends on nothing outside the standard library, and
// on no server: net/http makes programs larger. The script .ci/weight looks at what the standard library imports in turn.
var heart = []string{
	"event", "conference", "recurrence", "operation", "status", "limits", "rtdbauth", "diag",
	"diag/ruleid", "internal/constraint", "internal/engine", "internal/form", "internal/jsonmerge", "internal/jsonrule", "internal/jsonscan",
	"internal/ndjson", "internal/object", "internal/resource", "internal/sample", "internal/wording", "internal/zone", "operation/internal/public",
	"recurrence/internal/civil", "recurrence/internal/expand", "rtdbauth/internal/redact",
}

// roots is the number of packages of the heart that programs import.
const roots = 8

const rapid = "pgregory.net/rapid"

// foreign lists the modules that packages import apart from tests, and the folders of the packages that may do so.
var foreign = map[string][]string{
	"github.com/BurntSushi/toml":      {"command"},
	"github.com/spf13/cobra":          {"command"},
	"github.com/rogpeppe/go-internal": {"command"}, // lines that differ
	"github.com/spf13/pflag":          {"command"},

	"go.yaml.in/yaml/v3":                 {"internal/recording"},
	"golang.org/x/term":                  {"command"},
	"github.com/go-playground/validator": {"event/tags", "examples/validator"},
	rapid:                                {"fuzz", "internal/gen/draw/rapidgen", "internal/testing/jsontest"},
}

// isForeign reports whether a package is neither of the standard library nor of the module.
func isForeign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") && path != root && !strings.HasPrefix(path, module)
}

// mayImport reports whether a package of the module may import a foreign one.
func mayImport(path, name string) bool {
	for library, folders := range foreign {
		if path == library || strings.HasPrefix(path, library+"/") {
			return slices.ContainsFunc(folders, func(folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") })
		}
	}
	return false
}

// pkg is a package of the module, without its tests.
type pkg struct {
	ImportPath string
	Imports    []string // directly
	Deps       []string // directly, or by way of other packages of the module
}

// listPackages returns the packages of the module with the imports of their files, on whatever platform.
func listPackages(t *testing.T) []pkg {
	t.Helper()
	imports := map[string][]string{}
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		name := files.Position(file.Package).Filename
		folder := path.Dir(name)
		if !isOfMainModule(t, folder) {
			return
		}
		var direct []string
		if !strings.HasSuffix(name, "_test.go") {
			direct = importsOf(t, file)
		}
		importPath := path.Join(root, folder)
		imports[importPath] = append(imports[importPath], direct...) // a package that has only tests imports nothing
	})
	var list []pkg
	for importPath, direct := range imports {
		deps := map[string]bool{}
		addDeps(deps, imports, importPath)
		slices.Sort(direct)
		list = append(list, pkg{importPath, slices.Compact(direct), slices.Collect(maps.Keys(deps))})
	}
	return list
}

func importsOf(t *testing.T, file *ast.File) (paths []string) {
	t.Helper()
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, imported)
	}
	return paths
}

// isOfMainModule reports whether no folder above the files of a package, apart from the repository, is a module.
func isOfMainModule(t *testing.T, folder string) bool {
	t.Helper()
	for ; folder != "."; folder = path.Dir(folder) {
		if _, err := fs.Stat(repository, path.Join(folder, "go.mod")); err == nil {
			return false
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return true
}

// addDeps adds to a set what a package imports, directly or not.
func addDeps(deps map[string]bool, imports map[string][]string, importPath string) {
	for _, imported := range imports[importPath] {
		if !deps[imported] {
			deps[imported] = true
			addDeps(deps, imports, imported)
		}
	}
}

// name returns the name of a package of the module in the map.
func (p pkg) name() string { return strings.TrimPrefix(p.ImportPath, module) }

func TestImports(t *testing.T) {
	found := map[string]bool{}
	for _, p := range listPackages(t) {
		found[p.name()] = true
		allowed, listed := packages[p.name()]
		if !listed {
			t.Errorf("package %s is not on the map", p.name())
			continue
		}
		for _, path := range p.Imports {
			to, ours := strings.CutPrefix(path, module)
			if ours && !slices.Contains(allowed, strings.TrimSuffix(to, "/ruleid")) {
				t.Errorf("%s must not import %s", p.name(), to)
			}
			if !ours && isForeign(path) && !mayImport(path, p.name()) {
				t.Errorf("%s must not import %s", p.name(), path)
			}
		}
	}
	for name := range packages {
		if !found[name] {
			t.Errorf("the map lists %s, which is not a package", name)
		}
	}
}

func TestHeart(t *testing.T) {
	imported := map[string]bool{}
	for _, p := range listPackages(t) {
		if !slices.Contains(heart, p.name()) {
			continue
		}
		for _, path := range p.Imports {
			to, ours := strings.CutPrefix(path, module)
			if ours && !slices.Contains(heart, to) {
				t.Errorf("%s is of the heart and must not import %s", p.name(), to)
			}
			imported[to] = true
		}
		for _, dep := range p.Deps {
			if isForeign(dep) || dep == "net/http" {
				t.Errorf("%s must not depend on %s", p.name(), dep)
			}
		}
	}
	for _, name := range heart[roots:] {
		if !imported[name] {
			t.Errorf("no package of the heart imports %s", name)
		}
	}
}

// beside lists the packages of the library that are not of the heart.
var beside = []string{"between", "event/eventhttp", "event/tags", "intent", "refusal", "rtdbauth/rtdbhttp"}

// effects lists what has side effects in the standard library: whole packages, and names of the others.
var effects = map[string][]string{
	"io/ioutil": nil, "log": nil, "net": nil, "net/rpc": nil, "net/smtp": nil, "os": nil, "os/exec": nil, "os/signal": nil, "plugin": nil, "syscall": nil,
	"crypto/tls":        {"Dial", "DialWithDialer", "Dialer", "Listen"},
	"fmt":               {"Print", "Printf", "Println"},
	"log/slog":          {"Debug", "Default", "Error", "Info", "Log", "SetDefault", "Warn"},
	"net/http":          {"Client", "DefaultClient", "DefaultTransport", "Get", "Head", "ListenAndServe", "ListenAndServeTLS", "Post", "PostForm", "Serve", "ServeTLS", "Server", "Transport"},
	"net/http/httputil": {"NewSingleHostReverseProxy", "ReverseProxy"},
	"time":              {"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until"},
}

// TestNoSideEffects checks that the library opens no connections, writes no files, reads no clock and starts no processes: it
// does not mention what could. Only eventhttp.Transport sends requests, which are its caller's, with http.DefaultTransport.
func TestNoSideEffects(t *testing.T) {
	library := map[string]bool{}
	for _, p := range listPackages(t) {
		if !slices.Contains(heart, p.name()) && !slices.Contains(beside, p.name()) {
			continue
		}
		library[p.name()] = true
		for _, dep := range p.Deps {
			if to, ours := strings.CutPrefix(dep, module); ours {
				library[to] = true
			}
		}
	}
	if len(library) < len(heart)+len(beside) {
		t.Errorf("the library has %d packages", len(library))
	}
	sends := 0
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		name := files.Position(file.Package).Filename
		if !library[path.Dir(name)] || strings.HasSuffix(name, "_test.go") {
			return
		}
		eachEffect(t, file, func(at ast.Node, what string) {
			if name == "event/eventhttp/transport.go" && what == "net/http.DefaultTransport" {
				sends++
				return
			}
			t.Errorf("%s must not use %s", files.Position(at.Pos()), what)
		})
	})
	if sends != 1 {
		t.Errorf("eventhttp.Transport uses http.DefaultTransport %d times", sends)
	}
}

// eachEffect calls report for each import and each name in a file that has side effects, under whatever name the file imports the
// package.
func eachEffect(t *testing.T, file *ast.File, report func(at ast.Node, what string)) {
	t.Helper()
	paths := importsOf(t, file)
	byName := map[string]string{}
	for i, spec := range file.Imports {
		name := path.Base(paths[i])
		if spec.Name != nil {
			name = spec.Name.Name
		}
		byName[name] = paths[i]
		if names, listed := effects[paths[i]]; listed && (names == nil || name == ".") {
			report(spec, paths[i])
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, ok := selector.X.(*ast.Ident)
		if ok && slices.Contains(effects[byName[of.Name]], selector.Sel.Name) {
			report(n, byName[of.Name]+"."+selector.Sel.Name)
		}
		return true
	})
}

// TestEachEffect shows what counts as a side effect and what does not.
func TestEachEffect(t *testing.T) {
	const source = `package p

import (
	"net/http"
	"net/url"
	. "log/slog"
	_ "os"
	clock "time"
)

var time struct{ Now func() }

func f() {
	time.Now()
	clock.Now()
	clock.Unix(0, 0)
	var _ http.RoundTripper = (http.DefaultTransport)
	url.Parse(clock.RFC3339)
}`
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	eachEffect(t, file, func(_ ast.Node, what string) { got = append(got, what) })
	const want = "log/slog os time.Now net/http.DefaultTransport"
	if strings.Join(got, " ") != want {
		t.Errorf("found %v, want %s", got, want)
	}
}

// TestCommandStartsWithoutRapid checks that the command does not contain rapid, the initialization of which takes
// a sixth of the time in which it checks a small file.
func TestCommandStartsWithoutRapid(t *testing.T) {
	for _, p := range listPackages(t) {
		if p.name() == "command" && slices.Contains(p.Deps, rapid) {
			t.Errorf("%s must not depend on %s", p.name(), rapid)
		}
	}
}
