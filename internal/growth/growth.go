// Package growth counts the work that a program performs for inputs of sizes n and 2n. Package growth counts executed basic
// blocks and allocated bytes instead of measuring time, so the result does not depend on the machine. To count basic blocks,
// the program must be instrumented, with go run -cover -covermode=atomic -coverpkg=PACKAGES.
package growth

import (
	"cmp"
	"flag"
	"fmt"
	"iter"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// The maximum factors by which work may grow when the input doubles. Linear work grows by a factor of two, although some memory
// grows in steps; quadratic work grows by a factor of four.
const (
	mostOperations = 2.3
	mostBytes      = 2.9
)

// growth is the work for an input of some size and for an input twice as large.
type growth struct {
	name         string
	small, twice work
}

type work struct{ operations, bytes uint64 }

func (g growth) operations() float64 { return ratio(g.twice.operations, g.small.operations) }
func (g growth) bytes() float64      { return ratio(g.twice.bytes, g.small.bytes) }

func ratio(a, b uint64) float64 { return float64(a) / float64(max(b, 1)) }

// Main is the main function of a command that counts work. Main prints a table of the inputs whose work grows the most,
// and exits with status 1 if the work for an input grows faster than the input. For each kind of input, subjects yields
// a name and a function that creates an input of size n and returns the function to run.
func Main(subjects iter.Seq2[string, func(n int) (run func())]) {
	n := flag.Int("n", 1100, "size of the smaller input, in elements or bytes; below a thousand, some work is cheaper")
	only := flag.String("only", "", "count only the inputs whose names contain the text")
	rows := flag.Int("rows", 20, "rows of the table")
	flag.Parse()
	var all []growth
	for name, prepare := range subjects {
		if strings.Contains(name, *only) {
			all = append(all, growth{name, measure(prepare(*n)), measure(prepare(2 * *n))})
		}
	}
	if !report(all, *rows) {
		os.Exit(1)
	}
}

// measure returns the work for one input, after calling run once without counting, to fill pools and build tables. Garbage
// collection is off, because it would empty the pools.
func measure(run func()) work {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	run()
	var before, after runtime.MemStats
	operations := operations(func() {
		runtime.ReadMemStats(&before)
		run()
		runtime.ReadMemStats(&after)
	})
	return work{operations, after.TotalAlloc - before.TotalAlloc}
}

// report prints the inputs whose work grows the most, and reports whether the work for all inputs is linear.
func report(all []growth, rows int) (ok bool) {
	slices.SortFunc(all, func(a, b growth) int { return cmp.Compare(b.operations(), a.operations()) })
	fmt.Printf("%d inputs; the %d whose work grows the most\n\n", len(all), min(rows, len(all)))
	fmt.Println("| input | operations for n | for 2n | ratio | bytes for n | for 2n | ratio |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- |")
	ok = true
	for i, g := range all {
		linear := g.operations() <= mostOperations && (g.bytes() <= mostBytes || g.twice.bytes < 1<<20)
		ok = ok && linear
		if i < rows || !linear {
			fmt.Printf("| %s | %d | %d | %.2f | %d | %d | %.2f |\n", g.name,
				g.small.operations, g.twice.operations, g.operations(), g.small.bytes, g.twice.bytes, g.bytes())
		}
	}
	return ok
}
