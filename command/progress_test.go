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
	p := startProgress(&screen, func() time.Time { return now }, "request", func() float64 { return share })
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

	screen.Reset()
	p.clear()
	if got := screen.String(); got != "\r"+strings.Repeat(" ", 35)+"\r" {
		t.Errorf("cleared with %q", got)
	}
	out := startProgress(&screen, func() time.Time { return now }, "line", func() float64 { return 0 })
	io.WriteString(out.counting(io.Discard), "a\nb\n")
	if out.done != 2 {
		t.Errorf("%d lines are counted", out.done)
	}
	var none *progress
	none.add(1)
	none.clear()
	if out := none.counting(&screen); out != &screen {
		t.Errorf("lines are counted for nobody")
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
	if got := m.share(); got != 0.25 {
		t.Errorf("share of a file is %v", got)
	}
	endless := measure(strings.NewReader("x"))
	io.Copy(io.Discard, endless)
	if got := endless.share(); got != 0 {
		t.Errorf("share of a stream is %v", got)
	}
}
