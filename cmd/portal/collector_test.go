package main

import (
	"runtime/debug"
	"testing"
)

// The tests change the whole process, so they are not parallel.
func TestSetCollector_WithoutGOGC_CollectsLater(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	setCollector()
	if got := debug.SetGCPercent(100); got != collectionPercent {
		t.Errorf("got %d percent, want %d", got, collectionPercent)
	}
}

func TestSetCollector_GOGCSet_Unchanged(t *testing.T) {
	t.Setenv("GOGC", "70")
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	setCollector()
	if got := debug.SetGCPercent(70); got != 70 {
		t.Errorf("got %d percent, want 70 as the operator has set it", got)
	}
}
