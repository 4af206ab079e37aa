package eventhttp_test

import (
	"net/http/httptest"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event/eventhttp"
)

// An error has its own status if that is one of an error. One that refuses nothing is an error of the server.
func TestWriteProblemStatus(t *testing.T) {
	for status, want := range map[int]int{0: 500, 200: 500, 399: 500, 400: 400, 404: 404, 503: 503, 599: 599, 600: 500} {
		w := httptest.NewRecorder()
		eventhttp.WriteProblem(w, &eventhttp.Error{Status: status, Reason: "x", Message: "y"})
		if w.Code != want {
			t.Errorf("an error with the status %d is answered with %d", status, w.Code)
		}
	}
	for _, err := range []error{(*diag.Error)(nil), new(diag.Error)} {
		w := httptest.NewRecorder()
		if eventhttp.WriteProblem(w, err); w.Code != 500 {
			t.Errorf("an error without findings is answered with %d", w.Code)
		}
	}
}
