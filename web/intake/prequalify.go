package intake

import (
	"net/http"
	"slices"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// EstimatePage is the quick estimate, empty.
func (s *Handlers) EstimatePage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.renderEstimate(w, r, d, estimateState{form: &form.Form{Corrections: map[string]string{}}, status: http.StatusOK})
}

// estimateState is the page as it is to be shown.
type estimateState struct {
	form        *form.Form
	needsNewID  bool // the form needs a new ticket
	alreadySent bool // it was sent before, and the answer was kept nowhere
	result      *heloc.Estimate
	status      int
}

func (s *Handlers) renderEstimate(w http.ResponseWriter, r *http.Request, d page.Desk, page estimateState) error {
	estimates, err := d.Estimates()
	if err != nil {
		return err
	}
	ticket := page.form.OperationID
	if page.needsNewID || ticket == "" {
		ticket = estimates.NewOperationID()
	}
	return s.Render(w, r, page.status, views.Estimate(views.EstimateView{
		Page: s.Layout(r, "Quick estimate"), Form: page.form.View(ticket), LiveDialect: d.LiveDialect(), AlreadySent: page.alreadySent, Result: presentEstimate(page.result, d.Term),
	}))
}

// RequestEstimate asks the lender, or makes a draft of what is typed: then nothing is sent.
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
	shown := estimateState{form: f, status: http.StatusOK}
	ask := Prequalification(f, d.LiveDialect())
	if f.HasErrors() {
		shown.status = http.StatusUnprocessableEntity
		return s.renderEstimate(w, r, d, shown)
	}
	op, got, err := estimates.Request(r.Context(), f.OperationID, ask)
	page.RequestLogOf(r).AddAttr("operation", op.ID)
	if err != nil {
		a := page.SubmittedForm{Action: string(heloc.OpPrequalify), Form: f}
		if !a.Explain(op, err) {
			return err
		}
		shown.status, shown.needsNewID = a.Status, a.NeedsNewID
		return s.renderEstimate(w, r, d, shown)
	}
	if op.State != desk.OpSucceeded {
		return page.NavigateTo(w, r, page.BaseOf(r).Operation(op.ID))
	}
	shown.result, shown.needsNewID, shown.alreadySent = got, true, got == nil
	return s.renderEstimate(w, r, d, shown)
}

// saveEstimateDraft carries what is typed into a new draft of the intake.
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

// presentEstimate maps the lender's answer. Every figure in it is the lender's own.
func presentEstimate(e *heloc.Estimate, unit heloc.TermUnit) views.EstimateResult {
	if e == nil {
		return views.EstimateResult{}
	}
	v := views.EstimateResult{Answered: true, LenderMessage: e.CannedText}
	if strings.HasPrefix(e.PersonalizedURL, "https://") {
		v.LenderLink = e.PersonalizedURL
	}
	for _, o := range e.Offers {
		row := views.EstimateRow{
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
