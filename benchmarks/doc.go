// Package benchmarks compares calrules with other libraries. It is a module of its own, so that
// the library's go.mod stays small.
//
// Every benchmark runs the same work by two implementations in one run, named by the last
// element of its name, because single times say little on a busy machine. The command in
// report turns the output into ratios:
//
//	go test -bench . -count 6 ./... | go run ./report
package benchmarks
