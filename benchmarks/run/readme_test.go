package main

import (
	"os"
	"strings"
	"testing"
	"time"
)

// The README has a place for the figures, and nothing else of it changes.
func TestReadme(t *testing.T) {
	old, err := os.ReadFile("../" + readme)
	if err != nil {
		t.Fatal(err)
	}
	text, err := withSpeed(old, "- Fast.\n")
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(string(text), "- Fast.\n")
	if !strings.HasPrefix(string(old), before) || !strings.HasSuffix(string(old), after) {
		t.Error("the text around the figures changed")
	}
	if again, err := withSpeed(text, "- Fast.\n"); err != nil || string(again) != string(text) {
		t.Errorf("writing the figures a second time changes the text: %v", err)
	}
	if _, err := withSpeed([]byte("# calrules\n"), ""); err == nil {
		t.Error("a text without a place for the figures is accepted")
	}
}

// The rows that the README cites exist.
func TestSpeed(t *testing.T) {
	var all []measured
	for _, p := range pairs() {
		all = append(all, measured{p, ratios{median: 0.5, cpu: time.Microsecond}})
	}
	if got := speed(all); strings.Count(got, "50% of") != 3 {
		t.Errorf("the sentences do not cite three ratios:\n%s", got)
	}
}
