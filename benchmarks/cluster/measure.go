//go:build unix

package main

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// writeRequests writes the given number of requests to a file.
func writeRequests(calrules, name string, lines int) error {
	requests, err := shortRequests(calrules)
	if err != nil {
		return err
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	for i := range lines {
		_, _ = w.WriteString(requests[i%len(requests)]) // Flush returns the error
	}
	return errors.Join(w.Flush(), file.Close())
}

// shortRequests returns short requests, one per line, reading one request at a time to keep this process small, because the
// peak memory of a child process includes the memory that its parent uses when the child starts.
func shortRequests(calrules string) (list []string, err error) {
	const short = 900
	cmd := exec.Command(calrules, "fuzz", "-n", "2000")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	for drawn := bufio.NewReader(stdout); err == nil; {
		var line string
		if line, err = drawn.ReadString('\n'); 0 < len(line) && len(line) <= short {
			list = append(list, line)
		}
	}
	return list, cmd.Wait()
}

// build builds the programs in a directory and returns their file names, keyed by package directory.
func build(directory string) map[string]string {
	programs := map[string]string{}
	for _, folder := range []string{"../cmd/calrules", "../cluster/nats", "../cluster/beam"} {
		program := filepath.Join(directory, filepath.Base(folder)+".program")
		cmd := exec.Command("go", "build", "-trimpath", "-o", program, ".")
		cmd.Dir, cmd.Stderr = folder, os.Stderr
		must(cmd.Run())
		programs[filepath.Base(folder)] = program
	}
	return programs
}

// way is a way to answer the requests in a file, with one or more concurrent commands. The answers are the concatenated
// standard outputs of the commands, or files.
type way struct {
	name     string
	commands []*exec.Cmd
	files    string // a pattern that matches the files with the answers, if any
}

func ways(programs map[string]string, in string) []way {
	output := filepath.Join(filepath.Dir(in), "beam-answers")
	command := func(procs int, program string, args ...string) *exec.Cmd {
		cmd := exec.Command(programs[program], args...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs))
		return cmd
	}
	plain := func(args ...string) *exec.Cmd {
		return command(1, "calrules", append(append([]string{"check", "--ndjson"}, args...), in)...)
	}
	list := []way{
		{name: "plain, 1 worker", commands: []*exec.Cmd{plain()}},
		{name: "plain, 2 workers", commands: []*exec.Cmd{command(2, "calrules", "check", "--ndjson", in)}},
		{name: "plain, 4 workers", commands: []*exec.Cmd{command(4, "calrules", "check", "--ndjson", in)}},
		{name: "--part, 2 processes", commands: []*exec.Cmd{plain("--part", "1/2"), plain("--part", "2/2")}},
	}
	for _, workers := range []int{2, 4} {
		list = append(list,
			way{name: fmt.Sprintf("NATS, %d workers", workers), commands: []*exec.Cmd{command(1, "nats", "run", "--workers", strconv.Itoa(workers), in)}},
			way{name: fmt.Sprintf("Beam (prism), %d workers", workers), files: output + "-0*",
				commands: []*exec.Cmd{command(workers, "beam", "--runner", "prism", "--input", in, "--output", output)}})
	}
	return list
}

// figures contains the costs of one way of running a filter, and a hash of the answers.
type figures struct {
	elapsed, cpu time.Duration
	peak         int64 // peak memory of the largest process, in bytes
	answers      [sha256.Size]byte
}

// measure runs the commands and returns their costs. Standard output is redirected to files, so hashing does not affect the
// costs.
func (w way) measure(directory string) (f figures) {
	outputs := make([]*os.File, len(w.commands))
	began := time.Now()
	for i, cmd := range w.commands {
		file, err := os.Create(filepath.Join(directory, "output-"+strconv.Itoa(i)))
		must(err)
		outputs[i], cmd.Stdout = file, file
		must(cmd.Start())
	}
	for _, cmd := range w.commands {
		must(cmd.Wait())
		f.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		f.peak = max(f.peak, peak(cmd.ProcessState))
	}
	f.elapsed = time.Since(began)
	sum := sha256.New()
	for _, file := range outputs {
		must(file.Close())
		if w.files == "" {
			addFile(sum, file.Name())
		}
	}
	if w.files != "" {
		names, err := filepath.Glob(w.files)
		must(err)
		for _, name := range names {
			addFile(sum, name)
			must(os.Remove(name))
		}
	}
	sum.Sum(f.answers[:0])
	return f
}

// peak returns the peak memory of a process or of the largest child for which the process waited.
func peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	const unit = 1 << 10 // the unit on Linux
	return int64(usage.Maxrss) * unit
}

func addFile(sum hash.Hash, name string) {
	file, err := os.Open(name)
	must(err)
	defer file.Close()
	_, err = io.Copy(sum, file)
	must(err)
}
