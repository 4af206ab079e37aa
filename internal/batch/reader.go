package batch

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

const (
	readBytes  = 64 << 10 // what one read asks for unless told otherwise: as much as a pipe holds
	emptyReads = 100      // reads in a row without a byte or an error that are put up with
)

// reader cuts an input into chunks of whole lines.
type reader struct {
	in      io.Reader
	maxLine int
	size    int    // what one read asks for
	rest    []byte // what was read beyond the last chunk
	inLong  bool   // the input stands within a line that is too long
	err     error  // ends the input, once rest is handed out
}

// next fills a chunk: with all whole lines that are there or, where there is none, with the
// one that the next reads complete. Of a line that is too long it holds more bytes than
// maxLine, but not all. It returns false at the end of the input.
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

// skipLine reads to the end of the line and keeps what follows it.
func (r *reader) skipLine() {
	for r.inLong && r.err == nil {
		r.rest = r.read(r.rest[:0])
		if end := bytes.IndexByte(r.rest, '\n'); end >= 0 {
			r.rest = append(r.rest[:0], r.rest[end+1:]...)
			r.inLong = false
		}
	}
	if r.inLong { // the input ended within the line
		r.rest, r.inLong = r.rest[:0], false
	}
}

// read appends what one read gives to dst. An error goes to r.err.
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

// failure returns the error that ended the input, or nil where it merely ended.
func (r *reader) failure() error {
	if errors.Is(r.err, io.EOF) {
		return nil
	}
	return r.err
}
