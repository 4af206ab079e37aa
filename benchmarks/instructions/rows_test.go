package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/benchmarks/internal/payload"
)

// Every side of every row that this build has does its work, and no row has the name of another.
func TestRows(t *testing.T) {
	names := map[string]bool{}
	for _, r := range rows() {
		if names[r.name] || strings.Contains(r.name, by) || r.sides[0].name != ours || r.each < 1 {
			t.Errorf("the row %q has the name of another, or lacks something", r.name)
		}
		names[r.name] = true
		for _, s := range r.sides {
			if _, isDecoder := decoders[s.name]; isDecoder || !slices.Contains(peers, s.name) {
				s.prepare()()
			}
		}
	}
}

// The payloads that are called valid have no finding that rejects.
func TestPayloads(t *testing.T) {
	for _, p := range slices.Concat(payload.Usual, payload.Unusual) {
		found := payload.Findings(p.Insert())
		if found.Rejected() == p.Valid {
			t.Errorf("%s: valid is %t, but the findings are %v", p.Name, p.Valid, found)
		}
	}
}

// The record has a count for each row.
func TestRecord(t *testing.T) {
	known, on, err := readRecord("counts.txt")
	if err != nil || on == "" {
		t.Fatal(on, err)
	}
	var names []string
	for _, r := range rows() {
		names = append(names, r.name)
	}
	for _, s := range starts {
		names = append(names, s.name)
	}
	for _, name := range names {
		if known[name] == 0 {
			t.Errorf("%s has no count on record; run with -update", name)
		}
	}
}

// The page has at most 60 rows: these, and those about CPU time and memory.
func TestPageIsShort(t *testing.T) {
	const most = 36
	shown := len(starts)
	for _, r := range rows() {
		if r.goal != 0 {
			shown++
		}
	}
	if shown > most {
		t.Errorf("the page has %d rows of instructions, want at most %d", shown, most)
	}
}
