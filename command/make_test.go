package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIntentsPage runs the commands of docs/intents.md with the files that the page shows. They answer what it says.
func TestIntentsPage(t *testing.T) {
	page, err := os.ReadFile("../docs/intents.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	blocks := regexp.MustCompile("(?s)(?:`([a-z]+\\.json)`:\n\n)?```(json|sh)\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	commands, args := 0, []string(nil)
	for _, block := range blocks {
		file, kind, text := block[1], block[2], block[3]
		switch {
		case file != "":
			if err := os.WriteFile(filepath.Clean(file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		case kind == "sh":
			args = strings.Fields(text)[1:]
		default:
			var out, failed bytes.Buffer
			if status := Run(args, strings.NewReader(""), &out, &failed); status != 0 {
				t.Errorf("%v: %s", args, failed.String())
				continue
			}
			commands++
			var got struct{ Requests []json.RawMessage }
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			var lines bytes.Buffer
			for _, r := range got.Requests {
				json.Compact(&lines, r)
				lines.WriteByte('\n')
			}
			if diff := cmp.Diff(text, lines.String()); diff != "" {
				t.Errorf("%v (-page +got):\n%s", args, diff)
			}
		}
	}
	if want := strings.Count(string(page), "\n## "); commands != want {
		t.Errorf("the page has %d commands for %d intents", commands, want)
	}
}
