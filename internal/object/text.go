package object

import "strings"

// text is the text being decoded. The kept parts share memory: with the whole of a short text, and with a chunk of a
// long one, so that an event does not keep a large body alive.
type text struct {
	bytes []byte
	whole string          // a copy of a short text
	chunk strings.Builder // copies of parts of a long one; it never grows
}

// chunkBytes is the size of the longest chunk, and of the longest short text. The first chunk is shorter, since a long
// text may have one long string and little else, and each next chunk is twice as long.
const (
	chunkBytes      = 8 << 10
	firstChunkBytes = 1 << 9
)

func (t *text) reset(bytes []byte) {
	*t = text{bytes: bytes}
	if len(bytes) <= chunkBytes {
		t.whole = string(bytes)
	}
}

// part returns a part of the text.
func (t *text) part(start, end int) string {
	if t.whole != "" {
		return t.whole[start:end]
	}
	return t.copy(t.bytes[start:end])
}

// copy returns a copy of a part of a long text.
func (t *text) copy(part []byte) string {
	const most = chunkBytes / 4 // a longer part is not worth the rest of a chunk
	if len(part) > most {
		return string(part)
	}
	if t.chunk.Cap()-t.chunk.Len() < len(part) {
		size := max(min(2*t.chunk.Cap(), chunkBytes), firstChunkBytes, len(part))
		t.chunk = strings.Builder{}
		t.chunk.Grow(size)
	}
	at := t.chunk.Len()
	t.chunk.Write(part)
	return t.chunk.String()[at:]
}
