// Package intake has the pages for new inquiries: the form with its autosaved draft, drafts and
// their transfer, copying a lead to a new inquiry, the quick estimate, and the link on which a
// borrower continues alone.
package intake

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/intake"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// IntakePage shows the form of a new inquiry: empty, from a draft, from a CRM record, or from one
// of the demo's samples.
func (h *Handlers) IntakePage(w http.ResponseWriter, r *http.Request) error {
	req := deskintake.PageRequest{DraftID: r.URL.Query().Get("draft")}
	if req.DraftID == "" {
		req.Sample = h.sampleValues(r.URL.Query().Get("sample"))
	}
	return h.renderIntake(w, r, intakeState{request: req})
}

// sampleValues returns a filled intake of the demo; nil if there is none with this key.
func (h *Handlers) sampleValues(key string) lead.FormValues {
	if h.DemoControl == nil || key == "" {
		return nil
	}
	for _, sample := range h.DemoControl.Samples() {
		if sample.Key == key {
			return sample.Values
		}
	}
	return nil
}

// intakeState is which inquiry the page shows, and its form if that was submitted.
type intakeState struct {
	request    deskintake.PageRequest
	form       *form.Form // nil if none was submitted
	duplicates []deskintake.Duplicate
	status     int
}

// submittedIntake is the state of a form that is shown again.
func submittedIntake(draft string, f *form.Form) intakeState {
	if f.Values == nil {
		f.Values = url.Values{} // an empty form, which must not be replaced by the draft
	}
	fillPlaces(f, intakeAddresses()...)
	return intakeState{request: deskintake.PageRequest{DraftID: draft, Typed: lead.FormValues(f.Values),
		OperationID: f.OperationID}, form: f, status: page.FormStatus(f)}
}

func (h *Handlers) renderIntake(w http.ResponseWriter, r *http.Request, state intakeState) error {
	drafts, err := page.VisitOf(r).Desk.Drafts()
	if err != nil {
		return err
	}
	if state.request.Launch, err = page.LaunchedRecord(r); err != nil {
		return err
	}
	v := h.Viewer(r)
	state.request.Format = form.ShownValue
	state.request.Inquiry = func(typed lead.FormValues) heloc.Inquiry {
		inquiry, _ := storedForm(r, typed).Inquiry(v.Today())
		return inquiry
	}
	p, err := drafts.Page(r.Context(), state.request)
	if err != nil {
		return redirectToSentLead(w, r, err)
	}
	f := state.form
	if f == nil {
		f = storedForm(r, p.Typed)
		f.CheckHomeAddress() // a draft may have been saved with both, or with a box that was checked on every new form
	}
	p.Duplicates = append(p.Duplicates, state.duplicates...)
	model := presentIntake(v, p, f)
	model.Page, model.Variants, model.CanSendBorrowerLink = h.Layout(r, "New inquiry"), h.TestVariants,
		h.BorrowerLinks && p.MayStart
	if v.Base.Embedded() {
		if model.Page.NewWindowURL, model.Page.NewWindowSavedURL = to.Full.NewLead(""),
			to.Full.NewLead(p.DraftID); p.Stored.ID != "" {
			model.Page.NewWindowURL = model.Page.NewWindowSavedURL
		}
	}
	if h.DemoControl != nil {
		model.Samples = presentSamples(h.DemoControl.Samples())
	}
	return h.Render(w, r, max(state.status, http.StatusOK), view.Intake(model))
}

// storedForm is the form of a draft, without errors.
func storedForm(r *http.Request, typed lead.FormValues) *form.Form {
	return page.NewForm(r, url.Values(typed))
}

// StartInquiry sends a new inquiry.
func (h *Handlers) StartInquiry(w http.ResponseWriter, r *http.Request, starts *deskintake.Intake, f *form.Form) error {
	draft := form.DraftIDOrNew(f.Values.Get("draft"))
	if f.ApplyRowButtons() {
		return h.renderIntake(w, r, submittedIntake(draft, f))
	}
	inquiry, snapshot := f.Inquiry(h.Viewer(r).Today())
	inquiry.TestVariants = h.AllowedVariants(inquiry.TestVariants)
	if f.HasErrors() { // the desk checks the consent of a form without errors
		f.FieldErrors = append(f.FieldErrors, fault.FieldsOf(starts.CheckConsent(f.Consent()))...)
	}
	var result deskintake.StartResult
	return page.Submit(r, page.Write{
		Writer:        w,
		SubmittedForm: page.SubmittedForm{Action: string(heloc.OpStart), Form: f},
		Run: func() (op lead.Operation, err error) {
			result, err = starts.Submit(r.Context(), deskintake.StartForm{
				OperationID: f.OperationID, DraftID: draft, Typed: f.DraftValues(), Inquiry: inquiry, Snapshot: snapshot,
				Consent: f.Consent(), ConfirmDuplicate: f.IsChecked("confirm.duplicate"), NoUnit: f.IsChecked(form.ConfirmNoUnit),
				CancelsReplaced: f.IsChecked("confirm.cancelOld"), CancelOperationID: f.Text("cancelOld.operation"),
			})
			return result.Operation, err
		},
		Redisplay: func(a page.SubmittedForm) error {
			state := submittedIntake(draft, f)
			if state.status, state.duplicates = a.Status, result.Duplicates; a.NeedsNewID {
				state.request.OperationID = ""
			}
			return h.renderIntake(w, r, state)
		},
		Next: func(lead.Operation) error { return page.NavigateTo(w, r, afterStartURL(r, result)) },
	})
}

