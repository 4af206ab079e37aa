// Package arch holds the map of the rooms: which folder may import which. It has no code but
// its test, which fails when an import goes against an arrow or a folder is not on the map.
package arch

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/calrules/calrules/"

// rooms says, for every folder, which other folders of the module it may depend on, be it
// directly or not. Whatever is below internal serves rooms of all levels and is listed for
// its own dependencies.
var rooms = map[string][]string{
	"diag":        {},
	"diag/ruleid": {},
	"limits":      {},
	"status":      {"diag", "limits"},
	"conference":  {"diag", "limits", "internal/object", "internal/sample"},
	"recurrence":  {"diag", "limits", "internal/sample", "internal/zone"},
	"operation":   {"diag", "limits", "internal/sample"},
	"event":       {"diag", "limits", "status", "conference", "recurrence", "operation", "internal/ndjson", "internal/object", "internal/sample", "internal/zone"},
	"event/tags":  {"diag", "limits", "status", "conference", "recurrence", "operation", "event", "internal/ndjson", "internal/object", "internal/sample", "internal/zone"},
	"rtdbauth":    {"diag", "internal/sample"},
	"fuzz":        {"diag", "limits", "status", "conference", "recurrence", "operation", "event", "rtdbauth", "internal/ndjson", "internal/object", "internal/sample", "internal/zone"},
	"cmd/calrules": {"diag", "limits", "status", "conference", "recurrence", "operation", "event", "rtdbauth", "fuzz",
		"internal/batch", "internal/ndjson", "internal/object", "internal/reference", "internal/sample", "internal/zone"},

	"internal/arch":          {},
	"internal/batch":         {},
	"internal/ndjson":        {"limits"},
	"internal/lineartest":    {},
	"internal/object":        {"diag", "limits"},
	"internal/reference":     {"diag", "limits", "status", "conference", "recurrence", "operation", "event", "rtdbauth", "internal/ndjson", "internal/object", "internal/sample", "internal/zone"},
	"internal/reference/gen": {"diag", "limits", "status", "conference", "recurrence", "operation", "event", "rtdbauth", "internal/ndjson", "internal/object", "internal/reference", "internal/sample", "internal/zone"},
	"internal/sample":        {},
	"internal/testdepth":     {},
	"internal/zone":          {"limits"},
	"internal/zone/gen":      {"limits"},

	"recurrence/internal/civil":  {"limits", "internal/zone"},
	"recurrence/internal/expand": {"limits", "internal/zone", "recurrence/internal/civil"},

	"examples/embed":     {"diag", "limits", "status", "conference", "recurrence", "operation", "event", "internal/ndjson", "internal/object", "internal/sample", "internal/zone"},
	"examples/events":    {},
	"examples/preflight": {"diag", "limits", "status", "conference", "recurrence", "operation", "event", "internal/ndjson", "internal/object", "internal/sample", "internal/zone"},
}

// light lists the rooms that a user may embed, and which bring nothing along but the JSON
// library: no command line, no validator, no test library.
var light = []string{"diag", "limits", "status", "conference", "recurrence", "operation", "event", "rtdbauth"}

const jsonLibrary = "github.com/go-json-experiment/json"

// pkg is what `go list -json` tells of a package.
type pkg struct {
	ImportPath string
	Deps       []string
	Standard   bool
}

func listPackages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Deps,Standard", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatalf("go list: %v", err)
	}
	var packages []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

func TestArrows(t *testing.T) {
	found := map[string]bool{}
	for _, p := range listPackages(t) {
		room := strings.TrimPrefix(p.ImportPath, module)
		found[room] = true
		may, listed := rooms[room]
		if !listed {
			t.Errorf("the folder %s is not on the map", room)
			continue
		}
		for _, dep := range p.Deps {
			to, ours := strings.CutPrefix(dep, module)
			whole, _, _ := strings.Cut(to, "/internal/") // what is inside a package comes along with it
			if ours && !slices.Contains(may, to) && whole != room && !slices.Contains(may, whole) {
				t.Errorf("%s depends on %s, against the arrows", room, to)
			}
		}
	}
	for room := range rooms {
		if !found[room] {
			t.Errorf("the map lists the folder %s, which holds no package", room)
		}
	}
}

func TestLight(t *testing.T) {
	for _, p := range listPackages(t) {
		if room := strings.TrimPrefix(p.ImportPath, module); !slices.Contains(light, room) {
			continue
		}
		for _, dep := range p.Deps {
			first, _, _ := strings.Cut(dep, "/")
			foreign := strings.Contains(first, ".") && !strings.HasPrefix(dep, module)
			if foreign && !strings.HasPrefix(dep, jsonLibrary) {
				t.Errorf("%s brings %s along", p.ImportPath, dep)
			}
		}
	}
}
