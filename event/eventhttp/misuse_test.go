package eventhttp_test

import (
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with nil, the zero value or values out of range.
func TestMisuse(t *testing.T) {
	answered := func(write func(http.ResponseWriter, error)) func(t *testing.T) {
		return func(t *testing.T) {
			for _, err := range []error{nil, errors.New("any"), (*eventhttp.Error)(nil), &eventhttp.Error{}, &eventhttp.Error{Status: -1}, &eventhttp.Error{Status: http.StatusOK}} {
				w := httptest.NewRecorder()
				if write(w, err); w.Code != http.StatusInternalServerError {
					t.Errorf("%#v is answered with %d", err, w.Code)
				}
			}
		}
	}
	surface.CheckMisuse(t, ".", map[string]func(t *testing.T){
		"Call.Check": func(t *testing.T) {
			if new(eventhttp.Call).Check(nil, nil) == nil {
				t.Error("no error for a call of no operation")
			}
		},
		"Call.NotModified": func(t *testing.T) {
			if (*eventhttp.Call)(nil).NotModified("a") || new(eventhttp.Call).NotModified("") {
				t.Error("nobody has the answer")
			}
		},
		"Error.Error":  func(*testing.T) { _ = new(eventhttp.Error).Error() },
		"Error.Unwrap": func(*testing.T) { _ = new(eventhttp.Error).Unwrap() },
		"Read": func(t *testing.T) {
			for _, r := range []*http.Request{nil, {}, {URL: &url.URL{}}} {
				if call, err := eventhttp.Read(r, "", 0); call != nil || err == nil {
					t.Errorf("a call of %v", r)
				}
			}
			noBody, _ := http.NewRequest(http.MethodPost, "https://example.com/calendars/a/events", nil)
			if _, err := eventhttp.Read(noBody, "", 0); err != nil {
				t.Errorf("a request without a body: %v", err)
			}
			for _, most := range []int{math.MinInt, -1, math.MaxInt} {
				call, err := eventhttp.Read(httptest.NewRequest(http.MethodPost, "/calendars/a/events", strings.NewReader("{}")), "", most)
				if err != nil || string(call.Request.Body) != "{}" {
					t.Errorf("at most %d bytes: %v", most, err)
				}
			}
		},
		"Transport.RoundTrip": func(t *testing.T) {
			for _, r := range []*http.Request{nil, {}} {
				if answer, err := new(eventhttp.Transport).RoundTrip(r); answer != nil || err == nil {
					t.Errorf("%v is answered with %v", r, answer)
				}
			}
		},
		"Transport.Summary": func(t *testing.T) {
			if got := new(eventhttp.Transport).Summary(); got != "0 requests, none to the service" {
				t.Error(got)
			}
		},
		"WriteError":   answered(eventhttp.WriteError),
		"WriteProblem": answered(eventhttp.WriteProblem),
	}, nil)
}
