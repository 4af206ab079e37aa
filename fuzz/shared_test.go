package fuzz_test

import (
	"go/types"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/fuzz"
	_ "github.com/calrules/calrules/fuzz/rtdbfuzz" // for TestImportBuildsNothing
)

// TestGeneratorsAreForSeveralGoroutines draws lists of a shared generator's values and single values
// at the same time. The race detector finds what is wrong with that.
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

// TestImportBuildsNothing runs this test binary with a trace of package initialization. A program
// that imports the packages and draws nothing pays for a few variables only: each command of
// calrules does so.
func TestImportBuildsNothing(t *testing.T) {
	const mostBytes, mostAllocations = 24 << 10, 400
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, trace)
	}
	row := regexp.MustCompile(`(?m)^init github.com/calrules/calrules/(fuzz\S*) .* (\d+) bytes, (\d+) allocs$`)
	found := map[string]bool{}
	for _, init := range row.FindAllStringSubmatch(string(trace), -1) {
		found[init[1]] = true
		bytes, _ := strconv.Atoi(init[2])
		allocations, _ := strconv.Atoi(init[3])
		if strings.HasSuffix(init[1], "_test") {
			continue
		}
		if t.Logf("%s", init[0]); bytes > mostBytes || allocations > mostAllocations {
			t.Errorf("more than %d bytes or %d allocations: %s", mostBytes, mostAllocations, init[0])
		}
	}
	if !found["fuzz"] {
		t.Errorf("the trace does not mention the package: %s", trace)
	}
}

// TestKeptGeneratorsAreNamed checks that a generator in a variable of a package comes from the functions
// of package draw, which name it. Rapid names a generator without synchronization when it first draws
// a list of its values, so that an unnamed one causes a race that the race detector rarely sees.
func TestKeptGeneratorsAreNamed(t *testing.T) {
	lazy := regexp.MustCompile(`^(draw\.)?(Lazy|Keyed|Sampled|Matching|Custom|Built|between)\(`)
	kept := 0
	for _, p := range sources(t) {
		for _, init := range p.TypesInfo.InitOrder {
			kind := types.TypeString(init.Lhs[0].Type(), (*types.Package).Name)
			if !strings.Contains(kind, "*rapid.Generator[") || strings.Contains(kind, "map[") || !strings.HasPrefix(kind, "func(") && !strings.HasPrefix(kind, "*") {
				continue
			}
			kept++
			if !lazy.MatchString(types.ExprString(init.Rhs)) {
				t.Errorf("%s: %s is not made by package draw", p.Fset.Position(init.Rhs.Pos()), init.Lhs[0].Name())
			}
		}
	}
	if kept < 40 {
		t.Errorf("found %d kept generators, fewer than the packages have", kept)
	}
}

// TestDrawsDoNotDependOnUnicode checks that nothing reads a table of package unicode, which may
// change with the Go release, so that a seed gives the same values on every machine.
func TestDrawsDoNotDependOnUnicode(t *testing.T) {
	readsTables := map[string]bool{"Rune": true, "String": true, "StringN": true}
	uses := 0
	for _, p := range sources(t) {
		for name, object := range p.TypesInfo.Uses {
			if object.Pkg() == nil || object.Parent() != object.Pkg().Scope() {
				continue
			}
			switch _, isVar := object.(*types.Var); object.Pkg().Path() {
			case "unicode":
				if uses++; isVar {
					t.Errorf("%s: %s is a table of package unicode", p.Fset.Position(name.Pos()), name)
				}
			case "pgregory.net/rapid":
				if readsTables[object.Name()] {
					t.Errorf("%s: %s draws from tables of package unicode", p.Fset.Position(name.Pos()), name)
				}
			}
		}
	}
	if uses == 0 {
		t.Error("found no use of package unicode")
	}
}

// sources returns the generator packages with their types.
func sources(t *testing.T) []*packages.Package {
	t.Helper()
	loaded, err := loadSources()
	if err != nil || len(loaded) != 3 {
		t.Fatalf("loading the packages: %v, %v", err, loaded)
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			t.Fatalf("loading %s: %v", p.PkgPath, p.Errors)
		}
	}
	return loaded
}

var loadSources = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Mode: packages.LoadSyntax}, ".", "./internal/draw", "./rtdbfuzz")
})

// must returns v. It panics if there is an error, which these requests do not have.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
