package stream

import "sync"

// budget limits the number of bytes in memory.
type budget struct {
	mu     sync.Mutex
	change sync.Cond // signals changes of the fields below
	most   int
	used   int
	turn   int // the number of the chunk whose answers are being written
	closed bool
}

func newBudget(most int) *budget {
	b := &budget{most: most}
	b.change.L = &b.mu
	return b
}

// take reserves n bytes for a chunk, after waiting until the bytes are available, no bytes are in use, or it is the turn of the
// chunk, and returns false if the budget is closed.
func (b *budget) take(n, chunk int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.closed && b.used > 0 && b.most-b.used < n && chunk != b.turn {
		b.change.Wait()
	}
	b.used += n
	return !b.closed
}

func (b *budget) give(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
	b.change.Broadcast()
}

// pass passes the turn to the next chunk.
func (b *budget) pass() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn++
	b.change.Broadcast()
}

// close closes the budget, which ends all waiting.
func (b *budget) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.change.Broadcast()
}
