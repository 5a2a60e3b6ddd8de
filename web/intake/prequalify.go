package intake

import (
	"net/http"
	"slices"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/intake"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// EstimatePage shows the empty form of the quick estimate.
func (s *Handlers) EstimatePage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.renderEstimate(w, r, d, estimateState{form: &form.Form{Corrections: map[string]string{}}, status: http.StatusOK})
}

// estimateState is what the page of the quick estimate shows.
type estimateState struct {
	form        *form.Form
	needsNewID  bool // the form needs a new operation id
	alreadySent bool // it was sent before, and the response was not stored
	result      *heloc.Estimate
	status      int
}

func (s *Handlers) renderEstimate(w http.ResponseWriter, r *http.Request, d page.Desk, state estimateState) error {
	estimates, err := d.Estimates()
	if err != nil {
		return err
	}
	operationID := state.form.OperationID
	if state.needsNewID || operationID == "" {
		operationID = estimates.NewOperationID()
	}
	return s.Render(w, r, state.status, view.Estimate(view.EstimateView{
		Page: s.Layout(r, "Quick estimate"), Form: state.form.View(operationID), LiveDialect: d.LiveDialect(), AlreadySent: state.alreadySent, Result: presentEstimate(state.result, d.TermUnit()),
	}))
}

// RequestEstimate requests an estimate from the lender, or saves the form as a draft without
// sending anything.
func (s *Handlers) RequestEstimate(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	estimates, err := d.Estimates()
	if err != nil {
		return err
	}
	if f.Values.Get("make") == "draft" {
		return s.saveEstimateDraft(w, r, d, f)
	}
	state := estimateState{form: f, status: http.StatusOK}
	req := Prequalification(f, d.LiveDialect())
	if f.HasErrors() {
		state.status = http.StatusUnprocessableEntity
		return s.renderEstimate(w, r, d, state)
	}
	op, result, err := estimates.Request(r.Context(), f.OperationID, req)
	page.RequestLogOf(r).AddAttr("operation", op.ID)
	if err != nil {
		a := page.SubmittedForm{Action: string(heloc.OpPrequalify), Form: f}
		if !a.Explain(op, err) {
			return err
		}
		state.status, state.needsNewID = a.Status, a.NeedsNewID
		return s.renderEstimate(w, r, d, state)
	}
	if op.State != lead.OpSucceeded {
		return page.NavigateTo(w, r, page.BaseOf(r).Operation(op.ID))
	}
	state.result, state.needsNewID, state.alreadySent = result, true, result == nil
	return s.renderEstimate(w, r, d, state)
}

// saveEstimateDraft saves the form as a new draft of the intake.
func (s *Handlers) saveEstimateDraft(w http.ResponseWriter, r *http.Request, d page.Desk, f *form.Form) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	id := drafts.New()
	if _, err := drafts.Save(r.Context(), id, EstimateDraftValues(f)); err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).NewLead(id))
}

// presentEstimate maps the lender's response. It calculates no figures.
func presentEstimate(e *heloc.Estimate, unit heloc.TermUnit) view.EstimateResult {
	if e == nil {
		return view.EstimateResult{}
	}
	v := view.EstimateResult{Answered: true, LenderMessage: e.CannedText}
	if strings.HasPrefix(e.PersonalizedURL, "https://") {
		v.LenderLink = e.PersonalizedURL
	}
	for _, o := range e.Offers {
		row := view.EstimateRow{
			Loan: format.Dollars(o.LoanAmount), Rate: format.Percent(o.InterestRate), APR: format.Percent(o.APR), Payment: format.Dollars(o.MonthlyPayment),
			Fee: format.Dollars(o.OriginationFee), Kind: format.DisplayText(strings.ToUpper(o.RateType), words.RateType),
		}
		if o.Term != nil {
			_, row.Term = format.TermWords(unit, *o.Term)
		}
		v.Offers = append(v.Offers, row)
	}
	v.Offered = len(v.Offers) > 0
	if !v.Offered && e.Status != "" && !slices.Contains([]string{"NO OFFERS", "OFFERS"}, e.Status) {
		v.Status = words.Name(e.Status)
	}
	return v
}
