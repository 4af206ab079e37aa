// Command reactor is the WebAssembly module of the npm package, a library whose functions read and write JSON. The main
// function does nothing.
//
// A caller requests an input buffer of the required length and writes the request to it. The caller then calls a function,
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

// The answer functions return the same answers as the calrules command.
var (
	answerCheck  = filter.Check(event.Checker{}, filter.Defaults{}).Handle // as `calrules check --ndjson`
	answerExpand = filter.Expand(diag.Documents).Handle                    // as `calrules expand --ndjson`
	answerMake   = filter.Make(diag.Documents).Handle                      // as `calrules make --ndjson`
	answerDecide = filter.Database(diag.Documents).Handle                  // as `calrules rtdb --ndjson`
)

// check checks the request in a line and adds fixes to the findings. As in the command, a new event without an id gets an
// id derived from the line.
func check(line []byte) (req batch.Request, result event.Result, err error) {
	if err = req.UnmarshalJSON(line); err != nil {
		return req, result, err
	}
	result, err = req.Check(filter.Checker(event.Checker{}, line))
	return req, result, err
}

// appendJSON appends a value as JSON, and panics if the value cannot be encoded.
func appendJSON(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return append(dst, text...)
}
