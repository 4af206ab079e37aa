package main

import (
	"os"
	"regexp"
	"testing"
)

// The page is short enough to read.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../" + page)
	if err != nil {
		t.Fatal(err)
	}
	const most = 60
	lines, rules := regexp.MustCompile(`(?m)^\|`).FindAll(text, -1), regexp.MustCompile(`(?m)^\| ---`).FindAll(text, -1)
	if rows := len(lines) - 2*len(rules); rows > most {
		t.Errorf("the page has %d rows, want at most %d", rows, most)
	}
}
