package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// libical returns the file name of a program that expands rules with libical, or "" if libical is not installed.
func libical() string {
	program := filepath.Join(directory, "libical")
	if _, err := os.Stat(program); err == nil {
		return program
	}
	flags, err := exec.Command("pkg-config", "--cflags", "--libs", "libical").Output()
	if err != nil {
		return ""
	}
	args := append([]string{"-O2", "-o", program, "run/testdata/libical.c"}, strings.Fields(string(flags))...)
	if exec.Command("cc", args...).Run() != nil {
		return ""
	}
	return program
}

// libicalFigures returns the comparisons with libical for expanding rules in UTC. libical runs in a separate process.
func libicalFigures() (all []figure) {
	if libical() == "" {
		return nil
	}
	for _, rule := range rules {
		all = append(all, figure{"CPU time of expanding 250 instances, libical = 1: " + rule, func() float64 { return againstLibical(rule) }, false, 0})
	}
	return all
}

// againstLibical runs calrules and libical alternately and returns the median ratio of their CPU times.
func againstLibical(rule string) float64 {
	const rounds = 9
	series, _ := compiledRule(rule, "UTC")
	ours := func() { take(series.All()) }
	start := series.Start().Time().UTC().Format("20060102T150405Z")
	theirs := func(times int) time.Duration {
		return runCPU(exec.Command(libical(), rule, start, strconv.Itoa(few), strconv.Itoa(times)), nil)
	}
	times := 1
	for theirs(times) < 100*time.Millisecond {
		times *= 4
	}
	var all []float64
	for range rounds {
		a, b := spent(ours, times), theirs(times)-theirs(0)
		all = append(all, float64(a)/float64(b))
	}
	return middle(all)
}

// libicalRelease returns a sentence with the installed release of libical.
func libicalRelease() string {
	out, err := exec.Command("pkg-config", "--modversion", "libical").Output()
	if err != nil {
		return "libical is not installed, so it is not compared."
	}
	return fmt.Sprintf("libical %s.", strings.TrimSpace(string(out)))
}
