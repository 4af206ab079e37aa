//go:build unix

// Command figures measures the emulator and writes the tables in the README to standard output:
//
//	go run ./figures
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/calrules/calrules/emulator/emulator"
)

const (
	clients = 8
	takes   = 3 * time.Second // the duration of each measurement
	path    = "/calendar/v3/calendars/primary/events"
	body    = `{"summary":"Review","location":"Room 4","start":{"dateTime":"2026-03-11T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-11T10:00:00Z","timeZone":"UTC"},"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]}`
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(out io.Writer) error {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	onDisk, err := opened(filepath.Join(dir, "calendars.db"))
	if err != nil {
		return err
	}
	defer onDisk.Close()
	inMemory := emulator.New()
	mock, err := recorded(inMemory)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "| | inserts | lists of 100 events | bytes per list |\n| --- | ---: | ---: | ---: |\n")
	for _, row := range []struct {
		name    string
		handler http.Handler
	}{{"in memory", inMemory}, {"SQLite file", onDisk}, {"recorded answers", mock}} {
		if err := measure(out, row.name, row.handler); err != nil {
			return err
		}
	}
	started, err := startTime(dir)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(out, "\nThe table shows requests per second of CPU time, over HTTP with keep-alive and gzip. The CPU time includes the %d clients,\nwhich run in the same process. %s, %s/%s. The command needs %d ms of CPU time to start with a new SQLite file,\nrespond once and exit (median of 11).\n",
		clients, runtime.Version(), runtime.GOOS, runtime.GOARCH, started.Milliseconds()); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return large(out, dir)
}

// recorded returns a typical mock, which replays recorded responses from the service and selects a response only by method.
func recorded(from http.Handler) (http.Handler, error) {
	const listed = 100
	answers := map[string][]byte{}
	var err error
	for range listed {
		if answers["POST"], err = ask(from, "POST", path, body); err != nil {
			return nil, err
		}
	}
	if answers["GET"], err = ask(from, "GET", path+"?maxResults=100", ""); err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		w.Write(answers[r.Method])
	}), nil
}

func measure(out io.Writer, name string, handler http.Handler) error {
	server := httptest.NewServer(handler)
	defer server.Close()
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	send := func(method, target, body string) (int, error) {
		r, err := http.NewRequest(method, server.URL+target, strings.NewReader(body))
		if err != nil {
			return 0, err
		}
		r.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(r)
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		n, err := io.Copy(io.Discard, resp.Body)
		if resp.StatusCode != http.StatusOK {
			err = errors.New(resp.Status)
		}
		return int(n), err
	}
	inserts, err := perSecond(func() error { _, err := send("POST", path, body); return err })
	if err != nil {
		return err
	}
	var size int
	if size, err = send("GET", path+"?maxResults=100", ""); err != nil {
		return err
	}
	lists, err := perSecond(func() error { _, err := send("GET", path+"?maxResults=100", ""); return err })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "| %s | %d | %d | %d |\n", name, inserts, lists, size)
	return err
}

// perSecond returns the number of calls of do that all clients together complete per second of the process's CPU time.
func perSecond(do func() error) (int64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), takes)
	defer cancel()
	var done atomic.Int64
	var failed atomic.Value
	var wg sync.WaitGroup
	begin := cpuTime()
	for range clients {
		wg.Go(func() {
			for ctx.Err() == nil {
				if err := do(); err != nil {
					failed.Store(err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	if err, ok := failed.Load().(error); ok {
		return 0, err
	}
	return int64(float64(done.Load()) / (cpuTime() - begin).Seconds()), nil
}

// cpuTime returns the CPU time used by the process.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		log.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// startTime builds the command, and returns the median CPU time that the command needs to start, respond to one request and
// exit.
func startTime(dir string) (time.Duration, error) {
	command := filepath.Join(dir, "emulator")
	if out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, out)
	}
	var times []time.Duration
	for i := range 11 {
		took, err := startOnce(command, filepath.Join(dir, fmt.Sprintf("start%d.db", i)))
		if err != nil {
			return 0, err
		}
		times = append(times, took)
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func startOnce(command, data string) (time.Duration, error) {
	cmd := exec.Command(command, "--addr", "127.0.0.1:0", "--data", data)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer cmd.Process.Kill() // no effect if the process has ended
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		return 0, err
	}
	resp, err := http.Get(string(bytes.TrimSpace(line[:n])) + "colors")
	if err != nil {
		return 0, err
	}
	resp.Body.Close()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		return 0, err
	}
	if err := cmd.Wait(); err != nil {
		return 0, err
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
