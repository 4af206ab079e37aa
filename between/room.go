package between

import (
	"io"
	"sync"

	"github.com/calrules/calrules/internal/engine"
)

// room is a budget of memory, in bytes, for the checks in progress.
type room struct {
	mutex   sync.Mutex
	freed   sync.Cond
	left    int
	reserve int // for checks, which texts leave free
	answers int // for the texts of answers, which the texts of requests leave free
}

// reserved is the memory reserved for checks, in units of MaxBytes. A body has at most 250,000 elements, so a long one
// takes less.
const reserved = 24

// cost returns the maximum number of bytes for the check of a text: a hundred for each byte of the text, for its values,
// and 700 for each of a thousand findings. See TestRoomIsCounted.
func cost(length int) int { return 100*length + 700*min(length/2, engine.Most) }

// newRoom returns room with a reserve for checks. Requests take half of the rest, so that their answers have room.
func newRoom(size, reserve int) *room {
	r := &room{left: size, reserve: reserve, answers: (size - reserve) / 2}
	r.freed.L = &r.mutex
	return r
}

// hold takes room for a text. It reports false if the rest must be left for others.
func (r *room) hold(n, leave int) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.left-n < leave {
		return false
	}
	r.left -= n
	return true
}

// work waits for room for the check of texts of the given length, and returns a function that releases it. Checks wait
// only for checks: what texts leave is enough for any.
func (r *room) work(length int) (done func()) {
	n := min(cost(length), r.reserve)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for r.left < n {
		r.freed.Wait()
	}
	r.left -= n
	return func() { r.give(n) }
}

func (r *room) give(n int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.left += n
	r.freed.Broadcast()
}

// Body is the start of a body, to the extent that a watcher checks it.
type Body struct {
	Text   []byte
	Unread Reason // for not reading the rest, or ""

	room  *room
	leave int // the room to leave for others
	held  int
}

// noRoom is the reason for not reading a body while many others are being checked.
const noRoom Reason = "too many other bodies are being checked"

// Read reads the start of the body of a request, at most MaxBytes and one more byte that shows that there is more. length
// is the number of bytes that the sender states, or -1: Read allocates the memory at once, or reads nothing. The text
// counts as being checked until [Body.Release]. The error is the reader's.
func (w *Watcher) Read(from io.Reader, length int64) (*Body, error) {
	return w.read(from, length, w.room.reserve+w.room.answers)
}

// Read reads the start of the answer, as [Watcher.Read] does. The answer has no room if the request had none.
func (x *Exchange) Read(from io.Reader, length int64) (*Body, error) {
	if x.Unchecked == noRoom {
		return &Body{Unread: noRoom}, nil
	}
	return x.watcher.read(from, length, x.watcher.room.reserve)
}

func (w *Watcher) read(from io.Reader, length int64, leave int) (*Body, error) {
	b := &Body{room: w.room, leave: leave}
	size := firstRead
	switch {
	case length > int64(w.maxBytes):
		b.Unread = w.tooLong()
		return b, nil
	case length >= 0:
		size = int(length) + 1 // the end shows if a byte is free
	}
	for {
		if len(b.Text) == cap(b.Text) {
			if !b.grow(min(size, w.maxBytes+1)) {
				b.Unread = noRoom
				return b, nil
			}
			size *= 2
		}
		n, err := from.Read(b.Text[len(b.Text):cap(b.Text)])
		b.Text = b.Text[:len(b.Text)+n]
		switch {
		case len(b.Text) > w.maxBytes:
			b.Unread = w.tooLong()
			return b, nil
		case err == io.EOF:
			return b, nil
		case err != nil:
			return b, err
		}
	}
}

// firstRead is the initial size of the buffer of a body of unknown length, in bytes.
const firstRead = 4 << 10

// grow makes space for a text of the given size. It reports false without room. The old buffer counts until it is copied.
func (b *Body) grow(size int) bool {
	if !b.room.hold(size, b.leave) {
		return false
	}
	old := b.held
	b.Text, b.held = append(make([]byte, 0, size), b.Text...), size
	b.room.give(old)
	return true
}

// Release releases the room of the text, once nobody needs it.
func (b *Body) Release() {
	if b == nil || b.room == nil {
		return
	}
	b.room.give(b.held)
	b.held = 0
}
