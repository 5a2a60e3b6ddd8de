package offers

import (
	"net/http"
	"slices"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// CalculateOffers requests offers at other figures from the lender and shows the updated grid. It
// changes nothing at the lender, so it needs no operation id and no lease.
func (h *Handlers) CalculateOffers(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	model, err := l.Snapshot(r.Context())
	if err != nil {
		return err
	}
	query := ParseGridQuery(f.Values)
	query.quoteID = ""
	request := QuoteRequest(f, query, model)
	if !f.HasErrors() {
		_, err = l.Offers().Quote(r.Context(), request)
	}
	if err := query.applyResult(f, err); err != nil {
		return err
	}
	return h.renderOffers(w, r, l, query)
}

// QuoteRequest returns the request for calculate-offers, for the draw of a form.
func QuoteRequest(f *form.Form, query GridQuery, model desklead.Snapshot) heloc.QuoteRequest {
	q := query.request(f.PositiveMoney("amount", "Enter the draw amount"), eligibleDebts(model))
	if q.Amount != nil && q.LiabilityPayoff != nil && *q.Amount < *q.LiabilityPayoff {
		f.AddError("amount", "Enter at least "+text.Money(*q.LiabilityPayoff)+" to cover the debts to pay off")
	}
	return q
}

// applyResult adds the result of a request to the query. Form errors and rejections are shown
// beside the grid, which then shows the existing offers. It returns any other error.
func (q *GridQuery) applyResult(f *form.Form, err error) error {
	switch kind := fault.KindOf(err); {
	case f.HasErrors():
		q.fieldErrors, q.typed = f.FieldErrors, f.Values
	case err == nil:
		q.fresh = true
	case kind == fault.NotFound:
		q.quotesUnsupported, q.failure = true,
			"This lender doesn’t provide new quotes. Payments are estimates based on the current offers."
	case kind == fault.Upstream || kind == fault.Unavailable || kind == fault.Invalid:
		q.failure, q.quoteFailed = fault.Public(err), kind != fault.Invalid
	default:
		return err
	}
	return nil
}

// renderOffers shows the offers of a lead for a query.
func (h *Handlers) renderOffers(w http.ResponseWriter, r *http.Request, l page.Lead, query GridQuery) error {
	d, err := h.Workspace.Load(r, l)
	if err != nil {
		return err
	}
	d.Tab = to.Offers
	status := http.StatusOK
	if len(query.fieldErrors) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return h.renderTab(w, r, status, d, query, nil)
}

// SelectOffer selects an offer.
func (h *Handlers) SelectOffer(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	choice := heloc.OfferSelection{
		OfferUUID:        f.Required("offer.offerUuid", "Choose one of the offers"),
		Discounts:        f.UniqueValues("offer.selectedDiscounts"),
		AccountsToPayoff: f.UniqueValues("offer.selectedAccountsToPayoff"),
	}
	if draw := f.PositiveMoney("offer.selectedOfferAmount", "Enter the draw amount"); draw != nil {
		choice.Amount = *draw
	}
	if err := confirmSentence(r, l, f, &choice); err != nil {
		return err
	}
	if f.IsChecked(workspace.RepeatControl) {
		l.ConfirmRepeat()
	}
	f.RequireCheck("confirm.offer", "Check this box to confirm the borrower’s choice")
	return h.Workspace.Submit(w, r, l, page.SubmittedForm{Action: string(heloc.OpSelectOffer), Form: f},
		func() (lead.Operation, error) {
			return l.Offers().SelectOffer(r.Context(), f.OperationID, choice)
		})
}

// confirmSentence adds the sentence that the form showed above its button to a choice, with the figures in it. A
// sentence about another offer or other figures than the form selects is an error: without JavaScript, the user may
// choose another offer after reading it. Forms without a sentence are confirmed by their checkbox alone, and have
// shown nobody any figures.
func confirmSentence(r *http.Request, l page.Lead, f *form.Form, choice *heloc.OfferSelection) error {
	shown := f.Text("confirm.sentence")
	if shown == "" || choice.OfferUUID == "" {
		return nil
	}
	model, err := l.Snapshot(r.Context())
	if err != nil {
		return err
	}
	query := ParseGridQuery(f.Values)
	grid, err := loadGrid(r.Context(), l, model, &query)
	if err != nil {
		return err
	}
	o, ok := heloc.FindOffer(grid.known, choice.OfferUUID)
	if !ok || grid.sentence(o) != shown {
		f.Values.Del("confirm.offer")
		f.AddError("confirm.offer", "You confirmed another offer or amount. Read the offer below and confirm it")
		return nil
	}
	choice.Statement, choice.Shown = shown, grid.shown(o, choice.Discounts)
	return nil
}

// shown returns the figures that the grid shows for an offer, with the discounts to select.
func (g OfferGrid) shown(o heloc.Offer, discounts []string) *heloc.OfferFigures {
	priced := g.estimateAt(o)
	draw, loan := g.Query.Draw, priced.Loan()
	f := heloc.OfferFigures{RateType: o.RateType, Amount: &draw, Rate: o.Rate,
		Discounts: slices.Sorted(slices.Values(discounts))}
	if loan > 0 {
		f.LoanAmount = &loan
	}
	if payment := priced.Payment(); payment > 0 {
		f.Payment = &payment
	}
	if o.OriginationFeePercent != nil {
		f.Fee = new(priced.FeeAmount())
	}
	return &f
}
