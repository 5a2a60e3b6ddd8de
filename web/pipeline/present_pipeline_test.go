package pipeline

import (
	"slices"
	"testing"
	"time"

	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
)

func TestUpdateText(t *testing.T) {
	for key, want := range map[heloc.StatusKey]string{
		heloc.StatusOffers: "2 with offers ready", heloc.StatusNoOffers: "2 with no offers",
		heloc.StatusSSNNeeded: "2 at SSN needed", heloc.StatusFunded: "2 funded",
		heloc.StatusComplete: "2 with inquiry complete", heloc.StatusSigned: "2 with signing date passed",
		heloc.StatusFunding: "2 awaiting funding", heloc.StatusCanceled: "2 canceled", "payoff": "2 at payoff",
	} {
		if got := updateText(key, 2); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}

// TestUnsettledNotices_Several_OneNoticeWithLinks: several would push the list out of view, and look alike.
func TestUnsettledNotices_Several_OneNoticeWithLinks(t *testing.T) {
	v := text.Viewer{Base: to.Full, Zone: time.UTC, Now: time.Date(2026, 11, 22, 15, 30, 0, 0, time.UTC)}
	at := v.Now.Add(-20 * time.Minute).UnixMilli()
	start := func(id, first string) deskpipeline.UnsettledStart {
		return deskpipeline.UnsettledStart{Operation: lead.Operation{ID: id, Kind: heloc.OpStart, State: lead.OpUnknown,
			CreatedAt: at}, Name: heloc.Name{First: first}}
	}
	if one := unsettledNotices(v, []deskpipeline.UnsettledStart{start("a", "Elena")}); len(one) != 1 ||
		one[0].Title != "Elena, inquiry: sent, not confirmed." || len(one[0].Links) > 0 {
		t.Errorf("one: got %+v", one)
	}
	two := unsettledNotices(v, []deskpipeline.UnsettledStart{start("a", "Elena"), start("b", "")})
	if len(two) != 1 || two[0].Title != "2 inquiries: sent, not confirmed." || len(two[0].Links) != 2 {
		t.Fatalf("two: got %+v", two)
	}
	for i, want := range []string{"Elena (today 3:10 PM)", "Receipt (today 3:10 PM)"} {
		if got := two[0].Links[i]; got.Label != want || got.Href != to.Full.Operation([]string{"a", "b"}[i]) {
			t.Errorf("link %d: got %+v, want %q", i, got, want)
		}
	}
	if most := unsettledNotices(v, slices.Repeat([]deskpipeline.UnsettledStart{start("a", "Elena")},
		lead.UnsettledLimit)); len(most) != 1 || most[0].Title != "20 or more inquiries: sent, not confirmed." {
		t.Errorf("as many as are listed: got %+v", most)
	}
}
