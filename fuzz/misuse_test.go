package fuzz_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/testing/surface"
	"github.com/calrules/calrules/operation"
)

// TestMisuse calls every exported function with nil, the zero value or values out of range. Generators
// cannot return an error: they panic before the first draw, and say why.
func TestMisuse(t *testing.T) {
	var none fuzz.Payload
	surface.CheckMisuse(t, ".", map[string]func(t *testing.T){
		"Event": func(t *testing.T) {
			refused(t, func() { fuzz.Event(constraint.TypeFromMail) })
			refused(t, func() { fuzz.Event("\xff") })
		},
		"JSON.GoString": func(*testing.T) { _ = fuzz.JSON(nil).GoString() },
		"JSON.MarshalJSON": func(t *testing.T) {
			if text, err := fuzz.JSON(nil).MarshalJSON(); string(text) != "null" || err != nil {
				t.Errorf("%q, %v", text, err)
			}
		},
		"JSON.String":        func(*testing.T) { _ = fuzz.JSON(nil).String() },
		"JSON.UnmarshalJSON": func(*testing.T) { _ = new(fuzz.JSON).UnmarshalJSON(nil) },
		"Mix.Generator":      func(*testing.T) { must(fuzz.Mix{}.Generator()).Example(-1) },
		"Mix.Payloads":       func(*testing.T) { must(fuzz.Mix{}.Payloads(0))(-1) }, // see TestMixErrors
		"Mix.Untried": func(t *testing.T) {
			if got := (fuzz.Mix{Rules: []string{"\xff"}}).Untried(); got["\xff"] != "there is no such rule" {
				t.Errorf("%v", got)
			}
		},
		"Patch": func(*testing.T) {
			fuzz.Patch(diag.Documents, nil).Example(-1)
			fuzz.Patch(diag.Documents, &event.Event{EventType: "\xff", Start: new(event.Time), Recurrence: []string{""}}).Example(-1)
		},
		"Payload.GoString":    func(*testing.T) { _ = none.GoString() },
		"Payload.In":          func(*testing.T) { none.In(diag.Google) },
		"Payload.Line":        func(*testing.T) { none.Line() },
		"Payload.MarshalJSON": func(t *testing.T) { checkNothing(t, none) },
		"Payload.String":      func(*testing.T) { _ = none.String() },
		"Payload.UnmarshalJSON": func(t *testing.T) {
			for _, text := range []string{"", "null", "[]", `{"event":1}`, `{"event":{"op":1}}`} {
				if err := new(fuzz.Payload).UnmarshalJSON([]byte(text)); (err == nil) != (text == "null") {
					t.Errorf("%q: %v", text, err)
				}
			}
		},
		"Request": func(t *testing.T) { refused(t, func() { fuzz.Request(diag.Documents, "\xff") }) },
		"Rules": func(t *testing.T) {
			if rules := fuzz.Rules(diag.Documents, "\xff"); rules != nil {
				t.Errorf("rules of no operation: %v", rules)
			}
		},
		"Seeds": func(t *testing.T) {
			refused(t, func() { fuzz.Seeds(nil, operation.EventsMove) })
			refused(t, func() { fuzz.Seeds(new(collector), "\xff") })
		},
		"Verdict.String": func(*testing.T) { _ = fuzz.Verdict{Kind: "\xff"}.String() },
		"Violating": func(t *testing.T) {
			refused(t, func() { fuzz.Violating(diag.Documents, "\xff") })
			refused(t, func() { fuzz.Violating(diag.Documents, "time.order", "\xff") })
			refused(t, func() { fuzz.Violating(diag.Documents, "time.order", operation.EventsMove) })
		},
	}, nil)
}

// refused checks that a call panics with a message of the package.
func refused(t *testing.T, call func()) {
	t.Helper()
	defer func() {
		if message, _ := recover().(string); !strings.HasPrefix(message, "fuzz: ") {
			t.Errorf("the panic is %q", message)
		}
	}()
	call()
}

// checkNothing checks that a payload without a request is read as it is written.
func checkNothing(t *testing.T, none fuzz.Payload) {
	text, err := none.MarshalJSON()
	read := fuzz.Payload{Event: new(event.Request)}
	if err != nil || read.UnmarshalJSON(text) != nil || read != none {
		t.Errorf("%s is read as %v, %v", text, read, err)
	}
}
