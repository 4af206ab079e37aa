// Package batch answers a stream of lines, which may be endless: one answer per line, in
// order, on all processors, in constant memory.
//
// A reader splits the input into chunks of whole lines, workers answer the chunks, and a
// writer writes the answers in the order of the lines. A chunk is the result of one read, so a
// line that a person types is answered at once, and many lines of a file are handed over
// together. The number of chunks is fixed, and so are the bytes of lines and of answers in them: if
// the consumer of the output is slow, the workers wait, and so does the reader.
package batch

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"runtime"
	"sync"
)

// DefaultMaxLine is the default of [Options.MaxLine].
const DefaultMaxLine = 16 << 20

// Handler appends the answer to a line to dst and returns the result. Neither has a line end.
// The line is valid only during the call. Several goroutines call a Handler concurrently.
type Handler func(line, dst []byte) []byte

// Options configures [Run]. The zero value is ready to use.
type Options struct {
	Workers int // number of workers; 0 means one per processor
	MaxLine int // maximum length of a line in bytes, without its end; 0 means [DefaultMaxLine]

	// ReadSize is the number of bytes to read at a time; 0 means 64 KiB, the capacity of a
	// pipe.
	ReadSize int

	// TooLong answers a line that is longer than MaxLine. It gets the first MaxLine bytes; the
	// others are not kept. If it is nil, such a line has no answer.
	TooLong Handler
}

const (
	chunksPerWorker = 4
	readBytes       = 64 << 10 // the default of Options.ReadSize
	keepBytes       = 1 << 20  // larger buffers are not reused, and more answers are a part of their own
	longLines       = 2        // how many lines of the maximum length are in memory at once
)

// Run answers each line of in with a line of out, in order. A line ends with LF or CR LF; the
// last line may lack its end. Blank lines are answered too, so that callers can match answers
// to lines by number, but a byte order mark before the first line is not part of it. Run writes
// answers as soon as no further answer is ready, without waiting for more input.
//
// Run returns nil at the end of the input. If reading fails, Run answers the lines before the
// error and returns it. If writing fails, Run returns the error at once. No handler is running
// when Run returns, but a call of Read may be, since it cannot be interrupted.
func Run(in io.Reader, out io.Writer, opts Options, handle Handler) error {
	opts = opts.withDefaults()
	p := newPipeline(opts, handle)
	go p.read(in)
	var workers sync.WaitGroup
	for range opts.Workers {
		workers.Go(p.work)
	}
	err := p.write(out)
	close(p.stop)
	workers.Wait()
	return err
}

func (o Options) withDefaults() Options {
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.MaxLine = cmp.Or(o.MaxLine, DefaultMaxLine)
	o.ReadSize = cmp.Or(o.ReadSize, readBytes)
	if o.TooLong == nil {
		o.TooLong = func(_, dst []byte) []byte { return dst }
	}
	return o
}

// chunk is a number of lines with their answers.
type chunk struct {
	lines   []byte
	answers []byte    // those that no part contains yet
	parts   chan part // the answers for the writer
}

// part is a number of answers to lines of a chunk.
type part struct {
	answers []byte
	last    bool // of the chunk
}

// pipeline owns a fixed number of chunks. Each is in one of the channels or used by one
// goroutine. The channels are large enough for all of them, so sending never blocks.
type pipeline struct {
	Options
	handle  Handler
	free    chan *chunk
	todo    chan *chunk
	order   chan *chunk // the chunks of todo in the order of the input; closed at its end
	stop    chan struct{}
	lines   budget // the bytes of the lines in todo
	readErr error  // set before order is closed
}

func newPipeline(opts Options, handle Handler) *pipeline {
	chunks := chunksPerWorker * opts.Workers
	p := &pipeline{
		Options: opts,
		handle:  handle,
		free:    make(chan *chunk, chunks),
		todo:    make(chan *chunk, chunks),
		order:   make(chan *chunk, chunks),
		stop:    make(chan struct{}),
		lines:   newBudget(max(longLines*opts.MaxLine, chunks*opts.ReadSize)),
	}
	for range chunks {
		p.free <- &chunk{parts: make(chan part, 1)}
	}
	return p
}

// read splits the input into chunks until it ends or the pipeline stops.
func (p *pipeline) read(in io.Reader) {
	defer close(p.order)
	r := reader{in: bufio.NewReaderSize(in, p.ReadSize), maxLine: p.MaxLine}
	for c := p.take(); c != nil; c = p.take() {
		if !r.next(c) {
			p.readErr = r.failure()
			return
		}
		if !p.lines.take(len(c.lines), p.stop) {
			return
		}
		p.order <- c
		p.todo <- c
	}
}

// take waits for a free chunk. It returns nil once the pipeline stops.
func (p *pipeline) take() *chunk {
	select {
	case <-p.stop: // even if there are free chunks
		return nil
	default:
	}
	select {
	case <-p.stop:
		return nil
	case c := <-p.free:
		return c
	}
}

// work answers chunks until the pipeline stops.
func (p *pipeline) work() {
	for {
		select {
		case <-p.stop:
			return
		case c := <-p.todo:
			p.answer(c)
			p.handOver(c, true)
		}
	}
}

func (p *pipeline) answer(c *chunk) {
	for line := range bytes.Lines(c.lines) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		before := len(c.answers)
		if len(line) > p.MaxLine {
			c.answers = p.TooLong(line[:p.MaxLine], c.answers)
		} else {
			c.answers = p.handle(line, c.answers)
		}
		if len(c.answers) > before {
			c.answers = append(c.answers, '\n')
		}
		if len(c.answers) > keepBytes && !p.handOver(c, false) {
			return
		}
	}
}

// handOver hands the answers of a chunk to the writer. It waits until the writer has taken the
// previous ones, and returns false if the pipeline stops.
func (p *pipeline) handOver(c *chunk, last bool) bool {
	answers := c.answers
	c.answers = nil // before the writer gets the last part, after which the chunk is its own
	select {
	case <-p.stop:
		return false
	case c.parts <- part{answers, last}:
		return true
	}
}

// write writes the answers in order. It returns the first error of writing or, if there is
// none, of reading.
func (p *pipeline) write(out io.Writer) error {
	w := bufio.NewWriterSize(out, readBytes)
	for c := range p.order {
		for last := false; !last; {
			answers := nextPart(c, w)
			last = answers.last
			_, err := w.Write(answers.answers)
			if last {
				p.recycle(c, answers.answers)
			}
			if err == nil && len(p.order) == 0 {
				err = w.Flush()
			}
			if err != nil {
				return err
			}
		}
	}
	return p.readErr
}

// nextPart returns the next answers of a chunk. It writes what w holds before it waits for them.
func nextPart(c *chunk, w *bufio.Writer) part {
	select {
	case next := <-c.parts:
		return next
	default:
		_ = w.Flush() // Write returns its error again
		return <-c.parts
	}
}

// recycle frees a chunk, and the memory of its answers, for more lines.
func (p *pipeline) recycle(c *chunk, answers []byte) {
	p.lines.give(len(c.lines))
	c.lines, c.answers = emptied(c.lines), emptied(answers)
	p.free <- c
}

// emptied returns an empty buffer: buf, or nil if buf has grown too large to keep.
func emptied(buf []byte) []byte {
	if cap(buf) > keepBytes {
		return nil
	}
	return buf[:0]
}
