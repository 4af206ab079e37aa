package object

import (
	"bytes"
	"testing"
)

// Short parts of a long text share chunks, and long ones have memory of their own, so that a part that is kept keeps
// little else alive. Each chunk is twice as long as the one before.
func TestPartsShareChunks(t *testing.T) {
	long := bytes.Repeat([]byte("abcdefg"), chunkBytes)
	var x text
	x.reset(long)
	const first, quarter = firstChunkBytes, chunkBytes / 4
	for i, step := range []struct{ start, length, chunk, size int }{
		{3, first - 1, first - 1, first},
		{5, quarter + 1, first - 1, first}, // too long
		{0, 1, first, first},
		{7, 2, 2, 2 * first}, // the first of another chunk
		{1, quarter, quarter, 4 * first},
		{1, quarter, quarter, 8 * first}, {1, quarter, 2 * quarter, 8 * first},
		{1, quarter, quarter, chunkBytes}, {1, quarter, 2 * quarter, chunkBytes}, {1, quarter, 3 * quarter, chunkBytes},
		{1, quarter - 1, 4*quarter - 1, chunkBytes}, {0, 1, 4 * quarter, chunkBytes},
		{7, 2, 2, chunkBytes},
	} {
		end := step.start + step.length
		if got := x.part(step.start, end); got != string(long[step.start:end]) {
			t.Errorf("part %d is %.20q", i, got)
		}
		if length, size := x.chunk.Len(), x.chunk.Cap(); length != step.chunk || size != step.size {
			t.Errorf("after part %d, the chunk has %d of %d bytes, want %d of %d", i, length, size, step.chunk, step.size)
		}
	}
	x = text{}
	x.reset(long)
	if x.part(0, quarter); x.chunk.Cap() != quarter {
		t.Errorf("the first chunk has %d bytes, for a part of %d", x.chunk.Cap(), quarter)
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
