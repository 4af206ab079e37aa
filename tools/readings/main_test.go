package main

import (
	"os"
	"strings"
	"testing"
)

// The page says what this library reads now. What the others read is measured when the page is written.
func TestPageHasOurReadings(t *testing.T) {
	page, err := os.ReadFile("../../docs/readings.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range classes {
		_, section, found := strings.Cut(string(page), "\n## "+c.name+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		if want := "| " + shown(c.ours()) + " | calrules"; !found || !strings.Contains(section, want) {
			t.Errorf("%s: the page does not have %q", c.name, want)
		}
	}
}
