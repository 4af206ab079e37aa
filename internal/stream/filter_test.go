package stream_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/calrules/calrules/internal/stream"
)

// echo answers a line with the line in brackets.
func echo(line, dst []byte) []byte {
	return append(append(append(dst, '['), line...), ']')
}

// tooLong answers with the number of bytes that it got.
func tooLong(head, dst []byte) []byte {
	return strconv.AppendInt(append(dst, "too long: "...), int64(len(head)), 10)
}

func run(f stream.Filter, in io.Reader, out io.Writer) error {
	return f.Run(context.Background(), in, out)
}

func TestRun(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, test := range []struct {
		name, in, want string
		max            int
	}{
		{"empty", "", "", 0},
		{"one", "a\n", "[a]\n", 0},
		{"byte order mark", "\ufeffa\n\ufeffb\n", "[a]\n[\ufeffb]\n", 0},
		{"only a byte order mark", "\ufeff", "", 0},
		{"without end", "a\nb", "[a]\n[b]\n", 0},
		{"CRLF", "a\r\nb\r\n", "[a]\n[b]\n", 0},
		{"CR at the end", "a\r", "[a]\n", 0},
		{"CR within", "a\rb\n", "[a\rb]\n", 0},
		{"blank", "\n\r\n \t\na\n\n", "[]\n[]\n[ \t]\n[a]\n[]\n", 0},
		{"longer than one read", long + "\nb\n" + long, "[" + long + "]\n[b]\n[" + long + "]\n", 0},
		{"just short enough", "12345\n12345\r\n12345", "[12345]\n[12345]\n[12345]\n", 5},
		{"too long", "123456\n1\n", "too long: 5\n[1]\n", 5},
		{"too long/at the end", "1\n123456", "[1]\ntoo long: 5\n", 5},
		{"too long/CRLF", "123456\r\n1", "too long: 5\n[1]\n", 5},
		{"much too long", long + "\n1\n" + long + "\n" + long, "too long: 1000\n[1]\ntoo long: 1000\ntoo long: 1000\n", 1000},
		{"much too long and many after", long + strings.Repeat("\n1", 3), "too long: 5\n[1]\n[1]\n[1]\n", 5},
	} {
		for name, reader := range map[string]func(io.Reader) io.Reader{
			"whole":       func(r io.Reader) io.Reader { return r },
			"halves":      iotest.HalfReader,
			"bytes":       iotest.OneByteReader,
			"with an EOF": iotest.DataErrReader,
		} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				var out bytes.Buffer
				f := stream.Filter{Handle: echo, MaxLine: test.max, TooLong: tooLong}
				if err := f.Run(t.Context(), reader(strings.NewReader(test.in)), &out); err != nil {
					t.Fatal(err)
				}
				if out.String() != test.want {
					t.Errorf("answers are %.200q, want %.200q", out.String(), test.want)
				}
			})
		}
	}
}

// The first read of a line that is too long ends after a CR, which is not part of the end of the line.
func TestTooLongAfterCR(t *testing.T) {
	const size = 16 // the smallest buffer of package bufio
	head := strings.Repeat("x", size-1)
	f := stream.Filter{Handle: echo, TooLong: tooLong, MaxLine: size - 1, ReadSize: size}
	for in, want := range map[string]string{
		head + "\r\n":  "[" + head + "]\n",
		head + "\ry\n": "too long: 15\n",
	} {
		var out bytes.Buffer
		if err := run(f, strings.NewReader(in), &out); err != nil || out.String() != want {
			t.Errorf("%q: %q with the error %v, want %q", in, &out, err, want)
		}
	}
}

