package command

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const (
	goodEvent = `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`
	badEvent  = `{"start":{"date":"2026-03-10"}}`
)

func noEnv(string) string { return "" }

// runWith runs the command with a text as standard input.
func runWith(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = run(args, streams{strings.NewReader(stdin), &out, &err}, noEnv)
	return status, out.String(), err.String()
}

func TestExitStatus(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good.json")
	if err := os.WriteFile(good, []byte(goodEvent), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		stdin string
		args  []string
		want  int
	}{
		{"clean", goodEvent, []string{"check", "--dialect", "documents", "-"}, exitClean},
		{"rejected", badEvent, []string{"check", "--dialect", "documents", "-"}, exitFound},
		{"rejected/json", badEvent, []string{"check", "--format", "ndjson", "-"}, exitFound},
		{"rejected/problem", badEvent, []string{"check", "--format", "problem", "-"}, exitFound},
		{"unreadable", "", []string{"check", good, good + ".missing"}, exitFailed},
		{"unreadable and rejected", badEvent, []string{"check", "-", good + ".missing"}, exitFailed},
		{"too large", goodEvent, []string{"check", "--max-size", strconv.Itoa(len(goodEvent) - 1), "-"}, exitFailed},
		{"as large as it may be", goodEvent, []string{"check", "--dialect", "documents", "--max-size", strconv.Itoa(len(goodEvent)), "-"}, exitClean},
		{"stream", `{"op":"events.insert","body":` + badEvent + `}`, []string{"check", "--ndjson"}, exitClean},
		{"stream/malformed", `{`, []string{"check", "--ndjson"}, exitClean},
		{"stream/unreadable", "", []string{"check", "--ndjson", good + ".missing"}, exitFailed},
		{"usage", "", []string{"check"}, exitFailed},
		{"usage/op", "", []string{"check", "--op", "events.fly", good}, exitFailed},
		{"usage/command", "", []string{"fly"}, exitFailed},
		{"rules", "", []string{"rules"}, exitClean},
		{"rules/unknown", "", []string{"rules", "no.such-rule"}, exitFailed},
		{"help", "", nil, exitClean},
		{"version", "", []string{"--version"}, exitClean},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, _, stderr := runWith(test.stdin, test.args...)
			if status != test.want {
				t.Errorf("exit status is %d, want %d", status, test.want)
			}
			if (stderr != "") != (test.want == exitFailed) {
				t.Errorf("standard error is %q", stderr)
			}
		})
	}
}

// brokenPipe is an output whose reader has closed it.
type brokenPipe struct{ err error }

func (b brokenPipe) Write([]byte) (int, error) { return 0, b.err }

func TestOutputFails(t *testing.T) {
	stream := strings.Repeat(`{"op":"events.insert","body":`+goodEvent+"}\n", 1000)
	for _, test := range []struct {
		name  string
		stdin string
		args  []string
		err   error
		want  int
	}{
		{"pipe/files", badEvent, []string{"check", "--dialect", "documents", "-"}, syscall.EPIPE, exitFound},
		{"pipe/stream", stream, []string{"check", "--ndjson"}, syscall.EPIPE, exitClean},
		{"pipe/rules", "", []string{"rules"}, io.ErrClosedPipe, exitClean},
		{"full/files", badEvent, []string{"check", "--dialect", "documents", "-"}, syscall.ENOSPC, exitFailed},
		{"full/stream", stream, []string{"check", "--ndjson"}, syscall.ENOSPC, exitFailed},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stderr bytes.Buffer
			std := streams{strings.NewReader(test.stdin), brokenPipe{test.err}, &stderr}
			if status := run(test.args, std, noEnv); status != test.want {
				t.Errorf("exit status is %d, want %d", status, test.want)
			}
			if quiet := stderr.Len() == 0; quiet != isBrokenPipe(test.err) {
				t.Errorf("standard error is %q", stderr.String())
			}
		})
	}
}

