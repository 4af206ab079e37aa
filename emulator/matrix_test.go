//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recordFile is the file of the records. The README shows what it holds.
const recordFile = "clients/sessions.json"

// record is what a program did when the file was written.
type record struct {
	Calls    map[string][]string `json:"calls"`    // by way: the operations, and batch, discovery, token and notification
	Findings []string            `json:"findings"` // of the proxy
}

// readRecords reads the records of the programs in the list.
func readRecords(t *testing.T) map[string]*record {
	t.Helper()
	text, err := os.ReadFile(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]*record
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	records := map[string]*record{}
	for _, c := range clients {
		records[c.name] = all[c.name]
		if records[c.name] == nil {
			records[c.name] = &record{Calls: map[string][]string{}}
		}
	}
	return records
}

// writeRecords writes the file, and the table of the README.
func writeRecords(t *testing.T, records map[string]*record) {
	t.Helper()
	text, err := json.MarshalIndent(records, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(recordFile, append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	before, _, after := cutTable(t)
	if err := os.WriteFile("README.md", []byte(before+table(records)+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The README shows what the programs called.
func TestClientsTable(t *testing.T) {
	_, shown, _ := cutTable(t)
	if diff := cmp.Diff(strings.Split(table(readRecords(t)), "\n"), strings.Split(shown, "\n")); diff != "" {
		t.Errorf("run .ci/clients -update: (-%s +README.md)\n%s", recordFile, diff)
	}
}

// cutTable cuts the README into its table, and the text before and after it.
func cutTable(t *testing.T) (before, table, after string) {
	t.Helper()
	const begin, end = "<!-- clients -->\n", "<!-- end clients -->\n"
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	table, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		t.Fatalf("the README lacks %s or %s", begin, end)
	}
	return before + begin, table, end + after
}

// table returns the table of the README: the programs, which have numbers, and a row for each operation.
func table(records map[string]*record) string {
	var out strings.Builder
	out.WriteString("| | program | from |\n| ---: | --- | --- |\n")
	head, rule := "| |", "| --- |"
	rows := map[string]bool{}
	for i, c := range clients {
		fmt.Fprintf(&out, "| %d | %s | %s |\n", i+1, c.name, c.from)
		head += fmt.Sprintf(" %d |", i+1)
		rule += " --- |"
		for _, calls := range records[c.name].Calls {
			for _, call := range calls {
				rows[call] = true
			}
		}
	}
	out.WriteString("\n" + head + "\n" + rule + "\n")
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		out.WriteString("| " + row + " |")
		for _, c := range clients {
			cell := ""
			for _, w := range ways {
				if slices.Contains(records[c.name].Calls[w.name], row) {
					cell += w.name[:1]
				}
			}
			out.WriteString(" " + cell + " |")
		}
		out.WriteString("\n")
	}
	return out.String()
}
