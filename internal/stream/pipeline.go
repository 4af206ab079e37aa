package stream

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

// chunk is a block of lines with their answers.
type chunk struct {
	number  int // the number of the chunk in input order, starting at 0
	lines   []byte
	answers []byte    // the answers that are not yet in a part
	parts   chan part // the answers for the writer
}

// part contains some of the answers to the lines in a chunk.
type part struct {
	answers []byte
	last    bool // whether this is the last part of the chunk
}

// noTurn is not the number of any chunk. The reader, which is ahead of the writer, uses noTurn because the turn must not exempt
// lines from their budget.
const noTurn = -1

// pipeline owns a fixed number of chunks. Each chunk is in a channel or used by one goroutine. The channels have capacity for
// all chunks, so sending a chunk never blocks.
type pipeline struct {
	Filter
	free    chan *chunk
	todo    chan *chunk
	order   chan *chunk // the chunks of todo in input order; closed at the end of the input
	lines   *budget     // the bytes of the lines in todo
	answers *budget     // the bytes of the answers in parts
	readErr error       // set before order is closed

	stop   chan struct{}
	halted sync.Once
	cause  error // the reason for the halt, set before stop is closed
}

func newPipeline(f Filter) *pipeline {
	chunks := chunksPerWorker * f.Workers
	p := &pipeline{
		Filter:  f,
		free:    make(chan *chunk, chunks),
		todo:    make(chan *chunk, chunks),
		order:   make(chan *chunk, chunks),
		lines:   newBudget(f.MaxAhead),
		answers: newBudget(f.MaxAhead),
		stop:    make(chan struct{}),
	}
	for range chunks {
		p.free <- &chunk{parts: make(chan part, 1)}
	}
	return p
}

// run answers the lines of r, and returns when all workers have ended.
func (p *pipeline) run(r *reader, out io.Writer) error {
	go p.read(r)
	var workers sync.WaitGroup
	for range p.Workers {
		workers.Go(p.work)
	}
	p.halt(p.write(out))
	workers.Wait()
	return p.cause
}

// halt stops the pipeline with a cause. Only the first call has an effect.
func (p *pipeline) halt(cause error) {
	p.halted.Do(func() {
		p.cause = cause
		close(p.stop)
		p.lines.close()
		p.answers.close()
	})
}

// read splits the input into chunks until the input ends or the pipeline stops.
func (p *pipeline) read(r *reader) {
	defer close(p.order)
	number := 0
	for c := p.take(); c != nil; c = p.take() {
		if !r.next(c) {
			p.readErr = r.failure()
			return
		}
		if !p.lines.take(len(c.lines), noTurn) {
			return
		}
		c.number = number
		number++
		p.order <- c
		p.todo <- c
	}
}

// take waits for a free chunk and returns it, or returns nil if the pipeline stops.
func (p *pipeline) take() *chunk {
	select {
	case <-p.stop: // checked even if there are free chunks
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
			c.answers = p.Handle(line, c.answers)
		}
		if len(c.answers) > before {
			c.answers = append(c.answers, '\n')
		}
		if len(c.answers) > partBytes {
			if !p.handOver(c, false) {
				return
			}
			c.answers = make([]byte, 0, partBytes) // more answers will probably follow
		}
	}
	p.handOver(c, true)
}

// handOver passes the pending answers in a chunk to the writer, after waiting until the writer has received the previous
// answers, and returns false if the pipeline stops.
func (p *pipeline) handOver(c *chunk, last bool) bool {
	answers := c.answers
	c.answers = nil // cleared now, because the writer owns the chunk once it has the last part
	if !p.answers.take(len(answers), c.number) {
		return false
	}
	select {
	case <-p.stop:
		return false
	case c.parts <- part{answers, last}:
		return true
	}
}

// write writes the answers in order, and returns the first write error or, if there is none, the read error.
func (p *pipeline) write(out io.Writer) error {
	w := bufio.NewWriterSize(out, readBytes)
	for {
		select {
		case <-p.stop:
			return p.cause
		case c, ok := <-p.order:
			if !ok {
				return p.readErr
			}
			if err := p.writeChunk(c, w); err != nil {
				return err
			}
			p.answers.pass()
		}
	}
}

// writeChunk writes the answers in a chunk, and returns an error if the pipeline stops.
func (p *pipeline) writeChunk(c *chunk, w *bufio.Writer) error {
	for last := false; !last; {
		next, err := p.nextPart(c, w)
		if err != nil {
			return err
		}
		last = next.last
		_, err = w.Write(next.answers)
		p.answers.give(len(next.answers))
		if last {
			p.recycle(c, next.answers)
		}
		if err == nil && len(p.order) == 0 {
			err = w.Flush()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nextPart returns the next answers in a chunk, after flushing w if nextPart must wait.
func (p *pipeline) nextPart(c *chunk, w *bufio.Writer) (part, error) {
	select {
	case next := <-c.parts:
		return next, nil
	default:
		_ = w.Flush() // the next Write returns the error
	}
	select {
	case next := <-c.parts:
		return next, nil
	case <-p.stop:
		return part{}, p.cause
	}
}

// recycle makes a chunk, and the memory of its answers, available for more lines.
func (p *pipeline) recycle(c *chunk, answers []byte) {
	p.lines.give(len(c.lines))
	c.lines, c.answers = emptied(c.lines), emptied(answers)
	p.free <- c
}

// emptied returns an empty buffer that reuses the memory of buf, or nil if buf has grown too large to keep.
func emptied(buf []byte) []byte {
	if cap(buf) > keepBytes {
		return nil
	}
	return buf[:0]
}
