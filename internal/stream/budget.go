package stream

import "sync"

// budget limits the bytes in memory.
type budget struct {
	mu     sync.Mutex
	change sync.Cond // signals changes of the fields below
	most   int
	used   int
	turn   int // the number of the chunk whose answers are written
	closed bool
}

func newBudget(most int) *budget {
	b := &budget{most: most}
	b.change.L = &b.mu
	return b
}

// take takes n bytes for a chunk. It waits until they are free, or nothing is in use, or it is the turn of the
// chunk. It returns false if the budget is closed.
func (b *budget) take(n, chunk int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.closed && b.used > 0 && b.most-b.used < n && chunk != b.turn {
		b.change.Wait()
	}
	b.used += n
	return !b.closed
}

// give returns n bytes to the budget.
func (b *budget) give(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
	b.change.Broadcast()
}

// pass gives the turn to the next chunk.
func (b *budget) pass() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn++
	b.change.Broadcast()
}

// close ends all waiting.
func (b *budget) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.change.Broadcast()
}
