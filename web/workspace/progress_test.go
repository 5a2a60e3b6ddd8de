package workspace

import (
	"testing"

	"hearthline/internal/heloc"
	"hearthline/views/words"
)

func TestNewProgress_NeverMarksFundedEarly(t *testing.T) {
	for _, key := range words.StatusKeys() {
		l := newProgress(progressFacts{StatusKey: heloc.StatusKey(key), Converted: true})
		if last := l.Application[4]; key != string(heloc.StatusFunded) && last.State == "done" {
			t.Errorf("%s: funded is %q", key, last.State)
		}
	}
	if got := newProgress(progressFacts{StatusKey: heloc.StatusSigning, Converted: true}).Application[4].Sub; got != "not known yet" {
		t.Errorf("got %q", got)
	}
}
