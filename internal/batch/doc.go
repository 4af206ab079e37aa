// Package batch answers a stream of lines, which may be endless: one answer per line, in
// order, on all processors, in constant memory.
//
//	err := batch.Run(os.Stdin, os.Stdout, batch.Options{}, func(line, dst []byte) []byte {
//		return append(dst, answer(line)...)
//	})
//
// A reader splits the input into chunks of whole lines, workers answer the chunks, and a
// writer writes the answers in the order of the lines. A chunk is the result of one read, so a
// line that a person types is answered at once, and many lines of a file are handed over
// together. The number of chunks is fixed: if the consumer of the output is slow, the reader
// waits too.
package batch
