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

// DefaultMax is the default of the fields MaxLine and MaxAhead of [Filter], and the default of the largest file that the
// command reads, in bytes.
const DefaultMax = 16 << 20

const (
	chunksPerWorker = 4
	readBytes       = 64 << 10  // the default of Filter.ReadSize, and the buffer of the writer
	partBytes       = 256 << 10 // a worker hands answers to the writer once they are longer in all
	keepBytes       = 1 << 20   // larger buffers are not reused
)

// Filter answers lines. Only Handle is required; 0 in another field means its default. The methods do not
// change a Filter, and may be called concurrently.
type Filter struct {
	// Handle appends the answer to a line to dst and returns the result. Neither the line nor the answer
	// ends with a line end. An answer that contains a line end is several lines; an empty answer writes no
	// line. The line is valid only during the call. Several goroutines call Handle concurrently.
	Handle func(line, dst []byte) []byte

	// TooLong does the same for a line that is longer than MaxLine. It gets only the first MaxLine bytes.
	// If it is nil, such a line has no answer.
	TooLong func(line, dst []byte) []byte

	Workers int // number of goroutines that answer lines; by default, one per processor
	MaxLine int // maximum length of a line in bytes, without its end; by default, [DefaultMax]

	// MaxAhead limits, in bytes, the lines that have been read but whose answers have not been written and, separately,
	// the answers that wait for answers to earlier lines. A longer line or answer waits until it is alone. By default,
	// it is [DefaultMax].
	MaxAhead int

	// ReadSize is the number of bytes to read at a time, and so the number of bytes that a worker takes at
	// once. By default, it is 64 KiB, the capacity of a pipe. A smaller size divides the work more
	// evenly if the answers are much longer than the lines.
	ReadSize int
}

// Run answers each line of in with a line of out, in order. A line ends with LF or CR LF; the last line may lack its
// end. Run answers blank lines too, so that callers can match answers to lines by number. It skips a byte order mark
// before the first line. Run writes the answers that are ready without waiting for more input.
//
// Run returns nil at the end of the input. If reading fails, Run answers the lines before the error and returns it. If
// writing fails or the context is done, Run returns the error, or the cause, at once. When Run returns, no call of
// Handle is running, but a call of Read may be, because it cannot be interrupted. Run returns an error if an argument
// is nil, Handle is nil or a number is negative.
func (f Filter) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	if in == nil {
		return errors.New("stream: no input")
	}
	return f.run(ctx, reader{in: bufio.NewReaderSize(in, max(f.readSize(), 0))}, out)
}

// RunPart answers the lines of a part of in, as [Filter.Run] does. The answers to the parts of an input, one after
// the other, are the answers to the whole input.
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

// check returns an error for a filter that cannot run.
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
