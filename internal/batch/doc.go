// Package batch answers an endless stream of lines: one answer a line, in order, on all
// processors, in memory that does not grow with the stream.
//
//	err := batch.Run(os.Stdin, os.Stdout, batch.Options{}, func(line, dst []byte) []byte {
//		return append(dst, answer(line)...)
//	})
//
// A reader cuts the input into chunks of whole lines, workers answer them, and a writer puts
// the answers into the order of the lines. A chunk is what one read gives, so a line that a
// person types is answered at once, and a file costs one hand-over for many lines. The number
// of chunks is fixed: where the writer has to wait for its consumer, the reader waits too.
package batch
