package main

import (
	"os"
	"runtime/debug"
)

// collectionPercent is how much memory may be added, in percent of what is in use, before the garbage collector of a
// server runs. A page's memory is garbage as soon as it is sent, so that a later run frees as much for less work.
const collectionPercent = 200

// setCollector configures the garbage collector for serving pages, unless the operator has with GOGC.
func setCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectionPercent)
	}
}
