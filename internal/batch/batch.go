package batch

import (
	"bufio"
	"bytes"
	"io"
	"runtime"
	"sync"
)

// DefaultMaxLine is the longest line that is answered unless told otherwise: 16 MiB.
const DefaultMaxLine = 16 << 20

// Handler appends the answer to a line to dst, without a line end, and returns it. The line
// comes without its end and is valid only during the call. A Handler is called by several
// goroutines at once.
type Handler func(line, dst []byte) []byte

// Options are what a caller may decide. The zero value is ready for use.
type Options struct {
	Workers int // how many lines are answered at a time; 0 means one a processor
	MaxLine int // the longest line, in bytes without its end; 0 means [DefaultMaxLine]

	// ReadSize is what one read asks for, in bytes; 0 means 64 KiB, as much as a pipe holds.
	// The lines that one read gives are answered before the first answer is written: where
	// answers are far longer than lines, a smaller size bounds what is held of them.
	ReadSize int

	// TooLong answers a line that is longer than MaxLine. It is handed the first MaxLine
	// bytes; the others are never held. Where it is nil, such a line has no answer.
	TooLong Handler
}

const (
	chunksPerWorker = 4       // chunks that are read, answered or written at a time
	keepBytes       = 1 << 20 // buffers that have grown beyond this are not kept for reuse
)

// Run answers every line of in with a line of out, in order. A line ends with LF or CR LF;
// the last one may lack its end. A blank line is a line like any other: who pairs answers with
// lines by number would drift otherwise. What is answered is written as
// soon as no further answer is ready, so that whoever waits for it does not wait for more
// input.
//
// Run returns nil at the end of the input. Where reading fails, the lines before are answered
// and the error is returned; where writing fails, its error is returned at once. The handlers
// have returned when Run does, but a Read under way, which nothing can break off, may not:
// its goroutine ends with it.
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
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.ReadSize <= 0 {
		o.ReadSize = readBytes
	}
	if o.TooLong == nil {
		o.TooLong = func(_, dst []byte) []byte { return dst }
	}
	return o
}

// chunk is some lines on their way, with their answers.
type chunk struct {
	lines   []byte
	answers []byte
	done    chan struct{} // receives one value when all lines are answered
}

// pipeline holds all chunks there are, each in one of its channels or in one hand. Every
// channel has room for all of them: only taking a chunk can block.
type pipeline struct {
	free  chan *chunk
	todo  chan *chunk
	order chan *chunk // the chunks of todo, as they were read; closed at the end of the input
	stop  chan struct{}

	maxLine         int
	readSize        int
	handle, tooLong Handler
	readErr         error // set before order is closed
}

func newPipeline(opts Options, handle Handler) *pipeline {
	chunks := chunksPerWorker * opts.Workers
	p := &pipeline{
		free:     make(chan *chunk, chunks),
		todo:     make(chan *chunk, chunks),
		order:    make(chan *chunk, chunks),
		stop:     make(chan struct{}),
		maxLine:  opts.MaxLine,
		readSize: opts.ReadSize,
		handle:   handle,
		tooLong:  opts.TooLong,
	}
	for range chunks {
		p.free <- &chunk{done: make(chan struct{}, 1)}
	}
	return p
}

// read hands out the input in chunks until it ends or the pipeline stops.
func (p *pipeline) read(in io.Reader) {
	defer close(p.order)
	r := reader{in: in, maxLine: p.maxLine, size: p.readSize}
	for c := p.take(); c != nil; c = p.take() {
		if !r.next(c) {
			p.readErr = r.failure()
			return
		}
		p.order <- c
		p.todo <- c
	}
}

// take returns a free chunk, or nil once the pipeline stops.
func (p *pipeline) take() *chunk {
	select {
	case <-p.stop: // also where there are free chunks
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
			c.done <- struct{}{}
		}
	}
}

func (p *pipeline) answer(c *chunk) {
	for line := range bytes.Lines(c.lines) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		before := len(c.answers)
		switch {
		case len(line) > p.maxLine:
			c.answers = p.tooLong(line[:p.maxLine], c.answers)
		default:
			c.answers = p.handle(line, c.answers)
		}
		if len(c.answers) > before {
			c.answers = append(c.answers, '\n')
		}
	}
}

// write writes the answers in order. It returns the first error of writing, or else that of
// reading.
func (p *pipeline) write(out io.Writer) error {
	w := bufio.NewWriterSize(out, readBytes)
	for c := range p.order {
		select {
		case <-c.done:
		default: // before a wait, let the consumer have what there is
			if err := w.Flush(); err != nil {
				return err
			}
			<-c.done
		}
		if _, err := w.Write(c.answers); err != nil {
			return err
		}
		p.recycle(c)
		if len(p.order) > 0 {
			continue
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return p.readErr
}

// recycle makes a chunk free for more lines.
func (p *pipeline) recycle(c *chunk) {
	c.lines, c.answers = emptied(c.lines), emptied(c.answers)
	p.free <- c
}

// emptied returns buf for reuse, or nil where it has grown to what most lines do not need.
func emptied(buf []byte) []byte {
	if cap(buf) > keepBytes {
		return nil
	}
	return buf[:0]
}
