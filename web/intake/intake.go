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
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// IntakePage is a new inquiry: empty, from a draft, or from one of the demo's samples.
func (s *Handlers) IntakePage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	shown := intakeState{draft: drafts.New(), form: &form.Form{Corrections: map[string]string{}}, status: http.StatusOK}
	if id := r.URL.Query().Get("draft"); id != "" {
		draft, err := drafts.Find(r.Context(), id)
		if err != nil {
			return redirectToSentLead(w, r, err)
		}
		shown.draft, shown.form.Values, shown.savedText = draft.ID, url.Values(draft.Typed), form.SavedText(s.Viewer(r), draft.SavedAt)
		if shown.duplicates, err = s.earlierInquiries(r, d, draft); err != nil {
			return err
		}
	} else if record, err := page.LaunchedRecord(r); err != nil {
		return err
	} else if record != nil {
		if err := prefillFromRecord(r, record, &shown); err != nil {
			return err
		}
	} else if sample, ok := s.findSample(r.URL.Query().Get("sample")); ok {
		shown.form.Values = sample.Values
	}
	return s.renderIntake(w, r, d, shown)
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

// intakeState is the page of a new inquiry as it is to be shown.
type intakeState struct {
	draft           string
	form            *form.Form
	savedText       string
	unusedCRMFields views.UnusedCRMFieldsView
	needsNewID      bool // the form needs a new ticket
	duplicates      []desk.Duplicate
	crmRecord       views.CRMRecordView // of the CRM's record, inside a frame
	status          int
}

func (s *Handlers) renderIntake(w http.ResponseWriter, r *http.Request, d page.Desk, shown intakeState) error {
	if err := s.addRecordNotes(r, &shown); err != nil {
		return err
	}
	v := s.Viewer(r)
	view := views.IntakeView{
		Page: s.Layout(r, "New inquiry"), Draft: shown.draft, SavedText: shown.savedText, CanSend: d.Actor.Can(access.StartInquiry), LiveDialect: d.LiveDialect(), CanSendBorrowerLink: s.BorrowerLinks && d.Actor.Can(access.StartInquiry),
		UnusedCRMFields: shown.unusedCRMFields, Variants: s.TestVariants, Consent: page.PresentConsent(v, d.Consent, borrowerNameIn(shown.form)),
	}
	if v.Base.Embedded() {
		if view.Page.NewWindowURL, view.Page.NewWindowSavedURL = to.Full.NewLead(""), to.Full.NewLead(shown.draft); shown.savedText != "" {
			view.Page.NewWindowURL = view.Page.NewWindowSavedURL
		}
	}
	ticket := shown.form.OperationID
	if starts, err := d.Intake(); err != nil {
		ticket = ""
	} else if shown.needsNewID || ticket == "" {
		ticket = starts.NewOperationID()
	}
	old, correcting, err := restartOf(r, d, shown.draft)
	if err != nil {
		return err
	}
	if correcting {
		view.Restart = presentRestart(v, old, shown.form)
	}
	if view.License, err = loadStateLicense(r, d, shown.form.Values.Get("property.address.state")); err != nil {
		return err
	}
	handed, err := transferredDraft(r, d, shown.draft)
	if err != nil {
		return err
	}
	view.Prepared = presentPreparedBy(v, handed, shown.form)
	if view.TransferTo, err = transferOptions(r, d); err != nil {
		return err
	}
	if view.StatusToken, err = page.RecordLeadStatus(r); err != nil {
		return err
	}
	view.Form, view.CRMRecord = shown.form.View(ticket), shown.crmRecord
	view.Duplicates = presentDuplicates(v, shown.duplicates, borrowerNameIn(shown.form))
	progress := intakeProgressOf(v, shown.form)
	view.Done, view.Needs, view.Missing, view.MonthlyGross = progress.done, progress.needs, progress.incomplete, progress.monthlyIncome
	if s.DemoControl != nil {
		view.Samples = presentSamples(s.DemoControl.Samples())
	}
	return s.Render(w, r, shown.status, views.Intake(view))
}

