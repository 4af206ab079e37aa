package main

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

// pair is the same work performed by calrules and by another library.
type pair struct {
	work, payload, peer string
	ours, theirs        func()
	goal                float64 // the maximum ratio of CPU times; 0 if there is no goal
}

// ratios contains the quartiles of the CPU time ratios over all rounds, and the allocations per operation.
type ratios struct {
	low, median, high float64
	allocs, theirs    float64
	cpu               time.Duration // the median CPU time of one of our operations
}

// live is memory that remains in use, as in a server. With an empty heap, the garbage collector would run constantly.
var live = func() (all []*[1 << 10]byte) {
	for range 40 << 10 {
		all = append(all, new([1 << 10]byte))
	}
	return all
}()

// compare runs both sides in each round, so the load of the machine affects the two sides equally, and computes the ratio of
// their CPU times.
func (p pair) compare(rounds int, least time.Duration) ratios {
	ours, theirs := repeats(p.ours, least), repeats(p.theirs, least)
	var all []float64
	var cpu []time.Duration
	for i := range rounds {
		var a, b time.Duration
		if i%2 == 0 {
			a, b = spent(p.ours, ours), spent(p.theirs, theirs)
		} else {
			b, a = spent(p.theirs, theirs), spent(p.ours, ours)
		}
		all = append(all, float64(a)/float64(ours)/(float64(max(b, 1))/float64(theirs)))
		cpu = append(cpu, a/time.Duration(ours))
	}
	slices.Sort(all)
	slices.Sort(cpu)
	runtime.KeepAlive(live)
	return ratios{
		low: all[rounds/4], median: all[rounds/2], high: all[rounds*3/4], cpu: cpu[rounds/2],
		allocs: testing.AllocsPerRun(10, p.ours), theirs: testing.AllocsPerRun(10, p.theirs),
	}
}

// repeats returns a number of calls to f that take at least the given CPU time.
func repeats(f func(), least time.Duration) int {
	n := 1
	for spent(f, n) < least {
		n *= 2
	}
	return n
}

// spent returns the CPU time of n calls to f, including garbage collection.
func spent(f func(), n int) time.Duration {
	before := cpuTime()
	for range n {
		f()
	}
	return cpuTime() - before
}

// cpuTime returns the CPU time of this process so far.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// machine returns the Go release and the platform.
func machine() string { return runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH }
