package rtdb_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/calrules/calrules/emulator/rtdb"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with arguments that no caller should pass.
func TestMisuse(t *testing.T) {
	surface.CheckMisuse(t, ".", map[string]func(t *testing.T){
		"New": func(t *testing.T) {
			if d, err := rtdb.New(rtdb.Options{}); err == nil {
				t.Errorf("the database is %v", d)
			}
			if _, err := rtdb.New(rtdb.Options{Verifier: verifier{}, MaxBytes: -1}); err != nil {
				t.Error(err)
			}
		},
		"ParseRules": func(t *testing.T) {
			for _, text := range []string{"", "null", "[]", "{}", `{"rules":null}`, `{"rules":[]}`, `{"rules":{".read":1}}`, "\xff"} {
				if _, err := rtdb.ParseRules([]byte(text)); err == nil {
					t.Errorf("%q: no error", text)
				}
			}
		},
		"Database.Close": func(t *testing.T) {
			d, err := rtdb.New(rtdb.Options{Verifier: verifier{}})
			if err != nil {
				t.Fatal(err)
			}
			d.Close()
			d.Close()
		},
		"Database.ServeHTTP": func(t *testing.T) {
			d, err := rtdb.New(rtdb.Options{Verifier: verifier{}, MaxBytes: -1})
			if err != nil {
				t.Fatal(err)
			}
			for _, target := range []string{"/", "//", "/.json", "/a", "/a//b.json", "/%00.json", "/%ff.json", "/a/../b.json", "/a.json?auth=", "/a.json?auth=ada&auth=ada", "*"} {
				for _, method := range []string{"", "GET", "PUT", "PATCH", "POST", "DELETE", "OPTIONS", "\xff"} {
					for _, body := range []string{"", "{", "null", `{"":1}`, `{"a":{"b":null}}`, "[]", "1e999"} {
						r := httptest.NewRequest("GET", "/", strings.NewReader(body))
						if r.Method = method; body == "" {
							r.Body = nil
						}
						if u, err := r.URL.Parse(target); err == nil {
							r.URL = u
						}
						w := httptest.NewRecorder()
						if d.ServeHTTP(w, r); w.Code >= 500 {
							t.Errorf("%q %s %s: %d %s", method, target, body, w.Code, w.Body)
						}
					}
				}
			}
		},
	}, nil)
}
