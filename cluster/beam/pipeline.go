package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/stream"
)

func init() {
	register.DoFn3x1[context.Context, int, func(string, int), error](&answerRange{})
	register.DoFn2x1[int, func(*string) bool, error](&writeCounts{})
	register.Function2x2(formatCount)
	register.Emitter2[string, int]()
	register.Iter1[string]()
}

// The keys of counts, in addition to rule ids.
const (
	linesKey    = "lines"
	rejectedKey = "lines not accepted"
)

// numberFormat is the format of the number at the end of an output file name.
const numberFormat = "%08d"

// ranges returns the numbers of the ranges in an input of the given size.
func ranges(size, block int64) []int {
	numbers := make([]int, max(1, (size+block-1)/block)) // even an empty input has an output file
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// answerRange answers the lines that start in a range of the input.
type answerRange struct {
	Input, Output, Filter string
	Block, Size           int64
}

// ProcessElement writes the answers for the range with the given number to its file, and emits the counts.
func (a *answerRange) ProcessElement(ctx context.Context, number int, emit func(string, int)) error {
	f, err := filter.Named(a.Filter)
	if err != nil {
		return err
	}
	in, err := os.Open(a.Input)
	if err != nil {
		return err
	}
	defer in.Close()
	f, counts := filter.Counted(f)
	from := int64(number) * a.Block
	part := stream.Part{From: from, To: min(from+a.Block, a.Size)}
	err = replace(a.Output+"-"+fmt.Sprintf(numberFormat, number), func(out io.Writer) error { return f.RunPart(ctx, in, part, out) })
	if err != nil {
		return err
	}
	emit(linesKey, counts.Lines)
	emit(rejectedKey, counts.Rejected)
	for rule, n := range counts.Rules {
		emit(rule, n)
	}
	return nil
}

// removeOutput removes the output files of an earlier run, which may have had more ranges.
func removeOutput(output string) error {
	dir, base := filepath.Split(output)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		number, ok := strings.CutPrefix(entry.Name(), base+"-")
		if !ok || number != "counts" && !isNumber(number) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// isNumber reports whether text is the number of a range in a file name.
func isNumber(text string) bool {
	n, err := strconv.ParseUint(text, 10, 63)
	return err == nil && text == fmt.Sprintf(numberFormat, n)
}

// replace writes a file atomically, because another attempt may write the same file at the same time. Unlike os.CreateTemp,
// replace creates the file with the mode that the umask allows.
func replace(name string, write func(io.Writer) error) error {
	file, err := os.OpenFile(filepath.Join(filepath.Dir(name), ".part-"+rand.Text()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // fails after a successful rename
	if err := errors.Join(write(file), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

// formatCount formats a count as a line. All lines have the same key, so a single worker gets all lines.
func formatCount(name string, n int) (key int, line string) {
	return 0, fmt.Sprintf("%8d %s\n", n, name)
}

// writeCounts writes the counts to a file, largest first.
type writeCounts struct{ Output string }

// ProcessElement writes the lines, sorted by count.
func (w *writeCounts) ProcessElement(_ int, lines func(*string) bool) error {
	var sorted []string
	for line := ""; lines(&line); {
		sorted = append(sorted, line)
	}
	slices.Sort(sorted)
	slices.Reverse(sorted)
	return replace(w.Output+"-counts", func(file io.Writer) error {
		out := bufio.NewWriter(file)
		for _, line := range sorted {
			_, _ = out.WriteString(line) // Flush returns any error
		}
		return out.Flush()
	})
}
