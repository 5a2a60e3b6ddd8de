package intake

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/intake"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// IntakePage shows the form of a new inquiry: empty, from a draft, from a CRM record, or from one
// of the demo's samples.
func (s *Handlers) IntakePage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	state := intakeState{draft: drafts.New(), form: &form.Form{Corrections: map[string]string{}}, status: http.StatusOK}
	if id := r.URL.Query().Get("draft"); id != "" {
		draft, err := drafts.Find(r.Context(), id)
		if err != nil {
			return redirectToSentLead(w, r, err)
		}
		state.draft, state.form.Values = draft.ID, url.Values(draft.Typed)
		if state.duplicates, err = s.earlierInquiries(r, d, draft); err != nil {
			return err
		}
	} else if record, err := page.LaunchedRecord(r); err != nil {
		return err
	} else if record != nil {
		if err := prefillFromRecord(r, record, &state); err != nil {
			return err
		}
	} else if sample, ok := s.findSample(r.URL.Query().Get("sample")); ok {
		state.form.Values = sample.Values
	}
	return s.renderIntake(w, r, d, state)
}

// earlierInquiries finds what a draft would be a duplicate of when a start from it may have arrived,
// so that the form asks for the confirmation before it is sent again.
func (s *Handlers) earlierInquiries(r *http.Request, d page.Desk, draft desk.Draft) ([]desk.Duplicate, error) {
	if draft.LastStart == nil || !d.Actor.Can(access.StartInquiry) {
		return nil, nil
	}
	starts, err := d.Intake()
	if err != nil {
		return nil, err
	}
	typed := form.Form{Values: url.Values(draft.Typed), Corrections: map[string]string{}}
	inquiry, _ := typed.Inquiry(s.Viewer(r).Today())
	return starts.Duplicates(r.Context(), inquiry)
}

// findSample finds a filled intake of the demo.
func (s *Handlers) findSample(key string) (page.Sample, bool) {
	if s.DemoControl == nil || key == "" {
		return page.Sample{}, false
	}
	for _, sample := range s.DemoControl.Samples() {
		if sample.Key == key {
			return sample, true
		}
	}
	return page.Sample{}, false
}

// intakeState is what the page of a new inquiry shows.
type intakeState struct {
	draft           string
	form            *form.Form
	unusedCRMFields view.UnusedCRMFieldsView
	needsNewID      bool // the form needs a new operation id
	duplicates      []desk.Duplicate
	crmRecord       view.CRMRecordView // the CRM's record; only in an embed
	status          int
}

func (s *Handlers) renderIntake(w http.ResponseWriter, r *http.Request, d page.Desk, state intakeState) error {
	if err := s.addRecordNotes(r, &state); err != nil {
		return err
	}
	v := s.Viewer(r)
	model := view.IntakeView{
		Page: s.Layout(r, "New inquiry"), Draft: state.draft, CanSend: d.Actor.Can(access.StartInquiry), LiveDialect: d.LiveDialect(), CanSendBorrowerLink: s.BorrowerLinks && d.Actor.Can(access.StartInquiry),
		UnusedCRMFields: state.unusedCRMFields, Variants: s.TestVariants, Consent: page.PresentConsent(v, d.ConsentText(), borrowerNameIn(state.form)),
	}
	operationID := state.form.OperationID
	if starts, err := d.Intake(); err != nil {
		operationID = ""
	} else if state.needsNewID || operationID == "" {
		operationID = starts.NewOperationID()
	}
	old, correcting, err := restartOf(r, d, state.draft)
	if err != nil {
		return err
	}
	if correcting {
		model.Restart = presentRestart(v, old, state.form)
	}
	if model.License, err = loadStateLicense(r, d, state.form.Values.Get("property.address.state")); err != nil {
		return err
	}
	stored, err := storedDraft(r, d, state.draft)
	if err != nil {
		return err
	}
	model.SavedText = savedText(v, stored, state.form)
	if v.Base.Embedded() {
		if model.Page.NewWindowURL, model.Page.NewWindowSavedURL = to.Full.NewLead(""), to.Full.NewLead(state.draft); stored.ID != "" {
			model.Page.NewWindowURL = model.Page.NewWindowSavedURL
		}
	}
	model.Prepared = presentPreparedBy(v, stored.Transferred, state.form)
	if model.TransferTo, err = transferOptions(r, d); err != nil {
		return err
	}
	if model.StatusToken, err = page.RecordLeadStatus(r); err != nil {
		return err
	}
	model.Form, model.CRMRecord = state.form.View(operationID), state.crmRecord
	model.Duplicates = presentDuplicates(v, state.duplicates, borrowerNameIn(state.form))
	progress := intakeProgressOf(v, state.form)
	model.Done, model.Needs, model.Missing, model.MonthlyGross = progress.done, progress.needs, progress.incomplete, progress.monthlyIncome
	if s.DemoControl != nil {
		model.Samples = presentSamples(s.DemoControl.Samples())
	}
	return s.Render(w, r, state.status, view.Intake(model))
}

