package desk_test

import (
	"testing"
	"time"

	"hearthline/internal/heloc"
)

func TestSelectOffer_BeforeApplication_Replaces(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		time.Sleep(5 * time.Second)
		choose := func(n int) string {
			l := g.openLead(g.olivia, app)
			v, err := l.Snapshot(t.Context())
			g.must(err)
			offer := v.Details.App.Underwriting.Offers[n]
			_, err = l.Offers().SelectOffer(t.Context(), l.NewOperationID(heloc.OpSelectOffer),
				heloc.OfferSelection{OfferUUID: offer.UUID, Amount: *offer.MinAmount})
			g.must(err)
			time.Sleep(5 * time.Second)
			return offer.UUID
		}
		choose(0)
		want := choose(1)
		v, err := g.openLead(g.olivia, app).Snapshot(t.Context())
		g.must(err)
		if s := v.Details.App.Underwriting.SelectedOffer; s == nil || s.OfferUUID != want {
			t.Errorf("got %+v, want the offer selected last, %s", s, want)
		}
		if v.Row.Step != heloc.StepBorrowerAuth || v.Row.Lane != heloc.LaneBorrower {
			t.Errorf("got step %s in lane %s", v.Row.Step, v.Row.Lane)
		}
	})
}
