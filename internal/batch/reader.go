package batch

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

const (
	readBytes  = 64 << 10 // default of Options.ReadSize
	emptyReads = 100      // consecutive reads without a byte or an error before io.ErrNoProgress
)

// reader splits an input into chunks of whole lines.
type reader struct {
	in      io.Reader
	maxLine int
	size    int    // bytes to read at a time
	rest    []byte // bytes read after the last chunk
	inLong  bool   // the last chunk ends inside a line that is too long
	err     error  // the end of the input, after rest
}

// next fills a chunk with all whole lines that have been read. If there are none, it reads
// until one is complete. It cuts a line that is too long somewhere after maxLine bytes. It
// returns false at the end of the input.
func (r *reader) next(c *chunk) bool {
	if r.inLong {
		r.skipLine()
	}
	c.lines = append(c.lines[:0], r.rest...)
	r.rest = r.rest[:0]
	for seen := 0; ; {
		if i := bytes.LastIndexByte(c.lines[seen:], '\n'); i >= 0 {
			end := seen + i + 1
			r.rest = append(r.rest, c.lines[end:]...)
			c.lines = c.lines[:end]
			return true
		}
		if len(c.lines)-len("\r") > r.maxLine {
			r.inLong = true
			return true
		}
		if r.err != nil {
			return len(c.lines) > 0
		}
		seen = len(c.lines)
		c.lines = r.read(c.lines)
	}
}

// skipLine skips the remainder of a line and keeps what follows it.
func (r *reader) skipLine() {
	for r.inLong && r.err == nil {
		r.rest = r.read(r.rest[:0])
		if end := bytes.IndexByte(r.rest, '\n'); end >= 0 {
			r.rest = append(r.rest[:0], r.rest[end+1:]...)
			r.inLong = false
		}
	}
	if r.inLong { // the input ended inside the line
		r.rest, r.inLong = r.rest[:0], false
	}
}

// read appends the result of one read to dst. It stores an error in r.err.
func (r *reader) read(dst []byte) []byte {
	dst = slices.Grow(dst, r.size)
	for range emptyReads {
		n, err := r.in.Read(dst[len(dst) : len(dst)+r.size])
		r.err = err
		if n > 0 || err != nil {
			return dst[:len(dst)+n]
		}
	}
	r.err = io.ErrNoProgress
	return dst
}

// failure returns the error that ended the input, or nil for io.EOF.
func (r *reader) failure() error {
	if errors.Is(r.err, io.EOF) {
		return nil
	}
	return r.err
}
