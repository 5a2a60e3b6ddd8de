package web

import (
	"testing"

	"hearthline/web/page"
)

func TestOnePersonHoldsSoManyStreamsAndNoMore(t *testing.T) {
	var l page.StreamLimit
	var leaves []func()
	for range page.MostStreams {
		leave, room := l.Enter("olivia")
		if !room {
			t.Fatal("no room for a stream that is allowed")
		}
		leaves = append(leaves, leave)
	}
	if _, room := l.Enter("olivia"); room {
		t.Error("one more stream found room")
	}
	if _, room := l.Enter("marcus"); !room {
		t.Error("another person is shut out")
	}
	leaves[0]()
	leaves[0]()
	if _, room := l.Enter("olivia"); !room {
		t.Error("a stream that ended keeps its place")
	}
}
