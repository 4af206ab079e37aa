package rtdbhttp_test

import (
	"net/http"
	"testing"

	"github.com/calrules/calrules/internal/testing/surface"
	"github.com/calrules/calrules/rtdbauth"
	"github.com/calrules/calrules/rtdbauth/rtdbhttp"
)

// TestMisuse calls every exported function with nil and the zero value.
func TestMisuse(t *testing.T) {
	surface.CheckMisuse(t, ".", map[string]func(t *testing.T){
		"Forward": func(t *testing.T) {
			granted := rtdbauth.Decision{Principal: rtdbauth.None, Location: "/"}
			for _, r := range []*http.Request{nil, {}} {
				if out, err := rtdbhttp.Forward(r, granted); out != nil || err == nil {
					t.Errorf("%v is forwarded as %v", r, out)
				}
			}
		},
		"FromContext": func(t *testing.T) {
			//lint:ignore SA1012 a nil Context is the misuse
			if d, ok := rtdbhttp.FromContext(nil); ok || d.Granted() {
				t.Error("a decision of nothing")
			}
		},
		"Guard.Wrap": func(t *testing.T) { // see TestGuardIsRefused
			if h, err := (rtdbhttp.Guard{}).Wrap(nil); h != nil || err == nil {
				t.Error("no error for the zero guard")
			}
		},
		"Message": func(t *testing.T) {
			for _, r := range []*http.Request{nil, {}} {
				if m := rtdbhttp.Message(r); !m.URL.Empty() {
					t.Errorf("%v", m)
				}
			}
		},
		"Strip": func(t *testing.T) {
			if rtdbhttp.Strip(nil) != nil || rtdbhttp.Strip(&http.Request{}) == nil {
				t.Error("a copy of nothing")
			}
		},
	}, nil)
}
