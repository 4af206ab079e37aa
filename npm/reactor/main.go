// Command reactor is the WebAssembly module of the npm package: a library whose functions read and write JSON text. Its
// function main does nothing.
//
// A caller asks for an input buffer of the length of its text and writes the text there. Then it calls a function,
// which returns the length of the answer, and reads the answer from the output buffer. The functions keep no state.
package main

import (
	"encoding/json"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/filter"
)

func main() {} // a reactor only needs initialization

// The answers to the lines of streams are the command's.
var (
	answerCheck  = filter.Check(event.Checker{}, filter.Defaults{}).Handle // as `calrules check --ndjson`
	answerExpand = filter.Expand(diag.Documents).Handle                    // as `calrules expand --ndjson`
	answerMake   = filter.Make(diag.Documents).Handle                      // as `calrules make --ndjson`
	answerDecide = filter.Database(diag.Documents).Handle                  // as `calrules rtdb --ndjson`
)

// check checks a request, and adds the fixes of its findings. As in the command, a new event without an id gets one derived
// from the line.
func check(line []byte) (req batch.Request, result event.Result, err error) {
	if err = req.UnmarshalJSON(line); err != nil {
		return req, result, err
	}
	result, err = req.Check(filter.Checker(event.Checker{}, line))
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
