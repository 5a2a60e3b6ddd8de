package web

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// intakePage is a new inquiry: empty, from a draft, or from one of the demo's samples.
func (s *Server) intakePage(w http.ResponseWriter, r *http.Request, d Desk) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	page := intake{draft: drafts.New(), form: &form{sent: map[string]string{}}, status: http.StatusOK}
	if id := r.URL.Query().Get("draft"); id != "" {
		draft, err := drafts.Open(r.Context(), id)
		if err != nil {
			return orItsLead(w, r, err)
		}
		page.draft, page.form.values, page.saved = draft.ID, url.Values(draft.Typed), s.viewer(r).savedAt(draft.SavedAt)
	} else if record, err := launched(r); err != nil {
		return err
	} else if record != nil {
		if err := recordIntake(r, record, &page); err != nil {
			return err
		}
	} else if sample, ok := s.sample(r.URL.Query().Get("sample")); ok {
		page.form.values = sample.Typed
	}
	return s.showIntake(w, r, d, page)
}

// sample finds a filled intake of the demo.
func (s *Server) sample(key string) (Sample, bool) {
	if s.Rehearsal == nil || key == "" {
		return Sample{}, false
	}
	for _, sample := range s.Rehearsal.Samples() {
		if sample.Key == key {
			return sample, true
		}
	}
	return Sample{}, false
}

// intake is the page of a new inquiry as it is to be shown.
type intake struct {
	draft      string
	form       *form
	saved      string
	unfilled   views.UnfilledView
	again      bool // the form needs a new ticket
	duplicates []desk.Duplicate
	record     views.RecordView // of the CRM's record, inside a frame
	status     int
}

func (s *Server) showIntake(w http.ResponseWriter, r *http.Request, d Desk, page intake) error {
	if err := s.noteRecord(r, &page); err != nil {
		return err
	}
	v := s.viewer(r)
	view := views.IntakeView{
		Page: s.frame(r, "New inquiry"), Draft: page.draft, Saved: page.saved, Can: d.Actor.Can(access.StartInquiry), Live: d.Live(), HandOff: s.HandOffs && d.Actor.Can(access.StartInquiry),
		Unfilled: page.unfilled, Variants: s.Variants, Consent: v.consentOf(d.Consent, borrowerIn(page.form)),
	}
	if v.base.Embedded() {
		if view.Page.Pop, view.Page.PopKept = to.Full.NewLead(""), to.Full.NewLead(page.draft); page.saved != "" {
			view.Page.Pop = view.Page.PopKept
		}
	}
	ticket := page.form.ticket
	if starts, err := d.Intake(); err != nil {
		ticket = ""
	} else if page.again || ticket == "" {
		ticket = starts.Ticket()
	}
	old, correcting, err := restart(r, d, page.draft)
	if err != nil {
		return err
	}
	if correcting {
		view.Restart = v.showRestart(old, page.form)
	}
	if view.Licence, err = licenceLine(r, d, page.form.values.Get("property.address.state")); err != nil {
		return err
	}
	handed, err := handedOf(r, d, page.draft)
	if err != nil {
		return err
	}
	view.Prepared = v.showPreparedBy(handed, page.form)
	if view.HandTo, err = senders(r, d); err != nil {
		return err
	}
	if view.Stand, err = recordStand(r); err != nil {
		return err
	}
	view.Form, view.Record = page.form.view(ticket), page.record
	view.Duplicates = v.showDuplicates(page.duplicates, borrowerIn(page.form))
	progress := v.progressOf(page.form)
	view.Done, view.Needs, view.Left, view.Gross = progress.done, progress.needs, progress.left, progress.gross
	if s.Rehearsal != nil {
		view.Samples = showSamples(s.Rehearsal.Samples())
	}
	return s.show(w, r, page.status, views.Intake(view))
}

