//go:build unix

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
)

// TestDatabaseClients runs clients of the realtime database that speak its own protocol. What they log says that the emulator
// needs REST, and they do not connect again.
func TestDatabaseClients(t *testing.T) {
	if _, err := os.Stat("clients/database/node_modules"); err != nil {
		if os.Getenv(allClients) != "" {
			t.Fatal(err)
		}
		t.Skip("the clients are not there: .ci/clients installs them")
	}
	for client, path := range map[string]string{"web": "/.ws", "admin": "/.ws", "page": "/.ws", "page without WebSocket": "/.lp"} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			database, err := openDatabase("", "")
			if err != nil {
				t.Fatal(err)
			}
			var connected, others atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == path {
					connected.Add(1)
				} else {
					others.Add(1)
				}
				database.ServeHTTP(w, r)
			}))
			defer server.Close()
			out, err := exec.Command("node", "clients/database/client.js", client, strings.TrimPrefix(server.URL, "http://")).CombinedOutput()
			if err != nil || strings.Count(string(out), "Send HTTP requests to addresses that end in .json") != 1 {
				t.Errorf("%v\n%s", err, out)
			}
			if connected.Load() != 1 || others.Load() != 0 {
				t.Errorf("the client has sent %d requests for %s, and %d others", connected.Load(), path, others.Load())
			}
		})
	}
}