// afterStartURL returns where the user goes after a start: the new lead, or what needs attention of the inquiry that
// it replaces.
func afterStartURL(r *http.Request, result deskintake.StartResult) string {
	base := page.BaseOf(r)
	if result.Cancellation.ID != "" || result.NotCanceled != "" {
		page.RequestLogOf(r).AddAttr("cancelled", result.Cancellation.ID)
	}
	switch {
	case result.Cancellation.ID != "" && result.Cancellation.State != lead.OpSucceeded:
		return base.Operation(result.Cancellation.ID)
	case result.NotCanceled != "":
		return base.Lead(string(result.NotCanceled))
	default:
		return page.AfterWriteURL(base, result.Operation, result.Operation.App)
	}
}

// DraftsPage lists the drafts.
func (h *Handlers) DraftsPage(w http.ResponseWriter, r *http.Request, drafts *deskintake.Drafts) error {
	return h.renderDrafts(w, r, drafts, "")
}

func (h *Handlers) renderDrafts(w http.ResponseWriter, r *http.Request, drafts *deskintake.Drafts,
	message string) error {
	all, err := drafts.List(r.Context())
	if err != nil {
		return err
	}
	v := h.Viewer(r)
	model := view.DraftsView{Page: h.Layout(r, "Drafts"), CanNew: true}
	senders, err := drafts.Senders(r.Context(), "")
	if err != nil {
		return err
	}
	assignees := senderOptions(v, senders)
	for _, draft := range all {
		row := presentDraft(v, draft)
		row.TransferTo = assignees
		model.Drafts = append(model.Drafts, row)
	}
	status := http.StatusOK
	if message != "" {
		status = http.StatusUnprocessableEntity
		model.Page.Notices = append(model.Page.Notices,
			ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "Not transferred.", Text: message, Role: "alert"})
	}
	return h.Render(w, r, status, view.Drafts(model))
}

// SaveDraft saves the form. The page's script gets what it then shows: the time of the save, what is
// still needed and which entries cannot be sent. A browser without scripts, which submits a button,
// gets the page again.
func (h *Handlers) SaveDraft(w http.ResponseWriter, r *http.Request, drafts *deskintake.Drafts, f *form.Form) error {
	id := chi.URLParam(r, "id")
	autosave := r.Header.Get("HX-Request") == "true"
	if !autosave {
		fillPlaces(f, intakeAddresses()...)
	}
	at, err := drafts.Save(r.Context(), id, f.DraftValues())
	if err != nil && !autosave {
		return redirectToSentLead(w, r, err)
	}
	if err != nil {
		return err
	}
	if autosave {
		trial := form.Form{Values: f.Values, Corrections: map[string]string{}}
		inquiry, _ := trial.Inquiry(h.Viewer(r).Today())
		unit, err := drafts.UnitReason(r.Context(), inquiry.Property.Address)
		if err != nil {
			return err
		}
		return page.WriteJSON(w, http.StatusOK, presentDraftStatus(h.Viewer(r), f, unit, at))
	}
	return page.Redirect(w, r, page.BaseOf(r).NewLead(id))
}

// AllowedVariants returns the requested test variants that the configuration allows. Any other
// variant would trigger a test behavior of the lender that no form may request.
func (h *Handlers) AllowedVariants(requested *heloc.TestVariants) *heloc.TestVariants {
	if requested == nil {
		return nil
	}
	var allowed heloc.TestVariants
	for _, v := range requested.Variants {
		if slices.Contains(h.TestVariants, v.Name) {
			allowed.Variants = append(allowed.Variants, v)
		}
	}
	if len(allowed.Variants) == 0 {
		return nil
	}
	return &allowed
}

// redirectToSentLead redirects a request for a draft that was sent to the lead that it became.
// Users who may not see that lead learn only that there is no such draft. Any other error is
// returned.
func redirectToSentLead(w http.ResponseWriter, r *http.Request, err error) error {
	if sent, ok := errors.AsType[*deskintake.DraftSentError](err); ok {
		return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(sent.App)))
	}
	return err
}

// Deps are what the intake area needs.
type Deps struct {
	*page.Responder
	Estimates     bool     // whether the quick estimate is enabled; otherwise its routes do not exist
	BorrowerLinks bool     // whether borrowers can continue alone, through a link
	TestVariants  []string // test variants that an inquiry may request; if empty, the choice is hidden
}

