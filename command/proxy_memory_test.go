package command

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// TestProxyMemory measures the resident memory of the process of the proxy: with as many clients as it serves at a time, each with
// a body and an answer of 4 MiB, it is less than 512 MiB.
func TestProxyMemory(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("the system does not say how much memory a process takes")
	}
	const clients = 128
	for _, shape := range [][3]string{{`{"description":"`, "a", `"}`}, {`{"attendees":[0`, ",0", `]}`}}[:testdepth.Draws(1, 2)] { // the latter takes much memory, and time
		body := []byte(shape[0] + strings.Repeat(shape[1], (event.DefaultMaxBytes-20)/len(shape[1])) + shape[2])
		var arrived sync.WaitGroup // at the upstream
		arrived.Add(clients)
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			arrived.Done()
			arrived.Wait() // so all are under way at the same time
			w.Write(body)
		}))
		proxy := exec.Command("calrules", "proxy", "--no-config", "--listen", "127.0.0.1:0", "--upstream", upstream.URL, "--dialect", "google")
		said, err := proxy.StderrPipe()
		if err == nil {
			err = proxy.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(said)
		first, _ := lines.ReadString('\n')
		go io.Copy(io.Discard, lines)
		var address string
		if _, err := fmt.Sscanf(first, "calrules: %s forwards", &address); err != nil {
			t.Fatalf("%q: %v", first, err)
		}
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				answer, err := http.Post(fmt.Sprint(address, "/calendar/v3/calendars/primary/events?x=", i), "application/json", io.MultiReader(bytes.NewReader(body)))
				if err != nil {
					t.Error(err)
					return
				}
				defer answer.Body.Close()
				if n, err := io.Copy(io.Discard, answer.Body); err != nil || int(n) != len(body) {
					t.Errorf("a client gets %d bytes, %v", n, err)
				}
			})
		}
		all.Wait()
		peak := peakMemory(t, proxy.Process.Pid)
		t.Logf("%d clients, each with %s: at most %d MiB are resident", clients, shape, peak>>20)
		if peak == 0 || peak >= 512<<20 {
			t.Errorf("%d clients, each with %s: at most %d MiB are resident", clients, shape, peak>>20)
		}
		http.DefaultClient.CloseIdleConnections()
		proxy.Process.Signal(os.Interrupt)
		proxy.Wait() // its status says that the requests have findings
		upstream.Close()
	}
}

// peakMemory returns the most memory that a process has had, in bytes.
func peakMemory(t *testing.T, pid int) (bytes int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, peak, _ := strings.Cut(string(text), "VmHWM:")
	fmt.Sscanf(peak, "%d kB", &bytes)
	return bytes << 10
}
