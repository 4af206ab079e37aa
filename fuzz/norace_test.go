//go:build !race

package fuzz_test

const raceDetector = false
