//go:build wasip1

package main

import "unsafe"

// The buffers are package variables, which keep them alive between calls.
var input, output []byte

//go:wasmexport input
func exportInput(length int32) unsafe.Pointer {
	if int(length) > cap(input) {
		input = make([]byte, length)
	}
	input = input[:length]
	return unsafe.Pointer(unsafe.SliceData(input))
}

//go:wasmexport output
func exportOutput() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(output)) }

// run answers the request in the input buffer and returns the length of the answer. Large buffers are not kept.
func run(answer func(request, dst []byte) []byte) int32 {
	const usual = 1 << 20
	if cap(output) > usual {
		output = nil
	}
	output = answer(input, output[:0])
	if cap(input) > usual {
		input = nil
	}
	return int32(len(output))
}

//go:wasmexport check
func exportCheck() int32 { return run(answerCheck) }

//go:wasmexport checkText
func exportCheckText() int32 { return run(answerCheckText) }

//go:wasmexport fix
func exportFix() int32 { return run(answerFix) }

//go:wasmexport expand
func exportExpand() int32 { return run(answerExpand) }

//go:wasmexport make
func exportMake() int32 { return run(answerMake) }

//go:wasmexport decide
func exportDecide() int32 { return run(answerDecide) }

//go:wasmexport diff
func exportDiff() int32 { return run(answerDiff) }

//go:wasmexport makePatch
func exportMakePatch() int32 { return run(answerMakePatch) }

//go:wasmexport rules
func exportRules() int32 { return run(answerRules) }

//go:wasmexport schema
func exportSchema() int32 { return run(answerSchema) }

//go:wasmexport verbs
func exportVerbs() int32 { return run(answerVerbs) }