// startInquiry sends a new inquiry.
func (s *Server) startInquiry(w http.ResponseWriter, r *http.Request, d Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	page := intake{draft: draftID(f.values.Get("draft")), form: f, status: http.StatusOK}
	if f.changesRows() {
		return s.showIntake(w, r, d, page)
	}
	starts, err := d.Intake()
	if err != nil {
		return err
	}
	inquiry, born := f.inquiry(s.viewer(r).today())
	inquiry.TestVariants = s.offeredVariants(inquiry.TestVariants)
	if f.bad() {
		page.status = http.StatusUnprocessableEntity
		return s.showIntake(w, r, d, page)
	}
	op, err := starts.Start(r.Context(), desk.StartForm{
		Ticket: f.ticket, DraftID: page.draft, Typed: f.typed(), Inquiry: inquiry, Newborn: born, Consent: f.consent(),
		ConfirmDuplicate: f.checked("confirm.duplicate"), CancelsOld: f.checked("confirm.cancelOld"),
	})
	trailOf(r).note("operation", op.ID)
	if err == nil {
		next := outcomeOf(baseOf(r), op, op.App)
		if op.State == desk.OpSucceeded && f.checked("confirm.cancelOld") {
			next = s.cancelOld(r, d, page, next)
		}
		return onward(w, r, next)
	}
	a := attempt{act: string(heloc.OpStart), form: f}
	if !a.excuse(op, err) {
		return err
	}
	page.status, page.again = a.status, a.again
	if complainsOf(err, "confirm.duplicate") {
		if page.duplicates, err = starts.Duplicates(r.Context(), inquiry); err != nil {
			return err
		}
	}
	return s.showIntake(w, r, d, page)
}

func complainsOf(err error, control string) bool {
	for _, field := range fault.FieldsOf(err) {
		if field.Name == control {
			return true
		}
	}
	return false
}

// draftID keeps a draft's number, or makes one when a form came without.
func draftID(given string) string {
	if id, err := uuid.Parse(given); err == nil && len(given) == 36 {
		return id.String()
	}
	return uuid.Must(uuid.NewV7()).String()
}

// draftsPage lists what has not been sent.
func (s *Server) draftsPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.showDrafts(w, r, d, "")
}

func (s *Server) showDrafts(w http.ResponseWriter, r *http.Request, d Desk, refused string) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	all, err := drafts.List(r.Context())
	if err != nil {
		return err
	}
	v := s.viewer(r)
	view := views.DraftsView{Page: s.frame(r, "Drafts"), CanNew: true}
	takers, err := senders(r, d)
	if err != nil {
		return err
	}
	for _, draft := range all {
		row := v.showDraft(draft)
		row.HandTo = takers
		view.Drafts = append(view.Drafts, row)
	}
	status := http.StatusOK
	if refused != "" {
		status = http.StatusUnprocessableEntity
		view.Page.Notices = append(view.Page.Notices, ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "Not handed over.", Text: refused, Role: "alert"})
	}
	return s.show(w, r, status, views.Drafts(view))
}

// saveDraft keeps what is typed. The page's script wants the time of it; a browser
// without script pressed a button and gets its page back.
func (s *Server) saveDraft(w http.ResponseWriter, r *http.Request, d Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	autosave := r.Header.Get("HX-Request") == "true"
	at, err := drafts.Save(r.Context(), id, f.typed())
	if err != nil && !autosave {
		return orItsLead(w, r, err)
	}
	if err != nil {
		return err
	}
	if autosave {
		return say(w, s.viewer(r).clock(at))
	}
	return redirect(w, r, baseOf(r).NewLead(id))
}

func (s *Server) deleteDraft(w http.ResponseWriter, r *http.Request, d Desk) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	if err := drafts.Delete(r.Context(), chi.URLParam(r, "id")); err != nil {
		return err
	}
	return onward(w, r, baseOf(r).Drafts())
}

// offeredVariants keeps the test variants that the installation offers: others are the
// lender's switches, and no form may throw them.
func (s *Server) offeredVariants(asked *heloc.TestVariants) *heloc.TestVariants {
	if asked == nil {
		return nil
	}
	var kept heloc.TestVariants
	for _, v := range asked.Variants {
		if slices.Contains(s.Variants, v.Name) {
			kept.Variants = append(kept.Variants, v)
		}
	}
	if len(kept.Variants) == 0 {
		return nil
	}
	return &kept
}