// Handlers answer the routes of the intake area.
type Handlers struct{ Deps }

// New creates the handlers.
func New(d Deps) *Handlers { return &Handlers{d} }

// Routes returns the routes of this area.
func (h *Handlers) Routes() []page.Route {
	return page.Concat(
		page.InEmbeds(page.WithPermission(access.PrepareDraft, []page.Route{
			page.Get("/leads/new", "new inquiry", h.IntakePage),
			page.Get("/leads/new/license", "license in a state", page.WithDesk(h.StateLicense)),
			{Method: http.MethodPost, Pattern: "/leads/import", Name: "import a loan file", Upload: true,
				MaxFile: deskintake.MaxImportSize, Handler: page.WithForm(page.Desk.Drafts, h.ReadLoanFile)},
			page.Get("/leads/import/{id}", "review of a loan file", page.WithHandle(page.Desk.Drafts, h.ReviewPage)),
			page.Post("/leads/import/{id}", "use a loan file", page.WithForm(page.Desk.Drafts, h.UseReview)),
			page.Post("/leads/import/{id}/discard", "discard a loan file",
				page.WithActionOn(page.Desk.Drafts, (*deskintake.Drafts).DiscardReview, to.Full.NewLead(""))),
			page.Get("/drafts", "drafts", page.WithHandle(page.Desk.Drafts, h.DraftsPage)),
			page.Post("/drafts/{id}", "save draft", page.WithForm(page.Desk.Drafts, h.SaveDraft)),
			page.Post("/drafts/{id}/delete", "delete draft",
				page.WithActionOn(page.Desk.Drafts, (*deskintake.Drafts).Delete, to.Full.Drafts())),
			page.Post("/drafts/{id}/hand", "transfer a draft", page.WithForm(page.Desk.Drafts, h.TransferDraft)),
		})),
		page.InEmbeds(page.WithPermission(access.StartInquiry, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads", Name: "start", StepUp: page.StepUpWithSSN,
				Handler: page.WithForm(page.Desk.Intake, h.StartInquiry)},
		})),
		h.borrowerLinkRoutes(),
		h.estimateRoutes(),
		page.InEmbeds(page.WithPermission(access.RevealBorrower, []page.Route{
			// The new draft is filled with what was sent, so this reveals borrower details.
			page.Post("/leads/{app}/clone", "clone", page.WithLead(h.CloneLead)),
		})),
	)
}

// borrowerLinkRoutes exist only when the lender has a borrower site.
func (h *Handlers) borrowerLinkRoutes() []page.Route {
	if !h.BorrowerLinks {
		return nil
	}
	return page.InEmbeds(page.WithPermission(access.StartInquiry, []page.Route{
		page.Post("/drafts/{id}/link", "borrower link of a draft", page.WithForm(page.Desk.Drafts, h.DraftBorrowerLink)),
	}))
}

// estimateRoutes exist only when the lender offers estimates.
func (h *Handlers) estimateRoutes() []page.Route {
	if !h.Estimates {
		return nil
	}
	return page.InEmbeds(page.WithPermission(access.Prequalify, []page.Route{
		page.Get("/prequalify", "quick estimate", page.WithHandle(page.Desk.Estimates, h.EstimatePage)),
		{Method: http.MethodPost, Pattern: "/prequalify", Name: "request an estimate", StepUp: page.StepUpWithSSN,
			Handler: page.WithForm(page.Desk.Estimates, h.RequestEstimate)},
	}))
}

func presentStateLicense(l deskintake.StateLicense) view.LicenseView {
	name := text.State(l.State)
	if l.Own == lead.LicenseHeld && l.Company != lead.LicenseMissing {
		return view.LicenseView{Text: name + ": You’re licensed."}
	}
	v := view.LicenseView{NeedsAttention: true, Text: "No license on file for you in " + name + "."}
	switch {
	case l.Own == lead.LicenseMissing:
		v.Text = "You aren’t licensed in " + name + "."
	case l.Company == lead.LicenseMissing:
		v.Text = "Your company isn’t licensed in " + name + "."
	}
	if len(l.LicensedColleagues) == 0 {
		v.Text += " Check with your manager before you start the inquiry."
	}
	for _, o := range l.LicensedColleagues {
		v.Text += " Licensed: " + text.JoinNonEmpty(", ", o.Name(), o.Phone) + "."
	}
	return v
}

// StateLicense returns the license status for the intake form when a state is chosen, before the
// borrower is named. It is empty for users who may not start inquiries.
func (h *Handlers) StateLicense(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	state := r.URL.Query().Get("property.address.state")
	starts, err := d.Intake()
	if err != nil || len(state) != 2 {
		// users who may not start inquiries need no license
		return h.Render(w, r, http.StatusOK, view.LicenseStatus(view.LicenseView{}))
	}
	known, err := starts.License(r.Context(), state)
	if err != nil {
		return err
	}
	return h.Render(w, r, http.StatusOK, view.LicenseStatus(presentStateLicense(known)))
}
