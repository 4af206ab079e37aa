package emulator_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/emulator/emulator"
)

func TestFaultField(t *testing.T) {
	for _, test := range []struct {
		field      string
		status     int
		retryAfter string
	}{
		{"drop=false", http.StatusOK, ""},
		{"drop=no", http.StatusBadRequest, ""},
		{"status=503; retryAfter=2", http.StatusServiceUnavailable, "2"},
		{"retryAfter=2", http.StatusBadRequest, ""},
		{"status=503; retryAfter=-1", http.StatusBadRequest, ""},
		{"status=503; retryAfter=soon", http.StatusBadRequest, ""},
	} {
		r := httptest.NewRequest(http.MethodGet, "/calendar/v3/colors", nil)
		r.Header.Set("X-Emulator-Fault", test.field)
		w := httptest.NewRecorder()
		emulator.New().ServeHTTP(w, r)
		if w.Code != test.status || w.Header().Get("Retry-After") != test.retryAfter {
			t.Errorf("%s: %d, Retry-After %q; want %d, %q", test.field, w.Code, w.Header().Get("Retry-After"), test.status, test.retryAfter)
		}
	}
}

func TestFaultIsNull(t *testing.T) {
	w := httptest.NewRecorder()
	emulator.New().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/emulator/faults", strings.NewReader("null")))
	if w.Code != http.StatusBadRequest {
		t.Errorf("%d, want 400: %s", w.Code, w.Body)
	}
}

// A notification that is redirected to another origin does not repeat the token of the channel there.
func TestNotificationStaysInItsOrigin(t *testing.T) {
	seen := make(chan string, 10)
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { seen <- "other" }))
	defer other.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.URL.Path
		switch r.URL.Path {
		case "/":
			http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
		default:
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}
	}))
	defer first.Close()
	server := emulator.New(emulator.WithNotifier(&http.Client{Timeout: time.Minute}))
	r := httptest.NewRequest(http.MethodPost, "/calendar/v3/calendars/primary/events/watch",
		strings.NewReader(`{"id":"c-1","type":"web_hook","token":"secret","address":"`+first.URL+`/"}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	for _, want := range []string{"/", "/again"} {
		if got := <-seen; got != want {
			t.Fatalf("the notification went to %s, want %s", got, want)
		}
	}
	if err := server.Close(); err != nil { // waits for the notification
		t.Fatal(err)
	}
	if len(seen) > 0 {
		t.Errorf("the notification went on to %s", <-seen)
	}
}
