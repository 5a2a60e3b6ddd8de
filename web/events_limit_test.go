package web

import "testing"

func TestOnePersonHoldsSoManyStreamsAndNoMore(t *testing.T) {
	var l streamLimit
	var leaves []func()
	for range mostStreams {
		leave, room := l.enter("olivia")
		if !room {
			t.Fatal("no room for a stream that is allowed")
		}
		leaves = append(leaves, leave)
	}
	if _, room := l.enter("olivia"); room {
		t.Error("one more stream found room")
	}
	if _, room := l.enter("marcus"); !room {
		t.Error("another person is shut out")
	}
	leaves[0]()
	leaves[0]()
	if _, room := l.enter("olivia"); !room {
		t.Error("a stream that ended keeps its place")
	}
}
