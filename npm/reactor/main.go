// Command reactor is what the npm package runs as WebAssembly: a library without a main function, whose functions
// read a JSON text and write another.
//
// A caller asks for the input buffer with the length of its text, writes the text there, calls a function, which
// returns the length of the answer, and reads that from the output buffer. Nothing is kept between two calls.
package main

import (
	"encoding/json"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/wire"
	"github.com/calrules/calrules/limits"
)

func main() {} // a reactor is only initialized

// The answers to the lines of streams are those of the command.
var (
	answerCheck  = filter.Check(diag.Grading{}, filter.Defaults{}).Handle // as `calrules check --ndjson`
	answerExpand = filter.Expand().Handle                                 // as `calrules expand --ndjson`
	answerDecide = filter.Database(limits.Documents).Handle               // as `calrules rtdb --ndjson`
)

// check checks a request. An event that is created without an id gets one made from the line, as the command does.
func check(line []byte) (req wire.Request, result event.Result, err error) {
	if err = req.UnmarshalJSON(line); err == nil {
		result, err = req.Check(*filter.Checker(diag.Grading{}, line))
	}
	return req, result, err
}

// appendJSON appends a value that always encodes.
func appendJSON(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return append(dst, text...)
}