// StartInquiry sends a new inquiry.
func (s *Handlers) StartInquiry(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	shown := intakeState{draft: form.DraftIDOrNew(f.Values.Get("draft")), form: f, status: http.StatusOK}
	if f.ApplyRowButtons() {
		return s.renderIntake(w, r, d, shown)
	}
	starts, err := d.Intake()
	if err != nil {
		return err
	}
	inquiry, born := f.Inquiry(s.Viewer(r).Today())
	inquiry.TestVariants = s.AllowedVariants(inquiry.TestVariants)
	if f.HasErrors() {
		shown.status = http.StatusUnprocessableEntity
		return s.renderIntake(w, r, d, shown)
	}
	op, err := starts.Start(r.Context(), desk.StartForm{
		OperationID: f.OperationID, DraftID: shown.draft, Typed: f.DraftValues(), Inquiry: inquiry, Snapshot: born, Consent: f.Consent(),
		ConfirmDuplicate: f.IsChecked("confirm.duplicate"), CancelsReplaced: f.IsChecked("confirm.cancelOld"),
	})
	page.RequestLogOf(r).AddAttr("operation", op.ID)
	if err == nil {
		next := page.AfterWriteURL(page.BaseOf(r), op, op.App)
		if op.State == desk.OpSucceeded && f.IsChecked("confirm.cancelOld") {
			next = s.cancelReplaced(r, d, shown, next)
		}
		return page.NavigateTo(w, r, next)
	}
	a := page.SubmittedForm{Action: string(heloc.OpStart), Form: f}
	if !a.Explain(op, err) {
		return err
	}
	shown.status, shown.needsNewID = a.Status, a.NeedsNewID
	if hasFieldError(err, "confirm.duplicate") {
		if shown.duplicates, err = starts.Duplicates(r.Context(), inquiry); err != nil {
			return err
		}
	}
	return s.renderIntake(w, r, d, shown)
}

func hasFieldError(err error, control string) bool {
	for _, field := range fault.FieldsOf(err) {
		if field.Name == control {
			return true
		}
	}
	return false
}

// DraftsPage lists what has not been sent.
func (s *Handlers) DraftsPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.renderDrafts(w, r, d, "")
}

func (s *Handlers) renderDrafts(w http.ResponseWriter, r *http.Request, d page.Desk, refused string) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	all, err := drafts.List(r.Context())
	if err != nil {
		return err
	}
	v := s.Viewer(r)
	view := views.DraftsView{Page: s.Layout(r, "Drafts"), CanNew: true}
	takers, err := transferOptions(r, d)
	if err != nil {
		return err
	}
	for _, draft := range all {
		row := presentDraft(v, draft)
		row.TransferTo = takers
		view.Drafts = append(view.Drafts, row)
	}
	status := http.StatusOK
	if refused != "" {
		status = http.StatusUnprocessableEntity
		view.Page.Notices = append(view.Page.Notices, ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "Not handed over.", Text: refused, Role: "alert"})
	}
	return s.Render(w, r, status, views.Drafts(view))
}

// SaveDraft keeps what is typed. The page's script wants the time of it; a browser
// without script pressed a button and gets its page back.
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
		return page.WriteText(w, s.Viewer(r).TimeOfDay(at))
	}
	return page.Redirect(w, r, page.BaseOf(r).NewLead(id))
}

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

// AllowedVariants keeps the test variants that the installation offers: others are the
// lender's switches, and no form may throw them.
func (s *Handlers) AllowedVariants(asked *heloc.TestVariants) *heloc.TestVariants {
	if asked == nil {
		return nil
	}
	var kept heloc.TestVariants
	for _, v := range asked.Variants {
		if slices.Contains(s.TestVariants, v.Name) {
			kept.Variants = append(kept.Variants, v)
		}
	}
	if len(kept.Variants) == 0 {
		return nil
	}
	return &kept
}
