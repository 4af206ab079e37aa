package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// starts lists programs that do little work. The goal is an upper limit on the number of instructions, relative to a
// hello-world program.
var starts = []struct {
	name, folder string
	args         []string
	goal         float64
}{
	{"start: the smallest program that checks an event", "./internal/arch/testdata/minimal", nil, 4},
	{"start: the command, saying its version", "./cmd/calrules", []string{"version"}, 6},
	{"start: the command, checking a file", "./cmd/calrules", []string{"check", "event.json"}, 8},
}

const helloWorld = "start: hello, world"

// countStarts returns the numbers of instructions that whole programs execute, including a hello-world program, by row name.
func countStarts() (map[string]float64, error) {
	folder, err := os.MkdirTemp("", "start")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	files := map[string]string{
		"hello.go":   "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello, world\\n\") }\n",
		"event.json": `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	n, err := startOf(folder, filepath.Join(folder, "hello.go"), nil)
	if err != nil {
		return nil, err
	}
	counts := map[string]float64{helloWorld: n}
	for _, s := range starts {
		if counts[s.name], err = startOf(folder, s.folder, s.args); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// writeStarts writes the rows for whole programs.
func writeStarts(w io.Writer) error {
	counts, err := countStarts()
	if err != nil {
		return err
	}
	for _, s := range starts {
		n := counts[s.name]
		ratio, met := n/counts[helloWorld], "yes"
		if ratio > s.goal {
			met = "**no**"
		}
		fmt.Fprintf(w, "| %s | %s | hello, world | does nothing else | %s | at most %g | %s |\n", strings.Replace(s.name, ": ", " | ", 1), number(n), decimal(ratio), s.goal, met)
	}
	return nil
}

// startOf builds a program the way a release is built, without cgo, runs the program five times in a folder, and returns the
// smallest number of executed instructions: the address of the heap is random, and some addresses cost 60,000 more.
func startOf(folder, source string, args []string) (float64, error) {
	program := filepath.Join(folder, "program")
	build := exec.Command("go", "build", "-trimpath", "-o", program, source)
	build.Dir, build.Env = "..", append(os.Environ(), "CGO_ENABLED=0")
	if err := run(build); err != nil {
		return 0, err
	}
	least := math.Inf(1)
	for range 5 {
		cmd := exec.Command("valgrind", append([]string{"--tool=callgrind", "--callgrind-out-file=/dev/null", program}, args...)...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), quiet...)
		out, err := cmd.CombinedOutput()
		match := collected.FindSubmatch(out)
		if match == nil {
			return 0, fmt.Errorf("%s: %v: %.500s", source, err, out)
		}
		n, err := strconv.ParseFloat(string(match[1]), 64)
		if err != nil {
			return 0, err
		}
		least = min(least, n)
	}
	return least, nil
}