func TestWithoutTooLong(t *testing.T) {
	var out bytes.Buffer
	if err := run(stream.Filter{Handle: echo, MaxLine: 2}, strings.NewReader("123\n1\n"), &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != "[1]\n" {
		t.Errorf("answers are %q", out.String())
	}
}

// TestOrder answers lines that take different times, on many workers.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const lines = 20_000
		var in, want bytes.Buffer
		for i := range lines {
			fmt.Fprintf(&in, "%d\n", i)
			fmt.Fprintf(&want, "[%d]\n", i)
		}
		handle := func(line, dst []byte) []byte {
			if rand.IntN(1000) == 0 {
				time.Sleep(time.Millisecond)
			}
			return echo(line, dst)
		}
		for _, workers := range []int{0, 1, 2, 16} {
			var out bytes.Buffer
			// Short reads give many chunks.
			short := &chopped{in: bytes.NewReader(in.Bytes()), most: 300}
			if err := run(stream.Filter{Handle: handle, Workers: workers}, short, &out); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), want.Bytes()) {
				t.Errorf("with %d workers the answers are not in the order of the lines", workers)
			}
		}
	})
}

// chopped returns a few bytes per read.
type chopped struct {
	in   io.Reader
	most int
}

func (c *chopped) Read(dst []byte) (int, error) {
	return c.in.Read(dst[:min(len(dst), 1+rand.IntN(c.most))])
}

// Answers are written without waiting for more input.
func TestPrompt(t *testing.T) {
	in, typed := io.Pipe()
	seen, out := io.Pipe()
	ended := make(chan error)
	go func() { ended <- run(stream.Filter{Handle: echo}, in, out) }()
	answer := make([]byte, 100)
	for i := range 100 {
		line := strconv.Itoa(i) + "\n"
		io.WriteString(typed, line[:1])
		io.WriteString(typed, line[1:])
		n, err := io.ReadAtLeast(seen, answer, len(line)+2)
		if err != nil || string(answer[:n]) != "["+line[:len(line)-1]+"]\n" {
			t.Fatalf("answer is %q, %v", answer[:n], err)
		}
	}
	typed.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// endless is an endless input. It counts its lines.
type endless struct{ lines atomic.Int64 }

func (e *endless) Read(dst []byte) (int, error) {
	const line = "0123456789\n"
	n := len(dst) / len(line) * len(line)
	for i := 0; i < n; i += len(line) {
		copy(dst[i:], line)
	}
	e.lines.Add(int64(n / len(line)))
	return n, nil
}

// slow is an output that accepts some answers, slowly, and then fails.
type slow struct {
	in       *endless
	taken    int64
	inFlight int64 // maximum number of lines that were read but not yet written
	writes   int
}

var errEnough = errors.New("enough")

func (s *slow) Write(answers []byte) (int, error) {
	time.Sleep(time.Millisecond) // in a bubble: until the reader cannot run ahead any more
	s.inFlight = max(s.inFlight, s.in.lines.Load()-s.taken)
	s.taken += int64(bytes.Count(answers, []byte("\n")))
	if s.writes++; s.writes > 200 {
		return 0, errEnough
	}
	return len(answers), nil
}

// The reader waits for a slow consumer of an endless stream, and an error of the consumer stops everything.
func TestBoundedMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := new(endless)
		out := &slow{in: in}
		if err := run(stream.Filter{Handle: echo, Workers: 4}, in, out); !errors.Is(err, errEnough) {
			t.Errorf("error is %v", err)
		}
		// 16 chunks of 64 KiB, and the buffer of the writer.
		if most := int64(17 * 64 << 10 / len("0123456789\n")); out.inFlight > most {
			t.Errorf("%d lines were in flight, want at most %d", out.inFlight, most)
		}
		if out.taken < 100_000 {
			t.Errorf("only %d lines were answered", out.taken)
		}
	})
}

// TestHugeLine reads a line of a gigabyte.
func TestHugeLine(t *testing.T) {
	const size = 1 << 30
	chunk := bytes.Repeat([]byte("x"), 1<<20)
	in := io.MultiReader(&repeated{text: chunk, times: size / len(chunk)}, strings.NewReader("\nlast"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var out bytes.Buffer
	if err := run(stream.Filter{Handle: echo, MaxLine: 1 << 20, TooLong: tooLong}, in, &out); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if out.String() != "too long: 1048576\n[last]\n" {
		t.Errorf("answers are %q", out.String())
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 64<<20 {
		t.Errorf("%d MiB were allocated", allocated>>20)
	}
}

// After a write error, Run returns even while it waits for input, no handler is running, and the
// reading goroutine ends with its call of Read: synctest.Test fails if a goroutine does not end.
func TestWriteError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := &held{lines: []string{"a\n", "b\n"}, release: make(chan struct{})}
		ended := make(chan error)
		var returned atomic.Bool
		handle := func(line, dst []byte) []byte {
			if returned.Load() {
				t.Error("a handler runs after Run has returned")
			}
			return echo(line, dst)
		}
		go func() {
			err := run(stream.Filter{Handle: handle}, in, failing{})
			returned.Store(true)
			ended <- err
		}()
		if err := <-ended; !errors.Is(err, errEnough) {
			t.Errorf("error is %v", err)
		}
		close(in.release)
	})
}

