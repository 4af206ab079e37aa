//go:build race

package jsonmerge

// raceDetector reports whether the race detector is on, under which pools drop values at random.
const raceDetector = true
