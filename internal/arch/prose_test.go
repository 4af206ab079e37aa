package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// pointing matches phrases that stand for a noun of another sentence, or for a noun that English has. They read as translated.
var pointing = regexp.MustCompile(`[^a-z](that of|those of|of which|of whom|the ones?|what (is|are)|whoever|in place of|has to say|` +
	`stands? (for|in|there|beside)|says? (what|why|whether|how|which|where)|be it|of (its|their) own)([^a-z]|$)`)

// TestProse counts these phrases in comments and on pages. Each is right now and then, so a few may be there.
func TestProse(t *testing.T) {
	const most = 5 // in 1000 lines
	var comments, pages []string
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		name := files.Position(file.Package).Filename
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_gen.go") || strings.HasPrefix(name, "diag/ruleid/") {
			return
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				comments = append(comments, fmt.Sprint(files.Position(c.Pos()), ": ", c.Text))
			}
		}
	})
	err := fs.WalkDir(repository, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !isPage(name) {
			return err
		}
		text, err := fs.ReadFile(repository, name)
		for i, line := range strings.Split(string(text), "\n") {
			pages = append(pages, fmt.Sprintf("%s:%d: %s", name, i+1, line))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, lines := range [][]string{comments, pages} {
		var found []string
		for _, line := range lines {
			if pointing.MatchString(line) {
				found = append(found, line)
			}
		}
		if len(found)*1000 > most*len(lines) {
			t.Errorf("%d of %d lines have a phrase such as \"that of\" or \"says what\"; name the noun:\n%s", len(found), len(lines), strings.Join(found, "\n"))
		}
	}
}

// isPage reports whether a file is a page that people read and that a person has written.
func isPage(name string) bool {
	switch name {
	case "README.md", "CONTRIBUTING.md", "SECURITY.md", "emulator/README.md", "npm/README.md", "conformance/README.md":
		return true
	}
	return strings.HasPrefix(name, "docs/") && strings.Count(name, "/") == 1 && strings.HasSuffix(name, ".md") && name != "docs/rules.md"
}
