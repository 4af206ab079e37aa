package stream

import (
	"testing"
	"testing/synctest"
)

// A budget is taken up to its last byte, and what is beyond waits until enough is given back.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(10)
		if !b.take(4, noTurn) || !b.take(6, noTurn) {
			t.Fatal("the budget is closed")
		}
		taken := false
		go func() { taken = b.take(3, noTurn) }()
		for given, want := range []bool{false, false, false, true} { // 0 to 3 bytes
			if given > 0 {
				b.give(1)
			}
			if synctest.Wait(); taken != want {
				t.Errorf("with %d bytes left, 3 are taken: %t", given, taken)
			}
		}
	})
}

// More than the budget is taken alone, and by the chunk whose turn it is.
func TestBudgetExceeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(10)
		if !b.take(11, noTurn) || !b.take(1, 0) {
			t.Fatal("the budget is closed")
		}
		taken, closed := false, false
		go func() { taken = b.take(1, 1) }()
		go func() { closed = !b.take(1, 2) }()
		if synctest.Wait(); taken || closed {
			t.Error("a chunk takes bytes before its turn")
		}
		b.pass()
		if synctest.Wait(); !taken || closed {
			t.Errorf("in the turn of chunk 1, it takes bytes: %t; chunk 2: %t", taken, closed)
		}
		b.close()
		if synctest.Wait(); !closed {
			t.Error("a chunk waits for a closed budget")
		}
	})
}

func TestEmptied(t *testing.T) {
	for size, kept := range map[int]bool{1: true, keepBytes: true, keepBytes + 1: false} {
		if got := emptied(make([]byte, size)); len(got) != 0 || (got != nil) != kept {
			t.Errorf("a buffer of %d bytes is kept: %t", size, got != nil)
		}
	}
}
