package between_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with the zero value and what is out of range.
func TestMisuse(t *testing.T) {
	w := watcher(t, between.Options{})
	surface.CheckMisuse(t, ".", map[string]func(t *testing.T){
		"New": func(t *testing.T) {
			if w, err := between.New(between.Options{Base: "x", MaxBytes: -1}); w != nil || err == nil {
				t.Errorf("%v, %v", w, err)
			}
		},
		"Watcher.Watches": func(t *testing.T) {
			for _, w := range []*between.Watcher{w, new(between.Watcher)} {
				if w.Watches("", "") || w.Watches("POST", "://batch") {
					t.Error("it watches nothing")
				}
			}
		},
		"Watcher.Read": func(t *testing.T) {
			for _, length := range []int64{-2, -1, 0, 1, 5} {
				if b, err := w.Read(strings.NewReader("abc"), length); err != nil || string(b.Text) != "abc" || b.Unread != "" {
					t.Errorf("of the length %d: %+v, %v", length, b, err)
				}
			}
			if b, err := w.Read(strings.NewReader("abc"), 1<<62); err != nil || b.Text != nil || b.Unread == "" {
				t.Errorf("%+v, %v", b, err)
			}
		},
		"Exchange.Read": func(t *testing.T) {
			if b, err := w.Request(between.Message{}).Read(strings.NewReader("abc"), -2); err != nil || string(b.Text) != "abc" {
				t.Errorf("%+v, %v", b, err)
			}
		},
		"Body.Release": func(*testing.T) {
			for _, b := range []*between.Body{nil, {}} {
				b.Release()
				b.Release()
			}
		},
		"Watcher.Request": func(t *testing.T) {
			for _, w := range []*between.Watcher{w, new(between.Watcher)} {
				for _, m := range []between.Message{{}, {Method: "GET", URL: events}, {Method: "POST", URL: "/batch"}, {Method: "POST", URL: "://batch"}, {Method: "POST", URL: batchURL, Unread: "the rest is missing"}} {
					x := w.Request(m)
					x.Refusal()
					x.AddFixes()
					x.Fix(between.Message{})
					x.Fix(m)
					for range 2 { // in any order, and again
						x.Fail()
						x.Answer(200, nil, []byte("x"), "")
						x.Answer(-1, nil, nil, "the rest is missing")
					}
				}
			}
		},
		"Exchange.Answer": func(t *testing.T) {
			if found, unchecked := new(between.Exchange).Answer(-1, nil, nil, "the rest is missing"); found != nil || unchecked != "" {
				t.Errorf("%v, %q", found, unchecked)
			}
		},
		"Exchange.AddFixes": func(*testing.T) { new(between.Exchange).AddFixes() },
		"Exchange.Cancel":   func(*testing.T) { new(between.Exchange).Cancel() },
		"Exchange.Fail":     func(*testing.T) { new(between.Exchange).Fail() },
		"Exchange.Fix":      func(*testing.T) { new(between.Exchange).Fix(between.Message{}) },
		"Exchange.Refusal":  func(*testing.T) { new(between.Exchange).Refusal() },
	}, nil)
}
