package stream_test

import (
	"context"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/stream"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with nil, the zero value and values out of range. Each call is an error.
func TestMisuse(t *testing.T) {
	in := strings.NewReader("a\n")
	f := stream.Filter{Handle: echo}
	part := stream.Part{To: 2}
	var none context.Context
	expect := func(t *testing.T, errs ...error) {
		t.Helper()
		for i, err := range errs {
			if err == nil {
				t.Errorf("call %d: no error", i)
			}
		}
	}
	surface.CheckMisuse(t, ".", map[string]func(*testing.T){
		"Filter.Run": func(t *testing.T) {
			expect(t,
				stream.Filter{}.Run(t.Context(), in, io.Discard),
				f.Run(none, in, io.Discard),
				f.Run(t.Context(), nil, io.Discard),
				f.Run(t.Context(), in, nil),
				stream.Filter{Handle: echo, Workers: -1}.Run(t.Context(), in, io.Discard),
				stream.Filter{Handle: echo, MaxLine: -1}.Run(t.Context(), in, io.Discard),
				stream.Filter{Handle: echo, MaxAhead: math.MinInt}.Run(t.Context(), in, io.Discard),
				stream.Filter{Handle: echo, ReadSize: -1}.Run(t.Context(), in, io.Discard),
			)
		},
		"Filter.RunPart": func(t *testing.T) {
			expect(t,
				stream.Filter{}.RunPart(t.Context(), in, part, io.Discard),
				f.RunPart(none, in, part, io.Discard),
				f.RunPart(t.Context(), nil, part, io.Discard),
				f.RunPart(t.Context(), in, part, nil),
				f.RunPart(t.Context(), in, stream.Part{From: -1}, io.Discard),
				f.RunPart(t.Context(), in, stream.Part{From: 2, To: 1}, io.Discard),
				stream.Filter{Handle: echo, ReadSize: -1}.RunPart(t.Context(), in, part, io.Discard),
			)
			if err := f.RunPart(t.Context(), in, stream.Part{From: math.MaxInt64 - 1, To: math.MaxInt64}, io.Discard); err != nil {
				t.Errorf("a part after the end of the input: %v", err)
			}
		},
		"PartOf": func(t *testing.T) {
			for _, args := range [][3]int{{-1, 1, 1}, {1, 0, 1}, {1, 2, 1}, {1, 1, 0}, {1, 1, -1}, {1, math.MinInt, math.MinInt}} {
				_, err := stream.PartOf(int64(args[0]), args[1], args[2])
				expect(t, err)
			}
		},
	}, nil)
}
