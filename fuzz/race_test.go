//go:build race

package fuzz_test

// raceDetector reports whether the race detector is on, which slows shrinking, whose time is limited.
const raceDetector = true
