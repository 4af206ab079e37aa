//go:build !race

package jsonmerge

const raceDetector = false
