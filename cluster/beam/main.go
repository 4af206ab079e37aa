// Command beam runs a calrules filter as an Apache Beam pipeline, on the local runner prism or on any runner to which Beam's
// Go SDK can submit pipelines. An element is a byte range of a file, because processing single lines as elements would cost
// many times as much.
//
// Each byte range has its own output file, so retrying a range is harmless. Concatenated in name order, the files are
// identical to the output of the plain filter. OUTPUT-counts contains the number of findings for each rule. A run first
// removes the files from an earlier run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/calrules/calrules/internal/filter"
)

func main() {
	input := flag.String("input", "", "file with a request per line; every worker must be able to open it")
	output := flag.String("output", "", "beginning of the names of the output files")
	name := flag.String("filter", "check", "filter: "+strings.Join(filter.Names, ", "))
	block := flag.Int64("block", 4<<20, "bytes of an element")
	flag.Parse()
	beam.Init()
	if err := run(context.Background(), *input, *output, *name, *block); err != nil {
		fmt.Fprintln(os.Stderr, "beam:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, input, output, name string, block int64) error {
	p := beam.NewPipeline()
	if err := build(p.Root(), input, output, name, block); err != nil {
		return err
	}
	if err := removeOutput(output); err != nil {
		return err
	}
	return beamx.Run(ctx, p)
}

// build adds the filter to a pipeline.
func build(s beam.Scope, input, output, name string, block int64) error {
	if input == "" || output == "" || block <= 0 {
		return errors.New("--input and --output must be file names, and --block positive")
	}
	if _, err := filter.Named(name); err != nil {
		return err
	}
	input, errInput := filepath.Abs(input)
	output, errOutput := filepath.Abs(output)
	info, err := os.Stat(input)
	if err := errors.Join(errInput, errOutput, err); err != nil {
		return err
	}
	elements := beam.Reshuffle(s, beam.CreateList(s, ranges(info.Size(), block)))
	counts := beam.ParDo(s, &answerRange{Input: input, Output: output, Filter: name, Block: block, Size: info.Size()}, elements)
	sums := stats.SumPerKey(s, counts)
	beam.ParDo0(s, &writeCounts{Output: output}, beam.GroupByKey(s, beam.ParDo(s, formatCount, sums)))
	return nil
}
