package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/calrules/calrules/benchmarks/internal/payload"
	"github.com/calrules/calrules/benchmarks/internal/plain"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/recurrence"
)

func allocsPerFinding(p payload.Payload) float64 {
	req := p.Insert()
	n := len(payload.Findings(req))
	decode := testing.AllocsPerRun(50, func() { new(event.Event).UnmarshalJSON(req.Body) })
	return (testing.AllocsPerRun(50, func() { payload.Findings(req) }) - decode) / float64(n)
}

func patchAllocs() float64 {
	stored, patch := payload.Usual[1].Event(), []byte(`{"summary":"Planning","location":null,"reminders":{"useDefault":true}}`)
	decode := testing.AllocsPerRun(50, func() { must(new(event.Event).UnmarshalJSON(patch)) })
	return testing.AllocsPerRun(50, func() {
		_, err := stored.AfterPatch(patch, diag.Documents)
		must(err)
	}) - decode
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

func instanceMicroseconds() float64 {
	e := payload.Usual[2].Event()
	e.Recurrence = e.Recurrence[:1]
	set, err := recurrence.Parse(e.Recurrence)
	must(err)
	start, err := e.Start.Instant(nil)
	must(err)
	series, err := set.Compile(recurrence.StartTime(start))
	must(err)
	n := 0
	for range series.All() {
		n++
	}
	return beyond(func() {
		for _, err := range (event.Series{Event: e}).Instances(event.Window{}) {
			must(err)
		}
	}, func() {
		for _, err := range series.Instances(time.Time{}, time.Time{}) {
			must(err)
		}
	}, 100) / float64(n)
}

func decisionMicroseconds() float64 {
	const runs = 20_000
	var req rtdbline.Request
	must(req.UnmarshalJSON([]byte(`{"method":"GET","url":"/users/jack.json?print=pretty&auth=user-1","known":{"user-1":{"kind":"id_token"}}}`)))
	return float64(spent(func() { rtdbline.Check(&req) }, runs).Nanoseconds()) / runs / 1000
}

func zoneMicroseconds() float64 {
	bad, good := payload.Usual[6].Insert(), payload.Usual[0].Insert()
	return beyond(func() { payload.Findings(bad) }, func() { payload.Findings(good) }, 1000)
}

// beyond returns the median difference in CPU time between two functions, in microseconds per call. In each round, both run
// the given number of times.
func beyond(one, other func(), runs int) float64 {
	var more [25]float64
	for round := range more {
		more[round] = float64((spent(one, runs) - spent(other, runs)).Nanoseconds()) / float64(runs) / 1000
	}
	slices.Sort(more[:])
	return more[len(more)/2]
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

func jqCPU(input []byte) time.Duration { return runCPU(exec.Command("jq", "-c", "."), input) }

// runCPU runs a command and returns its CPU time.
func runCPU(cmd *exec.Cmd, input []byte) time.Duration {
	cmd.Stdin = bytes.NewReader(input)
	must(cmd.Run())
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// speedup returns the ratio of elapsed times on one processor and on two. Each time is the median of five runs.
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

// retained returns the memory that a decoded event occupies, relative to a struct decoded by encoding/json.
func retained(p payload.Payload) float64 {
	body := []byte(p.Body)
	ours := kept(func() any {
		e, _ := event.Decode(body, diag.Documents)
		return e
	})
	return ours / kept(func() any {
		e := new(plain.Event)
		must(json.Unmarshal(body, e))
		return e
	})
}

// kept returns the number of bytes that a decoded value keeps alive.
func kept(decode func() any) float64 {
	const n = 1000
	inUse := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC() // frees memory that pools keep during the first collection
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	all := make([]any, n)
	before := inUse()
	for i := range all {
		all[i] = decode()
	}
	after := inUse()
	runtime.KeepAlive(all)
	return float64(after-before) / n
}

// peakMB returns the peak memory, in megabytes, of a filter that answers each line of the input. peakMB measures while the
// filter waits for more input, because the usage of an exited process includes its parent's memory at the start.
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

// startRatio returns the CPU time for checking one file, relative to a program that prints one line.
func startRatio() float64 {
	file := filepath.Join(directory, "event.json")
	must(os.WriteFile(file, []byte(payload.Usual[0].Body), 0o600))
	return cpuRatio(exec.Command(build("calrules", "./cmd/calrules"), "check", file), exec.Command(hello()))
}

// cpuRatio returns the median ratio of the CPU times of two commands that run alternately.
func cpuRatio(ours, theirs *exec.Cmd) float64 {
	const runs = 25
	var all []float64
	for range runs {
		all = append(all, runCPU(exec.Command(ours.Path, ours.Args[1:]...), nil).Seconds()/runCPU(exec.Command(theirs.Path), nil).Seconds())
	}
	return middle(all)
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

func smallestPackages() float64 {
	cmd := exec.Command("go", "list", "-deps", smallestSource)
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	out, err := cmd.Output()
	must(err)
	return float64(len(bytes.Fields(out)))
}

// megabytes returns the size of a file in megabytes.
func megabytes(name string) float64 {
	info, err := os.Stat(name)
	must(err)
	return float64(info.Size()) / 1e6
}
