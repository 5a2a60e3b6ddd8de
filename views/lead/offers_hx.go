package lead

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"hearthline/views/to"
	"hearthline/views/ui"
)

// selectionControls selects the controls that a request about the grid includes, so that the response has the
// same offer, pins, discounts and payoffs.
const selectionControls = `#offers .cell :checked, #offers [name="pin"], [name="offer.selectedDiscounts"], [name="offer.selectedAccountsToPayoff"], [name="plan"]`

// quoteControlNames are the quote form's controls, which a form without JavaScript includes.
var quoteControlNames = []string{"amount", "rateType", "originationFee", "autoPayDiscountEnabled", "cuDiscountEnabled"}

// All requests about the offers share one htmx queue in which the newest replaces the others; app.js also
// drops late responses.
const offersQueue = "#offers"

// quoteHx requests a quote automatically; the newest request wins.
func (v WorkspaceView) quoteHx(ctx context.Context) templ.OrderedAttributes {
	h := ui.Hx{Trigger: "input delay:350ms, submit, quote", Target: "#offers", Include: selectionControls, SyncSelector: offersQueue}
	if v.Offers.Quote.Requote {
		h.Post = v.Page.Base.LeadAction(v.App, "calculate-offers")
	} else {
		h.Get = v.quoteURL()
	}
	return h.Attrs(ctx)
}

// selectionHx recalculates the selection whenever its offer, a pin, a debt or a discount changes: a debt may
// cause a request to the lender. The request includes what the borrower pays today, so it is a POST, which
// keeps that out of the URL.
func (v WorkspaceView) selectionHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{
		Post: v.Page.Base.LeadRead(v.App, "direct-debt-payoff-offers"), Trigger: "change delay:250ms", Target: "#offers", Include: "#quote", SyncSelector: offersQueue, SkipValidation: true,
	}.Attrs(ctx)
}

// recalculateAttrs is for the button that does the same without JavaScript.
func (v WorkspaceView) recalculateAttrs() templ.OrderedAttributes {
	return templ.OrderedAttributes{
		{Key: "formaction", Value: v.Page.Base.LeadRead(v.App, "direct-debt-payoff-offers")}, {Key: "formmethod", Value: "post"}, {Key: "formnovalidate", Value: true},
	}
}

// compareHx is for users who may view but not select: pins only.
func (v WorkspaceView) compareHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{Get: v.quoteURL(), Trigger: "change", Target: "#offers", SyncSelector: offersQueue}.Attrs(ctx)
}

// costsHx fetches the costs of the chosen offer when they become visible.
func (v WorkspaceView) costsHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{Get: v.Page.Base.Costs(v.App, v.Offers.CostsQuery), Trigger: "load", LatestWins: true}.Attrs(ctx)
}

// live is ui.Live of the lead. While offers are displayed, the update requests the same draw and offer;
// otherwise the payments would not match the displayed amount.
func (v WorkspaceView) live(ctx context.Context) templ.OrderedAttributes {
	address := v.Page.Base.LeadTab(v.App, v.Tab)
	if v.Offers.PastQuote.ID != "" {
		address = v.Page.Base.Quotes(v.App, to.QuotesQuery{Quote: v.Offers.PastQuote.ID})
	}
	all := ui.Live(ctx, address, v.App, v.Revision)
	if !v.Offers.CanSelect || len(v.Offers.Rows) == 0 {
		return all
	}
	attrs := ui.Hx{Get: address, Trigger: "live", Include: "#quote, " + selectionControls}.Attrs(ctx)
	for _, a := range all {
		// This header marks a request without user activity; it must be preserved here.
		if strings.HasPrefix(a.Key, "data-") || a.Key == "hx-headers" {
			attrs = append(attrs, a)
		}
	}
	return attrs
}
