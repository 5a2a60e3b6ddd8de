package offers

import (
	"net/http"

	desklead "hearthline/internal/desk/lead"

	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// presentTab maps the offers tab.
func (h *Handlers) presentTab(r *http.Request, v text.Viewer, d *workspace.Data) (workspace.Content, error) {
	query := queryOf(d)
	return presentOffersTab(r, v, d, &query, nil)
}

// renderTab renders the offers tab for a query, with the costs that the lender reports of the chosen offer.
func (h *Handlers) renderTab(w http.ResponseWriter, r *http.Request, status int, d *workspace.Data, query GridQuery, costs []ui.Fact) error {
	content, err := presentOffersTab(r, h.Viewer(r), d, &query, costs)
	if err != nil {
		return err
	}
	return h.workspace.RenderContent(w, r, status, d, content)
}

func presentOffersTab(r *http.Request, v text.Viewer, d *workspace.Data, query *GridQuery, costs []ui.Fact) (workspace.Content, error) {
	quotes, err := loadQuotes(r.Context(), d.Lead, d.View, query)
	if err != nil {
		return workspace.Content{}, err
	}
	model := presentGrid(v, d, quotes, *query)
	model.Chosen.Costs = costs
	if d.View.MayHaveSharedQuotes() {
		shared, err := d.Lead.Offers().SharedQuotes(r.Context())
		if err != nil {
			return workspace.Content{}, err
		}
		model.Shared = sharedText(shared, ended(d.Lead))
	}
	model.Planner.Inline = !page.IsFragment(r) && model.PayoffsNeedAttention()
	content := contentOf(model)
	content.Body, content.FullWidth = view.Tab(model), model.HasWorkbench()
	return content, nil
}

// presentOverview maps the offers for the overview: what there is while an offer is to be selected, otherwise the selected
// offer.
func presentOverview(r *http.Request, v text.Viewer, d *workspace.Data) (workspace.Content, error) {
	if d.View.Row.StatusKey == heloc.StatusOffers {
		query := queryOf(d)
		quotes, err := loadQuotes(r.Context(), d.Lead, d.View, &query)
		if err != nil {
			return workspace.Content{}, err
		}
		return workspace.Content{StepNote: view.Ready(presentReady(v, d, quotes, query))}, nil
	}
	var content workspace.Content
	if selected := presentSelected(d.View); selected != nil {
		if selected.CanChange {
			selected.ChangeURL = d.URLs(v).Tab(to.Offers)
		}
		content.Body = view.SelectedPanel(selected)
	}
	return content, nil
}

// queryOf returns what the grid is asked for: by the page's URL, or by a selection that is shown again.
func queryOf(d *workspace.Data) GridQuery {
	if d.IsSubmitted(string(heloc.OpSelectOffer)) {
		query := ParseGridQuery(d.Submitted.Form.Values)
		query.readTickedDiscounts(d.View.Details.App.Underwriting.Offers)
		return query
	}
	return ParseGridQuery(d.Query)
}

// presentGrid maps the offers with the form that selects one of them.
func presentGrid(v text.Viewer, d *workspace.Data, quotes QuoteSet, query GridQuery) *view.View {
	return presentForm(v, d, newGrid(d, quotes, query), PresentOffers)
}

// presentReady maps what the overview shows of the offers. The figures of each offer are on the offers tab only.
func presentReady(v text.Viewer, d *workspace.Data, quotes QuoteSet, query GridQuery) *view.View {
	grid := newGrid(d, quotes, query)
	model := presentForm(v, d, grid, presentSelection)
	model.Ready = grid.presentReady(model.Quote)
	return model
}

// newGrid makes the grid of a query, with the offer of a rejected selection.
func newGrid(d *workspace.Data, quotes QuoteSet, query GridQuery) OfferGrid {
	if query.rateType == "" { // a form that selects does not say which grid its offer is in
		query.rateType = quotes.rateTypeOf(d.View.Details.App.Underwriting.Offers, query.Chosen)
	}
	grid := NewOfferGrid(d.View, quotes, query)
	grid.chooseEquivalent(d)
	return grid
}

// presentForm maps a grid with the form that selects one of its offers.
func presentForm(v text.Viewer, d *workspace.Data, grid OfferGrid, present func(text.Viewer, desklead.Snapshot, OfferGrid) *view.View) *view.View {
	model := present(v, d.View, grid)
	model.URLs, model.Tab = d.URLs(v), d.Tab
	if workspace.CanSelectOffer(d.View.Row) {
		model.WhoCan = workspace.WhoCanText(d)
	}
	model.Form = d.OperationForm(heloc.OpSelectOffer, grid.selectionControls())
	return model
}

// contentOf returns the part that a new quote replaces, and what an update of the page requests so that it shows the
// same offers.
func contentOf(model *view.View) workspace.Content {
	content := workspace.Content{Offers: view.Part(model), KeepsOffers: model.CanSelect && len(model.Rows) > 0}
	if model.PastQuote.ID != "" {
		content.UpdateURL = model.URLs.Base.Quotes(model.URLs.App, to.QuotesQuery{Quote: model.PastQuote.ID})
	}
	return content
}

// chooseEquivalent makes a rejected selection refer to the current equivalent of its offer, at the
// figures that are now shown. The borrower has not agreed to those, so the confirmation is removed.
func (g OfferGrid) chooseEquivalent(d *workspace.Data) {
	if !d.IsSubmitted(string(heloc.OpSelectOffer)) || g.Query.Chosen == "" {
		return
	}
	values := d.Submitted.Form.Values
	if values.Get("offer.offerUuid") != g.Query.Chosen {
		values.Set("offer.offerUuid", g.Query.Chosen)
		values.Del("confirm.offer")
	}
}

// selectionControls returns the initial values of the selection form: the draw of the grid, and the
// offer that the user clicked. No offer is preselected.
func (g OfferGrid) selectionControls() map[string][]string {
	typed := map[string][]string{
		"offer.selectedOfferAmount": {text.ControlMoney(&g.Query.Draw)}, "offer.selectedDiscounts": g.Query.discounts, "offer.selectedAccountsToPayoff": g.Query.Payoff,
	}
	if g.Query.Chosen != "" {
		typed["offer.offerUuid"] = []string{g.Query.Chosen}
	}
	return typed
}