// StartInquiry sends a new inquiry.
func (s *Handlers) StartInquiry(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	state := intakeState{draft: form.DraftIDOrNew(f.Values.Get("draft")), form: f, status: http.StatusOK}
	if f.ApplyRowButtons() {
		return s.renderIntake(w, r, d, state)
	}
	starts, err := d.Intake()
	if err != nil {
		return err
	}
	inquiry, snapshot := f.Inquiry(s.Viewer(r).Today())
	inquiry.TestVariants = s.AllowedVariants(inquiry.TestVariants)
	if f.HasErrors() {
		state.status = http.StatusUnprocessableEntity
		return s.renderIntake(w, r, d, state)
	}
	op, err := starts.Start(r.Context(), desk.StartForm{
		OperationID: f.OperationID, DraftID: state.draft, Typed: f.DraftValues(), Inquiry: inquiry, Snapshot: snapshot, Consent: f.Consent(),
		ConfirmDuplicate: f.IsChecked("confirm.duplicate"), CancelsReplaced: f.IsChecked("confirm.cancelOld"),
	})
	page.RequestLogOf(r).AddAttr("operation", op.ID)
	if err == nil {
		next := page.AfterWriteURL(page.BaseOf(r), op, op.App)
		if op.State == lead.OpSucceeded && f.IsChecked("confirm.cancelOld") {
			next = s.cancelReplaced(r, d, state, next)
		}
		return page.NavigateTo(w, r, next)
	}
	a := page.SubmittedForm{Action: string(heloc.OpStart), Form: f}
	if !a.Explain(op, err) {
		return err
	}
	state.status, state.needsNewID = a.Status, a.NeedsNewID
	if hasFieldError(err, "confirm.duplicate") {
		if state.duplicates, err = starts.Duplicates(r.Context(), inquiry); err != nil {
			return err
		}
	}
	return s.renderIntake(w, r, d, state)
}

func hasFieldError(err error, control string) bool {
	for _, field := range fault.FieldsOf(err) {
		if field.Name == control {
			return true
		}
	}
	return false
}

// DraftsPage lists the drafts.
func (s *Handlers) DraftsPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.renderDrafts(w, r, d, "")
}

func (s *Handlers) renderDrafts(w http.ResponseWriter, r *http.Request, d page.Desk, message string) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	all, err := drafts.List(r.Context())
	if err != nil {
		return err
	}
	v := s.Viewer(r)
	model := view.DraftsView{Page: s.Layout(r, "Drafts"), CanNew: true}
	assignees, err := transferOptions(r, d)
	if err != nil {
		return err
	}
	for _, draft := range all {
		row := presentDraft(v, draft)
		row.TransferTo = assignees
		model.Drafts = append(model.Drafts, row)
	}
	status := http.StatusOK
	if message != "" {
		status = http.StatusUnprocessableEntity
		model.Page.Notices = append(model.Page.Notices, ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "Not handed over.", Text: message, Role: "alert"})
	}
	return s.Render(w, r, status, view.Drafts(model))
}

// SaveDraft saves the form. The page's script gets what it then shows: the time of the save, what is
// still needed and which entries cannot be sent. A browser without scripts, which submits a button,
// gets the page again.
func (s *Handlers) SaveDraft(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	autosave := r.Header.Get("HX-Request") == "true"
	at, err := drafts.Save(r.Context(), id, f.DraftValues())
	if err != nil && !autosave {
		return redirectToSentLead(w, r, err)
	}
	if err != nil {
		return err
	}
	if autosave {
		return page.WriteJSON(w, http.StatusOK, presentDraftStatus(s.Viewer(r), f, at))
	}
	return page.Redirect(w, r, page.BaseOf(r).NewLead(id))
}

// DeleteDraft deletes a draft.
func (s *Handlers) DeleteDraft(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	if err := drafts.Delete(r.Context(), chi.URLParam(r, "id")); err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Drafts())
}

// AllowedVariants returns the requested test variants that the configuration allows. Any other
// variant would trigger a test behavior of the lender that no form may request.
func (s *Handlers) AllowedVariants(requested *heloc.TestVariants) *heloc.TestVariants {
	if requested == nil {
		return nil
	}
	var allowed heloc.TestVariants
	for _, v := range requested.Variants {
		if slices.Contains(s.TestVariants, v.Name) {
			allowed.Variants = append(allowed.Variants, v)
		}
	}
	if len(allowed.Variants) == 0 {
		return nil
	}
	return &allowed
}
