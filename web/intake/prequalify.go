package intake

import (
	"net/http"
	"strings"

	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/intake"
	"hearthline/views/text"
	"hearthline/web/form"
	"hearthline/web/page"
)

// EstimatePage shows the empty form of the quick estimate.
func (h *Handlers) EstimatePage(w http.ResponseWriter, r *http.Request, estimates *deskintake.Estimates) error {
	return h.renderEstimate(w, r, estimates, estimateState{form: &form.Form{Corrections: map[string]string{}},
		status: http.StatusOK})
}

// estimateState is what the page of the quick estimate shows.
type estimateState struct {
	form        *form.Form
	needsNewID  bool // the form needs a new operation id
	alreadySent bool // it was sent before, and the response was not stored
	result      *heloc.Estimate
	status      int
}

func (h *Handlers) renderEstimate(w http.ResponseWriter, r *http.Request, estimates *deskintake.Estimates,
	state estimateState) error {
	operationID := state.form.OperationID
	if state.needsNewID || operationID == "" {
		operationID = estimates.NewOperationID()
	}
	shown := state.form.View(operationID)
	if state.result == nil {
		shown.FocusOn = "amountToBorrow"
	}
	if len(shown.FieldErrors) > 0 {
		shown.FocusOn = shown.FieldErrors[0].Name
	}
	return h.Render(w, r, state.status, view.Estimate(view.EstimateView{
		Page: h.Layout(r, "Quick estimate"), Form: shown, TakesSSN: estimates.TakesSSN(),
		LiveDialect: page.VisitOf(r).Desk.LiveDialect(), AlreadySent: state.alreadySent,
		Result: presentEstimate(state.result, page.VisitOf(r).Desk.TermUnit()),
	}))
}

// RequestEstimate requests an estimate from the lender, or saves the form as a draft without
// sending anything.
func (h *Handlers) RequestEstimate(w http.ResponseWriter, r *http.Request, estimates *deskintake.Estimates,
	f *form.Form) error {
	if f.Values.Get("make") == "draft" {
		return h.saveEstimateDraft(w, r, f)
	}
	if f.Values.Get("make") == "check" {
		return page.WriteJSON(w, http.StatusOK, presentEstimateStatus(f, page.VisitOf(r).Desk.LiveDialect(),
			h.Viewer(r).Today()))
	}
	req := Prequalification(f, page.VisitOf(r).Desk.LiveDialect(), h.Viewer(r).Today())
	var result *heloc.Estimate
	return page.Submit(r, page.Write{
		Writer:        w,
		SubmittedForm: page.SubmittedForm{Action: string(heloc.OpPrequalify), Form: f},
		Run: func() (op lead.Operation, err error) {
			op, result, err = estimates.Request(r.Context(), f.OperationID, req)
			return op, err
		},
		Redisplay: func(a page.SubmittedForm) error {
			fillPlaces(f, estimateAddresses()...)
			return h.renderEstimate(w, r, estimates, estimateState{form: f, status: a.Status, needsNewID: a.NeedsNewID})
		},
		Next: func(op lead.Operation) error {
			if op.State != lead.OpSucceeded {
				return page.NavigateTo(w, r, page.BaseOf(r).Operation(op.ID))
			}
			return h.renderEstimate(w, r, estimates, estimateState{form: f, status: http.StatusOK, result: result,
				needsNewID: true, alreadySent: result == nil})
		},
	})
}

// saveEstimateDraft saves the form as a new draft of the intake.
func (h *Handlers) saveEstimateDraft(w http.ResponseWriter, r *http.Request, f *form.Form) error {
	drafts, err := page.VisitOf(r).Desk.Drafts()
	if err != nil {
		return err
	}
	id := drafts.New()
	values := EstimateDraftValues(f)
	if leadID := f.Text("leadId"); leadID != "" {
		values[page.VisitOf(r).Desk.FreeReferences()[0]] = []string{leadID}
	}
	if _, err := drafts.Save(r.Context(), id, values); err != nil {
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
			Loan: text.Dollars(o.LoanAmount), Rate: text.Percent(o.InterestRate),
			APR: text.Percent(o.APR), Payment: text.Dollars(o.MonthlyPayment),
			Fee: text.Dollars(o.OriginationFee), Kind: text.DisplayText(strings.ToUpper(o.RateType), text.RateType),
		}
		if o.Term != nil {
			_, row.Term = text.TermWords(unit, *o.Term)
		}
		v.Offers = append(v.Offers, row)
	}
	v.Offered = len(v.Offers) > 0
	if !v.Offered && e.Status != "NO OFFERS" {
		v.Status = text.Name(e.Status)
	}
	return v
}

// estimateAddresses lists the addresses of the quick estimate.
func estimateAddresses() []string { return []string{"address", "mailingAddress"} }

// presentEstimateStatus maps what the page's script shows when the user leaves a field: the entries that cannot be
// sent as they are, but not yet what is missing. Nothing is stored or sent.
func presentEstimateStatus(f *form.Form, live bool, today heloc.Date) view.DraftStatus {
	trial := form.Form{Values: f.Values, Corrections: map[string]string{}}
	Prequalification(&trial, live, today)
	status := view.DraftStatus{
		Problems: []view.DraftNote{}, Corrections: view.NotNil(correctionNotes(&trial)),
		Places: placesOf(f, estimateAddresses()...),
	}
	for _, field := range trial.FieldErrors {
		if strings.TrimSpace(trial.Values.Get(field.Name)) != "" {
			status.Problems = append(status.Problems, view.DraftNote{Name: field.Name, Text: field.Message})
		}
	}
	return status
}
