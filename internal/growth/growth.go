// Package growth counts the work of a program for inputs of a size n and of 2n. Work is counted and not measured, so that
// the result does not depend on the machine: as basic blocks that the program executes, and as bytes that it allocates.
// To count the blocks, the program must be instrumented, with go run -cover -covermode=atomic -coverpkg=PACKAGES.
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

// The maximum growth of the work while the input doubles. Linear work doubles, except that some memory grows in steps;
// quadratic work grows by four.
const (
	mostOperations = 2.3
	mostBytes      = 2.9
)

// growth is the work for inputs of a size and of twice the size.
type growth struct {
	name         string
	small, twice work
}

type work struct{ operations, bytes uint64 }

func (g growth) operations() float64 { return ratio(g.twice.operations, g.small.operations) }
func (g growth) bytes() float64      { return ratio(g.twice.bytes, g.small.bytes) }

func ratio(a, b uint64) float64 { return float64(a) / float64(max(b, 1)) }

// Main is the main function of a command that counts the work for inputs. It prints a table of the inputs whose work
// grows the most, and ends the program with status 1 if the work grows faster than an input. Each kind of input has a
// name and a function that makes an input of a given size and returns the function to count.
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

// measure counts the work for one input. The first run fills the pools, and builds the tables that are built on demand.
// The collector rests, because it would empty the pools between the runs.
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

// report prints the inputs with the most growth, and reports whether all are linear.
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
