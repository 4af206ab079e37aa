package main

import "testing"

// The page has at most 60 rows: these, and those of the instructions.
func TestPageIsShort(t *testing.T) {
	const most = 24
	if rows := len(pairs()) + len(figures()); rows > most {
		t.Errorf("the page has %d rows about CPU time and memory, want at most %d", rows, most)
	}
}
