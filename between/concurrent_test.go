package between_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/calrules/calrules/between"
)

// Users of one watcher at the same time do not get what others have read: each sees an event whose start only it knows.
func TestConcurrentUsers(t *testing.T) {
	w := watcher(t, between.Options{MaxEvents: 20})
	var all sync.WaitGroup
	for user := range 8 {
		own := fmt.Sprintf("2026-03-%02dT09:00:00Z", 10+user)
		answer := strings.ReplaceAll(stored, "2026-03-10T09:00:00Z", own)
		all.Go(func() {
			for i := range 200 {
				id := fmt.Sprintf("abcde%d", i%3)
				get := w.Request(between.Message{Method: "GET", URL: events + "/" + id, Header: as(own)})
				get.Answer(200, nil, []byte(strings.Replace(answer, "abcde", id, 1)), "")
				x := w.Request(between.Message{Method: "PATCH", URL: events + "/" + id, Header: as(own), Body: []byte(early)})
				for _, f := range x.Findings {
					if f.Remembered && !strings.Contains(f.Message(), own) {
						t.Errorf("%s gets: %s", own, f.Message())
					}
				}
				if x.Fail(); i%50 == 0 {
					w.Request(between.Message{Method: "DELETE", URL: service + "/calendars/primary", Header: as(own)}).Answer(204, nil, nil, "")
				}
			}
		})
	}
	all.Wait()
}
