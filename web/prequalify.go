package web

import (
	"net/http"
	"slices"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/words"
)

// estimatePage is the quick estimate, empty.
func (s *Server) estimatePage(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.showEstimate(w, r, d, estimate{form: &form{sent: map[string]string{}}, status: http.StatusOK})
}

// estimate is the page as it is to be shown.
type estimate struct {
	form   *form
	again  bool // the form needs a new ticket
	repeat bool // it was sent before, and the answer was kept nowhere
	got    *heloc.Estimate
	status int
}

func (s *Server) showEstimate(w http.ResponseWriter, r *http.Request, d Desk, page estimate) error {
	estimates, err := d.Estimates()
	if err != nil {
		return err
	}
	ticket := page.form.ticket
	if page.again || ticket == "" {
		ticket = estimates.Ticket()
	}
	return s.show(w, r, page.status, views.Estimate(views.EstimateView{
		Page: s.frame(r, "Quick estimate"), Form: page.form.view(ticket), Live: d.Live(), Repeat: page.repeat, Result: showEstimated(page.got, d.Term),
	}))
}

// askEstimate asks the lender, or makes a draft of what is typed: then nothing is sent.
func (s *Server) askEstimate(w http.ResponseWriter, r *http.Request, d Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	estimates, err := d.Estimates()
	if err != nil {
		return err
	}
	if f.values.Get("make") == "draft" {
		return s.draftEstimate(w, r, d, f)
	}
	page := estimate{form: f, status: http.StatusOK}
	ask := f.prequalification(d.Live())
	if f.bad() {
		page.status = http.StatusUnprocessableEntity
		return s.showEstimate(w, r, d, page)
	}
	op, got, err := estimates.Ask(r.Context(), f.ticket, ask)
	trailOf(r).note("operation", op.ID)
	if err != nil {
		a := attempt{act: string(heloc.OpPrequalify), form: f}
		if !a.excuse(op, err) {
			return err
		}
		page.status, page.again = a.status, a.again
		return s.showEstimate(w, r, d, page)
	}
	if op.State != desk.OpSucceeded {
		return onward(w, r, baseOf(r).Operation(op.ID))
	}
	page.got, page.again, page.repeat = got, true, got == nil
	return s.showEstimate(w, r, d, page)
}

// draftEstimate carries what is typed into a new draft of the intake.
func (s *Server) draftEstimate(w http.ResponseWriter, r *http.Request, d Desk, f *form) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	id := drafts.New()
	if _, err := drafts.Save(r.Context(), id, draftOfEstimate(f)); err != nil {
		return err
	}
	return onward(w, r, baseOf(r).NewLead(id))
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
			Loan: dollars(o.LoanAmount), Rate: percent(o.InterestRate), APR: percent(o.APR), Payment: dollars(o.MonthlyPayment),
			Fee: dollars(o.OriginationFee), Kind: said(strings.ToUpper(o.RateType), words.RateType),
		}
		if o.Term != nil {
			_, row.Term = priced{term: unit}.lasting(*o.Term)
		}
		v.Offers = append(v.Offers, row)
	}
	v.Offered = len(v.Offers) > 0
	if !v.Offered && e.Status != "" && !slices.Contains([]string{"NO OFFERS", "OFFERS"}, e.Status) {
		v.Status = words.Name(e.Status)
	}
	return v
}
