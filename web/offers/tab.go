package offers

import (
	"context"
	"net/http"

	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// presentTab maps the offers tab.
func presentTab(r *http.Request, v text.Viewer, d *workspace.Data) (workspace.Content, error) {
	grid, err := loadFormGrid(r.Context(), d, tabQuery(d))
	if err != nil {
		return workspace.Content{}, err
	}
	return presentOffersTab(r, v, d, grid, nil)
}

// renderTab renders the offers tab for a query, with the costs that the lender reports of the chosen offer.
func (h *Handlers) renderTab(w http.ResponseWriter, r *http.Request, status int, d *workspace.Data, query GridQuery,
	costs []ui.Fact) error {
	grid, err := loadFormGrid(r.Context(), d, query)
	if err != nil {
		return err
	}
	if err := saveScenario(w, r, d, grid); err != nil {
		return err
	}
	content, err := presentOffersTab(r, h.Viewer(r), d, grid, costs)
	if err != nil {
		return err
	}
	return h.Workspace.RenderContent(w, r, status, d, content)
}

func presentOffersTab(r *http.Request, v text.Viewer, d *workspace.Data, grid OfferGrid,
	costs []ui.Fact) (workspace.Content, error) {
	model := PresentOffers(v, d.View, grid)
	addForm(model, v, d, grid)
	model.Chosen.Costs = costs
	var err error
	if d.View.MayHaveSharedQuotes() {
		shared, err := d.Lead.Offers().SharedQuotes(r.Context())
		if err != nil {
			return workspace.Content{}, err
		}
		model.Shared = sharedText(shared, ended(d.Lead))
		model.Repriced = presentRepriced(v, d, grid, shared)
	}
	if model.CanSelect {
		if model.Scenarios, err = presentScenarios(r.Context(), v, d, grid); err != nil {
			return workspace.Content{}, err
		}
	}
	model.Planner.Inline = !page.IsFragment(r) && model.PayoffsNeedAttention()
	content := workspace.Content{
		Body: view.Tab(model), FullWidth: model.HasWorkbench(), Offers: view.Part(model),
		KeepsOffers: model.CanSelect && len(model.Rows) > 0,
	}
	if model.PastQuote.ID != "" { // an update of the page shows the same offers
		content.UpdateURL = v.Base.Quotes(model.URLs.App, to.QuotesQuery{Quote: model.PastQuote.ID})
	}
	return content, nil
}

// presentOverview maps the offers for the overview: what there is while an offer is to be selected, otherwise the
// selected offer.
func presentOverview(r *http.Request, v text.Viewer, d *workspace.Data) (workspace.Content, error) {
	if d.View.Row.StatusKey == heloc.StatusOffers {
		grid, err := loadFormGrid(r.Context(), d, queryOf(d))
		if err != nil {
			return workspace.Content{}, err
		}
		model := presentSelection(v, d.View, grid) // the figures of each offer are on the offers tab only
		addForm(model, v, d, grid)
		model.Ready = grid.presentReady(model.Quote)
		return workspace.Content{StepNote: view.Ready(model)}, nil
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

// loadFormGrid loads the grid of a query, with the offer of a rejected selection.
func loadFormGrid(ctx context.Context, d *workspace.Data, query GridQuery) (OfferGrid, error) {
	grid, err := loadGrid(ctx, d.Lead, d.View, &query)
	if err != nil {
		return OfferGrid{}, err
	}
	if o, ok := heloc.FindOffer(grid.known, query.Chosen); ok && query.rateType == "" {
		query.rateType = rateTypeOf(o) // a form that selects does not say which grid its offer is in
		grid = NewOfferGrid(d.View, grid.QuoteSet, query)
	}
	grid.chooseEquivalent(d)
	return grid, nil
}

// addForm adds the form that selects one of the offers.
func addForm(model *view.View, v text.Viewer, d *workspace.Data, grid OfferGrid) {
	model.URLs, model.Tab = d.URLs(v), d.Tab
	if workspace.CanSelectOffer(d.View.Row) {
		model.WhoCan = workspace.WhoCanText(d)
	}
	model.Form = d.OperationForm(heloc.OpSelectOffer, grid.selectionControls())
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
		"offer.selectedOfferAmount": {text.ControlMoney(&g.Query.Draw)}, "offer.selectedDiscounts": g.Query.discounts,
		"offer.selectedAccountsToPayoff": g.Query.Payoff,
	}
	if g.Query.Chosen != "" {
		typed["offer.offerUuid"] = []string{g.Query.Chosen}
	}
	return typed
}
