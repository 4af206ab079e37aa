//go:build unix

package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A file that grows too large is an error, as on a full disk.
func init() { prepare = func() { signal.Ignore(syscall.SIGXFSZ) } }

// TestDiskFull stops the growth of the file. Changes that cannot be stored are refused, acknowledged ones remain,
// and reading still works, also after a start without any room. Once there is room, changes are stored again.
func TestDiskFull(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell that limits files")
	}
	data := filepath.Join(t.TempDir(), "calendars.db")
	limited := exec.Command(shell, "-c", `ulimit -f 300 && exec "$0" "$@"`, self(t), "--addr", "127.0.0.1:0", "--data", data)
	cmd, base := begin(t, limited)
	var stored []string
	for i := 0; ; i++ {
		id := fmt.Sprintf("event%05d", i)
		if !insert(base, id) {
			break
		}
		if stored = append(stored, id); len(stored) > 5000 {
			t.Fatal("the file has no limit")
		}
	}
	if got := events(t, base); len(got) != len(stored) {
		t.Errorf("%d events are seen, %d were acknowledged", len(got), len(stored))
	}
	cmd.Process.Kill()
	cmd.Wait() // it was killed
	full := exec.Command(shell, "-c", `ulimit -f 0 && exec "$0" "$@"`, self(t), "--addr", "127.0.0.1:0", "--data", data)
	cmd, base = begin(t, full)
	if got := events(t, base); len(got) != len(stored) || insert(base, "event98") {
		t.Errorf("%d events are seen without room, %d were acknowledged", len(got), len(stored))
	}
	cmd.Process.Kill()
	cmd.Wait()
	_, base = start(t, "--data", data)
	got := events(t, base)
	for _, id := range stored {
		if got[id] == "" {
			t.Errorf("%s is lost", id)
		}
	}
	if len(stored) < 10 || len(got) != len(stored) || !insert(base, "event99") {
		t.Errorf("%d events were acknowledged, %d are there", len(stored), len(got))
	}
}

// TestStart measures the CPU time from the start of the process to its first answer.
func TestStart(t *testing.T) {
	const most = 100 * time.Millisecond
	var best time.Duration
	for i := range 5 { // the least is that of the program, without the noise of the machine
		cmd, base := start(t, "--data", filepath.Join(t.TempDir(), "calendars.db"))
		resp, err := http.Get(base + "colors")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		if used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); i == 0 || used < best {
			best = used
		}
	}
	if t.Logf("%s of CPU time", best); best > most {
		t.Errorf("the start takes %s of CPU time; it must take less than %s", best, most)
	}
}
