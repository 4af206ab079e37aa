package arch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What a program pays for checking an event. The limits are a little above what it pays today, so
// that a new dependency is noticed, on any machine.
const (
	mostPackages = 110     // that package event depends on, those of the standard library included
	mostBytes    = 6 << 20 // of the smallest program, without debugging information
)

// heavy lists packages of the standard library that a check has no use for.
var heavy = []string{"net", "net/http", "os/exec", "crypto/tls", "crypto/x509", "text/template", "html/template", "go/ast", "testing"}

func goTool(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal("go", args, err)
	}
	return string(out)
}

func TestPackagesOfEvent(t *testing.T) {
	deps := strings.Fields(goTool(t, "list", "-deps", "./event"))
	if len(deps) > mostPackages {
		t.Errorf("package event depends on %d packages, want at most %d", len(deps), mostPackages)
	}
	for _, dep := range deps {
		for _, name := range heavy {
			if dep == name {
				t.Errorf("package event depends on %s", name)
			}
		}
	}
}

func TestSizeOfMinimalProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("links a program")
	}
	program := filepath.Join(t.TempDir(), "minimal")
	goTool(t, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", program, "./internal/arch/testdata/minimal")
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d bytes", info.Size()); info.Size() > mostBytes {
		t.Errorf("the smallest program has %d bytes, want at most %d", info.Size(), mostBytes)
	}
}
