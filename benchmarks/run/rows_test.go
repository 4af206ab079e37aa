package main

import "testing"

// Both sides of every comparison do their work.
func TestPairs(t *testing.T) {
	for _, p := range pairs() {
		t.Run(p.work+"/"+p.payload+"/"+p.peer, func(*testing.T) {
			p.ours()
			p.theirs()
		})
	}
}
