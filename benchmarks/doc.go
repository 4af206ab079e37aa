// Package benchmarks compares calrules with other libraries. It is a separate module, to keep
// the go.mod of the library small.
//
// Every benchmark does the same work with two or more implementations, named in the last
// element of the benchmark's name: on a busy machine, only the ratios of one run are
// meaningful. The command in report computes the ratios:
//
//	go test -bench . -count 6 ./... | go run ./report
package benchmarks
