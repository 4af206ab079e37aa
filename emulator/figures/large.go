//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/store/sqlite"
)

// doublings lists the numbers of events in the measured calendars.
var doublings = []int{12_500, 25_000, 50_000, 100_000}

// large writes a table of the costs of large calendars. Each row is for twice as many events as the previous row.
func large(out io.Writer, dir string) error {
	fmt.Fprintf(out, "| events | start, ms | memory, MiB | list of all, ms | sync of a change, ms | patch, µs | get, µs |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, n := range doublings {
		if err := largeRow(out, filepath.Join(dir, fmt.Sprintf("%d.db", n)), n); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "\nThe table shows the CPU time of only the emulator, without a network, with a SQLite file. A start opens the file of an earlier\nprocess. A list reads pages of 2,500 events. A sync reads the results of one change, for which it examines each event once.\n%s, %s/%s.\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func largeRow(out io.Writer, name string, n int) error {
	if err := filled(name, n); err != nil {
		return err
	}
	before, begin := heap(), cpuTime()
	calendars, err := opened(name)
	if err != nil {
		return err
	}
	defer calendars.Close()
	start := cpuTime() - begin
	memory := heap() - before
	var token, id string
	list := timed(1, func() { token, id, err = listAll(calendars) })
	if err != nil {
		return err
	}
	patch := timed(100, func() { _, err = ask(calendars, "PATCH", path+"/"+id, `{"summary":"Changed"}`) })
	if err != nil {
		return err
	}
	sync := timed(10, func() { _, err = ask(calendars, "GET", path+"?syncToken="+url.QueryEscape(token), "") })
	if err != nil {
		return err
	}
	get := timed(100, func() { _, err = ask(calendars, "GET", path+"/"+id, "") })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "| %d | %d | %d | %d | %.1f | %d | %d |\n", n, start.Milliseconds(), memory>>20, list.Milliseconds(),
		float64(sync.Microseconds())/1000, patch.Microseconds(), get.Microseconds())
	return err
}

// heap returns the size of the heap in use, in bytes.
func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// filled creates a file with n events.
func filled(name string, n int) error {
	calendars, err := opened(name)
	if err != nil {
		return err
	}
	defer calendars.Close()
	for range n {
		if _, err := ask(calendars, "POST", path, body); err != nil {
			return err
		}
	}
	return nil
}

func opened(name string) (*emulator.Server, error) {
	file, err := sqlite.Open(name)
	if err != nil {
		return nil, err
	}
	return emulator.Open(file)
}

// timed returns the mean CPU time of do over the given number of calls.
func timed(calls int, do func()) time.Duration {
	begin := cpuTime()
	for range calls {
		do()
	}
	return (cpuTime() - begin) / time.Duration(calls)
}

// listAll reads all pages of a list and returns the sync token and the id of the last event.
func listAll(h http.Handler) (token, id string, err error) {
	for page := ""; ; {
		text, err := ask(h, "GET", path+"?maxResults=2500&pageToken="+url.QueryEscape(page), "")
		if err != nil {
			return "", "", err
		}
		var list struct {
			Items                        []struct{ ID string }
			NextPageToken, NextSyncToken string
		}
		if err := json.Unmarshal(text, &list); err != nil {
			return "", "", err
		}
		if len(list.Items) > 0 {
			id = list.Items[len(list.Items)-1].ID
		}
		if page = list.NextPageToken; page == "" {
			return list.NextSyncToken, id, nil
		}
	}
}

// ask sends a request and returns the response body.
func ask(h http.Handler, method, target, text string) ([]byte, error) {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, target, strings.NewReader(text))
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		return nil, fmt.Errorf("%s %s: %d %s", method, target, w.Code, w.Body)
	}
	return w.Body.Bytes(), nil
}
