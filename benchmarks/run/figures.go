package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/calrules/calrules/benchmarks/internal/payload"
	"github.com/calrules/calrules/event"
)

func allocsPerFinding(p payload.Payload) float64 {
	req := p.Insert()
	n := len(payload.Findings(req))
	decode := testing.AllocsPerRun(50, func() { new(event.Event).UnmarshalJSON(req.Body) })
	return (testing.AllocsPerRun(50, func() { payload.Findings(req) }) - decode) / float64(n)
}

func instanceAllocs() float64 {
	const instances = 200
	series := payload.Usual[2].Event()
	return testing.AllocsPerRun(20, func() {
		n := 0
		for range (event.Series{Event: series}).Instances(event.Window{}) {
			if n++; n == instances {
				break
			}
		}
	}) / instances
}

// directory is the directory for built programs.
var directory = func() string {
	dir, err := os.MkdirTemp("", "calrules")
	must(err)
	return dir
}()

// build builds a program once, with the same flags as in a release, and returns its file name.
func build(name, pkg string) string {
	program := filepath.Join(directory, name)
	if _, err := os.Stat(program); err == nil {
		return program
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, pkg)
	cmd.Dir, cmd.Stderr, cmd.Env = "..", os.Stderr, append(os.Environ(), "CGO_ENABLED=0")
	must(cmd.Run())
	return program
}

// childCPU returns the CPU time of the calrules command with the given arguments.
func childCPU(input []byte, args ...string) time.Duration {
	return runCPU(exec.Command(build("calrules", "./cmd/calrules"), args...), input)
}

// runCPU runs a command and returns its CPU time.
func runCPU(cmd *exec.Cmd, input []byte) time.Duration {
	cmd.Stdin = bytes.NewReader(input)
	must(cmd.Run())
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// speedup returns the ratio of the elapsed times on one processor and on two processors. Each elapsed time is the median of
// five runs.
func speedup(input []byte, args ...string) float64 {
	took := func(processors string) float64 {
		var all []float64
		for range 5 {
			cmd := exec.Command(build("calrules", "./cmd/calrules"), args...)
			cmd.Stdin, cmd.Env = bytes.NewReader(input), append(os.Environ(), "GOMAXPROCS="+processors)
			begin := time.Now()
			must(cmd.Run())
			all = append(all, time.Since(begin).Seconds())
		}
		return middle(all)
	}
	return took("1") / took("2")
}

// peakMB returns the peak memory, in megabytes, of a filter that answers each line of the input, measured while the filter
// waits for more input, because the peak memory of an exited process includes the memory that its parent used at the start.
func peakMB(input []byte, args ...string) float64 {
	cmd := exec.Command(build("calrules", "./cmd/calrules"), args...)
	stdin, err := cmd.StdinPipe()
	must(err)
	stdout, err := cmd.StdoutPipe()
	must(err)
	must(cmd.Start())
	go stdin.Write(input)
	answers := bufio.NewReaderSize(stdout, 1<<20)
	for range bytes.Count(input, []byte("\n")) {
		_, err := answers.ReadSlice('\n')
		must(err)
	}
	peak := peakOf(cmd.Process.Pid)
	must(stdin.Close())
	must(cmd.Wait())
	return peak
}

// peakOf returns the peak memory of a running process, in megabytes.
func peakOf(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	must(err)
	var kilobytes float64
	_, after, _ := bytes.Cut(status, []byte("VmHWM:"))
	_, err = fmt.Sscan(string(after), &kilobytes)
	must(err)
	return kilobytes * 1024 / 1e6
}

// middle sorts the values and returns the median.
func middle(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

const smallestSource = "./internal/arch/testdata/minimal"

// smallest builds the smallest program that checks an event, and returns its file name.
func smallest() string { return build("smallest", smallestSource) }

// hello builds a program that prints one line, and returns its file name.
func hello() string {
	source := filepath.Join(directory, "hello.go")
	must(os.WriteFile(source, []byte("package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello, world\\n\") }\n"), 0o600))
	return build("hello", source)
}

// megabytes returns the size of a file in megabytes.
func megabytes(name string) float64 {
	info, err := os.Stat(name)
	must(err)
	return float64(info.Size()) / 1e6
}
