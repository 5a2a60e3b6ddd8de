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

// intakePage is a new inquiry: empty, from a draft, or from one of the demo's samples.
func (s *Handlers) IntakePage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	shown := intake{draft: drafts.New(), form: &form.Form{Sent: map[string]string{}}, status: http.StatusOK}
	if id := r.URL.Query().Get("draft"); id != "" {
		draft, err := drafts.Open(r.Context(), id)
		if err != nil {
			return orItsLead(w, r, err)
		}
		shown.draft, shown.form.Values, shown.saved = draft.ID, url.Values(draft.Typed), form.SavedAt(s.Viewer(r), draft.SavedAt)
	} else if record, err := page.Launched(r); err != nil {
		return err
	} else if record != nil {
		if err := recordIntake(r, record, &shown); err != nil {
			return err
		}
	} else if sample, ok := s.sample(r.URL.Query().Get("sample")); ok {
		shown.form.Values = sample.Typed
	}
	return s.showIntake(w, r, d, shown)
}

// sample finds a filled intake of the demo.
func (s *Handlers) sample(key string) (page.Sample, bool) {
	if s.Rehearsal == nil || key == "" {
		return page.Sample{}, false
	}
	for _, sample := range s.Rehearsal.Samples() {
		if sample.Key == key {
			return sample, true
		}
	}
	return page.Sample{}, false
}

// intake is the page of a new inquiry as it is to be shown.
type intake struct {
	draft      string
	form       *form.Form
	saved      string
	unfilled   views.UnfilledView
	again      bool // the form needs a new ticket
	duplicates []desk.Duplicate
	record     views.RecordView // of the CRM's record, inside a frame
	status     int
}

func (s *Handlers) showIntake(w http.ResponseWriter, r *http.Request, d page.Desk, shown intake) error {
	if err := s.noteRecord(r, &shown); err != nil {
		return err
	}
	v := s.Viewer(r)
	view := views.IntakeView{
		Page: s.Frame(r, "New inquiry"), Draft: shown.draft, Saved: shown.saved, Can: d.Actor.Can(access.StartInquiry), Live: d.Live(), HandOff: s.HandOffs && d.Actor.Can(access.StartInquiry),
		Unfilled: shown.unfilled, Variants: s.Variants, Consent: page.ConsentOf(v, d.Consent, borrowerIn(shown.form)),
	}
	if v.Base.Embedded() {
		if view.Page.Pop, view.Page.PopKept = to.Full.NewLead(""), to.Full.NewLead(shown.draft); shown.saved != "" {
			view.Page.Pop = view.Page.PopKept
		}
	}
	ticket := shown.form.Ticket
	if starts, err := d.Intake(); err != nil {
		ticket = ""
	} else if shown.again || ticket == "" {
		ticket = starts.Ticket()
	}
	old, correcting, err := restart(r, d, shown.draft)
	if err != nil {
		return err
	}
	if correcting {
		view.Restart = showRestart(v, old, shown.form)
	}
	if view.Licence, err = licenceLine(r, d, shown.form.Values.Get("property.address.state")); err != nil {
		return err
	}
	handed, err := handedOf(r, d, shown.draft)
	if err != nil {
		return err
	}
	view.Prepared = showPreparedBy(v, handed, shown.form)
	if view.HandTo, err = senders(r, d); err != nil {
		return err
	}
	if view.Stand, err = page.RecordStand(r); err != nil {
		return err
	}
	view.Form, view.Record = shown.form.View(ticket), shown.record
	view.Duplicates = showDuplicates(v, shown.duplicates, borrowerIn(shown.form))
	progress := progressOf(v, shown.form)
	view.Done, view.Needs, view.Left, view.Gross = progress.done, progress.needs, progress.left, progress.gross
	if s.Rehearsal != nil {
		view.Samples = showSamples(s.Rehearsal.Samples())
	}
	return s.Show(w, r, shown.status, views.Intake(view))
}

// startInquiry sends a new inquiry.
func (s *Handlers) StartInquiry(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	shown := intake{draft: form.DraftID(f.Values.Get("draft")), form: f, status: http.StatusOK}
	if f.ChangesRows() {
		return s.showIntake(w, r, d, shown)
	}
	starts, err := d.Intake()
	if err != nil {
		return err
	}
	inquiry, born := f.Inquiry(s.Viewer(r).Today())
	inquiry.TestVariants = s.OfferedVariants(inquiry.TestVariants)
	if f.Bad() {
		shown.status = http.StatusUnprocessableEntity
		return s.showIntake(w, r, d, shown)
	}
	op, err := starts.Start(r.Context(), desk.StartForm{
		Ticket: f.Ticket, DraftID: shown.draft, Typed: f.Typed(), Inquiry: inquiry, Newborn: born, Consent: f.Consent(),
		ConfirmDuplicate: f.Checked("confirm.duplicate"), CancelsOld: f.Checked("confirm.cancelOld"),
	})
	page.TrailOf(r).Note("operation", op.ID)
	if err == nil {
		next := page.OutcomeOf(page.BaseOf(r), op, op.App)
		if op.State == desk.OpSucceeded && f.Checked("confirm.cancelOld") {
			next = s.cancelOld(r, d, shown, next)
		}
		return page.Onward(w, r, next)
	}
	a := page.Attempt{Act: string(heloc.OpStart), Form: f}
	if !a.Excuse(op, err) {
		return err
	}
	shown.status, shown.again = a.Status, a.Again
	if complainsOf(err, "confirm.duplicate") {
		if shown.duplicates, err = starts.Duplicates(r.Context(), inquiry); err != nil {
			return err
		}
	}
	return s.showIntake(w, r, d, shown)
}

func complainsOf(err error, control string) bool {
	for _, field := range fault.FieldsOf(err) {
		if field.Name == control {
			return true
		}
	}
	return false
}

// draftsPage lists what has not been sent.
func (s *Handlers) DraftsPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.showDrafts(w, r, d, "")
}

func (s *Handlers) showDrafts(w http.ResponseWriter, r *http.Request, d page.Desk, refused string) error {
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	all, err := drafts.List(r.Context())
	if err != nil {
		return err
	}
	v := s.Viewer(r)
	view := views.DraftsView{Page: s.Frame(r, "Drafts"), CanNew: true}
	takers, err := senders(r, d)
	if err != nil {
		return err
	}
	for _, draft := range all {
		row := showDraft(v, draft)
		row.HandTo = takers
		view.Drafts = append(view.Drafts, row)
	}
	status := http.StatusOK
	if refused != "" {
		status = http.StatusUnprocessableEntity
		view.Page.Notices = append(view.Page.Notices, ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "Not handed over.", Text: refused, Role: "alert"})
	}
	return s.Show(w, r, status, views.Drafts(view))
}

// saveDraft keeps what is typed. The page's script wants the time of it; a browser
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
	at, err := drafts.Save(r.Context(), id, f.Typed())
	if err != nil && !autosave {
		return orItsLead(w, r, err)
	}
	if err != nil {
		return err
	}
	if autosave {
		return page.Say(w, s.Viewer(r).Clock(at))
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
	return page.Onward(w, r, page.BaseOf(r).Drafts())
}

// offeredVariants keeps the test variants that the installation offers: others are the
// lender's switches, and no form may throw them.
func (s *Handlers) OfferedVariants(asked *heloc.TestVariants) *heloc.TestVariants {
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
