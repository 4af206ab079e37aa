package rtdbfuzz_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/calrules/calrules/fuzz/rtdbfuzz"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with nil, the zero value or values out of range. Generators,
// and the methods of a line that return no error, panic and say why.
func TestMisuse(t *testing.T) {
	var none rtdbfuzz.Line
	surface.CheckMisuse(t, ".", map[string]func(t *testing.T){
		"KeyFile":            func(*testing.T) { rtdbfuzz.KeyFile().Example(-1) },
		"Line.Decision":      func(t *testing.T) { panicsWithReason(t, func() { none.Decision() }) },
		"Line.GoString":      func(*testing.T) { _ = none.GoString() },
		"Line.MarshalJSON":   func(*testing.T) { _, _ = none.MarshalJSON() },
		"Line.Now":           func(t *testing.T) { panicsWithReason(t, func() { none.Now() }) },
		"Line.Policy":        func(t *testing.T) { panicsWithReason(t, func() { none.Policy() }) },
		"Line.String":        func(*testing.T) { _ = none.String() },
		"Line.UnmarshalJSON": func(*testing.T) { _ = new(rtdbfuzz.Line).UnmarshalJSON(nil) },
		"Line.Verifier":      func(t *testing.T) { panicsWithReason(t, func() { none.Verifier() }) },
		"Mix.Payloads": func(t *testing.T) {
			for _, mix := range []rtdbfuzz.Mix{{InvalidShare: -1}, {InvalidShare: math.NaN()}, {Rules: []string{""}}, {Rules: []string{"rtdb.key-file"}}} {
				if payload, err := mix.Payloads(0); payload != nil || err == nil {
					t.Errorf("%+v: no error", mix)
				}
			}
			payload, err := rtdbfuzz.Mix{}.Payloads(0)
			if err != nil {
				t.Fatal(err)
			}
			payload(-1)
		},
		"Payload.GoString": func(*testing.T) { _ = rtdbfuzz.Payload{}.GoString() },
		"Payload.String":   func(*testing.T) { _ = rtdbfuzz.Payload{KeyFile: new("")}.String() },
		"Request":          func(*testing.T) { rtdbfuzz.Request().Example(-1) },
		"Rules":            func(*testing.T) { rtdbfuzz.Rules()[0] = "" },
		"Violating":        func(t *testing.T) { panicsWithReason(t, func() { rtdbfuzz.Violating("time.order") }) },
	}, nil)
}

// panicsWithReason checks that a call panics with a message of the packages.
func panicsWithReason(t *testing.T, call func()) {
	t.Helper()
	defer func() {
		if message := fmt.Sprint(recover()); !strings.HasPrefix(message, "rtdbfuzz: ") && !strings.HasPrefix(message, "fuzz: ") {
			t.Errorf("the panic is %s", message)
		}
	}()
	call()
}
