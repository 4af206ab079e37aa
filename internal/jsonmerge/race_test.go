//go:build race

package jsonmerge

// raceDetector tells that the race detector is on, under which pools forget at random.
const raceDetector = true
