package stream_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/stream"
	"github.com/calrules/calrules/operation"
)

// Each line is an event. The answer says whether the service would accept it, and why not.
func Example() {
	f := stream.Filter{Handle: func(line, dst []byte) []byte {
		result, err := event.Check(&event.Request{Op: operation.EventsInsert, Body: line})
		switch {
		case err != nil:
			return append(dst, err.Error()...)
		case result.Accepted:
			return append(dst, "accepted"...)
		default:
			return append(dst, result.Findings[0].Rule.ID...)
		}
	}}
	in := strings.NewReader(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}
{"start":{"date":"2026-03-10"}}
`)
	if err := f.Run(context.Background(), in, os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// accepted
	// event.end.required
}

// A line that is too long gets a special answer, made from its beginning.
func ExampleFilter_Run() {
	f := stream.Filter{
		Handle:  func(line, dst []byte) []byte { return strconv.AppendInt(dst, int64(len(line)), 10) },
		TooLong: func(head, dst []byte) []byte { return fmt.Appendf(dst, "%s... is too long", head) },
		MaxLine: 8,
	}
	if err := f.Run(context.Background(), strings.NewReader("one\ntwenty-four\n\n"), os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 3
	// twenty-f... is too long
	// 0
}

// Three processes could each filter a part. The ranges are about equally long, so here the parts contain one line,
// none, and two.
func ExampleFilter_RunPart() {
	f := stream.Filter{Handle: func(line, dst []byte) []byte { return append(append(dst, "  "...), line...) }}
	in := strings.NewReader("a long line\nb\nc\n")
	for i := range 3 {
		part, err := stream.PartOf(in.Size(), i+1, 3)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("bytes %d to %d\n", part.From, part.To)
		if err := f.RunPart(context.Background(), in, part, os.Stdout); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// bytes 0 to 5
	//   a long line
	// bytes 5 to 10
	// bytes 10 to 16
	//   b
	//   c
}
