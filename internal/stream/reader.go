package stream

import (
	"bufio"
	"bytes"
	"errors"
)

// reader splits an input into chunks of whole lines.
type reader struct {
	in      *bufio.Reader
	maxLine int
	begun   bool  // the input has begun, so a byte order mark is now part of a line
	inLong  bool  // the last chunk ends inside a line that is too long
	err     error // the error or EOF that ended the input
}

// byteOrderMark is U+FEFF, which some programs write before the first line.
const byteOrderMark = "\ufeff"

// next is like fill, but drops a byte order mark at the beginning of the input.
func (r *reader) next(c *chunk) bool {
	ok := r.fill(c)
	if !r.begun {
		r.begun, c.lines = true, bytes.TrimPrefix(c.lines, []byte(byteOrderMark))
	}
	return ok
}

// fill fills an empty chunk with all complete lines that have been read, or returns false at the end of the input. If there are
// no complete lines, fill reads until a line is complete. A line is truncated somewhere after maxLine bytes.
func (r *reader) fill(c *chunk) bool {
	if r.inLong {
		r.skipLine()
	}
	for r.err == nil {
		_, r.err = r.in.Peek(1) // reads more if the buffer is empty
		text, _ := r.in.Peek(r.in.Buffered())
		end := bytes.LastIndexByte(text, '\n') + 1
		if end > 0 {
			text = text[:end]
		}
		c.lines = append(c.lines, text...)
		_, _ = r.in.Discard(len(text))
		r.inLong = end == 0 && len(c.lines)-len("\r") > r.maxLine
		if end > 0 || r.inLong {
			return true
		}
	}
	return len(c.lines) > 0
}

// skipLine skips the remainder of a line.
func (r *reader) skipLine() {
	r.err = bufio.ErrBufferFull
	for errors.Is(r.err, bufio.ErrBufferFull) {
		_, r.err = r.in.ReadSlice('\n')
	}
}

// failure returns the error that ended the input, or nil for io.EOF.
func (r *reader) failure() error { return unlessEOF(r.err) }
