package fuzz_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/calrules/calrules/fuzz/rtdbfuzz" // for TestImportBuildsNothing
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/draw/rapidgen"
)

// The generators of parts of events.
var (
	anySeries     = rapidgen.Of(gen.Series)
	anyConference = rapidgen.Of(gen.Conference)
	anyID         = rapidgen.Of(gen.EventID)
	anyZone       = rapidgen.Of(gen.ZoneName)
	anyText       = rapidgen.Of(draw.Text(40))
	anyAddress    = rapidgen.Of(draw.Address)
)

// TestGeneratorsAreForSeveralGoroutines draws lists of a shared generator's values and single values
// at the same time. The race detector finds what is wrong with that.
func TestGeneratorsAreForSeveralGoroutines(t *testing.T) {
	var all sync.WaitGroup
	for _, shared := range []*rapid.Generator[string]{anyID, anyAddress, anyZone} {
		for seed := range 4 {
			all.Go(func() {
				if len(rapid.SliceOfN(shared, 1, 3).Example(seed)) == 0 {
					t.Error("an empty list")
				}
			})
			all.Go(func() {
				if shared.Example(seed) == "" {
					t.Error("an empty text")
				}
			})
		}
	}
	all.Wait()
}

// TestImportBuildsNothing runs this test binary with a trace of package initialization. A program that imports the packages and
// draws nothing pays for a few variables only: each command of calrules does so.
func TestImportBuildsNothing(t *testing.T) {
	const mostBytes, mostAllocations = 24 << 10, 400
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, trace)
	}
	row := regexp.MustCompile(`(?m)^init github.com/calrules/calrules/((?:fuzz|internal/gen)\S*) .* (\d+) bytes, (\d+) allocs$`)
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
	if !found["internal/gen"] {
		t.Errorf("the trace does not mention the package: %s", trace)
	}
}

// must returns v. It panics if there is an error, which these requests do not have.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