// Lines before a read error are answered.
func TestInputFails(t *testing.T) {
	in := io.MultiReader(strings.NewReader(`{"id":1}`+"\n"), failingReader{})
	var stdout, stderr bytes.Buffer
	if status := run([]string{"check", "--ndjson"}, streams{in, &stdout, &stderr}, noEnv); status != exitFailed {
		t.Errorf("exit status is %d", status)
	}
	if !strings.HasPrefix(stdout.String(), `{"id":1,`) || stderr.String() != "calrules: the disk is gone\n" {
		t.Errorf("standard output is %q, standard error %q", stdout.String(), stderr.String())
	}
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

func TestExplainEveryRule(t *testing.T) {
	c, err := newConsole(streams{out: io.Discard}, noEnv, nil)
	if err != nil {
		t.Fatal(err)
	}
	for r := range c.catalogue().All() {
		var page strings.Builder
		c.explain(&page, r)
		if !strings.HasPrefix(page.String(), r.ID+"\n") || strings.Count(page.String(), "\nAnswer:\n") != 2 {
			t.Errorf("the page of %s is incomplete:\n%s", r.ID, page.String())
		}
	}
}

func TestChooseLook(t *testing.T) {
	env := func(name, value string) func(string) string {
		return func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}
	}
	for _, test := range []struct {
		name     string
		color    string
		terminal bool
		getenv   func(string) string
		want     look
	}{
		{"terminal", colorAuto, true, noEnv, look{color: true, excerpt: true}},
		{"pipe", colorAuto, false, noEnv, look{}},
		{"NO_COLOR", colorAuto, true, env("NO_COLOR", "1"), look{excerpt: true}},
		{"empty NO_COLOR", colorAuto, true, env("NO_COLOR", ""), look{color: true, excerpt: true}},
		{"dumb terminal", colorAuto, true, env("TERM", "dumb"), look{excerpt: true}},
		{"always", colorAlways, false, env("NO_COLOR", "1"), look{color: true, excerpt: true}},
		{"never", colorNever, true, noEnv, look{excerpt: true}},
		{"never/pipe", colorNever, false, noEnv, look{}},
	} {
		if got := chooseLook(test.color, test.terminal, test.getenv); got != test.want {
			t.Errorf("%s: look is %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestSize(t *testing.T) {
	largest, tooLarge := size(maxSize), size(maxSize+1)
	for text, want := range map[string]size{
		"1": 1, "1000": 1000, "7B": 7, "64KiB": 64 << 10, "16MiB": 16 << 20, "1GiB": 1 << 30, largest.String(): largest,
	} {
		var s size
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("Set(%q) gives %d, %v", text, s, err)
		}
		var again size
		if err := again.Set(s.String()); err != nil || again != s {
			t.Errorf("%q is written %q and read as %d", text, s.String(), again)
		}
	}
	for _, text := range []string{"", "0", "-1", "KiB", "1.5MiB", "1 MiB", "1MB", tooLarge.String(), "9999999999GiB", "99999999999999999999"} {
		var s size
		if s.Set(text) == nil {
			t.Errorf("Set(%q) gives %d", text, s)
		}
	}
}

// The version is that of the module, whether it is the main one or that of another program, whose commit is another one too.
func TestBuild(t *testing.T) {
	ours, other := debug.Module{Path: modulePath, Version: "v1.2.3"}, debug.Module{Path: "example.com/other", Version: "v0.0.1"}
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}
	for _, test := range []struct {
		name string
		info debug.BuildInfo
		want build
	}{
		{"main", debug.BuildInfo{Main: ours, Deps: []*debug.Module{&other}, Settings: commit}, build{Version: "v1.2.3", Commit: "abc", Modified: true}},
		{"dependency", debug.BuildInfo{Main: other, Deps: []*debug.Module{&other, &ours}, Settings: commit}, build{Version: "v1.2.3"}},
		{"neither", debug.BuildInfo{Main: other}, build{}},
	} {
		var got build
		if got.add(&test.info); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	released := build{Version: "v1.2.4"}
	if released.add(&debug.BuildInfo{Main: ours}); released.Version != "v1.2.4" {
		t.Errorf("the linker set v1.2.4, and the version is %s", released.Version)
	}
}

func TestFraction(t *testing.T) {
	for _, text := range []string{"1/1", "1/4", "4/4"} {
		var f fraction
		if err := f.Set(text); err != nil || f.String() != text {
			t.Errorf("Set(%q) gives %v, %v", text, &f, err)
		}
	}
	for _, text := range []string{"", "1", "1/", "/4", "0/4", "5/4", "-1/4", "a/4", "1/b", "1/4/4", "1/99999999999999999999"} {
		var f fraction
		if f.Set(text) == nil || f.String() != "" {
			t.Errorf("Set(%q) gives %v", text, &f)
		}
	}
}

// A subcommand is made alone by its name.
func TestSubcommandNames(t *testing.T) {
	for _, sub := range subcommands {
		if got := sub.make(new(console)).Name(); got != sub.name {
			t.Errorf("the subcommand %s is called %s", sub.name, got)
		}
	}
}
