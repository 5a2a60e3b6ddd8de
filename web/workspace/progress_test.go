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

// A complete inquiry is not an application, and what follows a past signing or rescission is not the first stage again.
func TestNewProgress_Closing_FollowsWhatHappened(t *testing.T) {
	complete := newProgress(progressFacts{StatusKey: heloc.StatusComplete, Chip: "Inquiry complete", WaitingForOthers: true})
	if complete.Converted || complete.Position != "" || complete.Inquiry[4].State != "done" || complete.Application[0].State != "" {
		t.Errorf("a complete inquiry: got %+v", complete)
	}
	for key, current := range map[heloc.StatusKey]int{heloc.StatusSigned: 3, heloc.StatusRescission: 3, heloc.StatusFunding: 4} {
		l := newProgress(progressFacts{StatusKey: key, Converted: true, WaitingForOthers: true})
		for i, stage := range l.Application {
			want := ""
			switch {
			case i < current:
				want = "done"
			case i == current:
				want = "wait"
			}
			if stage.State != want {
				t.Errorf("%s: %s is %q, want %q", key, stage.Label, stage.State, want)
			}
		}
	}
}
