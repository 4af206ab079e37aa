// Package stream answers the lines of a stream, which may be endless. Package stream writes one answer per line, in order,
// using all processors and bounded memory. Package stream is for filters between programs, such as programs that read and write
// newline-delimited JSON, and does not interpret the lines.
//
// A [Filter] calls a function for each line. [Filter.Run] filters from a reader to a writer, and [Filter.RunPart] filters one
// [Part] of a file: the lines that begin in a range of bytes. Several processes or machines can process one part each. The
// concatenation of the outputs is the output for the whole file.
//
// # Memory
//
// Regardless of the length of the stream and the speed of its consumer, a filter keeps in memory:
//
//   - at most [Filter.MaxAhead] bytes of lines, plus the line of at most [Filter.MaxLine] bytes that is being read;
//   - at most MaxAhead bytes of answers, plus 256 KiB and one answer for each worker, and twice that for the writer;
//   - buffers of [Filter.ReadSize] and 64 KiB for reading and writing.
//
// The limits do not include the memory used by the function.
//
// A reader splits the input into chunks of whole lines, workers answer the chunks, and a writer writes the answers in the order
// of the lines. A chunk is the result of one read, so a line that a person types is answered immediately, whereas many lines of
// a file are handed over together. If the consumer of the output is slow, both the workers and the reader wait.
package stream
