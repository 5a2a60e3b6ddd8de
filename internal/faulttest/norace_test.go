//go:build !race

package faulttest

// raceDetector reports whether the tests run with the race detector, which makes them about ten times slower.
const raceDetector = false
