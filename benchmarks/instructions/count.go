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
		return 0, fmt.Errorf("%v: %.500s", err, out)
	}
	return strconv.ParseFloat(string(match[1]), 64)
}

// count returns the number of instructions for the work.
func (c *counter) count(r row, side string) (float64, error) {
	n, err := difference(int(20*time.Millisecond/c.duration(r, side)), func(times int) (float64, error) { return c.total(r, side, times) })
	if err != nil {
		return 0, fmt.Errorf("%s by %s: %w", r.name, side, err)
	}
	return n / float64(r.each), nil
}

// The limits of a difference.
const (
	few      = 5          // the smaller number of times, which includes one-time work
	enough   = 40_000_000 // instructions: totals of a compiler at run time differ by up to 0.5 million at random, others by 0.3 million
	mostMore = 10_000_000 // times
)

// difference returns the number of instructions for doing work once, given a function that returns the total of a process that
// does the work several times. To exclude one-time work, difference compares two processes. The second process does the work more
// often, at first by the given number, and then by larger numbers until random differences between processes are negligible.
func difference(more int, total func(times int) (float64, error)) (float64, error) {
	first, err := total(few)
	if err != nil {
		return 0, err
	}
	for more = max(more, 10); more <= mostMore; more *= 4 {
		second, err := total(few + more)
		if err != nil {
			return 0, err
		}
		if second-first >= enough {
			return (second - first) / float64(more), nil
		}
	}
	return 0, fmt.Errorf("doing the work %d times takes hardly more instructions than doing it %d times", few+more/4, few)
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
	once := took(1) // includes the start, and a compiler at run time
	for times := 100; times < 1_000_000; times *= 10 {
		if t := took(times) - once; t > 50*time.Millisecond {
			return t / time.Duration(times)
		}
	}
	return 50 * time.Nanosecond
}
