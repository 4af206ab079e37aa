package batch

import "sync"

// budget bounds the bytes that are in memory.
type budget struct {
	mu    sync.Mutex
	most  int
	used  int
	freed chan struct{} // has a value if bytes may have been given back
}

func newBudget(most int) budget { return budget{most: most, freed: make(chan struct{}, 1)} }

// take waits until n bytes are free, or nothing is in use, and takes them. It returns false if the
// pipeline stops. Only one goroutine may call it.
func (b *budget) take(n int, stop <-chan struct{}) bool {
	for !b.tryTake(n) {
		select {
		case <-stop:
			return false
		case <-b.freed:
		}
	}
	return true
}

func (b *budget) tryTake(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used > 0 && b.used+n > b.most {
		return false
	}
	b.used += n
	return true
}

// give gives n bytes back.
func (b *budget) give(n int) {
	b.mu.Lock()
	b.used -= n
	b.mu.Unlock()
	select {
	case b.freed <- struct{}{}:
	default:
	}
}
