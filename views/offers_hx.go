package views

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"hearthline/views/to"
	"hearthline/views/ui"
)

// selectionControls is what a question about the grid takes along, so that the answer shows the same
// offer, pins, discounts and payoffs.
const selectionControls = `#offers .cell :checked, #offers [name="pin"], [name="offer.selectedDiscounts"], [name="offer.selectedAccountsToPayoff"], [name="plan"]`

// quoteControlNames are the questions beside the grid that a form without script takes along.
var quoteControlNames = []string{"amount", "rateType", "originationFee", "autoPayDiscountEnabled", "cuDiscountEnabled"}

// All questions about the offers share one line in which the newest replaces the others;
// app.js drops an answer that comes late all the same.
const offersQueue = "#offers"

// quoteHx asks again by itself; the newest question wins.
func (v WorkspaceView) quoteHx(ctx context.Context) templ.OrderedAttributes {
	h := ui.Hx{Trigger: "input delay:350ms, submit, quote", Target: "#offers", Include: selectionControls, SyncSelector: offersQueue}
	if v.Offers.Quote.Requote {
		h.Post = v.Page.Base.LeadAction(v.App, "calculate-offers")
	} else {
		h.Get = v.quoteURL()
	}
	return h.Attrs(ctx)
}

// selectionHx works the choice out whenever an offer, a pin, a debt or a discount of it
// changes: a debt may ask the lender. What the borrower pays today goes with it, which is
// why nothing of it stands in an address.
func (v WorkspaceView) selectionHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{
		Post: v.Page.Base.LeadRead(v.App, "direct-debt-payoff-offers"), Trigger: "change delay:250ms", Target: "#offers", Include: "#quote", SyncSelector: offersQueue, SkipValidation: true,
	}.Attrs(ctx)
}

// recalculateAttrs is the button of the same without script.
func (v WorkspaceView) recalculateAttrs() templ.OrderedAttributes {
	return templ.OrderedAttributes{
		{Key: "formaction", Value: v.Page.Base.LeadRead(v.App, "direct-debt-payoff-offers")}, {Key: "formmethod", Value: "post"}, {Key: "formnovalidate", Value: true},
	}
}

// compareHx is for who may look and not select: pins alone.
func (v WorkspaceView) compareHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{Get: v.quoteURL(), Trigger: "change", Target: "#offers", SyncSelector: offersQueue}.Attrs(ctx)
}

// costsHx fetches the costs of the chosen offer when it is shown.
func (v WorkspaceView) costsHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{Get: v.Page.Base.Costs(v.App, v.Offers.CostsQuery), Trigger: "load", LatestWins: true}.Attrs(ctx)
}

// live is ui.Live of the lead. While offers are looked at, the update asks for
// the same draw and offer, or the payments would not fit the amount beside
// them.
func (v WorkspaceView) live(ctx context.Context) templ.OrderedAttributes {
	address := v.Page.Base.LeadTab(v.App, v.Tab)
	if v.Offers.PastQuote.ID != "" {
		address = v.Page.Base.Quotes(v.App, to.QuotesQuery{Quote: v.Offers.PastQuote.ID})
	}
	all := ui.Live(ctx, address, v.App, v.Revision)
	if !v.Offers.CanSelect || len(v.Offers.Rows) == 0 {
		return all
	}
	asked := ui.Hx{Get: address, Trigger: "live", Include: "#quote, " + selectionControls}.Attrs(ctx)
	for _, a := range all {
		// The header says that nobody pressed anything; it must not get lost here.
		if strings.HasPrefix(a.Key, "data-") || a.Key == "hx-headers" {
			asked = append(asked, a)
		}
	}
	return asked
}
