package offers

import (
	"context"

	"github.com/a-h/templ"

	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/workspace"
)

// quoteControlNames are the quote form's controls, which a form without JavaScript includes.
var quoteControlNames = []string{"amount", "rateType", "originationFee", "autoPayDiscountEnabled", "cuDiscountEnabled"}

// All requests about the offers share one htmx queue in which the newest replaces the others; app.js also
// drops late responses.
const offersQueue = "#offers"

// quoteHx requests a quote automatically; the newest request wins.
func (v *View) quoteHx(ctx context.Context) templ.OrderedAttributes {
	h := ui.Hx{Trigger: "input delay:350ms, submit, quote", Target: "#offers", Include: workspace.SelectionControls,
		SyncSelector: offersQueue}
	if v.Quote.Requote {
		h.Post = v.URLs.Action("calculate-offers")
	} else {
		h.Get = v.quoteURL()
	}
	return h.Attrs(ctx)
}

// selectionHx recalculates the selection whenever its offer, a pin, a debt or a discount changes: a debt may
// cause a request to the lender. The request includes what the borrower pays today, so it is a POST, which
// keeps that out of the URL.
func (v *View) selectionHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{
		Post: v.URLs.Read("direct-debt-payoff-offers"), Trigger: "change delay:250ms", Target: "#offers", Include: "#quote",
		SyncSelector: offersQueue, SkipValidation: true,
	}.Attrs(ctx)
}

// recalculateAttrs is for the button that does the same without JavaScript.
func (v *View) recalculateAttrs() templ.OrderedAttributes {
	return templ.OrderedAttributes{
		{Key: "formaction", Value: v.URLs.Read("direct-debt-payoff-offers")}, {Key: "formmethod", Value: "post"},
	}
}

// compareHx is for users who may view but not select: pins only.
func (v *View) compareHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{Get: v.quoteURL(), Trigger: "change", Target: "#offers", SyncSelector: offersQueue}.Attrs(ctx)
}

// costsID is the id of the part with the costs of an offer at a draw. Another offer or draw is another part.
func costsID(q to.CostsQuery) string { return "costs-of-" + q.Offer + "-" + q.Amount }

// costsHx fetches the costs of the chosen offer.
func (v *View) costsHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{Get: v.URLs.Base.Costs(v.URLs.App, v.CostsQuery), Trigger: "load", LatestWins: true}.Attrs(ctx)
}
