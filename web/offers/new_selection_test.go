package offers_test

import (
	"testing"
	"time"

	"hearthline/web/webtest"
)

// TestSelectedOffer_NewOneProcessed_OldOneNotShown selects another offer, which the lender takes long to process.
func TestSelectedOffer_NewOneProcessed_OldOneNotShown(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			lead, first := selectFirst(olivia, "Rivera", "FIXED")
			olivia.WaitFor(lead, `#selected dd.hero`)
			h.Sandbox.SetProcessing(time.Hour)
			id := first.Find(`.offers-grid input[name="offer.offerUuid"]`).Last().AttrOr("value", "")
			statement := sentenceOf(first, id)
			form := olivia.Get(lead + "/offers").Form("form#select")
			form.Values["offer.selectedDiscounts"] = nil
			olivia.Send(form.With("offer.offerUuid", id, "confirm.offer", "true", "offer.selectedOfferAmount", "60,000",
				"confirm.sentence", statement))
			for _, path := range []string{lead, lead + "/offers"} {
				page := olivia.Get(path)
				panel := page.Find("#selected")
				if panel.Find("h2").Text() != "New selection" || panel.Find("b").Text() != statement ||
					panel.Find("dd.hero").Length() != 0 {
					t.Errorf("%s: the panel reads %q, want the new selection %q", path, panel.Text(), statement)
				}
				page.WantNoText([]string{"Selected line", "Cash to the borrower</dt>"})
			}
		})
	}
}
