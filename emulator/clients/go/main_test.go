package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/calrules/calrules/emulator/emulator"
)

// The client prints what the README shows.
func TestClient(t *testing.T) {
	server := httptest.NewServer(emulator.New())
	defer server.Close()
	var out bytes.Buffer
	if err := run(t.Context(), server.URL+"/calendar/v3/", &out); err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := "    " + strings.ReplaceAll(strings.TrimSpace(out.String()), "\n", "\n    ") + "\n"
	if !strings.Contains(string(readme), shown) {
		t.Errorf("the README does not show:\n%s", shown)
	}
}
