package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestAsk(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/found" {
			http.NotFound(w, r)
		}
	}))
	if err := ask(server.URL + "/found"); err != nil {
		t.Error(err)
	}
	if err := ask(server.URL + "/missing"); err == nil {
		t.Error("a server that answers 404 is reachable")
	}
	server.Close()
	if err := ask(server.URL + "/found"); err == nil {
		t.Error("a server that is closed is reachable")
	}
}
