//go:build unix

// Cluster measures the filter of the command, alone and spread over processes, and writes docs/cluster.md:
//
//	cd benchmarks && go run ./cluster
//
// The processes run one after the other, on the same machine.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

const page = "../docs/cluster.md"

const introduction = `# On a cluster

Written by ` + "`benchmarks/cluster`" + `, whole; do not edit.

The filters of the command answer each line on its own, so a large file can be split. The command
` + "`calrules check --ndjson --part 2/4 FILE`" + ` answers the lines that begin in the second quarter of the bytes of FILE. The
outputs for the four parts, one after the other, are the output for the file. A shell, a batch system or a Makefile needs
no more than that. Two engines do more:

- [cluster/nats](../cluster/nats/README.md): JetStream queues the work and stores the answers. Workers may come, go and
  be killed, and so may the broker. It is written in Go like the rest, and needs nothing else.
- [cluster/beam](../cluster/beam/README.md): an Apache Beam pipeline, for users of Flink, Spark or Dataflow.

Each is a module of its own. Their output equals the plain filter's, byte for byte: the command that writes this
page compares the hashes, and a test does so while processes are killed.

## Memory

A filter holds at most 16 MiB of lines, 16 MiB of answers and the line that is being read. Each worker adds 256 KiB and
one answer, and the writer twice as much. A slow reader of the answers does not change this. ` + "`--max-line`" + ` limits the
length of a line (16 MiB by default). The answer to a line of ` + "`check`" + ` has at most three events of about the size of the
line, and 100 findings. An answer of ` + "`expand`" + ` has at most 10,000 instances, about 1.2 MB for timed events without
exceptions. An answer of ` + "`rtdb`" + ` has at most 100 findings. Tests of internal/filter count these bytes for each filter
with 16 workers.

## Cost

The lines are requests of at most 900 bytes that ` + "`calrules fuzz`" + ` writes; half of them break a rule. CPU time is the sum
of all processes, and the peak is the peak of the largest process. With --part, the processes run at the same time. The
number of workers of Beam and of the plain filter is the number of processors that the process may use (GOMAXPROCS).

`

func main() {
	most := flag.Int("lines", 1_000_000, "lines of the largest file")
	dry := flag.Bool("n", false, "print the page, and do not write the file")
	note := flag.String("note", "", "a sentence about the circumstances, for the page")
	flag.Parse()
	directory, err := os.MkdirTemp("", "calrules-cluster-")
	must(err)
	defer os.RemoveAll(directory)
	programs := build(directory)
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s%s, %s, %d processors.%s\n\n", introduction, runtime.Version(), runtime.GOARCH, runtime.NumCPU(), strings.TrimSuffix(" "+*note, " "))
	out.WriteString("| lines | filter | seconds | CPU seconds | lines per CPU second | relative cost of a line | peak MiB |\n")
	out.WriteString("| --- | --- | --- | --- | --- | --- | --- |\n")
	first := map[string]float64{}
	for lines := 10_000; lines <= *most; lines *= 10 {
		in := filepath.Join(directory, strconv.Itoa(lines))
		must(writeRequests(programs["calrules"], in, lines))
		var want [sha256.Size]byte
		for i, way := range ways(programs, in) {
			f := way.measure(directory)
			if i == 0 {
				want = f.answers
			}
			if f.answers != want {
				must(fmt.Errorf("the answers of %s differ from the answers of %s", way.name, ways(programs, in)[0].name))
			}
			perSecond := float64(lines) / f.cpu.Seconds()
			if first[way.name] == 0 {
				first[way.name] = perSecond
			}
			fmt.Fprintf(&out, "| %d | %s | %.1f | %.1f | %.0f | %.2f | %d |\n",
				lines, way.name, f.elapsed.Seconds(), f.cpu.Seconds(), perSecond, first[way.name]/perSecond, f.peak>>20)
		}
		must(os.Remove(in))
	}
	out.WriteString("\nThe relative cost is the CPU time per line, divided by the time per line of the same filter with the fewest\nlines: above 1, a line costs more.\n")
	if *dry {
		io.Copy(os.Stdout, &out)
		return
	}
	must(os.WriteFile(page, out.Bytes(), 0o644))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", strings.TrimSpace(err.Error()))
		os.Exit(1)
	}
}
