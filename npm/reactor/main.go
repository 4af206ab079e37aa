// Command reactor is what the npm package runs as WebAssembly: a library without a main function, whose functions
// read a JSON text and write another.
//
// A caller asks for the input buffer with the length of its text, writes the text there, calls a function, which
// returns the length of the answer, and reads that from the output buffer. Nothing is kept between two calls.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/internal/wire"
)

func main() {} // a reactor is only initialized

// answerCheck answers a line of `calrules check --ndjson`.
func answerCheck(line, dst []byte) []byte {
	req, result, err := check(line)
	if err != nil {
		return wire.AppendError(dst, req.ID, err)
	}
	return wire.AppendAnswer(dst, req.ID, result)
}

// check checks a request. An event that is created without an id gets one made from the line, as the command does.
func check(line []byte) (req wire.Request, result event.Result, err error) {
	if err = req.UnmarshalJSON(line); err == nil {
		result, err = req.Check(event.Checker{MaxBytes: math.MaxInt, NewID: func() string {
			sum := sha256.Sum256(line)
			return event.NewID([16]byte(sum[:]))
		}})
	}
	return req, result, err
}

// answerExpand answers a line of `calrules expand --ndjson`.
func answerExpand(line, dst []byte) []byte {
	var req event.ExpandRequest
	if err := req.UnmarshalJSON(line); err != nil {
		return wire.AppendError(dst, req.ID, err)
	}
	result := event.Expand(&req)
	if result.Error != "" && result.Instances == nil && result.Count == nil {
		return wire.AppendError(dst, result.ID, errors.New(result.Error))
	}
	return appendJSON(dst, result)
}

// answerDecide answers a line of `calrules rtdb --ndjson`.
func answerDecide(line, dst []byte) []byte {
	var req rtdbline.Request
	if err := req.UnmarshalJSON(line); err != nil {
		return wire.AppendError(dst, req.ID, err)
	}
	return appendJSON(dst, rtdbline.Check(&req))
}

// appendJSON appends a value that always encodes.
func appendJSON(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return append(dst, text...)
}