// held returns its first line at once and the others only when they are released.
type held struct {
	lines   []string
	given   int
	release chan struct{}
}

func (h *held) Read(dst []byte) (int, error) {
	if h.given > 0 {
		<-h.release
	}
	if h.given == len(h.lines) {
		return 0, io.EOF
	}
	h.given++
	return copy(dst, h.lines[h.given-1]), nil
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errEnough }

// Lines before a read error are answered.
func TestReadError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := io.MultiReader(strings.NewReader("a\nb\nc"), iotest.ErrReader(errEnough))
		var out bytes.Buffer
		if err := run(stream.Filter{Handle: echo}, in, &out); !errors.Is(err, errEnough) {
			t.Errorf("error is %v", err)
		}
		if !strings.HasPrefix(out.String(), "[a]\n[b]\n") {
			t.Errorf("answers are %q", out.String())
		}
	})
}

// When the context is done, Run returns its cause, even while it waits for input, and no handler is running.
func TestCancel(t *testing.T) {
	for name, input := range map[string]func() io.Reader{
		"while it reads":  func() io.Reader { return &held{lines: []string{"a\n"}, release: make(chan struct{})} },
		"while it writes": func() io.Reader { return new(endless) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in := input()
				ctx, cancel := context.WithCancelCause(t.Context())
				var returned atomic.Bool
				f := stream.Filter{Handle: func(line, dst []byte) []byte {
					if returned.Load() {
						t.Error("a handler runs after Run has returned")
					}
					cancel(errEnough)
					return echo(line, dst)
				}}
				err := f.Run(ctx, in, io.Discard)
				returned.Store(true)
				if !errors.Is(err, errEnough) {
					t.Errorf("error is %v", err)
				}
				if h, ok := in.(*held); ok {
					close(h.release)
				}
			})
		})
	}
}

func TestNoProgress(t *testing.T) {
	if err := run(stream.Filter{Handle: echo}, idle{}, io.Discard); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error is %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// Concurrent runs are independent.
func TestManyRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs sync.WaitGroup
		for i := range 20 {
			runs.Go(func() {
				in := strings.Repeat(strconv.Itoa(i)+"\n", 1000)
				want := strings.Repeat("["+strconv.Itoa(i)+"]\n", 1000)
				var out strings.Builder
				if err := run(stream.Filter{Handle: echo, Workers: 3}, strings.NewReader(in), &out); err != nil || out.String() != want {
					t.Errorf("run %d: %v", i, err)
				}
			})
		}
		runs.Wait()
	})
}

// FuzzRun compares Run with a plain loop over the lines.
func FuzzRun(f *testing.F) {
	f.Add([]byte("a\r\n\n b\nccccc\n\r\r\nd"), 4, 3)
	f.Add([]byte("\n\n\n"), 1, 1)
	f.Add([]byte("\ufeff\na"), 9, 1)
	f.Add([]byte("a\nb"), math.MaxInt, 1)
	f.Fuzz(func(t *testing.T, text []byte, maxLine, most int) {
		if maxLine <= 0 || most <= 0 {
			return
		}
		var out bytes.Buffer
		in := &chopped{in: bytes.NewReader(text), most: most%1000 + 1}
		if err := run(stream.Filter{Handle: echo, MaxLine: maxLine, TooLong: tooLong}, in, &out); err != nil {
			t.Fatal(err)
		}
		if want := plain(text, maxLine); out.String() != string(want) {
			t.Errorf("answers are %q, want %q", out.String(), want)
		}
	})
}

