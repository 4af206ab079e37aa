//go:build unix

package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allRecipes makes a test fail that lacks the programs for a recipe.
const allRecipes = "CALRULES_TEST_RECIPES"

// recipes returns the lines of the README that run a program that knows only the public service.
func recipes(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```sh recipes\n")
	block, _, ok := strings.Cut(rest, "\n```")
	if !ok {
		t.Fatal("the README has no recipes")
	}
	return strings.Split(block, "\n")
}

// The recipes of the README let programs that know only the public service store an event in the emulator.
func TestRecipes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "calrules.pem")
	_, base := start(t, "--tls", file)
	addr := strings.TrimSuffix(strings.TrimPrefix(base, "http://"), "/calendar/v3/")
	seen := map[string]bool{}
	for _, line := range recipes(t) {
		line = strings.NewReplacer("127.0.0.1:8085", addr, "=8085", "="+addr[strings.LastIndex(addr, ":")+1:], "/tmp/calrules.pem", file, "/tmp/calrules.p12", file+".p12").Replace(line)
		language, needs, summary := "curl", "curl --version", ""
		switch {
		case strings.Contains(line, "./yourprogram "):
			language, needs, summary = "Go", "command -v yourprogram", "from Go"
			line = strings.Replace(line, "./yourprogram ", "yourprogram ", 1)
		case strings.Contains(line, "node yourprogram.js"):
			language, needs, summary = "Node", "test -d recipes/node/node_modules/@googleapis", "from Node"
			line = strings.Replace(line, "yourprogram.js", "recipes/node/yourprogram.js", 1)
		case strings.Contains(line, "python3 yourprogram.py"):
			language, needs, summary = "Python", "python3 -c 'import googleapiclient, google.auth'", "from Python"
			line = strings.Replace(line, "yourprogram.py", "recipes/python/yourprogram.py", 1)
		case strings.Contains(line, " yourprogram.java"):
			language, needs, summary = "Java", "keytool -help && javac -version", "from Java"
			line = strings.Replace(line, "yourprogram.java", "recipes/java/yourprogram.java", 1)
		}
		seen[language] = true
		t.Run(language, func(t *testing.T) {
			if out, err := exec.Command("sh", "-c", needs).CombinedOutput(); err != nil {
				if os.Getenv(allRecipes) != "" {
					t.Fatalf("%s: %v\n%s", needs, err, out)
				}
				t.Skip("the programs for the recipe are not there: .ci/recipes installs or builds them")
			}
			command := exec.Command("sh", "-c", "unset NO_PROXY no_proxy GOOGLE_APPLICATION_CREDENTIALS; "+line)
			command.Env = append(os.Environ(), "HOME="+t.TempDir()) // without the credentials of somebody
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out)
			}
			if summaries := slices.Collect(maps.Values(events(t, base))); summary != "" && !slices.Contains(summaries, summary) {
				t.Errorf("the emulator has the events %q, but not %q", summaries, summary)
			}
		})
	}
	for _, language := range []string{"curl", "Go", "Node", "Python", "Java"} {
		if !seen[language] {
			t.Errorf("the README has no recipe for %s", language)
		}
	}
}

// The lines of the README that ask with curl are answered as it says: with 200, or with the fault that they ask for. One that
// they set has no body.
func TestCurl(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, base := start(t)
	addr := strings.TrimSuffix(strings.TrimPrefix(base, "http://"), "/calendar/v3/")
	ran := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "curl ") {
			continue
		}
		ran++
		const status = " --silent --output /dev/null --write-out '%{http_code}'"
		line = strings.Replace(strings.TrimSpace(line), "127.0.0.1:8085", addr, 1)
		out, err := exec.Command("sh", "-c", strings.Replace(line, "curl", "curl"+status, 1)).CombinedOutput()
		want := "200"
		switch {
		case strings.Contains(line, "/emulator/faults"):
			want = "204"
		case strings.Contains(line, "status=403"):
			want = "403"
		case strings.Contains(line, "drop"):
			want, err = "000", nil // the connection ends
		}
		if err != nil || string(out) != want {
			t.Errorf("%s: %v, the status is %s, want %s", line, err, out, want)
		}
	}
	if ran < 5 {
		t.Errorf("the README has %d lines of curl, want at least 5", ran)
	}
}
