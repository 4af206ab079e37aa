package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Phrases that stand for a noun of another sentence, and clauses for which English has a noun. They read as translated.
const (
	pointing = `that of|those of|of which|of whom|the ones?|whoever|in place of|stands? (for|in|there|beside)`
	clauses  = `what (is|are)|has to say|says? (what|why|whether|how|which|where)|be it|of (its|their) own`
)

// TestProse counts these phrases in comments, and those that point in pages. Each is right now and then, so a few may be there.
func TestProse(t *testing.T) {
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
	checkProse(t, comments, pointing+"|"+clauses)
	checkProse(t, pages, pointing)
}

// checkProse reports the lines with one of the phrases if they are too many.
func checkProse(t *testing.T, lines []string, phrases string) {
	t.Helper()
	const most = 5 // in 1000 lines
	expr := regexp.MustCompile(`[^a-z](` + phrases + `)([^a-z]|$)`)
	found := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return !expr.MatchString(line) })
	if len(lines) == 0 || len(found)*1000 > most*len(lines) {
		t.Errorf("%d of %d lines have a phrase for which there is a noun:\n%s", len(found), len(lines), strings.Join(found, "\n"))
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

// namedTest is the name of a test on a page, and perhaps the script that it runs.
var namedTest = regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)(?:/([\\w-]+))?`")

// TestNamedTests checks that the tests that pages about security name exist.
func TestNamedTests(t *testing.T) {
	exist := map[string]bool{}
	eachFile(t, func(_ *token.FileSet, file *ast.File) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				exist[f.Name.Name] = true
			}
		}
	})
	for _, page := range []string{"SECURITY.md", "docs/threats.md"} {
		text, err := fs.ReadFile(repository, page)
		if err != nil {
			t.Fatal(err)
		}
		names := namedTest.FindAllStringSubmatch(string(text), -1)
		if len(names) == 0 {
			t.Errorf("%s names no test", page)
		}
		for _, name := range names {
			if !exist[name[1]] {
				t.Errorf("%s names %s, which is not a test", page, name[1])
			}
			if name[2] == "" {
				continue
			}
			if _, err := fs.Stat(repository, "command/testdata/script/"+name[2]+".txtar"); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}
