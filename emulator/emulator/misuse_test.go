package emulator_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with arguments that no caller should pass.
func TestMisuse(t *testing.T) {
	withOption := func(o emulator.Option) func(*testing.T) {
		return func(t *testing.T) {
			s := emulator.New(o, nil)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest("POST", google+eventsPath, strings.NewReader(`{`+hour+`}`)))
			if w.Code >= 500 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	surface.CheckMisuse(t, ".", map[string]func(t *testing.T){
		"New": func(t *testing.T) { emulator.New(nil) },
		"Open": func(t *testing.T) {
			if s, err := emulator.Open(nil, nil); err != nil || s == nil {
				t.Errorf("%v, %v", s, err)
			}
		},
		"WithUser": withOption(emulator.WithUser("")), "WithTimeZone": withOption(emulator.WithTimeZone("Mars/Olympus")), "WithTokens": withOption(emulator.WithTokens(nil)), "WithChecker": withOption(emulator.WithChecker(event.Checker{})),
		"WithClock": withOption(emulator.WithClock(nil)), "WithMaxBytes": withOption(emulator.WithMaxBytes(-1)), "WithProblems": withOption(emulator.WithProblems()),
		"WithDocuments":     withOption(emulator.WithDocuments()),
		"WithOAuth":         withOption(emulator.WithOAuth()),
		"WithSyncTokenLife": withOption(emulator.WithSyncTokenLife(-1)), "WithHorizon": withOption(emulator.WithHorizon(-1)),
		"WithSeed": withOption(emulator.WithSeed(1 << 63)), "WithNotifier": withOption(emulator.WithNotifier(nil)),
		"Server.Put": func(t *testing.T) {
			s := emulator.New()
			for _, err := range []error{s.Put("", nil), s.Put("", &event.Event{ID: "event1"}), s.Put(me, nil), s.Put(me, &event.Event{})} {
				if err == nil {
					t.Error("there is no error")
				}
			}
			for _, e := range []*event.Event{
				{ID: "\xff"}, {ID: "empty"}, {ID: "series", Recurrence: []string{"RRULE:FREQ=DAILY"}}, {ID: "broken", Start: &event.Time{DateTime: "\xff"}, End: &event.Time{}},
				{ID: "instance", RecurringEventID: "series", OriginalStartTime: &event.Time{}}, {ID: "series_20260310", RecurringEventID: "series"},
			} {
				if err := s.Put(me, e); err != nil {
					t.Error(err)
				}
			}
			c := newDirect(t, s)
			for _, path := range []string{
				"", "?singleEvents=true", "?singleEvents=true&orderBy=startTime", "?singleEvents=true&orderBy=updated", "?timeMin=2026-03-10T00:00:00Z&showDeleted=true", "?q=a",
				"/series", "/series/instances", "/series_20260310", "/series_20260311", "/instance", "/broken", "/empty",
			} {
				c.send("GET", eventsPath+path, "")
			}
			for _, id := range []string{"empty", "series", "broken", "instance", "series_20260310"} {
				c.send("PATCH", eventsPath+"/"+id, `{"summary":"A"}`)
				c.send("POST", eventsPath+"/"+id+"/move?destination=bob@example.com", "")
				c.send("DELETE", eventsPath+"/"+id, "")
			}
			c.send("POST", "/freeBusy", `{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-12T00:00:00Z","items":[{"id":"primary"}]}`)
			c.send("POST", "/calendars/primary/clear", "")
		},
		"Server.Event": func(t *testing.T) {
			if e := emulator.New().Event("", "\xff_"); e != nil {
				t.Errorf("the event is %v", e)
			}
		},
		"Server.Reset": func(t *testing.T) {
			s := emulator.New()
			s.Close()
			if err := s.Reset(); err != nil {
				t.Error(err)
			}
		},
		"Server.Close": func(t *testing.T) {
			s := emulator.New()
			for range 2 {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		},
		"Server.ServeHTTP": func(t *testing.T) {
			s := emulator.New()
			for _, target := range []string{"/", "//", "/batch", "/batch/", "/emulator/", "/emulator", "/calendar/v3", "/calendar/v3/", "/v3/../v3/colors", "/v3/calendars//events", "*", "/v3/calendars/%2F/events", "/v3/calendars/%ff/events/%00"} {
				for _, method := range []string{"", "GET", "POST", "PUT", "OPTIONS", "\xff"} {
					r := httptest.NewRequest("GET", "/", nil)
					r.Method, r.Body = method, nil
					if u, err := r.URL.Parse(target); err == nil {
						r.URL = u
					}
					w := httptest.NewRecorder()
					if s.ServeHTTP(w, r); w.Code >= 500 && w.Code != 501 {
						t.Errorf("%q %s: %d %s", method, target, w.Code, w.Body)
					}
				}
			}
		},
	}, nil)
}
