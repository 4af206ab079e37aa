// Report reads the output of `go test -bench` and prints a Markdown table that compares the
// benchmarks of calrules with those of other implementations, by the ratio of their median times.
//
// The last element of a benchmark's name is the implementation, as in
// BenchmarkMerge/typical/impl=calrules. Report compares benchmarks whose names differ only in
// the last element, and ignores the others.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	if err := report(os.Stdin, os.Stdout); err != nil {
		log.Fatal("report: ", err)
	}
}

// run is one line of benchmark output.
type run struct {
	ns     float64
	allocs string
}

// line matches a result; the implementation is the last element of the name.
var line = regexp.MustCompile(`^Benchmark(\S+)/(?:impl=)?([^\s/]+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op(.*)$`)

const ours = "calrules"

func report(in io.Reader, out io.Writer) error {
	runs := map[string]map[string][]run{} // by name, then implementation
	var names []string
	scanner := bufio.NewScanner(in)
	cpu := ""
	for scanner.Scan() {
		if rest, ok := strings.CutPrefix(scanner.Text(), "cpu: "); ok {
			cpu = rest
		}
		m := line.FindStringSubmatch(scanner.Text())
		if m == nil {
			continue
		}
		ns, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			return err
		}
		if runs[m[1]] == nil {
			runs[m[1]] = map[string][]run{}
			names = append(names, m[1])
		}
		runs[m[1]][m[2]] = append(runs[m[1]][m[2]], run{ns, allocs(m[4])})
	}
	if err := scanner.Err(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, %d CPUs, %s\n\n", cpu, runtime.NumCPU(), runtime.Version())
	fmt.Fprintln(out, "| benchmark | against | ratio of times | runs | allocations | theirs |")
	fmt.Fprintln(out, "| --- | --- | --- | --- | --- | --- |")
	for _, name := range names {
		compare(out, name, runs[name])
	}
	return nil
}

func allocs(rest string) string {
	fields := strings.Fields(rest)
	if i := slices.Index(fields, "allocs/op"); i > 0 {
		return fields[i-1]
	}
	return ""
}

func compare(out io.Writer, name string, by map[string][]run) {
	mine := by[ours]
	if len(mine) == 0 {
		return
	}
	for _, impl := range slices.Sorted(maps.Keys(by)) {
		theirs := by[impl]
		if impl == ours {
			continue
		}
		fmt.Fprintf(out, "| %s | %s | %.2f | %d | %s | %s |\n", name, impl, median(mine)/median(theirs), len(mine), mine[0].allocs, theirs[0].allocs)
	}
}

func median(runs []run) float64 {
	times := make([]float64, len(runs))
	for i, r := range runs {
		times[i] = r.ns
	}
	slices.Sort(times)
	return times[len(times)/2]
}
