package between

import (
	"io"
	"sync"

	"github.com/calrules/calrules/internal/engine"
)

// A room is a memory budget, in bytes, for the bodies and checks in progress.
type room struct {
	mutex   sync.Mutex
	freed   sync.Cond
	left    int
	reserve int // bytes reserved for checks, which bodies must leave free
	answers int // bytes reserved for response bodies, which request bodies must leave free
}

// reserved is the memory reserved for checks, in units of MaxBytes. Because a body contains at most 250,000 elements,
// checking a long body requires less memory per byte.
const reserved = 24

// cost returns the maximum memory in bytes for checking a body of the given length: 100 bytes for each byte of the body, to
// store its values, and 700 for each of up to a thousand findings. See TestRoomIsCounted.
func cost(length int) int { return 100*length + 700*min(length/2, engine.Most) }

// newRoom returns a room with the given reserve for checks. Requests may use half of the remaining memory, which leaves room
// for their responses.
func newRoom(size, reserve int) *room {
	r := &room{left: size, reserve: reserve, answers: (size - reserve) / 2}
	r.freed.L = &r.mutex
	return r
}

// hold allots n bytes of the budget to a body, or returns false if fewer than leave bytes would remain.
func (r *room) hold(n, leave int) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.left-n < leave {
		return false
	}
	r.left -= n
	return true
}

// work waits until there is room for checking a body of the given length, and returns a function that releases the room. A
// check waits only for other checks, because bodies always leave enough room for a check.
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

// A Body is the part of a request or response body that has been read for checking.
type Body struct {
	Text   []byte
	Unread Reason // the reason for not reading the rest, or ""

	room  *room
	leave int // the room to leave for other bodies
	held  int
}

// noRoom is the reason for not reading a body while too many other bodies are being checked.
const noRoom Reason = "too many other bodies are being checked"

// Read reads a request body, up to one byte more than MaxBytes, which shows that the body is too long. The argument length is
// the length stated by the sender, or -1 if unknown. If the length is known, Read allocates the memory at once or, if there is
// no room, reads nothing. The body counts against [Options.MaxChecking] until [Body.Release] is called. Any error is from the
// reader.
func (w *Watcher) Read(from io.Reader, length int64) (*Body, error) {
	return w.read(from, length, w.room.reserve+w.room.answers)
}

// Read reads a response body, as [Watcher.Read] reads a request body. If there was no room for the request body, Read does not
// read the response body.
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
		size = int(length) + 1 // one more byte, to detect the end of the body
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

// firstRead is the initial buffer size in bytes for a body of unknown length.
const firstRead = 4 << 10

// grow enlarges the buffer to the given size, or returns false if there is no room for the new buffer. The room for the old
// buffer is released only after its contents have been copied.
func (b *Body) grow(size int) bool {
	if !b.room.hold(size, b.leave) {
		return false
	}
	old := b.held
	b.Text, b.held = append(make([]byte, 0, size), b.Text...), size
	b.room.give(old)
	return true
}

// Release releases the room that the body occupies. Call Release once b.Text is no longer needed.
func (b *Body) Release() {
	if b == nil || b.room == nil {
		return
	}
	b.room.give(b.held)
	b.held = 0
}
