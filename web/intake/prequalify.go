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

// estimatePage is the quick estimate, empty.
func (s *Handlers) EstimatePage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.showEstimate(w, r, d, estimate{form: &form.Form{Sent: map[string]string{}}, status: http.StatusOK})
}

// estimate is the page as it is to be shown.
type estimate struct {
	form   *form.Form
	again  bool // the form needs a new ticket
	repeat bool // it was sent before, and the answer was kept nowhere
	got    *heloc.Estimate
	status int
}

func (s *Handlers) showEstimate(w http.ResponseWriter, r *http.Request, d page.Desk, page estimate) error {
	estimates, err := d.Estimates()
	if err != nil {
		return err
	}
	ticket := page.form.Ticket
	if page.again || ticket == "" {
		ticket = estimates.Ticket()
	}
	return s.Show(w, r, page.status, views.Estimate(views.EstimateView{
		Page: s.Frame(r, "Quick estimate"), Form: page.form.View(ticket), Live: d.Live(), Repeat: page.repeat, Result: showEstimated(page.got, d.Term),
	}))
}

// askEstimate asks the lender, or makes a draft of what is typed: then nothing is sent.
func (s *Handlers) AskEstimate(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	estimates, err := d.Estimates()
	if err != nil {
		return err
	}
	if f.Values.Get("make") == "draft" {
		return s.draftEstimate(w, r, d, f)
	}
	shown := estimate{form: f, status: http.StatusOK}
	ask := Prequalification(f, d.Live())
	if f.Bad() {
		shown.status = http.StatusUnprocessableEntity
		return s.showEstimate(w, r, d, shown)
	}
	op, got, err := estimates.Ask(r.Context(), f.Ticket, ask)
	page.TrailOf(r).Note("operation", op.ID)
	if err != nil {
		a := page.Attempt{Act: string(heloc.OpPrequalify), Form: f}
		if !a.Excuse(op, err) {
			return err
		}
		shown.status, shown.again = a.Status, a.Again
		return s.showEstimate(w, r, d, shown)
	}
	if op.State != desk.OpSucceeded {
		return page.Onward(w, r, page.BaseOf(r).Operation(op.ID))
	}
	shown.got, shown.again, shown.repeat = got, true, got == nil
	return s.showEstimate(w, r, d, shown)
}

// draftEstimate carries what is typed into a new draft of the intake.
func (s *Handlers) draftEstimate(w http.ResponseWriter, r *http.Request, d page.Desk, f *form.Form) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	id := drafts.New()
	if _, err := drafts.Save(r.Context(), id, DraftOfEstimate(f)); err != nil {
		return err
	}
	return page.Onward(w, r, page.BaseOf(r).NewLead(id))
}

// showEstimated maps the lender's answer. Every figure in it is the lender's own.
func showEstimated(e *heloc.Estimate, unit heloc.TermUnit) views.EstimateResult {
	if e == nil {
		return views.EstimateResult{}
	}
	v := views.EstimateResult{Answered: true, Said: e.CannedText}
	if strings.HasPrefix(e.PersonalizedURL, "https://") {
		v.Link = e.PersonalizedURL
	}
	for _, o := range e.Offers {
		row := views.EstimateRow{
			Loan: format.Dollars(o.LoanAmount), Rate: format.Percent(o.InterestRate), APR: format.Percent(o.APR), Payment: format.Dollars(o.MonthlyPayment),
			Fee: format.Dollars(o.OriginationFee), Kind: format.Said(strings.ToUpper(o.RateType), words.RateType),
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
