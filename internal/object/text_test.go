package object

import (
	"bytes"
	"testing"
)

// Short parts of a long text share chunks, and long ones have memory of their own, so that a part that is kept keeps
// little else alive.
func TestPartsShareChunks(t *testing.T) {
	long := bytes.Repeat([]byte("abcdefg"), chunkBytes)
	var x text
	x.reset(long)
	const quarter = chunkBytes / 4
	for i, step := range []struct{ start, length, chunk int }{
		{3, quarter, quarter},
		{5, quarter + 1, quarter}, // too long
		{1, quarter, 2 * quarter}, {1, quarter, 3 * quarter}, {1, quarter - 1, 4*quarter - 1},
		{0, 1, 4 * quarter},
		{7, 2, 2}, // the first of another chunk
	} {
		end := step.start + step.length
		if got := x.part(step.start, end); got != string(long[step.start:end]) {
			t.Errorf("part %d is %.20q", i, got)
		}
		if got := x.chunk.Len(); got != step.chunk {
			t.Errorf("after part %d, the chunk has %d bytes, want %d", i, got, step.chunk)
		}
	}
}

func TestShortTextIsCopiedWhole(t *testing.T) {
	for length, want := range map[int]bool{1: true, chunkBytes: true, chunkBytes + 1: false} {
		var x text
		x.reset(make([]byte, length))
		if got := x.whole != ""; got != want {
			t.Errorf("a text of %d bytes is copied as a whole: %t", length, got)
		}
	}
}
