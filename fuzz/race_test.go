//go:build race

package fuzz_test

// raceDetector tells that the race detector is on, which slows what is bounded by time.
const raceDetector = true
