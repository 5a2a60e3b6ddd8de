package pipeline

import (
	"testing"

	"hearthline/internal/heloc"
)

func TestUpdateText(t *testing.T) {
	for key, want := range map[heloc.StatusKey]string{
		heloc.StatusOffers: "2 with offers ready", heloc.StatusNoOffers: "2 with no offers", heloc.StatusSSNNeeded: "2 at SSN needed", heloc.StatusFunded: "2 funded", heloc.StatusComplete: "2 with inquiry complete", heloc.StatusSigned: "2 with signing date passed", heloc.StatusFunding: "2 awaiting funding", heloc.StatusCanceled: "2 canceled", "payoff": "2 at payoff",
	} {
		if got := updateText(key, 2); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}
