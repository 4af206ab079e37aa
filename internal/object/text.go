package object

import "strings"

// text is the input that is being decoded. Parts of a short input share memory with a copy of the whole input. Parts of a long
// input share memory only with a chunk, so an event does not keep a large body alive.
type text struct {
	bytes []byte
	whole string          // a copy of a short input
	chunk strings.Builder // copies of parts of a long input; never grown
}

// chunkBytes is the maximum size of a chunk, and the maximum length of a short input. The first chunk is shorter, since a long
// input may consist of one long string and little else. The maximum size doubles with each chunk.
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

func (t *text) part(start, end int) string {
	if t.whole != "" {
		return t.whole[start:end]
	}
	return t.copy(t.bytes[start:end])
}

// copy copies a part of a long input.
func (t *text) copy(part []byte) string {
	const most = chunkBytes / 4 // a longer part would waste too much of a chunk
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
