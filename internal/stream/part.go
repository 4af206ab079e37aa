package stream

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
)

// Part is a part of an input: the lines that begin at byte From or later and before byte To. A part may contain no
// lines. If each part begins where the previous part ends, each line is in exactly one part.
type Part struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// PartOf returns part i, counted from 1, of n parts of an input of size bytes. The byte ranges of the parts differ in length by
// at most one byte, but the lines that begin in them may have lengths that differ by more. PartOf returns an error if i is not
// between 1 and n.
func PartOf(size int64, i, n int) (Part, error) {
	if size < 0 || i < 1 || i > n {
		return Part{}, fmt.Errorf("stream: there is no part %d of %d of %d bytes", i, n, size)
	}
	at := func(i int) int64 {
		high, low := bits.Mul64(uint64(size), uint64(i))
		quotient, _ := bits.Div64(high, low, uint64(n))
		return int64(quotient)
	}
	return Part{at(i - 1), at(i)}, nil
}

// lines returns a reader for the lines of the part, and the offset of the first line. The search for the first line covers only
// the bytes from the byte before the part to the part's last byte. Thus all parts together read the input at most twice, even
// if a line is very long.
func (p Part) lines(in io.ReaderAt) (lines io.Reader, begin int64, err error) {
	switch {
	case in == nil:
		return nil, 0, errors.New("stream: no input")
	case p.From < 0 || p.To < p.From:
		return nil, 0, fmt.Errorf("stream: there is no part from byte %d to byte %d", p.From, p.To)
	}
	begin = p.From
	if begin > 0 {
		begin, err = p.skip(in)
	}
	if err != nil || begin >= p.To {
		return eof{}, begin, err
	}
	return &lineReader{in: io.NewSectionReader(in, begin, math.MaxInt64), left: p.To - begin}, begin, nil
}

// skip returns the offset of the first line of a part, or p.To if the part has no lines. The part must not be the first
// part of the input.
func (p Part) skip(in io.ReaderAt) (begin int64, err error) {
	size := p.To - p.From
	before := bufio.NewReaderSize(io.NewSectionReader(in, p.From-1, size), int(min(readBytes, size)))
	begin = p.From - 1
	for err = bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
		var text []byte
		text, err = before.ReadSlice('\n')
		begin += int64(len(text))
	}
	if err != nil {
		return p.To, unlessEOF(err)
	}
	return begin, nil
}

// lineReader reads from the beginning of a line to the end of the line that contains the last byte of the part; left is the
// number of bytes that remain in the part.
type lineReader struct {
	in   io.Reader
	left int64
}

func (r *lineReader) Read(dst []byte) (int, error) {
	if r.left < 0 {
		return 0, io.EOF
	}
	n, err := r.in.Read(dst)
	if r.left > int64(n) {
		r.left -= int64(n)
		return n, err
	}
	last := max(r.left-1, 0) // the line that contains this byte is the last
	r.left = 0
	if i := bytes.IndexByte(dst[last:n], '\n'); i >= 0 {
		r.left = -1
		return int(last) + i + 1, nil
	}
	return n, err
}

// eof is a reader that is always at EOF.
type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

// unlessEOF returns err, or nil if err is io.EOF.
func unlessEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
