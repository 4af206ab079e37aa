// Run compares calrules with other libraries, and writes docs/performance.md and three figures of the README:
//
//	cd benchmarks && go run ./run
//
// It is a module of its own, to keep the go.mod of the library small. It needs a Unix system, and jq.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

const page = "../docs/performance.md"

const introduction = `# Performance

Written by ` + "`benchmarks/run`" + `, whole; do not edit.

In each round, calrules and the other library do the same work in turn, in one process. A row shows the median of the
ratios of their CPU times in the rounds, with the quartiles: below 1, calrules takes less. A busy machine disturbs
both sides alike. Allocations are per operation. Where the other library does less, such as encoding/json, which only
decodes, the row says so. The command marks a goal as met by the median.

`

func main() {
	rounds := flag.Int("rounds", 25, "rounds of each comparison")
	least := flag.Duration("least", 40*time.Millisecond, "CPU time of each side in a round")
	dry := flag.Bool("n", false, "print the page, and do not write the file")
	only := flag.String("only", "", "print the comparisons and the figures whose names contain the text, and do not write the file")
	flag.Parse()
	defer os.RemoveAll(directory)
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s%s, %d rounds of %v for each side.\n\n", introduction, machine(), *rounds, *least)
	all := writePairs(&out, *only, *rounds, *least)
	writeFigures(&out, *only)
	if *dry || *only != "" {
		os.Stdout.Write(out.Bytes())
		return
	}
	must(os.WriteFile(page, out.Bytes(), 0o644))
	writeReadme(speed(all))
}

// writePairs writes a row for each comparison, and returns them with their results.
func writePairs(out *bytes.Buffer, only string, rounds int, least time.Duration) (all []measured) {
	out.WriteString("| work | payload | compared with | ratio | quartiles | goal | met | CPU time | allocations | theirs |\n")
	out.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, p := range pairs() {
		if !strings.Contains(p.work+", "+p.payload, only) {
			continue
		}
		r := p.compare(rounds, least)
		all = append(all, measured{p, r})
		goal, met := verdict(p.goal, r.median <= p.goal, "at most %.3g")
		fmt.Fprintf(out, "| %s | %s | %s | %.3f | %.3f to %.3f | %s | %s | %v | %.0f | %.0f |\n",
			p.work, p.payload, p.peer, r.median, r.low, r.high, goal, met, r.cpu.Round(10*time.Nanosecond), r.allocs, r.theirs)
	}
	return all
}

func writeFigures(out *bytes.Buffer, only string) {
	out.WriteString("\n| figure | value | goal | met |\n| --- | --- | --- | --- |\n")
	for _, f := range figures() {
		if !strings.Contains(f.name, only) {
			continue
		}
		value := f.value()
		met, format := value <= f.goal, "at most %v"
		if f.least {
			met, format = value >= f.goal, "at least %v"
		}
		goal, verdict := verdict(f.goal, met, format)
		fmt.Fprintf(out, "| %s | %.4g | %s | %s |\n", f.name, value, goal, verdict)
	}
}

// verdict says what a goal is and whether it is met.
func verdict(goal float64, met bool, format string) (text, verdict string) {
	switch {
	case goal == 0:
		return "", ""
	case met:
		return fmt.Sprintf(format, goal), "yes"
	default:
		return fmt.Sprintf(format, goal), "**no**"
	}
}
