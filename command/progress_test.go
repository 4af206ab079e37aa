package command

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestProgress(t *testing.T) {
	var screen strings.Builder
	now := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	share := 0.0
	p := startProgress(&screen, func() time.Time { return now }, "request", func(int) float64 { return share })
	step := func(after time.Duration, n int, part float64, want string) {
		t.Helper()
		screen.Reset()
		now, share = now.Add(after), part
		p.add(n)
		if diff := cmp.Diff(want, screen.String()); diff != "" {
			t.Errorf("screen (-want +got):\n%s", diff)
		}
	}
	step(900*time.Millisecond, 9, 0, "")
	step(100*time.Millisecond, 991, 0, "\r1000 requests, 1000/s")
	step(100*time.Millisecond, 5, 0, "")
	step(900*time.Millisecond, 2995, 0.1, "\r4000 requests, 2000/s, 10%, 18s left")
	step(2*time.Second, 0, 0.5, "\r4000 requests, 1000/s, 50%, 4s left ")
	step(199*time.Millisecond, 0, 0.5, "")
	step(time.Millisecond, 0, 0.5, "\r4000 requests, 952/s, 50%, 4s left ")

	screen.Reset()
	p.clear()
	if got := screen.String(); got != "\r"+strings.Repeat(" ", 34)+"\r" {
		t.Errorf("cleared with %q", got)
	}
	out := startProgress(&screen, func() time.Time { return now }, "line", shareOf(8))
	io.WriteString(out.counting(io.Discard), "a\nb\n")
	now = now.Add(time.Second)
	if got := out.String(); got != "2 lines, 2/s, 25%, 3s left" {
		t.Errorf("the lines are counted as %s", got)
	}
	screen.Reset()
	if out.clear(); screen.Len() > 0 {
		t.Errorf("an empty screen is cleared with %q", screen.String())
	}
	var none *progress
	none.add(1)
	none.clear()
	if out := none.counting(&screen); out != &screen {
		t.Errorf("lines are counted for nobody")
	}
}

// TestNewProgress: the progress of a run is on the screen if nothing else is, and if the user wants it.
func TestNewProgress(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	for _, test := range []struct {
		name     string
		out, err io.Writer
		quiet    bool
		want     bool
	}{
		{"output in a file", io.Discard, terminal, false, true},
		{"quiet", io.Discard, terminal, true, false},
		{"output on the screen too", terminal, terminal, false, false},
		{"no screen", io.Discard, io.Discard, false, false},
	} {
		c := &console{streams: streams{out: test.out, err: test.err}, quiet: test.quiet}
		if got := c.newProgress("line", shareOf(1)) != nil; got != test.want {
			t.Errorf("%s: shows progress: %t", test.name, got)
		}
	}
}

func TestMeasure(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(name, []byte(strings.Repeat("x", 100)), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m := measure(file)
	io.CopyN(io.Discard, m, 25)
	if got := m.share(0); got != 0.25 {
		t.Errorf("share of a file is %v", got)
	}
	folder, err := os.Open(filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if got := measure(folder).total; got != 0 {
		t.Errorf("a directory has %d bytes to read", got)
	}
	endless := measure(strings.NewReader("x"))
	io.Copy(io.Discard, endless)
	if got := endless.share(0); got != 0 {
		t.Errorf("share of a stream is %v", got)
	}
}
