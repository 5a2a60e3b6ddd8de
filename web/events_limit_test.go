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
			t.Fatal("a stream within the limit was refused")
		}
		leaves = append(leaves, leave)
	}
	if _, room := l.Acquire("olivia"); room {
		t.Error("a stream beyond the limit was accepted")
	}
	if _, room := l.Acquire("marcus"); !room {
		t.Error("another user is limited too")
	}
	leaves[0]()
	leaves[0]()
	if _, room := l.Acquire("olivia"); !room {
		t.Error("a closed stream still counts")
	}
}
