package stream

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
)

// DefaultMax is the default, in bytes, for the MaxLine and MaxAhead fields of [Filter], and for the size of the largest file
// that the command reads.
const DefaultMax = 16 << 20

const (
	chunksPerWorker = 4
	readBytes       = 64 << 10  // the default for Filter.ReadSize, and the size of the writer's buffer
	partBytes       = 256 << 10 // a worker hands answers to the writer when their total length exceeds this
	keepBytes       = 1 << 20   // larger buffers are not reused
)

// Filter answers lines. Only Handle is required; the zero value of any other field means its default. The methods do
// not change a Filter, and may be called concurrently.
type Filter struct {
	// Handle appends the answer to a line to dst and returns the extended slice. Neither the line nor the answer includes the line
	// ending. An answer that contains a newline is written as several lines; for an empty answer, no line is written. The line is
	// valid only during the call. Several goroutines call Handle concurrently.
	Handle func(line, dst []byte) []byte

	// TooLong is like Handle, but gets the first MaxLine bytes of a line that is longer than MaxLine. If TooLong is
	// nil, long lines have no answer.
	TooLong func(line, dst []byte) []byte

	Workers int // the number of goroutines that answer lines; by default, one per processor
	MaxLine int // the maximum length of a line in bytes, without its line ending; by default, [DefaultMax]

	// MaxAhead is the maximum total length in bytes of the lines that have been read but whose answers have not been written and,
	// separately, of the answers that wait for answers to earlier lines. A line or answer longer than MaxAhead waits until there
	// are no others. The default is [DefaultMax].
	MaxAhead int

	// ReadSize is the number of bytes to read, and therefore to pass to a worker, at a time. The default is 64 KiB, the capacity
	// of a pipe. A smaller size divides the work more evenly if the answers are much longer than the lines.
	ReadSize int
}

// Run answers each line of in with a line of out, in order. A line ends with LF or CR LF, which the last line may lack. Run
// also answers blank lines, so callers can match answers to lines by number. Run skips a byte order mark before the first line.
// Run writes answers as soon as they are ready, without waiting for more input.
//
// Run returns nil at the end of the input. If reading fails, Run answers the lines before the error and then returns the error.
// If writing fails or the context is done, Run immediately returns the error or the cause. When Run returns, no call to Handle
// is running, but a call to Read may be, because Read cannot be interrupted. Run returns an error if an argument is nil, Handle
// is nil or a number is negative.
func (f Filter) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	if in == nil {
		return errors.New("stream: no input")
	}
	return f.run(ctx, reader{in: bufio.NewReaderSize(in, max(f.readSize(), 0))}, out)
}

// RunPart is like [Filter.Run], but answers only the lines in a part of in. The concatenated answers to all parts of an
// input are the answers to the whole input.
func (f Filter) RunPart(ctx context.Context, in io.ReaderAt, part Part, out io.Writer) error {
	lines, begin, err := part.lines(in)
	if err != nil {
		return err
	}
	return f.run(ctx, reader{in: bufio.NewReaderSize(lines, max(f.readSize(), 0)), begun: begin > 0}, out)
}

func (f Filter) readSize() int { return cmp.Or(f.ReadSize, readBytes) }

// run answers the lines of r.
func (f Filter) run(ctx context.Context, r reader, out io.Writer) error {
	if err := f.check(ctx, out); err != nil {
		return err
	}
	f = f.withDefaults()
	r.maxLine = f.MaxLine
	p := newPipeline(f)
	defer context.AfterFunc(ctx, func() { p.halt(context.Cause(ctx)) })()
	return p.run(&r, out)
}

// check returns an error if the filter cannot run.
func (f Filter) check(ctx context.Context, out io.Writer) error {
	switch {
	case ctx == nil:
		return errors.New("stream: no context")
	case out == nil:
		return errors.New("stream: no output")
	case f.Handle == nil:
		return errors.New("stream: the filter has no Handle")
	}
	for _, field := range []struct {
		name  string
		value int
	}{{"Workers", f.Workers}, {"MaxLine", f.MaxLine}, {"MaxAhead", f.MaxAhead}, {"ReadSize", f.ReadSize}} {
		if field.value < 0 {
			return fmt.Errorf("stream: %s is %d; it must not be negative", field.name, field.value)
		}
	}
	return nil
}

func (f Filter) withDefaults() Filter {
	f.Workers = cmp.Or(f.Workers, runtime.GOMAXPROCS(0))
	f.MaxLine = cmp.Or(f.MaxLine, DefaultMax)
	f.MaxAhead = cmp.Or(f.MaxAhead, DefaultMax)
	f.ReadSize = f.readSize()
	if f.TooLong == nil {
		f.TooLong = func(_, dst []byte) []byte { return dst }
	}
	return f
}
