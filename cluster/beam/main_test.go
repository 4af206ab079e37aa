package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

// requests returns a number of requests with different ids, after a byte order mark.
func requests(t *testing.T, lines int) []byte {
	t.Helper()
	const different = 200
	payload, err := fuzz.Mix{InvalidShare: 0.5}.Payloads(1)
	if err != nil {
		t.Fatal(err)
	}
	var drawn [][]byte
	for n := range different {
		p := payload(n)
		drawn = append(drawn, p.Line()[1:])
	}
	text := bytes.NewBufferString("\ufeff")
	for i := range lines {
		fmt.Fprintf(text, `{"id":%d,%s`+"\n", i, drawn[i%different])
	}
	return text.Bytes()
}

// plain returns the output of the plain filter for a text.
func plain(t *testing.T, text []byte) (answers string, counts *filter.Counts) {
	t.Helper()
	f, err := filter.Named("check")
	if err != nil {
		t.Fatal(err)
	}
	f, counts = filter.Counted(f)
	var out strings.Builder
	if err := f.Run(t.Context(), bytes.NewReader(text), &out); err != nil {
		t.Fatal(err)
	}
	return out.String(), counts
}

// The output files, one after the other, are the output of the plain filter, and the counts are its counts.
func TestAsThePlainFilter(t *testing.T) {
	for name, text := range map[string][]byte{
		"requests": requests(t, testdepth.Draws(600, 20_000)),
		"empty":    {},
	} {
		t.Run(name, func(t *testing.T) {
			want, counts := plain(t, text)
			input, output := filepath.Join(t.TempDir(), "requests"), filepath.Join(t.TempDir(), "answers")
			if err := os.WriteFile(input, text, 0o600); err != nil {
				t.Fatal(err)
			}
			p := beam.NewPipeline()
			if err := build(p.Root(), input, output, "check", int64(len(text)/20+1)); err != nil {
				t.Fatal(err)
			}
			ptest.RunAndValidate(t, p)
			got, sums := written(t, output)
			if got != want {
				t.Errorf("the %d bytes of answers differ from the %d of the plain filter", len(got), len(want))
			}
			if diff := cmp.Diff(lines(counts), sums); diff != "" {
				t.Errorf("counts (-plain +beam):\n%s", diff)
			}
		})
	}
}

// written returns what the output files contain.
func written(t *testing.T, output string) (answers string, counts []string) {
	t.Helper()
	names, err := filepath.Glob(output + "-*") // sorted
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == output+"-counts" {
			counts = strings.Split(strings.TrimSpace(string(text)), "\n")
			continue
		}
		all.Write(text)
	}
	for i, line := range counts {
		counts[i] = strings.TrimSpace(line)
	}
	slices.Sort(counts)
	return all.String(), counts
}

// lines returns counts as they are written, sorted.
func lines(counts *filter.Counts) []string {
	list := []string{
		fmt.Sprintf("%d %s", counts.Lines, linesKey),
		fmt.Sprintf("%d %s", counts.Rejected, rejectedKey),
	}
	for rule, n := range counts.Rules {
		list = append(list, fmt.Sprintf("%d %s", n, rule))
	}
	slices.Sort(list)
	return list
}

// If a range is answered twice, as by a runner that lost a worker, its answers appear once.
func TestRangeTwice(t *testing.T) {
	text := requests(t, 50)
	want, _ := plain(t, text)
	input, output := filepath.Join(t.TempDir(), "requests"), filepath.Join(t.TempDir(), "answers")
	if err := os.WriteFile(input, text, 0o600); err != nil {
		t.Fatal(err)
	}
	a := &answerRange{Input: input, Output: output, Filter: "check", Block: int64(len(text)/3 + 1), Size: int64(len(text))}
	for _, number := range []int{2, 0, 1, 0, 2} {
		if err := a.ProcessElement(t.Context(), number, func(string, int) {}); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := written(t, output); got != want {
		t.Error("the answers differ from those of the plain filter")
	}
}

// A file that was not written completely does not exist.
func TestFailedRange(t *testing.T) {
	dir := t.TempDir()
	err := replace(filepath.Join(dir, "a"), func(out io.Writer) error {
		io.WriteString(out, "half")
		return io.ErrUnexpectedEOF
	})
	left, readErr := os.ReadDir(dir)
	if err != io.ErrUnexpectedEOF && !strings.Contains(err.Error(), io.ErrUnexpectedEOF.Error()) || readErr != nil || len(left) > 0 {
		t.Errorf("the error is %v, %v, and %v is left", err, readErr, left)
	}
}

// The files of an earlier run with more ranges are removed, and no others.
func TestRemoveOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	others := []string{"answers-1", "answers-00000001.gz", "answers-0000000x", "answers", "more-answers-00000000"}
	for _, name := range append([]string{"answers-00000000", "answers-00000001", "answers-123456789", "answers-counts"}, others...) {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := removeOutput("answers"); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob("*")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(others)
	if diff := cmp.Diff(others, left); diff != "" {
		t.Errorf("files (-want +left):\n%s", diff)
	}
}

// An output file may be read by those who may read other new files.
func TestMode(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("other", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := replace("output", func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	want, errWant := os.Stat("other")
	got, errGot := os.Stat("output")
	if errWant != nil || errGot != nil || got.Mode() != want.Mode() {
		t.Errorf("the mode is %v, want %v; %v, %v", got.Mode(), want.Mode(), errGot, errWant)
	}
}

func TestBadArguments(t *testing.T) {
	for _, test := range []struct {
		input, output, filter string
		block                 int64
		want                  string
	}{
		{"", "o", "check", 1, "must be file names"},
		{"i", "", "check", 1, "must be file names"},
		{"i", "o", "check", 0, "must be file names"},
		{"i", "o", "chek", 1, `"chek" is not a filter`},
		{"missing", "o", "check", 1, "no such file"},
	} {
		err := build(beam.NewPipeline().Root(), test.input, test.output, test.filter, test.block)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: the error is %v", test, err)
		}
	}
}
