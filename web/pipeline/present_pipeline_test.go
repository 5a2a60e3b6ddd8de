package pipeline

import (
	"slices"
	"strings"
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
	t.Parallel()
	v := text.Viewer{Base: to.Full, Zone: time.UTC, Now: time.Date(2026, 11, 22, 15, 30, 0, 0, time.UTC)}
	v.Who.UserID = "olivia"
	at := v.Now.Add(-20 * time.Minute).UnixMilli()
	start := func(id, first string) deskpipeline.UnsettledStart {
		return deskpipeline.UnsettledStart{Operation: lead.Operation{ID: id, Kind: heloc.OpStart, State: lead.OpUnknown,
			ActorID: "olivia", ActorName: "Olivia Bennett", SentAt: at, HTTPStatus: 503}, Name: heloc.Name{First: first}}
	}
	one := unsettledNotices(v, []deskpipeline.UnsettledStart{start("a", "Elena")}, false)
	if want := "Don’t start it again. The lender answered 503. Call the lender with the borrower’s name and the time it " +
		"was sent: Elena, today 3:10 PM. Then enter the application ID or, if the lender didn’t receive it, mark it as " +
		"not received."; len(one) != 1 || one[0].Title != "Elena, inquiry: sent, not confirmed." || len(one[0].Links) > 0 ||
		one[0].Text != want || one[0].Actions[0].Href != to.Full.Operation("a") {
		t.Errorf("one: got %+v, want %q", one, want)
	}
	if got := unsettledNotices(v, []deskpipeline.UnsettledStart{start("a", "Elena")},
		true); !strings.HasSuffix(got[0].Text, " If the lender sends us a notification about it, it appears here.") {
		t.Errorf("one, with webhooks: got %q", got[0].Text)
	}
	covered := start("b", "")
	covered.ActorID, covered.ActorName = "marcus", "Marcus Webb"
	two := unsettledNotices(v, []deskpipeline.UnsettledStart{start("a", "Elena"), covered}, false)
	if len(two) != 1 || two[0].Title != "2 inquiries: sent, not confirmed." || len(two[0].Links) != 2 ||
		!strings.Contains(two[0].Text, "Call the lender about each one") || strings.Contains(two[0].Text, "notification") {
		t.Fatalf("two: got %+v", two)
	}
	for i, want := range []string{"Elena (today 3:10 PM)", "Receipt (today 3:10 PM, Marcus Webb)"} {
		if got := two[0].Links[i]; got.Label != want || got.Href != to.Full.Operation([]string{"a", "b"}[i]) {
			t.Errorf("link %d: got %+v, want %q", i, got, want)
		}
	}
	if most := unsettledNotices(v, slices.Repeat([]deskpipeline.UnsettledStart{start("a", "Elena")},
		lead.UnsettledLimit), false); len(most) != 1 || most[0].Title != "20 or more inquiries: sent, not confirmed." {
		t.Errorf("as many as are listed: got %+v", most)
	}
	sending := start("c", "Nora")
	sending.State = lead.OpSent
	if got := unsettledNotices(v, []deskpipeline.UnsettledStart{sending}, false); len(got) != 1 ||
		got[0].Title != "Sending the inquiry." || len(got[0].Links) != 1 || strings.Contains(got[0].Text, "Call") {
		t.Errorf("while it is being sent: got %+v", got)
	}
}