// plain returns the answers that Run must write.
func plain(text []byte, maxLine int) (answers []byte) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		switch {
		case len(line) > maxLine:
			answers = tooLong(line[:maxLine], answers)
		default:
			answers = echo(line, answers)
		}
		answers = append(answers, '\n')
	}
	return answers
}

// BenchmarkRun measures the pipeline itself. An operation copies a line of a kilobyte.
func BenchmarkRun(b *testing.B) {
	line := append(bytes.Repeat([]byte("x"), 1023), '\n')
	in := &repeated{text: line, times: b.N}
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	if err := run(stream.Filter{Handle: echo}, in, io.Discard); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// repeated is a reader of a text, repeated many times.
type repeated struct {
	text  []byte
	at    int
	times int
}

func (r *repeated) Read(dst []byte) (n int, err error) {
	for n < len(dst) && r.times > 0 {
		k := copy(dst[n:], r.text[r.at:])
		n += k
		if r.at += k; r.at == len(r.text) {
			r.at = 0
			r.times--
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// weighed answers lines with long answers, and counts the bytes of answers that are made but not written.
type weighed struct {
	size           int64
	inFlight, most atomic.Int64
	written        int64
}

func (w *weighed) answer(_, dst []byte) []byte {
	w.most.Store(max(w.most.Load(), w.inFlight.Add(w.size)))
	return append(dst, make([]byte, w.size-1)...)
}

func (w *weighed) Write(answers []byte) (int, error) {
	runtime.Gosched()
	w.inFlight.Add(-int64(len(answers)))
	w.written += int64(len(answers))
	return len(answers), nil
}

// A line may have an answer ten thousand times as long, and all workers may wait for the first line: the answers
// in memory are bounded in bytes, and do not prevent the answer to the first line.
func TestLongAnswersInBoundedMemory(t *testing.T) {
	const workers, lines, ahead, part = 16, 2_000, 4 << 20, 256 << 10
	w := weighed{size: 100 << 10}
	answer := func(line, dst []byte) []byte {
		for string(line) == "first" && w.most.Load() < ahead/2 {
			runtime.Gosched()
		}
		return w.answer(line, dst)
	}
	f := stream.Filter{Handle: answer, Workers: workers, MaxAhead: ahead, ReadSize: 128}
	if err := run(f, strings.NewReader("first\n"+strings.Repeat("0123456\n", lines-1)), &w); err != nil {
		t.Fatal(err)
	}
	if most := ahead + (workers+2)*(part+w.size); w.most.Load() > most {
		t.Errorf("%d bytes of answers were in flight, want at most %d", w.most.Load(), most)
	}
	if want := lines * w.size; w.written != want {
		t.Errorf("%d bytes of answers were written, want %d", w.written, want)
	}
}

// The lines in memory are bounded in bytes, however long each of them is.
func TestLongLinesInBoundedMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, lines, length, ahead = 8, 60, 1 << 20, 5 << 20
		release := make(chan struct{})
		wait := func(_, dst []byte) []byte { <-release; return append(dst, 'x') }
		line := strings.Repeat("x", length-1) + "\n"
		in := &counted{Reader: strings.NewReader(strings.Repeat(line, lines))}
		time.AfterFunc(time.Millisecond, func() { in.before = in.read.Load(); close(release) })
		var out bytes.Buffer
		if err := run(stream.Filter{Handle: wait, Workers: workers, MaxLine: length, MaxAhead: ahead}, in, &out); err != nil {
			t.Fatal(err)
		}
		if most := int64(ahead + length + 2*64<<10); in.before > most {
			t.Errorf("%d bytes were read while no line was answered, want at most %d", in.before, most)
		}
		if out.Len() != 2*lines {
			t.Errorf("%d bytes were written, want %d", out.Len(), 2*lines)
		}
	})
}

// counted counts the bytes that are read.
type counted struct {
	io.Reader
	read   atomic.Int64
	before int64
}

func (c *counted) Read(dst []byte) (int, error) {
	n, err := c.Reader.Read(dst)
	c.read.Add(int64(n))
	return n, err
}
