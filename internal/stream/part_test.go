package stream_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/stream"
)

// text draws lines of all kinds: short, long, blank, with either end, with a byte order mark.
func text(t *rapid.T) string {
	line := rapid.Custom(func(t *rapid.T) string {
		body := rapid.SampledFrom([]string{"", "a", "\r", "\ufeff", "bc\ufeffd", strings.Repeat("x", 300)}).Draw(t, "body")
		return body + rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "end")
	})
	lines := rapid.SliceOfN(line, 0, 40).Draw(t, "lines")
	return strings.Join(lines, "") + rapid.SampledFrom([]string{"", "", "last", "\r"}).Draw(t, "last")
}

// answer answers the whole text, or parts of it, with a filter of any options.
func answer(t *rapid.T, f stream.Filter, in string, parts ...stream.Part) string {
	var out bytes.Buffer
	var err error
	if parts == nil {
		err = f.Run(t.Context(), strings.NewReader(in), &out)
	}
	for _, part := range parts {
		err = errors.Join(err, f.RunPart(t.Context(), strings.NewReader(in), part, &out))
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func anyFilter(t *rapid.T) stream.Filter {
	return stream.Filter{
		Handle: echo, TooLong: tooLong,
		Workers:  rapid.IntRange(1, 3).Draw(t, "workers"),
		MaxLine:  rapid.SampledFrom([]int{1, 4, 300, 1000}).Draw(t, "max line"),
		MaxAhead: rapid.SampledFrom([]int{1, 100, 0}).Draw(t, "max ahead"),
		ReadSize: rapid.SampledFrom([]int{1, 16, 200, 0}).Draw(t, "read size"),
	}
}

// The answers to the parts, one after the other, are those to the whole text.
func TestPartsAreTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, f := text(t), anyFilter(t)
		n := rapid.IntRange(1, 50).Draw(t, "n")
		var parts []stream.Part
		for i := range n {
			part, err := stream.PartOf(int64(len(in)), i+1, n)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, part)
		}
		if diff := cmp.Diff(answer(t, f, in), answer(t, f, in, parts...)); diff != "" {
			t.Fatalf("the whole of %q, and %d parts (-want +got):\n%s", in, n, diff)
		}
	})
}

// This is true wherever the parts begin, and if the input has other bytes after them.
func TestPartsOfBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, f := text(t), anyFilter(t)
		block := rapid.Int64Range(1, 500).Draw(t, "block")
		var parts []stream.Part
		for from := int64(0); from < int64(len(in)); from += block {
			parts = append(parts, stream.Part{From: from, To: from + block})
		}
		if diff := cmp.Diff(answer(t, f, in), answer(t, f, in, append(parts, stream.Part{})...)); diff != "" {
			t.Fatalf("the whole of %q, and blocks of %d bytes (-want +got):\n%s", in, block, diff)
		}
	})
}

// A part may end where a line and what is read at once end.
func TestPartEndsWithRead(t *testing.T) {
	const size = 16 // the smallest buffer of package bufio
	line := strings.Repeat("x", size-1)
	in := strings.NewReader(line + "\nnext\n")
	f := stream.Filter{Handle: echo, ReadSize: size}
	for part, want := range map[stream.Part]string{{From: 0, To: size}: "[" + line + "]\n", {From: 0, To: size + 1}: "[" + line + "]\n[next]\n"} {
		var out bytes.Buffer
		if err := f.RunPart(t.Context(), in, part, &out); err != nil || out.String() != want {
			t.Errorf("%+v: %q with the error %v, want %q", part, &out, err, want)
		}
	}
}

func TestPartOf(t *testing.T) {
	for _, test := range []struct {
		size int64
		i, n int
		want stream.Part
	}{
		{10, 1, 1, stream.Part{From: 0, To: 10}},
		{10, 1, 3, stream.Part{From: 0, To: 3}},
		{10, 3, 3, stream.Part{From: 6, To: 10}},
		{1, 1, 2, stream.Part{From: 0, To: 0}},
		{0, 2, 2, stream.Part{From: 0, To: 0}},
		{math.MaxInt64, math.MaxInt32, math.MaxInt32, stream.Part{From: math.MaxInt64 - math.MaxInt64/math.MaxInt32 - 1, To: math.MaxInt64}},
	} {
		if got, err := stream.PartOf(test.size, test.i, test.n); err != nil || got != test.want {
			t.Errorf("PartOf(%d, %d, %d) is %v, %v; want %v", test.size, test.i, test.n, got, err, test.want)
		}
	}
}

// readAt counts the bytes that are read.
type readAt struct {
	text string
	read int
}

func (r *readAt) ReadAt(dst []byte, at int64) (int, error) {
	n, err := strings.NewReader(r.text).ReadAt(dst, at)
	r.read += n
	return n, err
}

// A line that spans many parts is read twice, not once per part.
func TestPartsReadTwice(t *testing.T) {
	const size, n = 10 << 20, 64
	in := &readAt{text: "a\n" + strings.Repeat("x", size) + "\nb"}
	var out bytes.Buffer
	for i := range n {
		part, err := stream.PartOf(int64(len(in.text)), i+1, n)
		if err != nil {
			t.Fatal(err)
		}
		f := stream.Filter{Handle: echo, TooLong: tooLong, MaxLine: 10}
		if err := f.RunPart(t.Context(), in, part, &out); err != nil {
			t.Fatal(err)
		}
	}
	if want := "[a]\ntoo long: 10\n[b]\n"; out.String() != want {
		t.Errorf("the answers are %q, want %q", out.String(), want)
	}
	if most := 2*len(in.text) + 2*n*64<<10; in.read > most {
		t.Errorf("%d bytes were read, want at most %d", in.read, most)
	}
}

// A read error is an error, wherever it appears.
func TestPartReadError(t *testing.T) {
	for _, part := range []stream.Part{{From: 0, To: 1}, {From: 5, To: 9}} {
		f := stream.Filter{Handle: echo}
		if err := f.RunPart(t.Context(), errorAt{}, part, io.Discard); !errors.Is(err, iotest.ErrTimeout) {
			t.Errorf("%v: error is %v", part, err)
		}
	}
}

type errorAt struct{}

func (errorAt) ReadAt([]byte, int64) (int, error) { return 0, iotest.ErrTimeout }

// A reader that reads nothing is an error, wherever the part begins.
func TestPartNoProgress(t *testing.T) {
	for _, from := range []int64{0, 5} {
		err := stream.Filter{Handle: echo}.RunPart(t.Context(), idleAt{}, stream.Part{From: from, To: 10}, io.Discard)
		if !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("from %d: %v", from, err)
		}
	}
}

type idleAt struct{}

func (idleAt) ReadAt([]byte, int64) (int, error) { return 0, nil }
