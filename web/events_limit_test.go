package web_test

import (
	"testing"

	"hearthline/web/guard"
)

func TestStreamLimit_PerUser(t *testing.T) {
	t.Parallel()
	var l guard.StreamLimit
	var releases []func()
	for range guard.MaxStreamsPerUser {
		release, ok := l.Acquire("olivia")
		if !ok {
			t.Fatal("a stream within the limit was refused")
		}
		releases = append(releases, release)
	}
	if _, ok := l.Acquire("olivia"); ok {
		t.Error("a stream beyond the limit was accepted")
	}
	if _, ok := l.Acquire("marcus"); !ok {
		t.Error("another user is limited too")
	}
	releases[0]()
	releases[0]()
	if n := l.Open(); n != guard.MaxStreamsPerUser {
		t.Errorf("got %d open streams, want one fewer of olivia and one of marcus: %d", n, guard.MaxStreamsPerUser)
	}
	if _, ok := l.Acquire("olivia"); !ok {
		t.Error("a closed stream still counts")
	}
}
