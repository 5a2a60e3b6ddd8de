package web

import (
	"testing"

	"hearthline/web/page"
)

func TestStreamLimit_PerUser(t *testing.T) {
	var l page.StreamLimit
	var leaves []func()
	for range page.MaxStreamsPerUser {
		leave, room := l.Acquire("olivia")
		if !room {
			t.Fatal("no room for a stream that is allowed")
		}
		leaves = append(leaves, leave)
	}
	if _, room := l.Acquire("olivia"); room {
		t.Error("one more stream found room")
	}
	if _, room := l.Acquire("marcus"); !room {
		t.Error("another person is shut out")
	}
	leaves[0]()
	leaves[0]()
	if _, room := l.Acquire("olivia"); !room {
		t.Error("a stream that ended keeps its place")
	}
}
