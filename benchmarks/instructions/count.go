package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// counter counts the instructions for each side in a row, using the program for that side.
type counter struct {
	folder   string
	programs map[string]string // by side; "" for all other sides
}

// newCounter builds the programs. If all is set, newCounter also builds the separate programs that some sides need.
func newCounter(all bool) (*counter, error) {
	folder, err := os.MkdirTemp("", "instructions")
	if err != nil {
		return nil, err
	}
	c := &counter{folder, map[string]string{}}
	err = c.build("", "", "")
	if all && err == nil {
		err = c.build(v2, "jsonv2", "")
	}
	if all && err == nil {
		if err = run(exec.Command("go", "generate", "./internal/plain/easy")); err == nil {
			err = c.build("easyjson", "", "easyjson")
		}
	}
	return c, err
}

func (c *counter) close() { os.RemoveAll(c.folder) }

// build builds the program for a side, with the given GOEXPERIMENT value and build tags.
func (c *counter) build(side, experiment, tags string) error {
	c.programs[side] = filepath.Join(c.folder, "work"+strconv.Itoa(len(c.programs)))
	cmd := exec.Command("go", "build", "-trimpath", "-tags", tags, "-o", c.programs[side], "./instructions")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOEXPERIMENT="+experiment)
	return run(cmd)
}

func run(cmd *exec.Cmd) error {
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%v: %w", cmd.Args, err)
	}
	return nil
}

func (c *counter) program(side string) string {
	if program, ok := c.programs[side]; ok {
		return program
	}
	return c.programs[""]
}

// quiet makes a process deterministic and turns off preemption signals, which crash valgrind.
var quiet = []string{"GOGC=off", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1"}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// total returns the number of instructions executed by a process that performs the work the given number of times.
func (c *counter) total(r row, side string, times int) (float64, error) {
	cmd := exec.Command("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", c.program(side), "-work", r.name+by+side, "-times", strconv.Itoa(times))
	cmd.Env = append(os.Environ(), quiet...)
	out, err := cmd.CombinedOutput()
	match := collected.FindSubmatch(out)
	if err != nil || match == nil {
		return 0, fmt.Errorf("%s by %s: %v: %.500s", r.name, side, err, out)
	}
	return strconv.ParseFloat(string(match[1]), 64)
}

// count returns the number of instructions for the work. To exclude one-time work, count takes the difference between the
// counts for two processes that perform the work different numbers of times. The larger number is high enough that random
// differences between processes, about 0.3 million instructions, are negligible.
func (c *counter) count(r row, side string) (float64, error) {
	const few = 5
	more := few + max(10, int(15*time.Millisecond/c.duration(r, side)))
	first, err := c.total(r, side, few)
	if err != nil {
		return 0, err
	}
	second, err := c.total(r, side, more)
	return (second - first) / float64(more-few) / float64(r.each), err
}

// duration returns the approximate duration of the work without valgrind.
func (c *counter) duration(r row, side string) time.Duration {
	took := func(times int) time.Duration {
		cmd := exec.Command(c.program(side), "-work", r.name+by+side, "-times", strconv.Itoa(times))
		if cmd.Run() != nil {
			return 0
		}
		return cmd.ProcessState.UserTime()
	}
	for times := 100; times < 1_000_000; times *= 10 {
		if t := took(times); t > 50*time.Millisecond {
			return t / time.Duration(times)
		}
	}
	return 50 * time.Nanosecond
}
