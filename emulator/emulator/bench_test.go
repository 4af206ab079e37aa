package emulator_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/calrules/calrules/emulator/emulator"
)

// BenchmarkRequests measures requests to a calendar of a thousand events, without the network.
func BenchmarkRequests(b *testing.B) {
	handler := emulator.New(emulator.WithClock(clock))
	send := func(method, path, body string) {
		w := httptest.NewRecorder()
		if handler.ServeHTTP(w, httptest.NewRequest(method, google+path, strings.NewReader(body))); w.Code >= 300 {
			b.Fatal(w.Body)
		}
	}
	event := func(id string) string {
		return `{"id":"` + id + `","summary":"Review","attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}],` + hour + `}`
	}
	for i := range 1000 {
		send("POST", eventsPath, event(fmt.Sprintf("first%d", i)))
	}
	for name, path := range map[string]string{
		"list": eventsPath + "?maxResults=100", "window": eventsPath + "?singleEvents=true&orderBy=startTime&timeMin=2026-03-11T00:00:00Z&timeMax=2026-03-12T00:00:00Z&maxResults=100",
		"get": eventsPath + "/first7",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				send("GET", path, "")
			}
		})
	}
	b.Run("insert", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			send("POST", eventsPath, event(fmt.Sprintf("event%d%d", b.N, i)))
		}
	})
}
