package eventhttp_test

import (
	"net/http/httptest"
	"testing"

	"github.com/calrules/calrules/event/eventhttp"
)

// An error has its own status if that is one of an error.
func TestWriteProblemStatus(t *testing.T) {
	for status, want := range map[int]int{0: 500, 200: 500, 399: 500, 400: 400, 404: 404, 503: 503, 599: 599, 600: 500} {
		w := httptest.NewRecorder()
		eventhttp.WriteProblem(w, &eventhttp.Error{Status: status, Reason: "x", Message: "y"})
		if w.Code != want {
			t.Errorf("an error with the status %d is answered with %d", status, w.Code)
		}
	}
}
